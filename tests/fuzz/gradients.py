"""Random expressions with views and writes in place, whose gradients are compared with finite differences.

An expression is a list of statements over two or three leaves, all in double: smooth functions, products, views of
views, writes through them. The slope of the weighted sum of everything that is left in the end is measured along a
direction and compared with what backward() says; in every fourth one so is the slope of that product, which asks for
gradients of gradients. A statement that raises while the expression is made is not in it. As a script:

    python tests/fuzz/gradients.py COUNT [SEED [FIRST]]      makes and checks
    python tests/fuzz/gradients.py record COUNT              with PyTorch: writes expressions and their gradients into RECORDED
"""

import functools
import json
import pathlib
import random
import re
import sys
import warnings
from dataclasses import dataclass

import torch

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent)]
from finite_differences import slope  # noqa: E402

_SHAPES = [(2, 3), (3, 2), (3, 3), (2, 2, 3), (4,), (3,), (1, 3), (3, 1), (), (2, 1, 2), (6,), (2, 4)]
_UNARY = (
    "sin(); cos(); tanh(); sigmoid(); atan(); exp().tanh(); square(); neg(); sinh().tanh(); erf(); asinh(); "
    "expm1().tanh(); cumsum(0); logcumsumexp(0); logsumexp(-1); softmax(-1); log_softmax(0); sum(0); "
    "sum(-1, keepdim=True); mean(); var(); flip(0); roll(1); clone(); contiguous(); conj(); mul(0.7); div(1.3); "
    "add(0.4); pow(2); pow(3).tanh(); t().contiguous(); repeat(2, 1); tile(2); repeat_interleave(2); "
    "square().sum(0).add(1).sqrt(); square().add(1).log(); square().add(0.5).rsqrt(); triu(); tril(); diag(); "
    "trace(); masked_fill(MASK, 0.3); index_select(0, INDEX); gather(0, GATHER); take(TAKE); sinc(); cumprod(0); "
    "prod(0); norm(); cov(); diff(); nan_to_num(); to(torch.complex128); "
    "lerp(torch.tensor(1.5, dtype=torch.float64), 0.3); sgn().mul(0).add(1); deg2rad()"
).split("; ")
_BINARY = (
    "A + B; A - B; A * B; A / (B * B.conj() + 1.2); A @ B; A.mul(B).tanh(); torch.cat([A, B]); torch.stack([A, B]); "
    "torch.where(MASK, A, B); torch.addcmul(A, B, A, value=0.3); torch.outer(A.flatten()[:3], B.flatten()[:2]); "
    "torch.dot(A.flatten()[:2], B.flatten()[:2]); torch.einsum('i,j->ij', A.flatten()[:2], B.flatten()[:3]); "
    "torch.lerp(A, B, 0.25); torch.atan2(A, B.square() + 1); torch.hypot(A, B.square() + 1); torch.index_add(A, 0, INDEX2, B[:1].expand(2, *B.shape[1:])); "
    "torch.cdist(A, B + 3); torch.complex(A, B); torch.kron(A.flatten()[:2], B.flatten()[:2]); torch.linalg.cross(A, B); "
    "torch.logaddexp(A, B); torch.nn.functional.linear(A, B)"
).split("; ")
_VIEWS = (
    "A[0]; A[-1]; A[1:]; A[:, 0]; A[..., 1:]; A[::2]; A.t(); A.mT; A.transpose(0, -1); A.unsqueeze(0); A.squeeze(); A.view(-1); "
    "A.reshape(-1); A.flatten(); A.diagonal(); A.permute(*range(A.dim())[::-1]); A.narrow(0, 1, 1); A.select(-1, 0); "
    "A.unfold(0, 2, 2); A.view_as(A); A.expand(2, *A.shape); A.movedim(0, -1); A.swapaxes(0, -1); A.unflatten(0, (1, -1)); "
    "A.chunk(2)[1]; A.split(1)[0]; A.unbind()[1]; A.tensor_split(2, -1)[0]; torch.view_as_real(A); A.real; A.imag; "
    "torch.view_as_complex(A); A.clone().as_strided((2,), (1,)); A.detach(); A.ravel(); A.hsplit(1)[0]"
).split("; ")
_WRITES = (
    "A.mul_(0.8); A.add_(B); A.sub_(B, alpha=0.5); A.mul_(B); A.sin_(); A.tanh_(); A.copy_(B); A.zero_(); A.fill_(0.3); "
    "A[0] = B; A[..., 0] = B; A[1:] = 0.2; A[MASK] = 0.1; A.masked_fill_(MASK, 0.6); A.index_add_(0, INDEX2, A[:2] * 0.5); "
    "A.addcmul_(B, B); A.div_(B.square() + 1); A.neg_(); A.sigmoid_(); A.index_fill_(0, INDEX2, 0.4); A[INDEX2] = B; "
    "A.square_(); A.diagonal().add_(B); A.t_(); A.unsqueeze_(0); A.squeeze_(); A.transpose_(0, -1); A.exp_().tanh_(); A.pow_(2); "
    "A.cumsum_(0); A += B; A *= 0.9; A.view(-1)[0] = 1.5; A.detach().mul_(1); A.index_copy_(0, INDEX2, B[:2] * 0.5); "
    "A.scatter_(0, UPSIDE_DOWN, B); A.scatter_add_(0, GATHER, A * 0.5); A.lerp_(B, 0.2); A.erf_(); A.requires_grad_()"
).split("; ")
# What backward() may refuse, in these words.
ENDS = {"modified by an inplace operation": "overwritten", "more than one element of the written-to": "overlapping"}
NEAR = 2e-6
RECORDED = pathlib.Path(__file__).parent / "data/gradients.txt"


