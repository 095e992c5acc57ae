"""Pointwise kernels at every length and alignment: vector bodies, tails, strides and threads, right everywhere."""

import functools
import itertools
import math
import operator

import numpy as np
import pytest
import torch

# Name -> (reference on float64 arrays, where its arguments lie, allowed distance in units in the last place).
UNARY = {
    "abs": (np.abs, (-9, 9), 0),
    "neg": (np.negative, (-9, 9), 0),
    "sign": (np.sign, (-9, 9), 0),
    "floor": (np.floor, (-9, 9), 0),
    "ceil": (np.ceil, (-9, 9), 0),
    "round": (np.round, (-9, 9), 0),
    "trunc": (np.trunc, (-9, 9), 0),
    "sqrt": (np.sqrt, (0, 9), 1),
    "rsqrt": (lambda x: 1 / np.sqrt(x), (0.01, 9), 2),
    "reciprocal": (np.reciprocal, (0.01, 9), 1),
    "square": (np.square, (-9, 9), 1),
    "exp": (np.exp, (-80, 80), 4),
    "expm1": (np.expm1, (-9, 9), 4),
    "log": (np.log, (1e-30, 9), 4),
    "log1p": (np.log1p, (-0.9, 9), 4),
    "log2": (np.log2, (1e-30, 9), 4),
    "log10": (np.log10, (1e-30, 9), 4),
    "sin": (np.sin, (-100, 100), 4),
    "cos": (np.cos, (-100, 100), 4),
    "tan": (np.tan, (-100, 100), 4),
    "asin": (np.arcsin, (-1, 1), 4),
    "acos": (np.arccos, (-1, 1), 4),
    "atan": (np.arctan, (-9, 9), 4),
    "sinh": (np.sinh, (-9, 9), 4),
    "cosh": (np.cosh, (-9, 9), 4),
    "tanh": (np.tanh, (-9, 9), 4),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), (-9, 9), 4),
    "erf": (np.vectorize(math.erf, otypes=[float]), (-4, 4), 4),
    "deg2rad": (np.deg2rad, (-9, 9), 1),
}
BINARY = {
    "add": (np.add, 1),
    "sub": (np.subtract, 1),
    "mul": (np.multiply, 1),
    "div": (np.divide, 1),
    "maximum": (np.maximum, 0),
    "minimum": (np.minimum, 0),
    "fmod": (np.fmod, 0),
    "remainder": (np.mod, 1),
    "atan2": (np.arctan2, 4),
    "hypot": (np.hypot, 2),
    "floor_divide": (np.floor_divide, 0),
    "nextafter": (np.nextafter, 0),
    "copysign": (np.copysign, 0),
    "pow": (np.power, 4),
}
INTEGER = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "fmod": np.fmod,
    "remainder": np.mod,
    "floor_divide": np.floor_divide,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}
COMPARE = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
LENGTHS = (*range(1, 20), 31, 32, 33, 63, 64, 65, 127, 129, 1000)
MANY = 70_001  # more than one thread's share
MANTISSA = {"float32": 23, "float64": 52}


def assert_close(got, want, ulp, dtype):
    """Within `ulp` units in the last place of the float64 reference, and NaN where it is NaN."""
    want = np.asarray(want, dtype="float64")
    with np.errstate(all="ignore"):
        unit = np.exp2(
            np.maximum(np.floor(np.log2(np.abs(want) + 1e-300)), -1022 if dtype == "float64" else -126)
            - MANTISSA[dtype]
        )
    difference = np.abs(np.asarray(got, dtype="float64") - want)
    worst = np.unravel_index(np.argmax(difference / unit), difference.shape)
    limit = (
        max(ulp, 0.5) if dtype == "float32" or not ulp else ulp + 1
    )  # NumPy's own float64 functions are not exact either
    assert difference[worst] <= limit * unit[worst], (
        f"{got.shape}, element {worst}: got {got[worst]}, want {want[worst]}"
    )


