"""The namespace of the array API standard: names, dtypes, shapes and numbers as NumPy's, which is such a namespace, too."""

import inspect
import warnings

import numpy as np
import pytest
import torch

if not hasattr(torch.Tensor, "__array_namespace__"):
    pytest.skip("PyTorch's tensors have no namespace", allow_module_level=True)
if not hasattr(np, "__array_api_version__"):
    pytest.skip("NumPy before 2.0 has other names", allow_module_level=True)

xp = torch.empty(0).__array_namespace__()

F = np.float32([[1.5, -2, 0], [3, 0.25, -7]])
P = np.float64([[0.5, 0.25, 1], [0.125, 2, 4]])
J = np.int16([[3, 1, 2], [-4, 5, 1]])
U = np.uint8([[200, 100, 3], [4, 250, 6]])
V, W, X = np.uint16([[2**15, 7, 2**16 - 1]]), np.uint32([[2**31, 7, 2**32 - 1]]), np.uint64([[2**63, 7, 2**64 - 1]])
B = np.bool([[1, 0, 1], [0, 0, 1]])
C = np.complex64([[1 + 2j, -1, 0], [3j, 0.5, -2 - 1j]])
S = np.float64([[4, 1, 0.5], [1, 3, 0.25], [0.5, 0.25, 2]])
EMPTY = np.zeros((0, 3), np.float32)
ARRAYS = {"F": F, "P": P, "J": J, "U": U, "B": B, "C": C, "E": EMPTY, "V": V, "W": W, "X": X}

