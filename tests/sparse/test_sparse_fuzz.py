"""Programs of random operators on sparse tensors of mixed layouts, and the same programs on dense ones.

    SPARSE_FUZZ_PROGRAMS=100000 pytest tests/sparse/test_sparse_fuzz.py      # many more
    SPARSE_FUZZ_SEED=7 …                                              # others

An operator may be refused of sparse tensors, as long as it says so and changes nothing; what it answers is what it answers of
dense tensors, and a valid tensor."""

import os
import random

import pytest
import torch

PROGRAMS = int(os.environ.get("SPARSE_FUZZ_PROGRAMS", "300"))
SEED = int(os.environ.get("SPARSE_FUZZ_SEED", "0"))
LENGTH = 5
BATCH = 50
DTYPES = (torch.float64, torch.float64, torch.float64, torch.int64, torch.complex128, torch.bool)
SIZES = (1, 2, 3, 4, 6)


def dense_tensor(random, shape, dtype):
    count = 1
    for n in shape:
        count *= n
    density = random.choice((0.0, 0.2, 0.5, 1.0))
    values = [random.randint(-3, 3) if random.random() < density else 0 for _ in range(count)]
    made = torch.tensor(values, dtype=torch.int64).reshape(shape)
    if dtype == torch.complex128:
        return made.to(dtype) * complex(1, random.choice((0, 1, -1)))
    return made.to(dtype) if dtype != torch.bool else made != 0


def split_entries(random, tensor):
    """The same tensor by coordinates in any order, some of its entries there twice."""
    tensor = tensor.coalesce()
    places, values = tensor.indices(), tensor.values()
    if tensor.dtype == torch.bool or not values.shape[0]:
        return torch.sparse_coo_tensor(places, values, tensor.shape)
    n = values.shape[0]
    again = torch.tensor([i for i in range(n) if random.random() < 0.4], dtype=torch.int64)
    more = values[again] * 0 + 1
    values = values.clone()
    values[again] -= more
    places, values = torch.cat([places, places[:, again]], 1), torch.cat([values, more])
    order = torch.tensor(random.sample(range(values.shape[0]), values.shape[0]), dtype=torch.int64)
    return torch.sparse_coo_tensor(places[:, order], values[order], tensor.shape)


def sparse_tensor(random, dense):
    kinds = ["coo", "uncoalesced", "dense"]
    if dense.dim() == 2:
        kinds += ["csr", "csc", "bsr", "bsc"]
    if dense.dim() > 1:
        kinds += ["hybrid", "hybrid"]
    kind = random.choice(kinds)
    if kind == "dense":
        return dense.clone()
    if kind == "hybrid":
        return split_entries(random, dense.to_sparse(random.randint(1, dense.dim() - 1)))
    if kind == "uncoalesced":
        return split_entries(random, dense.to_sparse())
    if kind in ("bsr", "bsc"):
        block = tuple(random.choice([k for k in range(1, n + 1) if n % k == 0]) for n in dense.shape)
        return getattr(dense, f"to_sparse_{kind}")(block)
    return dense.to_sparse() if kind == "coo" else getattr(dense, f"to_sparse_{kind}")()


UNARY = """abs neg sign sgn sin tanh asinh trunc floor ceil round frac square relu isnan nan_to_num positive conj_physical
    coalesce_or_self clone real tril triu nonzero count_nonzero""".split()
PAIRS = "add sub mul maximum minimum eq ne lt gt le ge logical_and logical_or logical_xor fmax hypot div".split()
REDUCTIONS = "sum amax amin mean prod any all".split()


def unary(random):
    name = random.choice(UNARY)
    if name == "coalesce_or_self":
        return name, lambda t: t.coalesce() if t.layout == torch.sparse_coo else t
    return name, getattr(torch, name)


