"""Tensors and what else holds numbers: NumPy's functions and scalars, buffers, array.array."""

import array
import warnings

import numpy as np
import pytest
import torch

OURS = hasattr(torch._C, "_storage_filename")
T, K, B = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1, 2, 3]), torch.tensor([True, False, True])
A = np.array([1.0, 2.0, 3.0])
M = torch.arange(6.0).view(2, 3)


def check(got, dtype, values):
    assert isinstance(got, torch.Tensor) and got.dtype == dtype and got.tolist() == values


# ---- NumPy's functions -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "dtype", "values"),
    [
        (lambda: np.square(T), torch.float32, [1.0, 4.0, 9.0]),
        (lambda: np.sqrt(torch.tensor(4.0)), torch.float32, 2.0),
        (lambda: np.add(T, A), torch.float64, [2.0, 4.0, 6.0]),
        (lambda: np.add(A, T), torch.float64, [2.0, 4.0, 6.0]),
        (lambda: np.add(T, 1), torch.float32, [2.0, 3.0, 4.0]),
        (lambda: np.multiply(K, 2), torch.int64, [2, 4, 6]),
        (lambda: np.greater(T, 1), torch.uint8, [0, 1, 1]),
        (lambda: np.isnan(T), torch.uint8, [0, 0, 0]),
        (lambda: np.matmul(M, T), torch.float32, [8.0, 26.0]),
        (lambda: np.negative(M.t())[2], torch.float32, [-2.0, -5.0]),
        (lambda: np.square(T.half()), torch.float16, [1.0, 4.0, 9.0]),
        (lambda: np.square(torch.zeros(0, 2)), torch.float32, []),
    ],
)
def test_functions_give_tensors(function, dtype, values):
    check(function(), dtype, values)


def test_functions_that_give_arrays():
    assert np.dot(T, T) == 14 and np.array_equal(T, A) and np.allclose(T, A)
    assert np.stack([T, T]).shape == (2, 3) and np.concatenate([T, A]).tolist() == [1, 2, 3, 1, 2, 3]
    assert np.where(B, T, A).tolist() == [1.0, 2.0, 3.0] and A[K - 1].tolist() == [1, 2, 3] and A[B].tolist() == [1, 3]
    assert np.zeros(torch.tensor(3)).shape == (3,) and A[torch.tensor(1)] == 2
    out = np.zeros(3)
    assert np.add(T, A, out=out) is out and out.tolist() == [2, 4, 6]
    assert np.linspace(torch.tensor(0.0), torch.tensor(1.0), 3).tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"])
def test_as_array(dtype):
    tensor = torch.tensor([[0, 1, 1], [1, 1, 0]]).to(getattr(torch, dtype))
    for view in (tensor, tensor.t(), tensor[:, ::2], tensor[0].expand(2, 3), tensor[0, 1], tensor[:0]):
        got = np.asarray(view)
        assert (
            got.dtype == dtype
            and got.tolist() == view.tolist()
            and np.shares_memory(got, tensor.numpy()) == (view.numel() > 0)
        )
    assert np.asarray(tensor, dtype="float64").dtype == "float64" and tensor.__array__(np.int32).dtype == "int32"
    assert np.array(tensor).ctypes.data != tensor.data_ptr() == np.asarray(tensor).ctypes.data


# ---- NumPy's scalars ---------------------------------------------------------------------------------------
F32, F64, I64, I32 = np.float32(2), np.float64(2), np.int64(2), np.int32(2)


