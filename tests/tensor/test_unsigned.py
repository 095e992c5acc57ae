"""uint16, uint32 and uint64 compute as the array API standard asks, where PyTorch 2.13 refuses: against NumPy, and what has
no counterpart there against int64, whose answers to small numbers they share."""

import itertools

import numpy as np
import pytest
import torch

DTYPES = [torch.uint16, torch.uint32, torch.uint64]
NUMPY = dict(zip(DTYPES, (np.uint16, np.uint32, np.uint64), strict=True))
LAYOUTS = ["contiguous", "transposed", "stepped", "expanded", "0-dim", "empty"]


def extremes(dtype):
    """Where an integer of that width that has a sign would go wrong."""
    bits = 8 * dtype.itemsize
    return [0, 1, 2, 3, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2 ** (bits - 1) + 1, 2**bits - 2, 2**bits - 1]


def numbers(dtype, shape, seed, least=0):
    """Half of them extremes."""
    rng = np.random.default_rng(seed)
    n = int(np.prod(shape))
    found = rng.integers(least, 2 ** (8 * dtype.itemsize) - 1, n, NUMPY[dtype], endpoint=True)
    chosen = np.array([x for x in extremes(dtype) if x >= least], NUMPY[dtype])
    return np.where(rng.random(n) < 0.5, rng.choice(chosen, n), found).reshape(shape)


def laid_out(dtype, layout, seed, least=0):
    """The same numbers as a tensor and as NumPy's array."""
    shape = {"contiguous": (5, 7), "transposed": (7, 5), "stepped": (10, 21), "expanded": (1, 7), "0-dim": ()}
    a = numbers(dtype, shape.get(layout, (0, 7)), seed, least)
    t = torch.from_numpy(a.copy())
    if layout == "transposed":
        return t.t(), a.T
    if layout == "stepped":
        return t[::2, 1::3], a[::2, 1::3]
    if layout == "expanded":
        return t.expand(5, 7), np.broadcast_to(a, (5, 7))
    return t, a


def agrees(t, a):
    """Dtype, shape and every number."""
    a = np.asarray(a)
    assert tuple(t.shape) == a.shape
    assert t.numpy().dtype == a.dtype, (t.dtype, a.dtype)
    np.testing.assert_array_equal(t.numpy(), a)


def power(a, b):
    with np.errstate(all="ignore"):
        return a**b


BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "bitwise_left_shift": np.left_shift,
    "bitwise_right_shift": np.right_shift,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
    "fmod": np.fmod,
    "pow": power,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "gcd": np.gcd,
    "lcm": np.lcm,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}
DIVIDES = ("floor_divide", "remainder", "fmod")
TRUTHS = ("eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor")


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore")
def test_binary(name, dtype):
    ours, theirs = getattr(torch, name), BINARY[name]
    for layout, other in itertools.product(LAYOUTS, LAYOUTS):
        if "empty" in (layout, other) and layout != other:
            continue
        (t, a), (u, b) = laid_out(dtype, layout, 1), laid_out(dtype, other, 2, name in DIVIDES)
        if {layout, other} & {"0-dim"} and layout != other:
            b = np.asarray(b)
        agrees(ours(t, u), theirs(a, b))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore")