@dataclass(frozen=True)
class Expression:
    leaves: tuple  # (shape, values) of each
    statements: tuple

    def __str__(self):
        shapes = ", ".join(str(shape) for shape, _ in self.leaves)
        return f"leaves {shapes}: " + "; ".join(self.statements)

    @functools.cached_property
    def code(self):
        return compile("\n".join(self.statements), "expression", "exec")


def words():
    return {
        "torch": torch,
        "INDEX": torch.tensor([0, 1, 1]),
        "INDEX2": torch.tensor([0, 1]),
        "TAKE": torch.tensor([0, 1, 0]),
    }


def leaf(shape, values):
    return torch.tensor(values, dtype=torch.float64).reshape(shape).clone()


def make(number, seed="0"):
    """Statements are kept if they can be executed, with gradients recorded."""
    chance = random.Random(f"{seed} {number}")
    some = chance.sample(_SHAPES, 2) + [chance.choice(_SHAPES)]
    leaves = []
    for shape in some[: chance.choice((2, 2, 3))]:
        size = torch.Size(shape).numel()
        leaves.append((shape, [round(chance.uniform(-1.2, 1.2), 3) for _ in range(size)]))
    scope = words()
    statements = []
    names = []

    def add(text):
        try:
            exec(text, scope)  # noqa: S102 - our own texts
        except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError):
            return False
        statements.append(text)
        return True

    for i, (shape, values) in enumerate(leaves):
        name = f"x{i}"
        scope[name] = leaf(shape, values).requires_grad_()
        names.append(name)
        # What is written in place is seldom a leaf.
        if chance.random() < 0.7 and add(f"v{i} = {name} * 1"):
            names.append(f"v{i}")
    for _ in range(chance.randrange(4, 13)):
        a, b = chance.choice(names), chance.choice(names)
        kind = chance.random()
        mask = f"torch.arange({a}.numel()).reshape({a}.shape) % 2 == 0"
        turned = f"torch.arange({a}.shape[0]).flip(0).reshape(-1, *[1] * ({a}.dim() - 1)).expand({a}.shape)"
        gather = f"torch.arange({a}.numel()).reshape({a}.shape) % {a}.shape[0]"
        fresh = f"t{len(names)}"
        if kind < 0.25:
            form = f"{fresh} = A.{chance.choice(_UNARY)}"
        elif kind < 0.45:
            form = f"{fresh} = {chance.choice(_BINARY)}"
        elif kind < 0.72:
            form = f"{fresh} = {chance.choice(_VIEWS)}"
        else:
            form = chance.choice(_WRITES)
            # What reads the elements that it writes, in another order, is not defined.
            same = scope[a].untyped_storage().data_ptr() == scope[b].untyped_storage().data_ptr()
            if re.search(r"\bB\b", form) and same and a != b:
                continue
        for word, text in (("A", a), ("B", b), ("MASK", f"({mask})"), ("GATHER", gather), ("UPSIDE_DOWN", turned)):
            form = re.sub(rf"\b{word}\b", text, form)
        text = form
        if add(text) and fresh in scope:
            if isinstance(scope[fresh], torch.Tensor) and scope[fresh].numel() <= 200:
                names.append(fresh)
            else:
                statements.pop()
    return Expression(tuple(leaves), tuple(statements))


def value(expression, leaves):
    """The weighted sum of all that is left, with smooth weights that no two elements share."""
    scope = words()
    for i, x in enumerate(leaves):
        scope[f"x{i}"] = x
    exec(expression.code, scope)  # noqa: S102 - our own texts
    total, turn = 0, 0.0
    for name in sorted(scope):
        if name[0] not in "xvt" or not name[1:].isdigit():
            continue
        t = scope[name]
        turn += 1
        if t.numel() == 0 or t.dtype not in (torch.float64, torch.complex128):
            continue
        weights = (torch.arange(t.numel(), dtype=torch.float64) * 0.7 + turn).sin().reshape(t.shape)
        part = (t * weights).sum()
        total = total + (part.real + 0.6 * part.imag if part.dtype.is_complex else part)
    return total