def number(random):
    value = random.choice((0, 1, 2, -1, 0.5))
    name, function = random.choice(
        [
            ("mul", lambda t: t * value),
            ("div", lambda t: t / (value or 3)),
            ("pow", lambda t: t ** (abs(value) or 2)),
            ("gt", lambda t: t > value),
            ("ne", lambda t: t != value),
            ("add", lambda t: t + value),
            ("floor", lambda t: t // (value or 3)),
            ("clamp", lambda t: t.clamp(min=-abs(value))),
        ]
    )
    return f"{name} {value}", function


def dims(random, t):
    return tuple(random.sample(range(t.dim()), random.randint(1, t.dim()))) if t.dim() else ()


def reduction(random):
    name, keepdim, seed = random.choice(REDUCTIONS), random.random() < 0.5, random.random()

    def reduce(t):
        function, own = getattr(torch, name), type(random)(seed)
        if own.random() < 0.3:
            return function(t)
        chosen = dims(own, t)
        return function(t, chosen[0] if name == "prod" else chosen, keepdim)

    return f"{name} {seed} {keepdim}", reduce


def shape(random):
    seed = random.random()

    def change(t):
        own = type(random)(seed)
        d = own.randrange(t.dim()) if t.dim() else 0
        n = t.shape[d] if t.dim() else 1
        i = own.randrange(n) if n else 0
        functions = [
            lambda: t.transpose(d, own.randrange(t.dim())),
            lambda: t.unsqueeze(own.randint(0, t.dim())),
            lambda: t.squeeze(),
            lambda: t.squeeze(d),
            lambda: t.select(d, i),
            lambda: t.narrow(d, i, own.randint(0, n - i)),
            lambda: t.index_select(
                d, torch.tensor([own.randrange(n) for _ in range(own.randint(0, 4))], dtype=torch.int64)
            ),
            lambda: t.flip(d),
            lambda: t.reshape(-1),
            lambda: t.reshape(t.shape[0], -1),
            lambda: t.repeat(*(own.randint(1, 2) for _ in range(t.dim()))),
            lambda: t.unsqueeze(0).expand(2, *t.shape),
            lambda: t[i:],
            lambda: t[..., ::2],
            lambda: t.unbind(d)[i],
            lambda: t.chunk(2, d)[0],
            lambda: t.diagonal(own.randint(-1, 1)),
            lambda: t.roll(own.randint(0, 3), d),
            lambda: t.roll(own.randint(0, 3)),
            lambda: t.diff(dim=d),
            lambda: t.permute(own.sample(range(t.dim()), t.dim())),
            lambda: t.movedim(0, -1),
        ]
        return own.choice(functions)()

    return f"shape {seed}", change


def pair(random):
    name = random.choice(PAIRS)
    return name, getattr(torch, name)


def product(random):
    name, function = random.choice(
        [
            ("matmul", torch.matmul),
            ("matmul of the transposed", lambda a, b: torch.matmul(a, b.transpose(-1, -2))),
            ("bmm", torch.bmm),
            ("cat", lambda a, b: torch.cat([a, b])),
            ("cat last", lambda a, b: torch.cat([a, b], -1)),
            ("stack", lambda a, b: torch.stack([a, b])),
            ("kron", torch.kron),
            ("inner", torch.inner),
            ("tensordot", lambda a, b: torch.tensordot(a, b, 1)),
            ("dot", torch.dot),
            ("addcmul", lambda a, b: torch.addcmul(a, a, b)),
            ("lerp", lambda a, b: torch.lerp(a, b, 0.5)),
        ]
    )
    return name, function


def changing(random):
    name, function = random.choice(
        [
            ("neg_", lambda t: t.neg_()),
            ("abs_", lambda t: t.abs_()),
            ("mul_", lambda t: t.mul_(2)),
            ("zero_", lambda t: t.zero_()),
            ("add_", lambda t: t.add_(t)),
            ("mul_ itself", lambda t: t.mul_(t)),
            ("t_", lambda t: t.t_()),
            ("unsqueeze_", lambda t: t.unsqueeze_(0)),
        ]
    )
    return name, function


KINDS = (unary, number, reduction, shape, shape, shape, pair, pair, product, changing)
OF_TWO = (pair, product)


def to_dense(t):
    return t.to_dense() if t.layout != torch.strided else t


def close(one, other):
    bound = 1e-5 if one.dtype == torch.float32 else 1e-9
    return one.shape == other.shape and torch.allclose(one, other.to(one.dtype), rtol=bound, atol=bound, equal_nan=True)


def attempt(function, operands):
    try:
        return function(*operands), None
    except (RuntimeError, TypeError, IndexError, ValueError, ZeroDivisionError) as error:
        return None, error


def check_program(seed):
    """Runs one program; what it says is the history of the failure. Returns how many steps were answered."""
    rng = random.Random(seed)
    dtype = rng.choice(DTYPES)
    first = tuple(rng.choice(SIZES) for _ in range(rng.choice((1, 2, 2, 2, 3))))
    shapes = [first, first, (first[-1], rng.choice(SIZES))]
    dense = [dense_tensor(rng, shape, dtype) for shape in shapes]
    sparse = [sparse_tensor(rng, t) for t in dense]
    history = [f"seed {seed}: " + ", ".join(f"{t.layout} {tuple(t.shape)} {t.dtype}" for t in sparse)]
    answered = 0
    for _ in range(LENGTH):
        kind = rng.choice(KINDS)
        name, function = kind(rng)
        which = [rng.randrange(len(dense)) for _ in range(2 if kind in OF_TWO else 1)]
        history.append(f"{name} of {which}")
        mine, theirs = [sparse[i] for i in which], [dense[i].clone() for i in which]
        if kind is changing and mine[0].layout == torch.strided:
            continue
        want, refused = attempt(function, theirs)
        got, error = attempt(function, mine)
        changed = kind is changing and error is None and refused is None
        if changed:
            dense[which[0]] = theirs[0]
        for i, t in zip(which, mine):
            if t.layout != torch.strided:
                torch._validate_sparse_tensor(t)
            assert close(to_dense(t), dense[i]), (history, i)
        if changed:
            continue
        if error or refused or not isinstance(want, torch.Tensor):
            continue
        if got.layout != torch.strided:
            torch._validate_sparse_tensor(got)
        # 0 divided by 0 is nan of dense tensors, and not there of sparse ones.
        assert close(to_dense(got), want) or name.startswith("div"), (history, got, want)
        answered += 1
        # 0 times nan is nan of dense tensors, and not there of sparse ones.
        if got.numel() <= 4000 and got.dim() < 5 and not name.startswith("div") and want.isfinite().all():
            sparse.append(got.clone())
            dense.append(want)
    return answered


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("batch", range((PROGRAMS + BATCH - 1) // BATCH))
def test_programs_of_random_operators(batch):
    answered = 0
    count = min(BATCH, PROGRAMS - batch * BATCH)
    for i in range(count):
        answered += check_program(SEED * 1_000_003 + batch * BATCH + i)
    assert answered > count, "most steps are refused: such programs prove nothing"