def test_binary_with_numbers_out_and_in_place(name, dtype):
    ours, theirs = getattr(torch, name), BINARY[name]
    t, a = laid_out(dtype, "stepped", 3)
    if not name.startswith(("logical", "f", "gcd", "lcm", "max", "min")) or name == "floor_divide":
        for number in extremes(dtype)[1:]:
            agrees(ours(t, number), theirs(a, NUMPY[dtype](number)))
    u, b = laid_out(dtype, "transposed", 4, name in DIVIDES)
    expected = theirs(a, b)
    out = torch.empty(0, dtype=torch.bool if name in TRUTHS else dtype)
    assert ours(t, u, out=out) is out
    agrees(out, expected)
    wide = torch.zeros(10, 14, dtype=torch.float64)[::2, ::2]
    ours(t, u, out=wide)
    np.testing.assert_array_equal(wide.numpy(), expected.astype(np.float64))
    if hasattr(t, f"{name}_"):
        written = t.clone()
        version = written._version
        assert getattr(written, f"{name}_")(u) is written
        assert written._version == version + 1
        agrees(written, expected.astype(NUMPY[dtype]))
        part = torch.zeros(5, 14, dtype=dtype)[:, ::2]
        part.copy_(t)
        getattr(part, f"{name}_")(u)
        agrees(part, expected.astype(NUMPY[dtype]))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_unary(dtype):
    for layout in LAYOUTS:
        t, a = laid_out(dtype, layout, 5)
        for name, theirs in {
            "neg": np.negative,
            "abs": np.abs,
            "sign": np.sign,
            "square": np.square,
            "bitwise_not": np.invert,
            "logical_not": np.logical_not,
            "positive": np.positive,
        }.items():
            agrees(getattr(torch, name)(t), theirs(a))
        for name in ("isnan", "isinf", "signbit", "isposinf", "isneginf"):
            assert not getattr(torch, name)(t).any()
        assert torch.isfinite(t).all()
        for name in ("floor", "ceil", "trunc", "round", "relu"):
            agrees(getattr(torch, name)(t), a)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_floating_results(dtype):
    t, a = laid_out(dtype, "transposed", 6, least=1)
    for name in ("sqrt", "exp", "log", "sin", "tanh", "reciprocal", "rsqrt", "log2", "sigmoid"):
        result = getattr(torch, name)(t)
        assert result.dtype == torch.float32
        torch.testing.assert_close(result, getattr(torch, name)(torch.from_numpy(a.astype(np.float32))))
    torch.testing.assert_close(t / t.flip(0), torch.from_numpy((a / a[::-1]).astype(np.float32)))
    torch.testing.assert_close(t / 3, torch.from_numpy((a / 3).astype(np.float32)))
    agrees(t.double(), a.astype(np.float64))
    agrees(t + 0.5, (a.astype(np.float32) + np.float32(0.5)))
    assert (t + torch.ones(1, dtype=torch.complex64)).dtype == torch.complex64
    assert t.mean(dtype=torch.float64).item() == pytest.approx(a.astype(np.float64).mean(), rel=1e-12)
    for refused in ("mean", "var", "std"):
        with pytest.raises(RuntimeError, match="floating"):
            getattr(t, refused)()