def arguments(dtype, length, low, high, seed=0):
    return np.random.default_rng(seed).uniform(low, high, length).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, dtype):
    reference, (low, high), ulp = UNARY[name]
    x = arguments(dtype, MANY, low, high)
    a, want, function = torch.from_numpy(x), reference(x.astype("float64")), getattr(torch, name)

    def check(operand, expected):
        assert_close(function(operand).numpy(), expected, ulp, dtype)

    check(a, want)
    for n in LENGTHS:
        check(a[:n], want[:n])
        check(a[1 : n + 1], want[1 : n + 1])
    check(a[::3], want[::3])
    check(a[:64].view(8, 8).t(), want[:64].reshape(8, 8).T)
    check(a[:5, None].expand(5, 7), np.broadcast_to(want[:5, None], (5, 7)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, dtype):
    reference, ulp = BINARY[name]
    x, y = arguments(dtype, MANY, 0.01, 9, 1), arguments(dtype, MANY, 0.5, 4, 2)
    function = getattr(torch, name)
    # These are defined on the arguments as they are.
    wide = dtype if name in ("fmod", "remainder", "floor_divide", "nextafter") else "float64"

    def check(a, b):
        want = reference(*(t.numpy().astype(wide) for t in (a, b)))
        assert_close(function(a, b).numpy(), want, ulp, dtype)

    a, b = torch.from_numpy(x), torch.from_numpy(y)
    check(a, b)
    for n in LENGTHS:
        check(a[:n], b[:n])
        check(a[1 : n + 1], b[:n])
    check(a[::2], b[::2])
    check(a[:81].view(9, 9), b[:81].view(9, 9).t())
    check(a[:40, None], b[:50])
    check(a[:1000], b[7])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_all_quadrants_and_ends(dtype):
    t = getattr(torch, dtype)
    info = torch.finfo(t)
    ends = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -3.0,
        math.inf,
        -math.inf,
        math.nan,
        info.max,
        -info.max,
        info.tiny / 8,
        info.tiny,
    ]
    a = torch.tensor(ends, dtype=t).repeat_interleave(len(ends))
    b = torch.tensor(ends, dtype=t).repeat(len(ends))
    with np.errstate(all="ignore"):
        for name, reference, ulp in (
            ("atan2", np.arctan2, 4),
            ("hypot", np.hypot, 2),
            ("nextafter", np.nextafter, 0),
            ("pow", np.power, 4),
        ):
            got, want = getattr(torch, name)(a, b).numpy(), reference(a.numpy(), b.numpy())
            np.testing.assert_array_max_ulp(got[~np.isnan(want)], want[~np.isnan(want)], max(ulp, 1))
            np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
            np.testing.assert_array_equal(np.signbit(got)[got == 0], np.signbit(want)[got == 0])
        significand, exponent = torch.frexp(a)
        finite = torch.isfinite(a)
        for got, want in zip((significand, exponent), np.frexp(a.numpy())):
            np.testing.assert_array_equal(got[finite].numpy(), want[finite.numpy()])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_cosine_of_zero_is_one(dtype):
    assert (torch.cos(torch.zeros(100, dtype=dtype)) == 1).all()
    assert (torch.cos(torch.full((9,), -1e-12, dtype=dtype)) == 1).all()


# Where a float has a way of its own, the double shows it.
@pytest.mark.parametrize(
    ("function", "low", "high"),
    [
        (torch.lgamma, 0.001, 20),
        (torch.lgamma, 0.9, 2.2),
        (torch.lgamma, -3, 1e4),
        (torch.digamma, 0.001, 20),
        (torch.digamma, 1.3, 1.6),
        (torch.digamma, -3, 1e4),
        (lambda x: torch.polygamma(1, x), 0.01, 20),
        (torch.special.ndtr, -5, 6),
        (torch.special.ndtri, 0.0, 1.0),
        (torch.special.ndtri, 0.0, 1e-6),
        (torch.logit, 0.01, 0.99),
        (torch.tan, -100, 100),
        (torch.erfinv, -1, 1),
    ],
)
def test_floats_are_as_doubles(function, low, high):
    x = torch.from_numpy(arguments("float32", 5001, low, high))
    want = function(x.double())
    kept = want.abs() < 1e6
    error = (function(x).double() - want)[kept].abs() / (1 + want[kept].abs())
    assert kept.sum() > 4000 and error.max() < 3e-6


def test_clamping_by_tensors():
    x, low, high = (arguments("float32", MANY, -9, 9, seed) for seed in range(3))
    x[5], low[6], high[7] = np.nan, np.nan, np.nan
    got = torch.from_numpy(x).clamp(torch.from_numpy(low), torch.from_numpy(high)).numpy()
    np.testing.assert_array_equal(got, np.minimum(np.maximum(x, low), high))
    a = torch.arange(1000)
    assert a.clamp(a % 7, a % 5).equal(torch.minimum(torch.maximum(a, a % 7), a % 5))


@pytest.mark.parametrize("dtype", [torch.bool, torch.int16, torch.float32, torch.float64, torch.complex128])
def test_flipping(dtype):
    x = torch.arange(2 * 35 * 67).reshape(2, 35, 67).to(dtype)
    for y in (x, x.transpose(0, 2), x[:, ::2, 1:], x[:, :1].expand(2, 5, 67)):
        for dims in ([], [0], [1], [2], [0, 2], [0, 1, 2], [-1]):
            np.testing.assert_array_equal(y.flip(dims).numpy(), np.flip(y.numpy(), dims))
    assert torch.tensor(3).flip(0).item() == 3
    assert torch.zeros(0, 3).flip(0, 1).shape == (0, 3)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int16, torch.float32, torch.float64, torch.complex128])
