"""Elementary and special functions at signed zeros, infinities, NaN, subnormal numbers and the ends of their ranges, on
every set of vector instructions: against the C library in extended precision, and digits of mpmath."""

import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import torch

INF, NAN, L = math.inf, math.nan, np.longdouble
NAMES = ("float32", "float64")


def points(dtype):
    """Numbers where functions begin, end, change the way they are computed, or cross a rounding."""
    info = np.finfo(dtype)
    tiny, least, most, eps = (float(x) for x in (info.tiny, info.smallest_subnormal, info.max, info.eps))
    positive = [0.0, 1.0, INF, least, 3 * least, tiny - least, tiny, tiny / 2, 2 * tiny, most, most / 2]
    positive += [
        1 - eps / 2,
        1 + eps,
        eps,
        eps / 2,
        0.5,
        0.999,
        0.99901,
        1.5,
        2.0,
        2.5,
        3.0,
        3.999,
        4.0,
        7.0,
        10.0,
        26.5,
    ]
    positive += [
        87.3,
        88.0,
        88.001,
        88.7,
        88.72,
        88.8,
        89.4,
        103.97,
        104.0,
        706.0,
        706.1,
        709.7,
        709.8,
        710.5,
        745.1,
        746.0,
    ]
    positive += [126.0, 126.5, 127.4, 127.9, 128.0, 149.0, 150.0, 151.0, 1022.0, 1023.4, 1023.9, 1024.0, 1074.0, 1075.5]
    positive += [
        38999.0,
        39000.0,
        39001.0,
        1e-9,
        0.9e-9,
        1e-5,
        1e-300,
        math.pi,
        math.pi / 2,
        1e15,
        1.001e15,
        1e30,
        1.01e30,
    ]
    with np.errstate(all="ignore"):
        return np.array(positive + [-x for x in positive] + [NAN]).astype(dtype)


def each(function):
    return np.vectorize(function, otypes=[L])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


ELEMENTARY = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log1p": np.log1p, "log2": np.log2,
    "log10": np.log10, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "sigmoid": sigmoid, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x, "square": np.square, "abs": np.abs, "neg": np.negative, "positive": np.positive,
    "floor": np.floor, "ceil": np.ceil, "round": np.rint, "trunc": np.trunc, "erf": each(math.erf), "erfc": each(math.erfc),
}  # fmt: skip