@pytest.mark.parametrize(
    ("function", "dtype", "values"),
    [
        (lambda: T + F32, torch.float32, [3.0, 4.0, 5.0]),
        (lambda: F32 + T, torch.float32, [3.0, 4.0, 5.0]),
        (lambda: F64 * K, torch.float32, [2.0, 4.0, 6.0]),
        (lambda: K * F64, torch.float32, [2.0, 4.0, 6.0]),
        (lambda: I64 - K, torch.int64, [1, 0, -1]),
        (lambda: K - I64, torch.int64, [-1, 0, 1]),
        (lambda: I32**T, torch.float32, [2.0, 4.0, 8.0]),
        (lambda: F64 / K, torch.float32, [2.0, 1.0, 2 / 3]),
        (lambda: np.int64(7) // K, torch.int64, [7, 3, 2]),
        (lambda: np.int64(7) % K, torch.int64, [0, 1, 1]),
        (lambda: K << I64, torch.int64, [4, 8, 12]),
        (lambda: np.int64(3) & K, torch.int64, [1, 2, 3]),
        (lambda: F32 < T, torch.bool, [False, False, True]),
        (lambda: T == F32, torch.bool, [False, True, False]),
        (lambda: torch.tensor(F32), torch.float32, 2.0),
        (lambda: torch.tensor([F64, F64]), torch.float64, [2.0, 2.0]),
        (lambda: torch.tensor(np.bool_(True)), torch.bool, True),
        (lambda: torch.tensor(np.float16(1)), torch.float16, 1.0),
        (lambda: torch.full((2,), np.int64(3)), torch.int64, [3, 3]),
        (lambda: torch.arange(np.float32(3)), torch.float32, [0.0, 1.0, 2.0]),
        (lambda: torch.clamp(T, F32), torch.float32, [2.0, 2.0, 3.0]),
        (lambda: T.clone().add_(F32), torch.float32, [3.0, 4.0, 5.0]),
        (lambda: T[np.int64(1)], torch.float32, 2.0),
    ],
)
def test_scalars_are_operands(function, dtype, values):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = function()
    if dtype == torch.float32 and isinstance(values, list):
        values = torch.tensor(values).tolist()
    if got.dtype == torch.float32 and isinstance(got, torch.Tensor) and got.dim():
        assert got.dtype == dtype and torch.equal(got, torch.tensor(values))
    else:
        check(got, dtype, values)


@pytest.mark.skipif(not OURS, reason="PyTorch takes it for a float, for which there is no &")
def test_numpys_bool():
    check(torch.tensor([True, False]) & np.bool_(True), torch.bool, [True, False])


def test_operators_with_arrays():
    """NumPy leaves operators to the tensor, which takes no arrays on its left: np.multiply does."""
    for function in (lambda: A * T, lambda: A + K):
        with pytest.raises(TypeError):
            function()


# ---- asarray -----------------------------------------------------------------------------------------------
def test_asarray():
    assert torch.asarray(T) is T and torch.asarray(T, copy=True).data_ptr() != T.data_ptr()
    assert torch.asarray(A).data_ptr() == A.ctypes.data != torch.asarray(A, copy=True).data_ptr()
    check(torch.asarray([1, 2]), torch.int64, [1, 2])
    check(torch.asarray(F32), torch.float32, 2.0)
    check(torch.asarray(A, dtype=torch.float32), torch.float32, [1.0, 2.0, 3.0])
    for thing, dtype in (([1, 2], None), (A, torch.float32), (T, torch.int32)):
        with pytest.raises(ValueError, match="can't alias"):
            torch.asarray(thing, dtype=dtype, copy=False)
    assert T.tolist() == [1.0, 2.0, 3.0]


def test_asarray_of_buffers():
    numbers = array.array("f", [1, 2])
    got = torch.asarray(numbers)
    numbers[0] = 5
    check(got, torch.float32, [5.0, 2.0])
    check(torch.asarray(numbers, copy=False), torch.float32, [5.0, 2.0])
    check(torch.asarray(bytearray(b"\1\2"), dtype=torch.uint8), torch.uint8, [1, 2])
    check(torch.asarray(array.array("i", [7]), dtype=torch.int32), torch.int32, [7])
    copied = torch.asarray(numbers, copy=True)
    numbers[1] = 9
    check(copied, torch.float32, [5.0, 2.0])
    with pytest.raises(ValueError, match="multiple of element size"):
        torch.asarray(b"\1\2\3")

    class Exporter:
        """Something with DLPack."""

        def __dlpack__(self, **wishes):
            return T.__dlpack__(**wishes)

        def __dlpack_device__(self):
            return 1, 0

    assert torch.asarray(Exporter()).data_ptr() == T.data_ptr()


def test_frombuffer():
    numbers = array.array("i", [1, 2, 3])
    got = torch.frombuffer(numbers, dtype=torch.int32, offset=4, count=1)
    got[0] = 9
    assert numbers.tolist() == [1, 9, 3]
    if OURS:
        with pytest.raises(BufferError):
            numbers.append(4)  # its memory is in use
    assert torch.frombuffer(np.arange(4), dtype=torch.int64).tolist() == [0, 1, 2, 3]
    for args, error in (
        ((b"", -1, 0), ValueError),
        ((b"abc", -1, 0), ValueError),
        ((b"abcd", 0, 0), ValueError),
        ((b"abcd", 3, 0), ValueError),
        ((b"abcd", -1, 4), ValueError),
        ((b"abcd", -1, -1), ValueError),
        ((3, -1, 0), ValueError),
        ((np.arange(8, dtype="int16")[::2], -1, 0), RuntimeError),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(error):
                torch.frombuffer(args[0], dtype=torch.int16, count=args[1], offset=args[2])


def test_sequences():
    check(torch.tensor(array.array("d", [1, 2])), torch.float32, [1.0, 2.0])
    check(torch.tensor(array.array("i", [1, 2])), torch.int64, [1, 2])
    check(torch.tensor(bytearray(b"ab")), torch.int64, [97, 98])
    check(torch.tensor(range(3)), torch.int64, [0, 1, 2])
    check(torch.tensor([np.array([1, 2]), np.array([3, 4])]), torch.int64, [[1, 2], [3, 4]])
    assert array.array("d", T) == array.array("d", [1, 2, 3]) and array.array("i", K) == array.array("i", [1, 2, 3])
    assert bytearray(K) == b"\1\2\3"


def test_negative_strides():
    backwards = np.arange(6).reshape(2, 3)[:, ::-1]
    for function in (torch.from_numpy, torch.as_tensor, torch.asarray, torch.tensor):
        with pytest.raises(ValueError, match="negative"):
            function(backwards)


# ---- NumPy's functions over every dtype and layout -----------------------------------------------------------
REALS = ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
UNARY = (np.negative, np.absolute, np.square, np.sign, np.sqrt, np.exp, np.floor, np.isfinite)
BINARY = (np.add, np.subtract, np.multiply, np.maximum, np.divide, np.floor_divide, np.less, np.equal)


def layouts(dtype):
    """A matrix, as it is, transposed, cut, repeated, empty, one number."""
    whole = torch.arange(1, 13).view(3, 4).to(getattr(torch, dtype))
    return whole, whole.t(), whole[:, ::2], whole[1:, 1], whole[0].expand(3, 4), whole[:0], whole[1, 2]


@pytest.mark.parametrize("dtype", REALS)
def test_ufuncs_of_every_dtype_and_layout(dtype):
    for tensor in layouts(dtype):
        array = np.array(tensor.tolist(), dtype=dtype).reshape(tensor.shape)
        for function in (*UNARY, *BINARY):
            arguments = (1,) if function in UNARY else (1, 2)
            for given in {1: [(tensor,)], 2: [(tensor, tensor), (tensor, array), (array, tensor), (tensor, 2)]}[
                len(arguments)
            ]:
                theirs = [array if isinstance(x, torch.Tensor) else x for x in given]
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    want, got = function(*theirs), function(*given)
                if want.dtype == bool:
                    want = want.astype("uint8")
                assert isinstance(got, torch.Tensor), function
                assert str(got.dtype) == f"torch.{want.dtype}" and got.tolist() == want.tolist(), function


@pytest.mark.parametrize("dtype", ["bool", *REALS, "complex64", "complex128"])
def test_buffers_of_every_dtype(dtype):
    for tensor in layouts(dtype if dtype != "bool" else "uint8"):
        tensor = tensor.bool() if dtype == "bool" else tensor  # noqa: PLW2901
        array = np.asarray(tensor)
        assert array.tolist() == tensor.tolist() and array.dtype == dtype
        if tensor.numel() and tensor.dim():
            assert array.strides == tuple(s * tensor.element_size() for s in tensor.stride())
            assert memoryview(array).tobytes() == array.tobytes()
            again = torch.frombuffer(bytearray(array.tobytes()), dtype=tensor.dtype)
            assert again.tolist() == tensor.flatten().tolist()


def test_arrays_of_pythons_own():
    """array.array both ways: elements into it, its memory into a tensor."""
    codes = {"b": torch.int8, "B": torch.uint8, "h": torch.int16, "i": torch.int32, "q": torch.int64}
    codes |= {"f": torch.float32, "d": torch.float64}
    for code, dtype in codes.items():
        tensor = torch.tensor([1, 2, 3]).to(dtype)
        own = array.array(code, tensor)
        assert own.tolist() == [1, 2, 3]
        shared = torch.frombuffer(own, dtype=dtype)
        own[0] = 9
        assert shared.tolist() == [9, 2, 3]
        shared[1] = 7
        assert own.tolist() == [9, 7, 3] and array.array(code, tensor.numpy().tobytes()).tolist() == [1, 2, 3]
        assert torch.tensor(own).tolist() == torch.as_tensor(own).tolist() == [9, 7, 3]