def directions(leaves, turn):
    return [
        (torch.arange(x.numel(), dtype=torch.float64) * 1.3 + i + turn).cos().reshape(x.shape)
        for i, x in enumerate(leaves)
    ]


def gradients(expression, leaves, create_graph=False):
    out = value(expression, leaves)
    if not isinstance(out, torch.Tensor) or not out.requires_grad:
        return None
    found = torch.autograd.grad(out, leaves, allow_unused=True, create_graph=create_graph)
    return [torch.zeros_like(x) if g is None else g for g, x in zip(found, leaves)]


def measured(function, leaves, along):
    """The slope, with gradients recorded: what may be written in place is the same then."""
    return slope(lambda at: float(function([x.requires_grad_() for x in at])), [x.detach() for x in leaves], along)


def judge(name, found, rough, claimed, size):
    scale = max(1.0, size, abs(found))
    if rough > 1e-3 * scale or not size < 1e8:
        return "not smooth", ""
    if abs(found - claimed) > NEAR * scale + 0.1 * rough:
        return "wrong", f"{name}: slope {found!r}, gradient {claimed!r}"
    return "right", ""


def product(tensors, along):
    return sum((g * d).sum() for g, d in zip(tensors, along))


def run(expression, second=False):
    """(what it was, what is wrong)"""
    leaves = [leaf(*each).requires_grad_() for each in expression.leaves]
    try:
        found = gradients(expression, leaves, second)
    except RuntimeError as error:
        for words, end in ENDS.items():
            if words in str(error):
                return end, ""
        return "wrong", f"backward raises {str(error)[:200]}"
    if found is None:
        return "constant", ""
    along = directions(leaves, 0)
    size = sum(float(g.detach().abs().sum()) for g in found)
    if "detach" in str(expression):  # the slope sees what the gradient must not
        return "detached", ""
    end = judge(
        "first order", *measured(lambda at: value(expression, at), leaves, along), float(product(found, along)), size
    )
    if not second or end[0] != "right":
        return end
    claim = product(found, along)
    if not claim.requires_grad:
        return end
    try:
        again = torch.autograd.grad(claim, leaves, allow_unused=True)
    except RuntimeError as error:
        if "modified by an inplace operation" in str(error):
            return "overwritten", ""
        return "wrong", f"second backward raises {str(error)[:200]}"
    again = [torch.zeros_like(x) if g is None else g for g, x in zip(again, leaves)]
    other = directions(leaves, 1.9)
    size += sum(float(g.abs().sum()) for g in again)
    found = measured(lambda at: product(gradients(expression, at), along), leaves, other)
    return judge("second order", *found, float(product(again, other)), size)


def answers(expression):
    """For comparison with another library: the gradients, or how it ends."""
    leaves = [leaf(*each).requires_grad_() for each in expression.leaves]
    try:
        found = gradients(expression, leaves)
    except RuntimeError as error:
        return "overwritten" if "modified by an inplace operation" in str(error) else f"RuntimeError: {error}"
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        return type(error).__name__
    return found and [g.flatten().tolist() for g in found]


def recorded():
    """[(expression, its gradients)]"""
    rows = [json.loads(line) for line in RECORDED.read_text().splitlines()]
    return [(Expression(tuple((tuple(shape), v) for shape, v in leaves), tuple(texts)), g) for leaves, texts, g in rows]


def record(count):
    rows = []
    number = 0
    while len(rows) < count:
        expression = make(number, "recorded")
        number += 1
        found = answers(expression)
        # kron of PyTorch saves nothing of what it multiplies, and does not see that it is overwritten.
        if isinstance(found, list) and "kron" not in str(expression):
            found = [[float(f"{x:.11g}") for x in g] for g in found]
            rows.append(json.dumps([expression.leaves, expression.statements, found]))
    RECORDED.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "record":
        sys.exit(record(int(sys.argv[2])))
    count, seed, first = (
        int(sys.argv[1]),
        sys.argv[2] if len(sys.argv) > 2 else "0",
        int(sys.argv[3]) if len(sys.argv) > 3 else 0,
    )
    ends = {}
    for number in range(first, first + count):
        expression = make(number, seed)
        end, wrong = run(expression, number % 4 == 0)
        ends[end] = ends.get(end, 0) + 1
        if wrong:
            print(number, wrong, "\n    ", expression, flush=True)
    print(f"{count} expressions of seed {seed!r}: " + ", ".join(f"{n} {end}" for end, n in sorted(ends.items())))
    sys.exit("wrong" in ends)