# Functions of one array, by the arrays that they are called with.
CALLS = {
    "PE": "sin cos exp sqrt square reciprocal tanh abs negative positive isfinite isnan isinf sign round signbit log1p",
    "FJ": "floor ceil trunc round sign abs square expm1",
    "BJUVWX": "bitwise_invert",
    "VWX": "floor ceil trunc round abs square negative positive sign isfinite isnan isinf logical_not signbit nonzero",
    "B": "logical_not",
    "FJCUEVWX": "sum prod count_nonzero any all",
    "FP": "mean std var max min argmax argmin sort argsort",
    "JUVWX": "max min argmax argmin sort argsort unique_values unique_all diff",
    "C": "conj real imag",
}
LINES = [
    "x.add(a, a[0]), x.subtract(a, 2.5), x.multiply(3, a), x.divide(a, 4)",
    "x.maximum(a, 1.0), x.minimum(a, a[:, ::-1] if x is np else x.flip(a, axis=-1)), x.hypot(a, 2.0), x.atan2(a, 1.0)",
    "x.copysign(a, -1.0), x.logaddexp(a, 0.5), x.pow(x.abs(a), 2), x.remainder(a, 3), x.floor_divide(a, 2)",
    "x.less(a, 1), x.greater_equal(a, a[0]), x.equal(a, 0.25), x.not_equal(a, a)",
    "x.clip(a, -1, 2), x.clip(a), x.clip(a, min=0), x.clip(a, a - 1, 1.5)",
    "x.sum(a, axis=0), x.sum(a, axis=(0, 1), keepdims=True), x.sum(a, axis=()), x.sum(a, dtype=x.float64)",
    "x.prod(a, axis=1, keepdims=True), x.prod(a, axis=(0, 1)), x.prod(a, keepdims=True)",
    "x.max(a, axis=0), x.min(a, axis=(0, 1)), x.max(a, axis=-1, keepdims=True)",
    "x.var(a, correction=1), x.std(a, axis=0, correction=0.5), x.var(a, axis=(0, 1), keepdims=True), x.mean(a, axis=1)",
    "x.argmax(a, axis=1), x.argmin(a, keepdims=True), x.argmax(a, axis=0, keepdims=True)",
    "x.cumulative_sum(a, axis=1), x.cumulative_sum(a, axis=0, include_initial=True), x.cumulative_prod(a, axis=-1)",
    "x.diff(a), x.diff(a, axis=0), x.diff(a, n=2), x.diff(a, prepend=a[:, :1])",
    "x.concat([a, a[:1]]), x.concat([a, a], axis=None), x.stack([a, a], axis=1), x.unstack(a, axis=1)",
    "x.concat([a, x.zeros((1, 3), dtype=x.int16)]), x.stack([a[0], x.zeros(3, dtype=x.float64)])",
    "x.expand_dims(a, axis=1), x.squeeze(a[:1], axis=0), x.permute_dims(a, (1, 0)), x.matrix_transpose(a)",
    "x.flip(a), x.flip(a, axis=0), x.roll(a, 1), x.roll(a, (1, 2), axis=(0, 1)), x.moveaxis(a, 0, 1)",
    "x.repeat(a, 2), x.repeat(a, 2, axis=1), x.tile(a, (2, 1, 2)), x.reshape(a, (3, 2)), x.reshape(a, (-1,), copy=True)",
    "x.broadcast_to(a[0], (4, 3)), x.broadcast_arrays(a, a[0]), x.take(a, x.asarray([1, 0]), axis=1)",
    "x.take_along_axis(a, x.asarray([[2, 0, 1]]), axis=1), x.where(a > 0, a, 0.0), x.where(a > 0, a, a[0])",
    "x.nonzero(a), x.count_nonzero(a, axis=0), x.count_nonzero(a, axis=1, keepdims=True)",
    "x.searchsorted(x.sort(a[0]), a), x.searchsorted(x.sort(a[0]), a, side='right')",
    "x.unique_values(a), x.unique_counts(a), x.unique_inverse(a), x.unique_all(a)",
    "x.matmul(a, x.matrix_transpose(a)), x.vecdot(a, a), x.tensordot(a, a, axes=((1,), (1,))), x.vecdot(a, a[0])",
    "x.tril(a), x.triu(a, k=1), x.astype(a, x.int32), x.full_like(a, 3), x.zeros_like(a), x.ones_like(a, dtype=x.int8)",
    "x.any(a, axis=0), x.all(a, axis=(0, 1)), x.any(a, axis=()), x.all(a, axis=1, keepdims=True)",
    "x.linalg.vector_norm(a), x.linalg.vector_norm(a, axis=0, ord=1), x.linalg.matrix_norm(a), x.linalg.trace(a)",
    "x.linalg.outer(a[0], a[1]), x.linalg.cross(a, a[::-1] if x is np else x.flip(a, axis=0)), x.linalg.diagonal(a)",
    "x.fft.fft(a, axis=0), x.fft.rfftn(a), x.fft.fftshift(a), x.fft.fftfreq(5), x.fft.irfft(x.fft.rfft(a))",
    "x.arange(5), x.arange(2, 9, 3), x.arange(5, 0, -2), x.arange(3, 1), x.arange(4.0), x.eye(3, 4, k=1), x.eye(3, k=-9)",
    "x.linspace(0, 1, 5), x.linspace(0, 1, 4, endpoint=False), x.full(3, 2), x.full((2, 2), 1.5), x.ones(2), x.zeros((2, 0))",
    "x.meshgrid(x.arange(2), x.arange(3)), x.meshgrid(x.arange(2), x.arange(3), indexing='ij'), x.meshgrid()",
    "x.add(x.asarray(1, dtype=x.float64), a), x.multiply(x.asarray(2, dtype=x.int32), x.ones(3, dtype=x.int8))",
    "x.max(x.asarray(3)), x.sum(x.asarray(3)), x.sort(x.asarray([2, 1, 2])), x.sum(x.zeros((0, 2)), axis=0)",
    "x.argsort(x.asarray([2, 1, 2, 0])), x.bitwise_left_shift(x.asarray([1, 2], dtype=x.int8), 2)",
    "x.cumulative_sum(x.asarray([2**31, 2**31], dtype=x.uint32)), x.cumulative_prod(x.asarray([2**15, 5], dtype=x.uint16))",
    "x.sum(x.asarray([200, 100], dtype=x.uint8)), x.cumulative_sum(x.asarray([200, 100], dtype=x.uint8))",
]
SQUARE = [
    "x.linalg.cholesky(a), x.linalg.cholesky(a, upper=True), x.linalg.det(a), x.linalg.slogdet(a), x.linalg.inv(a)",
    "x.linalg.eigvalsh(a), x.linalg.eigh(a).eigenvalues, x.linalg.svdvals(a), x.linalg.svd(a).S, x.linalg.pinv(a)",
    "x.linalg.solve(a, a[0]), x.linalg.solve(a, a), x.linalg.matrix_rank(a), x.linalg.matrix_power(a, 3)",
    "x.abs(x.linalg.qr(a).R), x.linalg.qr(a, mode='complete').Q.shape, x.linalg.trace(a, offset=1)",
]


def flat(found):
    if isinstance(found, (tuple, list)):
        return [y for part in found for y in flat(part)]
    return [np.asarray(found.numpy() if isinstance(found, torch.Tensor) else found)]


# The standard leaves to a library what its default dtypes are.
def known(array):
    return array.astype({"float64": "float32", "complex128": "complex64"}.get(array.dtype.name, array.dtype.name))