def test_copies_of_turned_tensors(dtype):
    for shape in ((128, 128), (129, 150), (16, 1025), (1024, 17), (15, 1200), (3, 67, 131), (20, 30, 40)):
        x = torch.arange(math.prod(shape)).reshape(shape).to(dtype)
        for dims in itertools.permutations(range(len(shape))):
            y, want = x.permute(dims), x.numpy().transpose(dims)
            np.testing.assert_array_equal(y.contiguous().numpy(), want)
            np.testing.assert_array_equal(torch.empty(y.shape, dtype=dtype).copy_(y).numpy(), want)
            np.testing.assert_array_equal(
                y[..., 1:].clone(memory_format=torch.contiguous_format).numpy(), want[..., 1:]
            )


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("name", INTEGER)
def test_integers(name, dtype):
    random = np.random.default_rng(3)
    info = np.iinfo(dtype)
    x = random.integers(info.min, info.max, MANY, dtype=dtype, endpoint=True)
    y = random.integers(1, min(100, info.max), MANY, dtype=dtype)
    a, b, function = torch.from_numpy(x), torch.from_numpy(y), getattr(torch, name)
    want = INTEGER[name](x, y)
    np.testing.assert_array_equal(function(a, b).numpy(), want)
    for n in LENGTHS:
        np.testing.assert_array_equal(function(a[1 : n + 1], b[1 : n + 1]).numpy(), want[1 : n + 1])
    np.testing.assert_array_equal(function(a[::5], b[::5]).numpy(), want[::5])


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("name", COMPARE)
def test_comparisons(name, dtype):
    random = np.random.default_rng(4)
    x, y = (random.integers(0, 4, MANY).astype(dtype) for _ in range(2))
    a, b, function = torch.from_numpy(x), torch.from_numpy(y), getattr(torch, name)
    want = COMPARE[name](x, y)
    np.testing.assert_array_equal(function(a, b).numpy(), want)
    for n in LENGTHS:
        np.testing.assert_array_equal(function(a[:n], b[1 : n + 1]).numpy(), COMPARE[name](x[:n], y[1 : n + 1]))
    np.testing.assert_array_equal(function(a[::3], b[::3]).numpy(), want[::3])