LEAST, TINY = 5e-324, 2.2250738585072014e-308
MOST = 1.7976931348623157e308
# Pairs of a point and the value there, in float64.
SPECIAL = {
    "erfinv": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN), (LEAST, LEAST)],
    "special.erfcx": [(0.0, 1.0), (1.0, 0.427583576155807), (-1.0, 5.008980080762283), (INF, 0.0), (-INF, INF),
        (700.0, 0.0008059842969226599), (-700.0, INF), (MOST, 3.138408733985445e-309)],
    "lgamma": [(0.0, INF), (-0.0, INF), (1.0, 0.0), (-1.0, INF), (INF, INF), (-INF, INF), (LEAST, 744.4400719213812),
        (-TINY, 708.3964185322641), (1e300, 6.897755278982137e302), (MOST, INF)],
    "digamma": [(0.0, -INF), (-0.0, INF), (1.0, -0.5772156649015329), (-1.0, NAN), (INF, INF), (-INF, NAN),
        (LEAST, -INF), (-LEAST, INF), (TINY, -4.49423283715579e307), (-1e-9, 999999999.4227843),
        (1e300, 690.7755278982137)],
    "special.i0": [(0.0, 1.0), (1.0, 1.2660658777520084), (INF, INF), (-INF, INF), (700.0, 1.5295933476718737e302),
        (MOST, INF), (-MOST, INF), (LEAST, 1.0)],
    "special.i0e": [(0.0, 1.0), (1.0, 0.46575960759364043), (INF, 0.0), (700.0, 0.015081295651531358),
        (1e300, 3.9894228040143264e-151), (-1e300, 3.9894228040143264e-151), (MOST, 2.9754474593159e-155)],
    "special.i1": [(0.0, 0.0), (-0.0, -0.0), (-1.0, -0.565159103992485), (INF, INF), (-INF, -INF), (MOST, INF),
        (-MOST, -INF), (TINY, 1.1125369292536007e-308), (-700.0, -1.5285003902339006e302)],
    "special.i1e": [(0.0, 0.0), (-0.0, -0.0), (1.0, 0.20791041534970844), (-INF, -0.0),
        (1e300, 3.9894228040143264e-151), (-1e300, -3.9894228040143264e-151), (-1e-9, -4.999999995000001e-10)],
    "special.ndtr": [(0.0, 0.5), (1.0, 0.8413447460685429), (-1.0, 0.15865525393145705), (INF, 1.0), (-INF, 0.0),
        (-1e-9, 0.49999999960105773), (-MOST, 0.0), (LEAST, 0.5)],
    "special.log_ndtr": [(0.0, -0.6931471805599453), (-1.0, -1.8410216450092636), (-700.0, -245007.47002090907),
        (-INF, -INF)],
    "special.ndtri": [(0.0, -INF), (1.0, INF), (0.5, 0.0), (-LEAST, NAN), (1.5, NAN)],
    "special.entr": [(0.0, 0.0), (-0.0, 0.0), (1.0, -0.0), (INF, -INF), (-LEAST, -INF)],
    "sinc": [(0.0, 1.0), (-0.0, 1.0), (LEAST, 1.0), (0.5, 0.6366197723675814)],
    "special.modified_bessel_k0": [(0.0, INF), (1.0, 0.42102443824070834), (LEAST, 744.5560034370396),
        (TINY, 708.5123500479225), (700.0, 4.669776431685377e-306), (INF, 0.0), (-LEAST, NAN), (MOST, 0.0)],
    "special.modified_bessel_k1": [(0.0, INF), (1.0, 0.6019072301972346), (LEAST, INF), (TINY, 4.49423283715579e307),
        (700.0, 4.6731107967079664e-306), (INF, 0.0), (-1.0, NAN)],
    "special.scaled_modified_bessel_k0": [(0.0, INF), (LEAST, 744.5560034370396), (700.0, 0.04736236945461357),
        (1e300, 1.2533141373155002e-150), (INF, 0.0)],
    "special.scaled_modified_bessel_k1": [(0.0, INF), (TINY, 4.49423283715579e307), (700.0, 0.04739618765349454),
        (INF, 0.0)],
    "special.airy_ai": [(0.0, 0.3550280538878172), (-0.0, 0.3550280538878172), (LEAST, 0.3550280538878172),
        (-TINY, 0.3550280538878172), (-1e-9, 0.35502805414663663), (1.0, 0.13529241631288141), (INF, 0.0)],
    "special.bessel_j0": [(0.0, 1.0), (LEAST, 1.0), (1.0, 0.7651976865579666), (INF, 0.0)],
    "special.bessel_j1": [(0.0, 0.0), (-0.0, -0.0), (TINY, 1.1125369292536007e-308), (-1.0, -0.4400505857449335)],
    "special.bessel_y0": [(0.0, -INF), (LEAST, -473.9990734230043), (1.0, 0.08825696421567696), (-1.0, NAN)],
    "special.bessel_y1": [(0.0, -INF), (TINY, -2.8611174857570283e307), (1.0, -0.7812128213002887), (-1.0, NAN)],
    "polygamma1": [(0.0, INF), (1.0, 1.6449340668482264), (-1.0, INF), (INF, 0.0), (-1e-9, 1e18), (1e300, 1e-300)],
    "polygamma2": [(0.0, -INF), (1.0, -2.4041138063191885), (-1e-9, 2e27), (1e10, -1.0000000001e-20)],
    "polygamma3": [(0.0, INF), (1.0, 6.493939402266829), (-1e-9, 6e36), (LEAST, INF), (1e10, 2.0000000003e-30)],
}  # fmt: skip


# Float functions whose polynomials change from one interval to the next: where they are computed by these, from the
# smallest number to the greatest, and how many units in the last place they may be off. The inverse error function is
# off by 2.2 where the processor has no fused multiplication.
PIECES = {
    "erf": (1e-30, 4.5, 2),
    "erfinv": (1e-30, 1 - 2.0**-24, 3),
    "tanh": (1e-30, 12, 2),
    "tan": (1e-30, 38999, 2),
    "exp": (1e-3, 88, 2),
    "log": (1e-30, 1e30, 2),
    "logit": (1e-30, 1 - 2.0**-24, 2),
}