def check(line, array):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = flat(eval(line, {"x": xp, "np": np, "a": torch.asarray(array)}))
        theirs = flat(eval(line.replace("x.float64", "np.float64"), {"x": np, "np": np, "a": array}))
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert one.shape == other.shape
        assert known(one).dtype == known(other).dtype
        np.testing.assert_allclose(known(one), known(other), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("line", LINES)
def test_functions(line):
    check(line, F)


def test_descending_order():
    x = torch.tensor([2, 1, 2, 0])
    assert xp.sort(x, descending=True).tolist() == [2, 2, 1, 0]
    assert xp.argsort(x, descending=True).tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize("line", SQUARE)
def test_functions_of_matrices(line):
    check(line, S)


@pytest.mark.parametrize("name, arrays", [(n, a) for a, names in CALLS.items() for n in names.split()])
def test_functions_of_one_array(name, arrays):
    for array in arrays:
        check(f"x.{name}(a)", ARRAYS[array])


@pytest.mark.parametrize(
    "a, b",
    [
        ("int8", "int16"),
        ("uint8", "int8"),
        ("int64", "int8"),
        ("float32", "float64"),
        ("complex64", "float64"),
        ("bool", "bool"),
    ],
)
def test_a_zero_dimensional_array_promotes_as_any(a, b):
    for one, other in ((a, b), (b, a)):
        mixed = xp.ones(3, dtype=getattr(xp, one)), xp.ones((), dtype=getattr(xp, other))
        expected = np.result_type(one, other).name
        assert str(xp.result_type(*mixed)) == f"torch.{expected}"
        if a != "bool":
            assert str(xp.add(*mixed).dtype) == f"torch.{expected}"
        assert str(xp.where(xp.ones(3, dtype=xp.bool), *mixed).dtype) == f"torch.{expected}"


def test_numbers_take_the_arrays_dtype():
    small = torch.ones(2, dtype=torch.int8)
    assert xp.add(small, 3).dtype == torch.int8 and xp.result_type(small, 3) == torch.int8
    assert xp.result_type(torch.float64, 1j) == torch.complex128
    with pytest.raises(ValueError, match="at least one argument must be an array"):
        xp.result_type(1, 2.5)
    with pytest.raises(TypeError, match="at least one argument must be an array"):
        xp.add(1, 2)


def test_kinds_of_dtypes():
    assert xp.isdtype(torch.uint16, "unsigned integer") and not xp.isdtype(torch.uint16, "signed integer")
    assert xp.isdtype(torch.int8, ("bool", "integral")) and xp.isdtype(torch.complex64, "numeric")
    assert not xp.isdtype(torch.bool, "numeric") and xp.isdtype(torch.float32, torch.float32)
    with pytest.raises(ValueError, match="kind must be a dtype or one of 'bool'"):
        xp.isdtype(torch.int8, "integer")
    info = xp.__array_namespace_info__()
    assert list(info.dtypes(kind="bool")) == ["bool"] and len(info.dtypes()) == 13
    assert info.default_dtypes()["real floating"] == torch.float32 and torch.device("cpu") in info.devices()
    assert info.capabilities()["boolean indexing"]


def test_the_namespace_is_one_module_of_that_version():
    x = torch.ones(2)
    assert x.__array_namespace__(api_version="2024.12") is x.__array_namespace__() is xp
    assert xp.__array_api_version__ == "2024.12"
    with pytest.raises(ValueError, match="must be None or one of 2021.12, .*2024.12, but got '2019.1'"):
        x.__array_namespace__(api_version="2019.1")


def test_every_function_has_numpys_name_and_a_docstring():
    for name in xp.__all__:
        assert name in ("isin", "broadcast_shapes", "e", "inf", "nan", "newaxis", "pi") or hasattr(np, name), name
        if inspect.isfunction(getattr(xp, name)):
            assert getattr(xp, name).__doc__, name
    for extension in ("linalg", "fft"):
        for name in getattr(xp, extension).__all__:
            assert hasattr(getattr(np, extension), name) and callable(getattr(getattr(xp, extension), name))


def test_mistakes_are_named():
    x = torch.ones(2, 3)
    for call, kind, words in (
        (lambda: xp.squeeze(x, axis=0), ValueError, "dimension 0 has size 2, not 1"),
        (lambda: xp.matrix_transpose(x[0]), ValueError, "at least 2 dimensions"),
        (lambda: xp.nonzero(x[0, 0]), ValueError, "at least 1 dimension"),
        (lambda: xp.cumulative_sum(x), ValueError, "axis must be given"),
        (lambda: xp.take(x, torch.tensor([0])), ValueError, "axis must be given"),
        (lambda: xp.linalg.cross(x[:, :2], x[:, :2]), ValueError, "has size 2 along axis -1, not 3"),
        (lambda: xp.clip(torch.ones(2, dtype=torch.int8), 0.5), TypeError, "min=0.5 is a float"),
        (lambda: xp.expand_dims(x, axis=(0, 0)), IndexError, "each of which is meant once"),
        (lambda: xp.reshape(x.t(), (6,), copy=False), RuntimeError, "view size is not compatible"),
    ):
        with pytest.raises(kind, match=words):
            call()


def test_gradients_go_through():
    x = torch.ones(2, 3, requires_grad=True)
    xp.sum(xp.multiply(xp.concat([x, x]), 2)).backward()
    assert torch.equal(x.grad, torch.full((2, 3), 4.0))