@pytest.mark.parametrize("name", ["add", "mul", "div", "exp", "tanh", "sqrt", "neg"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_rounds_the_float32_result(name, dtype):
    x = torch.from_numpy(arguments("float32", 2001, 0.1, 4)).to(getattr(torch, dtype))
    y = torch.from_numpy(arguments("float32", 2001, 0.5, 2, 1)).to(getattr(torch, dtype))
    function = getattr(torch, name)
    inputs = (x, y) if name in BINARY else (x,)
    want = function(*(t.float() for t in inputs)).to(x.dtype)
    got = function(*inputs)
    if name in ("add", "mul", "div", "neg"):
        assert got.equal(want)
    else:
        assert (got.float() - want.float()).abs().max() <= 2 ** (
            -7 if dtype == "bfloat16" else -10
        ) * want.float().abs().max()


@pytest.mark.parametrize(
    "source", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
)
@pytest.mark.parametrize(
    "target", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
)
def test_conversion(source, target):
    x = np.random.default_rng(5).integers(0, 2 if source == "bool" else 100, MANY).astype(source)
    tensor = torch.from_numpy(x)
    want = x.astype(target)
    np.testing.assert_array_equal(tensor.to(getattr(torch, target)).numpy(), want)
    for n in (1, 7, 33):
        np.testing.assert_array_equal(tensor[1 : n + 1].to(getattr(torch, target)).numpy(), want[1 : n + 1])
    np.testing.assert_array_equal(tensor[::2].to(getattr(torch, target)).numpy(), want[::2])


def test_every_float16_survives_a_round_trip():
    every = torch.arange(2**15, dtype=torch.int32).to(torch.int16)
    halves = torch.from_numpy(every.numpy().view("float16"))
    finite = torch.isfinite(halves)
    assert halves.float().half()[finite].equal(halves[finite])
    assert torch.isnan(halves.double().half()).equal(torch.isnan(halves))


def test_in_place_and_out_take_the_same_path():
    a, b = (torch.from_numpy(arguments("float32", MANY, 1, 2, seed)) for seed in (6, 7))
    want = a * b + a
    assert torch.mul(a, b, out=torch.empty(0)).add_(a).equal(want)
    strided = torch.zeros(2 * MANY)[::2]
    torch.mul(a, b, out=strided)
    strided += a
    assert strided.equal(want)


INTEGERS = ("uint8", "int8", "int16", "int32", "int64")


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("bits", [7, 31, 50, 51, 54, 63])
def test_integers_divide_exactly(dtype, bits):
    """As Python's // and % do: numbers that double represents and others, alone and side by side, to the ends."""
    info = torch.iinfo(getattr(torch, dtype))
    if 2**bits > info.max:
        pytest.skip("no such numbers")
    most = min(2**bits, info.max)
    edges = [
        x for k in (0, 1, 2, 3, most // 2, most - 1, most, -info.min) for x in (k, -k) if info.min <= x <= info.max
    ]
    random = np.random.default_rng(bits)
    a, b = (
        np.concatenate([random.integers(max(-most, info.min), most, 600), random.choice(edges, 500)]).tolist()
        for _ in range(2)
    )
    b = [y or 1 for y in b]
    wrapped = functools.partial(wrap, info)
    for op in (operator.floordiv, operator.mod):
        want = [wrapped(op(x, y)) for x, y in zip(a, b, strict=True)]
        x, y = (torch.tensor(numbers, dtype=getattr(torch, dtype)) for numbers in (a, b))
        assert op(x, y).tolist() == want
        assert op(x[:7], y[:7]).tolist() == want[:7]
        assert op(x[1::3], y[1::3]).tolist() == want[1::3]
        assert op(x, y[-1]).tolist() == [wrapped(op(k, b[-1])) for k in a]
        assert op(x[-1], y).tolist() == [wrapped(op(a[-1], k)) for k in b]
        name = "floor_divide" if op is operator.floordiv else "remainder"
        strided = torch.zeros(len(a), 2, dtype=x.dtype)
        getattr(torch, name)(x, y, out=strided[:, 1])
        assert strided[:, 1].tolist() == want
        assert getattr(x, name + "_")(y).tolist() == want


def wrap(info, x):
    return (x - info.min) % 2**info.bits + info.min


def test_erf_of_doubles_is_right_to_two_units():
    """On both sides of every place where its polynomials change; the C library's is right to one."""
    x = np.concatenate([np.geomspace(1e-10, 6.5, 20001), np.linspace(0, 6.5, 20001)])
    for seam in 0.7925 * (np.arange(8) + 0.5):
        x = np.append(x, seam + np.arange(-20, 21) * np.spacing(seam))
    want = np.vectorize(math.erf, otypes=[float])(x)
    assert_close(torch.erf(torch.from_numpy(-x)).numpy(), -want, 1, "float64")


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64"])
def test_common_divisors_and_multiples(dtype):
    """Groups of 16 pairs go through vectors of double where they have at most 50 bits, all others one by one."""
    t = getattr(torch, dtype)
    info = torch.iinfo(t)
    generator = torch.Generator().manual_seed(5)
    bounds = [bound for bound in (9, 255, 2**15 - 1, 2**31 - 1, 2**50 - 1, 2**50, 2**62) if bound <= info.max]
    for bound, n in itertools.product(bounds, (1, 15, 16, 17, 33, 600)):
        a, b = (torch.randint(max(info.min, -bound), bound, (n,), generator=generator).to(t) for _ in range(2))
        a[0], b[n // 2], a[-1], b[-1] = bound, max(info.min, -bound), 0, 0
        divisors = [math.gcd(*pair) for pair in zip(a.tolist(), b.tolist())]
        multiples = [math.lcm(*pair) for pair in zip(a.tolist(), b.tolist())]
        assert torch.gcd(a, b).tolist() == divisors
        assert torch.gcd(a, b[0]).tolist() == [math.gcd(k, int(b[0])) for k in a.tolist()]
        fits = [i for i, multiple in enumerate(multiples) if multiple <= info.max]
        assert torch.lcm(a, b)[fits].tolist() == [multiples[i] for i in fits]
        strided = torch.zeros(n, 2, dtype=t)
        torch.gcd(a, b, out=strided[:, 1])
        assert strided[:, 1].tolist() == divisors
    # The numbers that take the most steps, and the lowest one, whose absolute value is not one of int64.
    for a, b, divisor in ((1, 1, 1), (832040, 514229, 1), (2**50 - 1, 2**50 - 2, 1), (info.min, 0, info.min)):
        if abs(a) <= info.max + 1:
            assert torch.gcd(torch.full((40,), a, dtype=t), torch.full((40,), b, dtype=t)).tolist() == [divisor] * 40