def pieces(name):
    """Numbers of all sizes, of both signs, and the places where intervals meet."""
    low, high, _ = PIECES[name]
    first, last = np.array([low, high], dtype="f4").view("i4")
    seams = np.array(
        [*np.arange(1, 96) / 8, *(1 - 2.0 ** -np.arange(1, 24)), *(1 - 0.75 * 2.0 ** -np.arange(1, 22))], "f4"
    )
    seams = (seams.view("i4")[:, None] + np.arange(-2, 3, dtype="i4")).ravel()
    bits = np.concatenate([np.arange(first, last, 1999, dtype="i4"), seams[(seams > first) & (seams < last)]])
    x = bits.view("f4")
    return x if name in ("log", "logit") else np.concatenate([x, -x])


def function_of(name):
    if name.startswith("polygamma"):
        return lambda x: torch.polygamma(int(name[-1]), x)
    return getattr(torch.special if name.startswith("special.") else torch, name.removeprefix("special."))


def computed():
    """{(function, dtype): results} of this process."""
    results = {}
    for dtype in NAMES:
        for name in ELEMENTARY:
            results[name, dtype] = function_of(name)(torch.from_numpy(points(dtype))).numpy()
        # The C library computes some of these whole tensors at a time: each point is one of many, and at an odd place.
        for name, table in SPECIAL.items():
            x = torch.tensor([*(x for x, _ in table), NAN] * 3, dtype=getattr(torch, dtype))
            results[name, dtype] = function_of(name)(x).numpy()
        x, y = (torch.from_numpy(part.ravel()) for part in np.meshgrid(points(dtype), points(dtype)))
        results["xlogy", dtype] = torch.xlogy(x, y).numpy()
    for name in PIECES:
        results[name, "pieces"] = function_of(name)(torch.from_numpy(pieces(name))).numpy()
    return results


@pytest.fixture(scope="module", params=["default", "avx2", "avx512"])
def results(request):
    """Of a process that uses no newer vector instructions than these."""
    script = "import pickle, sys, test_extreme_values; pickle.dump(test_extreme_values.computed(), sys.stdout.buffer)"
    paths = [os.path.dirname(__file__), *sys.path]
    environment = os.environ | {"TH_CPU_CAPABILITY": request.param, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
    return pickle.loads(done.stdout)


def ordered(x):
    """Floats as integers in the same order, so that neighbours differ by 1; -0 and 0 are the same."""
    bits = x.view(f"int{8 * x.itemsize}").astype(object)
    return np.where(np.signbit(x), -(bits & ((1 << (8 * x.itemsize - 1)) - 1)), bits)


def check(got, want, x, ulps):
    """NaN and the signs, of zeros too, agree, and numbers within so many units in the last place."""
    unlike = np.isnan(got) != np.isnan(want)
    numbers = ~np.isnan(got) & ~np.isnan(want)
    unlike |= numbers & (np.signbit(got) != np.signbit(want))
    unlike |= numbers & (np.abs(ordered(got) - ordered(want)) > ulps)
    assert not unlike.any(), [(a, b, c) for a, b, c, bad in zip(x, got, want, unlike) if bad][:10]


@pytest.mark.parametrize("dtype", NAMES)
@pytest.mark.parametrize("name", ELEMENTARY)
def test_an_elementary_function_at_its_ends(results, name, dtype):
    x = points(dtype)
    with np.errstate(all="ignore"):
        want = ELEMENTARY[name](x.astype(L)).astype(dtype)
    check(results[name, dtype], want, x, 4)


@pytest.mark.parametrize("dtype", NAMES)
@pytest.mark.parametrize("name", SPECIAL)
def test_a_special_function_at_its_ends(results, name, dtype):
    doubles, values = (np.array(part * 3) for part in zip(*SPECIAL[name], (NAN, NAN)))
    with np.errstate(all="ignore"):
        x, want = doubles.astype(dtype), values.astype(dtype)
    exact = x == doubles  # points that are no floats have another value
    exact |= np.isnan(x)
    check(results[name, dtype][exact], want[exact], x[exact], 8)


@pytest.mark.parametrize("dtype", NAMES)
def test_zero_times_a_logarithm_is_zero(results, dtype):
    x, y = (part.ravel() for part in np.meshgrid(points(dtype), points(dtype)))
    zeros = (x == 0) & ~np.isnan(y)
    found = results["xlogy", dtype][zeros]
    assert (found == 0).all() and not np.signbit(found).any()


@pytest.mark.parametrize("name", PIECES)
def test_pieces_meet(results, name):
    x = torch.from_numpy(pieces(name))
    if name == "logit":  # of the odds as floats
        want = torch.log((x / (1 - x)).double())
    else:
        want = function_of(name)(x.double())
    check(results[name, "pieces"], want.float().numpy(), x.numpy(), PIECES[name][2])
