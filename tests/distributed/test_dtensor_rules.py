"""Functions of DTensors against the same of whole tensors, for every way that arguments may lie; and their gradients."""

import itertools
import threading

import pytest
import ranks
import torch
import torch.distributed as dist
import torch.nn.functional as F  # noqa: N812

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads


def _x(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


A, B, V, SQ = _x(6, 5), _x(6, 5, seed=1), _x(5, seed=2), _x(4, 6, 5, seed=3)
W, BIAS = _x(7, 5, seed=4), _x(7, seed=5)
LABELS = torch.tensor([0, 4, 2, -100, 1, 3])
INDEX = torch.tensor([[0, 3, 5], [2, 2, 1]])

# name: (function, tensors that lie in every way)
CASES = {
    "add": (lambda a, b: a + b, A, B),
    "add row": (lambda a, v: a + v, A, V),
    "add scaled": (lambda a, b: torch.add(a, b, alpha=2), A, B),
    "add number": (lambda a: a + 1, A),
    "sub": (lambda a, b: a - b, A, B),
    "rsub": (lambda a: 1 - a, A),
    "mul": (lambda a, v: a * v, A, V),
    "mul number": (lambda a: a * 2, A),
    "div": (lambda a, b: a / (b.abs() + 1), A, B),
    "relu": (F.relu, A),
    "gelu": (F.gelu, A),
    "pow": (lambda a: a**2, A),
    "where": (lambda a, b: torch.where(a > 0, a, b), A, B),
    "to": (lambda a: a.to(torch.float32).double(), A),
    "clamp": (lambda a: a.clamp(-0.5, 0.5), A),
    "matmul": (lambda a, b: a @ b.t(), A, B),
    "matmul batch": (lambda q, a: q @ a.t(), SQ, B),
    "bmm": (lambda q: torch.bmm(q, q.transpose(1, 2)), SQ),
    "mv": (lambda a, v: a @ v, A, V),
    "linear": (F.linear, A, W, BIAS),
    "linear batch": (F.linear, SQ, W),
    "addmm": (lambda v, a, w: torch.addmm(v, a, w.t(), alpha=2), BIAS, A, W),
    "sum": (lambda a: a.sum(), A),
    "sum dim": (lambda q: q.sum(1), SQ),
    "sum dims kept": (lambda q: q.sum((0, 2), keepdim=True), SQ),
    "mean": (lambda a: a.mean(), A),
    "mean dim": (lambda q: q.mean(-1), SQ),
    "var": (lambda q: q.var(1), SQ),
    "amax": (lambda q: q.amax(1), SQ),
    "max": (lambda a: a.max(), A),
    "max dim": (lambda a: a.max(1)[0], A),
    "norm": (torch.linalg.vector_norm, A),
    "softmax": (lambda q: F.softmax(q, -1), SQ),
    "log_softmax": (lambda q: q.log_softmax(1), SQ),
    "layer_norm": (lambda a, w: F.layer_norm(a, (5,), w, None), A, V),
    "mse_loss": (F.mse_loss, A, B),
    "cumsum": (lambda a: a.cumsum(0), A),
    "view": (lambda q: q.view(24, 5), SQ),
    "reshape": (lambda q: q.reshape(4, 2, 3, 5), SQ),
    "reshape mixed": (lambda q: q.reshape(8, 15), SQ),
    "flatten": (lambda q: q.flatten(1), SQ),
    "transpose": (lambda q: q.transpose(0, 2), SQ),
    "permute": (lambda q: q.permute(2, 0, 1), SQ),
    "t": (lambda a: a.t(), A),
    "T": (lambda a: a.T, A),
    "view_as": (lambda q, a: q.view_as(a.unsqueeze(0).expand(4, 6, 5)) * a, SQ, A),
    "expand_as": (lambda v, a: v.expand_as(a) * a, V, A),
    "unsqueeze": (lambda a: a.unsqueeze(1), A),
    "squeeze": (lambda a: a.unsqueeze(1).squeeze(), A),
    "expand": (lambda a: a.unsqueeze(0).expand(3, 6, 5), A),
    "chunk": (lambda a: a.chunk(2, 1)[1], A),
    "split": (lambda a: torch.split(a, 2)[2], A),
    "index": (lambda q: q[:, 1:3, None], SQ),
    "index int": (lambda q: q[1], SQ),
    "index_select": (lambda a: a.index_select(0, _index()), A),
    "cat": (lambda a, b: torch.cat([a, b]), A, B),
    "stack": (lambda a, b: torch.stack([a, b], 1), A, B),
    "tril": (torch.tril, A),
    "dropout off": (lambda a: F.dropout(a, 0.5, training=False), A),
    "std": (lambda a: a.std(), A),
    "var_mean": (lambda q: torch.stack(torch.var_mean(q, 0, correction=0)), SQ),
    "logsumexp": (lambda q: q.logsumexp(1), SQ),
    "prod dim": (lambda a: a.prod(1), A),
    "cumprod": (lambda a: a.cumprod(1), A),
    "sort": (lambda a: a.sort(0)[0], A),
    "topk": (lambda a: a.topk(2)[0], A),
    "flip": (lambda a: a.flip(0), A),
    "roll": (lambda a: a.roll(1, 1), A),
    "gather": (lambda a: a.gather(1, _index(2).expand(6, 3)), A),
    "gather all": (lambda a: a.gather(1, _index(2).expand(6, 3).repeat(1, 2)[:, :5]), A),
    "scatter_add": (lambda a, b: a.scatter_add(1, _index(2).expand(6, 3), b), A, B),
    "index_add": (lambda a, b: a.index_add(1, _index(), b[:, :3]), A, B),
    "square product": (lambda a: a[:5] @ a[:5], A),
    "einsum": (lambda q, a: torch.einsum("bik,jk->bij", q, a), SQ, B),
    "einsum sum": (lambda q, v: torch.einsum("...k,k", q, v), SQ, V),
    "tensordot": (lambda q, a: torch.tensordot(q, a, ([1, 2], [0, 1])), SQ, B),
    "outer": (lambda v, w: torch.outer(v, w), V, BIAS),
    "dot": (lambda v, w: torch.dot(v, w[:5]), V, BIAS),
    "baddbmm": (lambda q: torch.baddbmm(q[:, :, :4], q[:, :, :4], q[:, :4, :4], beta=2), SQ),
    "conv1d": (lambda q, w: F.conv1d(q, w.view(1, 7, 5)[:, :6]), SQ, W),
    "max_pool1d": (lambda q: F.max_pool1d(q, 2), SQ),
    "avg_pool2d": (lambda q: F.avg_pool2d(q, 2), SQ),
    "interpolate": (lambda q: F.interpolate(q, scale_factor=2), SQ),
    "pad": (lambda q: F.pad(q, (1, 1)), SQ),
    "group_norm": (lambda q: F.group_norm(q, 2), SQ),
    "rms_norm": (lambda q, v: F.rms_norm(q, (5,), v), SQ, V),
    "normalize": (F.normalize, A),
    "cosine_similarity": (lambda a, b: F.cosine_similarity(a, b), A, B),
    "glu": (lambda a: F.glu(a, 0), A),
    "logsigmoid": (F.logsigmoid, A),
    "l1_loss": (F.l1_loss, A, B),
    "huber_loss": (lambda a, b: F.huber_loss(a, b, reduction="sum"), A, B),
    "bce": (lambda a, b: F.binary_cross_entropy_with_logits(a, b.sigmoid(), reduction="none"), A, B),
    "kl_div": (lambda a, b: F.kl_div(a.log_softmax(1), b.softmax(1), reduction="sum"), A, B),
    "det": (lambda q: torch.linalg.det(q[:, :5]), SQ),
    "solve": (lambda q: torch.linalg.solve(q[:, :5], q[:, 1:]), SQ),
    "fft": (lambda q: torch.fft.rfft(q, dim=1).abs(), SQ),
    "attention masked": (
        lambda q: F.scaled_dot_product_attention(*[q.view(4, 2, 3, 5)] * 3, attn_mask=q[0, :3, :3]),
        SQ,
    ),
    "attention": (lambda q: F.scaled_dot_product_attention(*[q.view(4, 2, 3, 5)] * 3, is_causal=True), SQ),
}


def _index(dim=1):
    from torch.distributed.tensor import DTensor

    index, mesh = torch.tensor([4, 0, 0]).view(1, 3)[0 if dim == 1 else ...], getattr(OF_THE_CALL, "mesh", None)
    return DTensor.from_local(index, mesh) if mesh is not None else index


OF_THE_CALL = threading.local()


def _ways(mesh, ndim):
    from torch.distributed.tensor import Partial, Replicate, Shard

    ways = [Replicate(), Partial(), *(Shard(d) for d in range(ndim))]
    return list(itertools.product(ways, repeat=mesh.ndim))


def _lain(t, mesh, way):
    """A DTensor that is t, lying so; of terms, they differ by rank."""
    from torch.distributed.tensor import DTensor, Replicate, distribute_tensor

    whole = [Replicate() if p.is_partial() else p for p in way]
    local = distribute_tensor(t, mesh, whole).to_local().clone()
    for i, p in enumerate(way):
        if p.is_partial():
            n, r = mesh.size(i), mesh.get_local_rank(i)
            local = local * ((r + 1) / (n * (n + 1) / 2))
    made = DTensor.from_local(local, mesh, way, shape=t.shape, stride=t.stride())
    return made.detach().requires_grad_()


def check(name, mesh, function, tensors, ways):
    own = [t.clone().requires_grad_() for t in tensors]
    wanted = function(*own)
    weights = _x(*wanted.shape, seed=9)
    expected = torch.autograd.grad((wanted * weights).sum(), own)
    for way in ways:
        lain = [_lain(t, mesh, p) for t, p in zip(tensors, way)]
        OF_THE_CALL.mesh = mesh
        try:
            found = function(*lain)
        finally:
            OF_THE_CALL.mesh = None
        where = f"{name} {way} -> {found.placements}"
        assert found.shape == wanted.shape and found.dtype == wanted.dtype, where
        whole = found.full_tensor()
        torch.testing.assert_close(whole.detach(), wanted.detach(), msg=lambda m, w=where: f"{w}\n{m}")
        (whole * weights).sum().backward()
        for t, g in zip(lain, expected):
            assert t.grad.shape == g.shape, where
            torch.testing.assert_close(t.grad.full_tensor(), g, msg=lambda m, w=where: f"gradient of {w}\n{m}")


def of_cases(shape, first, last):
    from torch.distributed.device_mesh import init_device_mesh

    mesh = init_device_mesh("cpu", shape)
    for name, (function, *tensors) in list(CASES.items())[first:last]:
        ways = list(itertools.product(*(_ways(mesh, t.dim()) for t in tensors)))
        ways = ways[:: max(1, len(ways) // (30 if mesh.ndim == 1 else 8)) | 1]
        check(name, mesh, function, tensors, ways)


@pytest.mark.parametrize("part", range(2))
def test_of_two_ranks(part):
    half = len(CASES) // 2
    _threads.run(of_cases, 2, (2,), part * half, (part + 1) * half + part)


@pytest.mark.parametrize("part", range(2))
def test_of_a_square(part):
    half = len(CASES) // 2
    _threads.run(of_cases, 4, (2, 2), part * half, (part + 1) * half + part)


# (function, shapes of the arguments, how they lie, how the result lies): what rules say, and not only that it is right.
S0, S1, S2, R, P = "S(0)", "S(1)", "S(2)", "R", "P(sum)"
PLACEMENTS = [
    (torch.add, [(6, 4), (6, 4)], [S0, S0], S0),
    (torch.add, [(6, 4), (6, 4)], [P, P], P),
    (torch.mul, [(6, 4), (4,)], [S1, S0], S1),
    (torch.mul, [(6, 4), (6, 4)], [P, R], P),
    (torch.sigmoid, [(6, 4)], [P], R),
    (torch.special.entr, [(6, 4)], [S1], S1),
    (torch.isnan, [(6, 4)], [S0], S0),
    (torch.mm, [(6, 4), (4, 2)], [S0, R], S0),
    (torch.mm, [(6, 4), (4, 2)], [R, S1], S1),
    (torch.mm, [(6, 4), (4, 2)], [S1, S0], P),
    (torch.bmm, [(4, 3, 4), (4, 4, 2)], [S0, S0], S0),
    (torch.matmul, [(4, 3, 4), (4,)], [S2, S0], P),
    (F.linear, [(6, 4), (2, 4)], [S0, R], S0),
    (F.linear, [(6, 4), (2, 4), (2,)], [R, S0, S0], S1),
    (lambda a, b: torch.einsum("abc,cd->abd", a, b), [(2, 3, 4), (4, 6)], [R, S1], S2),
    (lambda t: t.sum(), [(6, 4)], [S0], P),
    (lambda t: t.sum(1), [(6, 4)], [S0], S0),
    (lambda t: t.mean(0), [(6, 4)], [S0], P),
    (lambda t: t.amax(0), [(6, 4)], [S0], "P(max)"),
    (lambda t: t.var(1), [(6, 4)], [S0], S0),
    (lambda t: t.argmax(1), [(6, 4)], [S0], S0),
    (lambda t: t.cumsum(1), [(6, 4)], [S0], S0),
    (lambda t: t.cumsum(0), [(6, 4)], [S0], S1),
    (lambda t: t.softmax(-1), [(6, 4)], [S0], S0),
    (lambda t: t.logsumexp(1), [(6, 4)], [S0], S0),
    (lambda t: torch.linalg.vector_norm(t, dim=1), [(6, 4)], [S0], S0),
    (lambda t: t.transpose(0, 2), [(2, 3, 4)], [S0], S2),
    (lambda t: t.reshape(2, 3, 4), [(6, 4)], [S1], S2),
    (lambda t: t.reshape(24), [(6, 4)], [S0], S0),
    (lambda t: t.unsqueeze(0), [(6, 4)], [S0], S1),
    (lambda t: t.split(2, 1), [(6, 4)], [S0], S0),
    (lambda a, b: torch.cat([a, b], 1), [(6, 4), (6, 2)], [S0, S0], S0),
    (lambda a, b: torch.stack([a, b]), [(6, 4), (6, 4)], [S0, S0], S1),
    (lambda t: F.layer_norm(t, (4,)), [(6, 4)], [S0], S0),
    (lambda t: F.group_norm(t, 2), [(6, 4, 3)], [S0], S0),
    (F.conv2d, [(4, 3, 5, 5), (2, 3, 2, 2)], [S0, R], S0),
    (F.conv2d, [(4, 3, 5, 5), (2, 3, 2, 2), (2,)], [S0, R, R], S0),
    (F.conv2d, [(4, 4, 5, 5), (4, 4, 2, 2)], [S1, R], S0),
    (F.conv_transpose2d, [(4, 4, 5, 5), (4, 4, 2, 2)], [S1, R], S0),
    (lambda t: F.max_pool2d(t, 2), [(4, 2, 4, 4)], [S1], S1),
    (lambda t: F.max_pool2d(t, 3, 1, 1), [(4, 2, 6, 4)], [S2], S0),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), [(2, 4, 6, 4)] * 3, [S2] * 3, S0),
    (F.scaled_dot_product_attention, [(2, 4, 3, 5)] * 3, [S0] * 3, S0),
    (F.scaled_dot_product_attention, [(2, 4, 3, 5)] * 3, [S1] * 3, S1),
    (lambda a, b: F.mse_loss(a, b, reduction="none"), [(6, 4), (6, 4)], [S0, S0], S0),
    (F.mse_loss, [(6, 4), (6, 4)], [S0, S0], P),
    (torch.linalg.inv, [(4, 3, 3)], [S0], S0),
    (lambda t: torch.fft.fft(t), [(6, 4)], [S0], S0),
    (lambda t: torch._foreach_mul([t, t], 2.0), [(6, 4)], [S0], S0),
    (lambda t: F.dropout(t, 0.0), [(6, 4)], [S0], S0),
]


def placements(cases):
    from torch.distributed.device_mesh import init_device_mesh

    mesh = init_device_mesh("cpu", (2,))
    for k, (function, shapes, ways, lies) in enumerate(cases):
        plain = [_x(*shape, seed=i) for i, shape in enumerate(shapes)]
        by_name = {str(p): p for t in plain for (p,) in _ways(mesh, t.dim())}
        lain = [_lain(t, mesh, (by_name[way],)) for t, way in zip(plain, ways)]
        found, wanted = function(*lain), function(*plain)
        for one, two in zip(*([f] if isinstance(f, torch.Tensor) else f for f in (found, wanted))):
            assert str(one.placements[0]) == lies, (k, function, ways, one.placements)
            torch.testing.assert_close(one.full_tensor().detach(), two, msg=lambda m, k=k: f"case {k}: {m}")


def test_how_results_lie():
    _threads.run(placements, 2, PLACEMENTS)


def test_every_rule_can_be_interpreted():
    """Names of functions that declarations say exist, and no function stands here that none names."""
    from torch._sharding import RULES
    from torch.distributed.tensor import _decomposed, _rules

    others = {"parts", "draws", "fills", "loss"}
    named = {words[0] for rows in RULES.values() for _, form, words, _ in rows if form == "parts"}
    forms = {form for rows in RULES.values() for _, form, _, _ in rows} - {None}
    assert forms <= _rules._FORMS.keys() | others
    assert _rules._FORMS.keys() <= forms
    public = {n for n, f in vars(_decomposed).items() if getattr(f, "__module__", "") == _decomposed.__name__}
    assert named | {"loss", "drawn", "filled", "refused"} == public
    missing = [
        name
        for name in RULES
        if not any(hasattr(of, name) for of in (torch, torch.Tensor, F, torch._C._nn))
        and not name.startswith(("nn_", "linalg_", "special_", "fft_"))
    ]
    assert not missing, missing
    for name in RULES:
        for arguments, *_ in RULES[name]:
            _rules._parsed(arguments)


def losses_and_embedding():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    mesh = init_device_mesh("cpu", (2,))
    whole = [Replicate()]
    for reduction in ("mean", "sum", "none"):
        for label, ways in ((LABELS, [(Replicate(),), (Shard(0),), (Shard(1),)]),):
            target = distribute_tensor(label, mesh, whole)
            check(
                f"cross_entropy {reduction}", mesh,
                lambda a, t=target, r=reduction: F.cross_entropy(a, t if type(a) is not torch.Tensor else LABELS, reduction=r),
                [A], [(way,) for way in ways],
            )  # fmt: skip
    table = _x(6, 4, seed=7)
    for padding in (None, 2):
        for index_way in (Replicate(), Shard(0), Shard(1)):
            index = distribute_tensor(INDEX, mesh, [index_way])
            check(
                f"embedding {padding}", mesh,
                lambda w, i=index, p=padding: F.embedding(i if type(w) is not torch.Tensor else INDEX, w, p),
                [table], [((Replicate(),),), ((Shard(0),),), ((Shard(1),),)],
            )  # fmt: skip


def test_losses_and_embedding():
    _threads.run(losses_and_embedding, 2)


def in_place():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor

    mesh = init_device_mesh("cpu", (2,))
    for way in (Replicate(), Shard(0), Shard(1)):
        a = distribute_tensor(A, mesh, [way])
        b = distribute_tensor(B, mesh, [Shard(0)])
        same = a
        a += b
        a.mul_(2).clamp_(min=0)
        assert a is same and a.placements == (way,)
        torch.testing.assert_close(a.full_tensor(), ((A + B) * 2).clamp(min=0))
        a[1] = 3.0
        assert a.full_tensor()[1].eq(3).all()
        out = distribute_tensor(torch.zeros_like(A), mesh, [way])
        assert torch.add(a, b, out=out) is out
        torch.testing.assert_close(out.full_tensor(), a.full_tensor() + B)
    terms = DTensor.from_local(A.clone(), mesh, [Partial()])
    with pytest.raises(RuntimeError, match="in-place"):
        terms.add_(1)
    torch.testing.assert_close(terms.full_tensor(), 2 * A)
    with pytest.raises(RuntimeError, match="mixed"):
        a + B
    with pytest.raises(NotImplementedError, match="draw different"):
        torch.rand_like(a)


def test_in_place():
    _threads.run(in_place, 2)


def drawn():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor, rand

    mesh = init_device_mesh("cpu", (2,))
    torch.manual_seed(3)
    one = rand(5, 3, device_mesh=mesh, placements=[Shard(0)]).full_tensor()
    torch.manual_seed(3)
    two = rand(5, 3, device_mesh=mesh, placements=[Replicate()]).full_tensor()
    assert torch.equal(one, two)
    kept = F.dropout(distribute_tensor(torch.ones(40, 40), mesh, [Replicate()]), 0.5)
    mine = kept.to_local().clone()
    dist.broadcast(mine, 0)
    assert torch.equal(mine, kept.to_local()) and 600 < (mine == 0).sum() < 1000 and mine.max() == 2
    whole = distribute_tensor(torch.ones(40, 40), mesh, [Shard(0)])
    assert torch.dropout_(whole, 0.5, True) is whole and 600 < (whole.full_tensor() == 0).sum() < 1000


def test_drawn():
    ranks.run(drawn, 2)  # processes: threads share the generator