def test_promotion():
    others = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, *DTYPES]
    for dtype, other in itertools.product(DTYPES, others):
        a, b = torch.ones(1, dtype=dtype), torch.ones(1, dtype=other)
        if dtype == torch.uint64 and other.is_signed:
            for call in (lambda a=a, b=b: a + b, lambda a=a, b=b: torch.promote_types(b.dtype, a.dtype)):
                with pytest.raises(RuntimeError, match="uint16, uint32, uint64 types is not supported.*UInt64"):
                    call()
            continue
        expected = np.promote_types(NUMPY[dtype], a.new_empty(0, dtype=other).numpy().dtype)
        for result in (a + b, b + a, torch.add(a, b), a * b, torch.maximum(a, b)):
            assert result.numpy().dtype == expected, (dtype, other)
        assert torch.promote_types(other, dtype) == torch.promote_types(dtype, other) == (a + b).dtype
        assert ((a + b) == 2).all()
    for dtype in DTYPES:
        assert (torch.ones(1, dtype=dtype) + 1).dtype == dtype
        assert (torch.ones(1, dtype=dtype) + torch.tensor(1)).dtype == dtype
        assert (torch.ones((), dtype=dtype) + torch.ones(1, dtype=torch.uint8)).dtype == torch.uint8
        assert (torch.ones(1, dtype=dtype) + True).dtype == dtype
        assert (torch.ones(1, dtype=dtype) + 1.5).dtype == torch.float32
    big = torch.tensor([40000], dtype=torch.uint16)
    assert (big + torch.tensor([-1], dtype=torch.int16)).item() == 39999
    assert (big < torch.tensor([-1], dtype=torch.int8)).item() is False


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_numbers_are_made_the_dtype_as_for_uint8(dtype):
    t, byte = torch.tensor([0, 1, 3], dtype=dtype), torch.tensor([0, 1, 3], dtype=torch.uint8)
    top = 2 ** (8 * dtype.itemsize) - 1

    def alike(code):
        wide = eval(code, {"torch": torch, "x": t})  # noqa: S307
        narrow = eval(code, {"torch": torch, "x": byte})  # noqa: S307
        assert wide.dtype == (dtype if narrow.dtype == torch.uint8 else narrow.dtype), code
        found = [(top - (255 - v)) if v > 127 else v for v in narrow.tolist()]
        assert wide.tolist() == found, code

    for code in (
        *("x < -1", "x > -1", "x == -1", "x != -1", "x <= 2", "x - 5", "1 - x", "-x", "x * -1", "x + -1", "2 ** x"),
        *(
            "x >> -1",
            "x << 1",
            "1 << x",
            "x >> 1",
            "7 >> x",
            "x // -1",
            "x % -2",
            "torch.add(x, x, alpha=-1)",
            "x ** 0",
        ),
        *(
            "x.clamp(min=-1)",
            "x.clamp(1, 2)",
            "x.clamp(max=2)",
            "torch.where(x > 1, x, -1)",
            "x.masked_fill(x > 1, -1)",
        ),
        *("torch.addcmul(x, x, x, value=-1)", "torch.rsub(x, 5)", "torch.sub(x, 1, alpha=2)", "torch.isin(x, -1)"),
        *("torch.full_like(x, -1)", "x.clone().fill_(-1)", "~x", "x ** 2", "torch.isin(x, x[:2])", "1 + x"),
    ):
        alike(code)
    for code in ("x // 0", "x % 0", "torch.fmod(x, 0)", "torch.div(x, x, rounding_mode='trunc')", "x ** -1"):
        with pytest.raises(RuntimeError):
            eval(code, {"torch": torch, "x": t})  # noqa: S307
    for code in (f"x.clamp(max={top + 1})", f"torch.add(x, x, alpha={top + 1})"):
        with pytest.raises((RuntimeError, OverflowError)):
            eval(code, {"torch": torch, "x": t})  # noqa: S307
    assert torch.add(t, t, alpha=top).tolist() == [0, 0, 0]
    assert torch.addcmul(t, t, t, value=top).tolist() == [0, 0, top - 5]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_reductions(dtype):
    kind = NUMPY[dtype]
    for layout in LAYOUTS:
        t, a = laid_out(dtype, layout, 7)
        signed = a.astype(np.uint64).astype(np.int64)
        agrees(t.sum(), signed.sum())
        agrees(t.prod(), signed.prod())
        agrees(t.sum(dtype=dtype), a.sum(dtype=kind))
        agrees(t.prod(dtype=dtype), a.prod(dtype=kind))
        agrees(t.any(), a.any())
        agrees(t.all(), a.all())
        agrees(t.count_nonzero(), np.int64(np.count_nonzero(a)))
        for dim in range(a.ndim):
            agrees(t.sum(dim), signed.sum(dim))
            agrees(t.sum(dim, keepdim=True, dtype=dtype), a.sum(dim, kind, keepdims=True))
            agrees(t.prod(dim, dtype=dtype), a.prod(dim, kind))
            agrees(t.cumsum(dim), signed.cumsum(dim))
            agrees(t.cumsum(dim, dtype=dtype), a.cumsum(dim, kind))
            agrees(t.cumprod(dim, dtype=dtype), a.cumprod(dim, kind))
            agrees(t.count_nonzero(dim), np.count_nonzero(a, dim).astype(np.int64))
        if not a.size:
            with pytest.raises(RuntimeError):
                t.max()
            continue
        for ours, theirs in (("max", np.max), ("min", np.min), ("amax", np.max), ("amin", np.min)):
            agrees(getattr(t, ours)(), theirs(a))
        for low, high in ((t.aminmax().min, t.aminmax().max), (torch.min(t), torch.max(t))):
            agrees(low, a.min())
            agrees(high, a.max())
        agrees(t.argmax(), np.int64(a.argmax()))
        agrees(t.argmin(), np.int64(a.argmin()))
        for dim in range(a.ndim):
            values, indices = t.max(dim)
            agrees(values, a.max(dim))
            agrees(t.gather(dim, indices.unsqueeze(dim)).squeeze(dim), a.max(dim))
            agrees(t.min(dim, keepdim=True).values, a.min(dim, keepdims=True))
            agrees(t.argmax(dim), a.argmax(dim))
            agrees(t.amin(dim), a.min(dim))
            agrees(t.cummax(dim).values, np.maximum.accumulate(a, dim))
            agrees(t.cummin(dim).values, np.minimum.accumulate(a, dim))
    out = torch.empty(0, dtype=dtype)
    t, a = laid_out(dtype, "stepped", 8)
    agrees(torch.sum(t, 0, out=out), a.sum(0, kind))
    agrees(torch.amax(t, 1, out=out), a.max(1))
    t.cumsum_(0)
    agrees(t, a.cumsum(0, kind))
    with pytest.raises(RuntimeError):
        torch.amax(t, 1, out=torch.empty(0, dtype=torch.int64))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_order(dtype):
    for layout in ("contiguous", "transposed", "stepped", "0-dim"):
        t, a = laid_out(dtype, layout, 9)
        for dim in range(max(a.ndim, 1)):
            along = a if a.ndim else a.reshape(1)
            values, indices = t.sort(dim, stable=True)
            agrees(values, np.sort(along, dim).reshape(a.shape))
            agrees(indices, np.argsort(along, dim, kind="stable").reshape(a.shape))
            agrees(t.sort(dim, descending=True).values, np.flip(np.sort(along, dim), dim).reshape(a.shape))
            n = along.shape[dim]
            k = min(n, 3)
            agrees(
                t.topk(k, dim).values,
                np.flip(np.sort(along, dim), dim).take(range(k), dim).reshape(t.topk(k, dim)[0].shape),
            )
            agrees(t.kthvalue(k, dim).values, np.sort(along, dim).take(k - 1, dim).reshape(t.kthvalue(k, dim)[0].shape))
            middle = t.median(dim).values
            agrees(middle, np.sort(along, dim).take((n - 1) // 2, dim).reshape(middle.shape))
        agrees(t.median(), np.sort(a.reshape(-1))[(a.size - 1) // 2])
        agrees(t.unique(), np.unique(a))
        values, inverse, counts = t.unique(return_inverse=True, return_counts=True)
        agrees(values[inverse], a)
        assert counts.sum() == a.size
        if a.ndim:
            agrees(t.unique(dim=1), np.unique(a, axis=1))
            agrees(t.argsort(dim=0, stable=True), np.argsort(a, 0, kind="stable"))
    (row, a), (t, b) = laid_out(dtype, "contiguous", 10), laid_out(dtype, "stepped", 11)
    edges = np.sort(a.reshape(-1))
    for side in ("left", "right"):
        found = torch.searchsorted(row.reshape(-1).sort().values, t, side=side)
        agrees(found, np.searchsorted(edges, b, side))
    agrees(torch.bucketize(t, torch.from_numpy(edges)), np.searchsorted(edges, b))
    agrees(torch.isin(row, t), np.isin(a, b))
    agrees(row.clamp(t.min(), torch.tensor(5, dtype=dtype)), a.clip(b.min(), NUMPY[dtype](5)))
    agrees(row.clamp(row.flip(0)), np.maximum(a, a[::-1]))
    agrees(torch.tensor([3, 3, 1, 2, 3], dtype=dtype).mode().values, NUMPY[dtype](3))
    agrees(torch.tensor([3, 3, 1, 2, 3], dtype=dtype).bincount(), np.bincount([3, 3, 1, 2, 3]).astype(np.int64))
    assert torch.tensor([3, 3, 1], dtype=dtype).unique_consecutive().tolist() == [3, 1]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_products(dtype):
    kind = NUMPY[dtype]
    (t, a), (u, b) = laid_out(dtype, "contiguous", 12), laid_out(dtype, "transposed", 13)
    agrees(t @ u.t(), a @ b.T)
    agrees(t.mm(u.t()), a @ b.T)
    agrees(t @ u[0], a @ b[0])
    agrees(t[0].dot(u[0]), np.dot(a[0], b[0]))
    agrees(torch.vdot(t[0], u[0]), np.dot(a[0], b[0]))
    agrees(t.expand(3, 5, 7).bmm(u.t().expand(3, 7, 5)), np.stack([a @ b.T] * 3))
    agrees(torch.tensordot(t, u, 2), np.tensordot(a, b, 2))
    agrees((t * u).sum(1, dtype=dtype), (a * b).sum(1, kind))
    agrees(torch.outer(t[0], u[0]), np.outer(a[0], b[0]))
    agrees(torch.einsum("ij,kj->ik", t, u), a @ b.T)
    agrees(torch.kron(t[0], u[0]), np.kron(a[0], b[0]))
    x, y = a[:, :3], b[:, :3]
    crossed = [x[:, i] * y[:, j] - x[:, j] * y[:, i] for i, j in ((1, 2), (2, 0), (0, 1))]
    agrees(torch.linalg.cross(t[:, :3], u[:, :3]), np.stack(crossed, 1))
    top = extremes(dtype)[-1]
    square = torch.from_numpy(numbers(dtype, (5, 5), 14))
    expected = kind(top) * square.numpy() + kind(top - 1) * (a @ b.T)
    agrees(torch.addmm(square, t, u.t(), beta=top, alpha=top - 1), expected)
    agrees(torch.addr(square, t[:, 0], u[:, 0]), square.numpy() + np.outer(a[:, 0], b[:, 0]))
    agrees(torch.addmv(square[0], t, u[0], alpha=2), square.numpy()[0] + kind(2) * (a @ b[0]))
    agrees(torch.matmul(t[:0], u.t()), a[:0] @ b.T)
    agrees(square.trace(), np.int64(square.numpy().astype(np.uint64).astype(np.int64).trace()))
    for other in (u.long() if dtype != torch.uint64 else u.to(torch.uint32), u.float()):
        with pytest.raises(RuntimeError, match="dtype"):
            t.mm(other.t())


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_elements_by_index(dtype):
    kind = NUMPY[dtype]
    (t, a), (u, b) = laid_out(dtype, "stepped", 15), laid_out(dtype, "transposed", 16)
    index = torch.tensor([0, 4, 0, 2])
    i = index.numpy()
    agrees(t[index], a[i])
    agrees(t[t > 2**15], a[a > 2**15])
    agrees(t.index_select(1, index), a[:, i])
    agrees(t.take(index), a.reshape(-1)[i])
    agrees(t.take_along_dim(index[None], 1), np.take_along_axis(a, i[None], 1))
    agrees(t.masked_select(t > u), a[a > b])
    agrees(torch.where(t > u, t, u), np.where(a > b, a, b))
    agrees(t.nonzero(), np.argwhere(a))
    agrees(t.flip(0), a[::-1])
    agrees(t.roll(2, 1), np.roll(a, 2, 1))
    agrees(t.tril(), np.tril(a))
    agrees(t.triu(1), np.triu(a, 1))
    agrees(t.diff(), np.diff(a))
    agrees(torch.cat([t, u]), np.concatenate([a, b]))
    agrees(torch.repeat_interleave(t, 2, 0), np.repeat(a, 2, 0))
    agrees(torch.nn.functional.pad(t, (1, 2), value=3), np.pad(a, ((0, 0), (1, 2)), constant_values=3))
    for name, op in (("index_add", np.add.at), ("index_copy", None)):
        expected = a.copy()
        if op:
            op(expected, i[:2], b[:2])
        else:
            expected[i[:2]] = b[:2]
        agrees(getattr(t, name)(0, index[:2], u[:2]), expected)
    expected = a.copy()
    np.add.at(expected, i, b[:4])
    agrees(t.index_put((index,), u[:4], accumulate=True), expected)
    agrees(t.index_add(0, index, u[:4]), expected)
    places = index[:, None].expand(4, 7)
    agrees(t.scatter_add(0, places, u[:4]), expected)
    agrees(t.scatter_reduce(0, places, u[:4], "sum"), expected)
    for name, op in (("amax", np.maximum), ("amin", np.minimum), ("prod", np.multiply)):
        expected = a.copy()
        op.at(expected, i, b[:4])
        agrees(t.scatter_reduce(0, places, u[:4], name), expected)
        agrees(t.index_reduce(0, index, u[:4], name), expected)
        written = t.clone()
        version = written._version
        written.scatter_reduce_(0, places, u[:4], name)
        agrees(written, expected)
        assert written._version == version + 1
    expected = a.copy()
    expected[[1, 2]] = 7
    agrees(t.index_fill(0, torch.tensor([1, 2]), 7), expected)
    agrees(t.scatter(0, torch.tensor([[1] * 7, [2] * 7]), 7), expected)
    agrees(t.masked_fill(t > u, 2 ** (8 * dtype.itemsize) - 1), np.where(a > b, ~kind(0), a))
    agrees(t.masked_scatter(torch.ones(5, 7, dtype=torch.bool), u), b)
    work = t.clone()
    work[work > 3] = 2
    agrees(work, np.where(a > 3, kind(2), a))
    agrees(t.clone().put_(torch.tensor([0, 1]), u[0, :2]).reshape(-1)[:2], b[0, :2])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_creation(dtype):
    kind, top = NUMPY[dtype], extremes(dtype)[-1]
    agrees(torch.arange(5, dtype=dtype), np.arange(5, dtype=kind))
    agrees(torch.arange(5, -1, -2, dtype=dtype), np.array([5, 3, 1], kind))
    agrees(torch.arange(top - 3, top, dtype=dtype), np.array([top - 3, top - 2, top - 1], kind))
    agrees(torch.arange(top, top - 5, -2, dtype=dtype), np.array([top, top - 2, top - 4], kind))
    agrees(torch.arange(0, 0, dtype=dtype), np.zeros(0, kind))
    agrees(torch.linspace(0, 100, 5, dtype=dtype), np.array([0, 25, 50, 75, 100], kind))
    agrees(torch.linspace(10, 0, 3, dtype=dtype), np.array([10, 5, 0], kind))
    agrees(torch.logspace(0, 3, 4, dtype=dtype), np.array([1, 10, 100, 1000], kind))
    agrees(torch.range(1, 7, 2, dtype=dtype), np.array([1, 3, 5, 7], kind))
    agrees(torch.eye(3, dtype=dtype), np.eye(3, dtype=kind))
    agrees(torch.full((2,), top, dtype=dtype), np.full(2, top, kind))
    permuted = torch.randperm(1000, dtype=dtype)
    agrees(permuted.sort().values, np.arange(1000, dtype=kind))
    drawn = torch.randint(top - 9 if dtype != torch.uint64 else 2**62, min(top, 2**63 - 1), (1000,), dtype=dtype)
    assert drawn.min() >= (top - 9 if dtype != torch.uint64 else 2**62)
    assert drawn.unique().numel() > 5
    drawn = torch.empty(4000, dtype=dtype).random_()
    assert ((drawn >> (8 * dtype.itemsize - 1)) == 1).sum().item() == pytest.approx(2000, abs=300)
    assert torch.zeros(3, dtype=dtype).bernoulli_(1).tolist() == [1, 1, 1]
    a, b = torch.meshgrid(torch.arange(2, dtype=dtype), torch.arange(3, dtype=dtype), indexing="ij")
    agrees(a + b, np.add.outer(np.arange(2, dtype=kind), np.arange(3, dtype=kind)))


# What int64 answers, they do: of numbers that all of them hold.
ALIKE = """
    torch.heaviside(x, x) | torch.addcmul(x, x, x) | torch.clamp_min(x, 2) | torch.clamp_max(x, 2) | x.cummax(0).indices
    torch.logcumsumexp(x.float(), 0) | torch.combinations(x[0]) | torch.cartesian_prod(x[0], x[1]) | torch.block_diag(x, x)
    torch.broadcast_to(x, (2, 3, 4)) | torch.cdist(x.float(), x.float()) | torch.chunk(x, 2)[0] | torch.column_stack([x, x])
    torch.diag(x[0]) | torch.diagonal(x) | torch.diag_embed(x) | torch.dstack([x, x]) | torch.equal(x, x) | torch.flipud(x)
    torch.hypot(x.float(), x.float()) | torch.histc(x.float(), 4) | torch.inner(x, x) | torch.isclose(x, x) | torch.allclose(x, x)
    torch.ldexp(torch.ones(3, 4), x) | torch.lerp(x.float(), x.float(), 0.5) | torch.matrix_power(x[:, :3], 2) | x.movedim(0, 1)
    torch.nan_to_num(x) | torch.nanmedian(x) | torch.nansum(x) | torch.prod(x, 0) | torch.ravel(x) | torch.rot90(x) | x.tile(2, 2)
    torch.select_scatter(x, x[0], 0, 1) | torch.stack([x, x]) | torch.std(x.float()) | torch.tril_indices(2, 2) | x.trapezoid()
    torch.vander(x[0]) | torch.vstack([x, x]) | torch.xlogy(x, x) | x.float_power(2) | x.logical_not() | x.log_softmax(0, torch.float32)
    x.norm(dtype=torch.float32) | x.softmax(0, torch.float32) | x.true_divide(3) | x.tolist() | x.unfold(0, 2, 1) | x.var(dtype=None)
    torch.atan2(x, x) | torch.copysign(x, x) | torch.polygamma(1, x + 1) | torch.special.entr(x) | torch.erf(x) | x.unflatten(1, (2, 2))
    torch.nn.functional.one_hot(x.long()) | torch.nn.functional.max_pool2d(x[None, None], 2) | torch.nn.functional.relu(x)
    torch.nn.functional.pad(x[None, None], (1, 1, 1, 1), 'reflect') | torch.nn.functional.pad(x[None, None], (1, 1, 1, 1), 'replicate')
    torch.cov(x) | torch.corrcoef(x) | torch.count_nonzero(x) | torch.fix(x) | torch.frac(x)
    torch.dist(x.float(), x.float()) | torch.gradient(x.float())[0] | x.index_put((x.long()[0] % 3,), x[0], accumulate=True)
    torch.linalg.multi_dot([x, x.t(), x]) | torch.linalg.matrix_power(x[:, :3], 3) | torch.linalg.vector_norm(x, dtype=torch.float32)
    torch.quantile(x.float(), 0.5) | torch.renorm(x.float(), 2, 0, 1) | x.sgn() | x.subtract(x) | x.sum((0, 1)) | x.amax((0, 1))
    torch.unravel_index(x.long(), (9, 9))[0] | torch.view_copy(x, (4, 3)) | x.resolve_neg() | x.mT @ x | x.T.contiguous() | abs(x)
    divmod(x, 2)[1] | x // 2 | 7 // (x + 1) | 7 % (x + 1) | x ^ 1 | 1 | x | x.bitwise_xor(1) | bool(x[0, 0]) | int(x[0, 1]) | x[x.long()[0] % 3]
    torch.cumulative_trapezoid(x) | x.fmod(2) | x.gcd(x + 1) | torch.argwhere(x) | x.squeeze() | x.bool() | x.is_nonzero
"""


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_what_int64_answers(dtype):
    def answer(code, kind):
        x = torch.arange(12, dtype=torch.int64).reshape(3, 4).to(kind)
        try:
            return eval(code, {"torch": torch, "x": x})  # noqa: S307
        except Exception as error:
            return type(error)

    for code in (code.strip() for line in ALIKE.split("\n") for code in line.split(" | ") if code.strip()):
        wanted, got = answer(code, torch.int64), answer(code, dtype)
        if isinstance(wanted, torch.Tensor):
            assert isinstance(got, torch.Tensor), (code, got)
            assert got.dtype == wanted.dtype or (wanted.dtype, got.dtype) == (torch.int64, dtype), code
            torch.testing.assert_close(got.to(wanted.dtype), wanted, msg=code)
        elif not callable(wanted) or isinstance(wanted, type):
            assert got == wanted, (code, got, wanted)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_without_memory(dtype):
    x = torch.empty(3, 4, dtype=dtype, device="meta")
    for result in (
        x + x,
        x * 2,
        x.sort().values,
        x.amax(0),
        x @ x.t(),
        x.cumsum(0, dtype=dtype),
        x.clamp(1, 2),
        x // 2,
    ):
        assert (result.device.type, result.dtype) == ("meta", dtype)
    assert x.sum().dtype == torch.int64
    assert (x < x).dtype == torch.bool
