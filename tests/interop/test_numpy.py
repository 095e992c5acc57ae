"""The bridge to NumPy: memory is shared both ways and lives as long as needed; what cannot be shared is refused."""

import gc
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import EVERY, assert_same, shapes, steps, twins


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", EVERY)
def test_from_numpy_shares(dtype):
    array = np.zeros((2, 3), dtype)
    tensor = torch.from_numpy(array)
    assert str(tensor.dtype) == f"torch.{dtype}" and tensor.shape == (2, 3)
    assert tensor.data_ptr() == address(array)
    array[0, 1] = 1
    assert tensor[0, 1].item() == 1
    tensor[1, 2] = 1
    assert array[1, 2] == 1


@pytest.mark.parametrize("dtype", EVERY)
def test_numpy_shares(dtype):
    tensor = torch.zeros(2, 3, dtype=getattr(torch, dtype))
    array = tensor.numpy()
    assert array.dtype == dtype and array.shape == (2, 3) and array.flags.writeable
    array[0, 1] = 1
    assert tensor[0, 1].item() == 1
    assert address(tensor.numpy()) == address(array)


@given(twins(dtypes=EVERY))
def test_any_layout_to_numpy(pair):
    tensor, array = pair
    got = tensor.numpy()
    np.testing.assert_array_equal(got, array)
    if tensor.numel():
        assert address(got) == tensor.data_ptr()
        assert all(s == t * tensor.element_size() for s, t, n in zip(got.strides, tensor.stride(), got.shape) if n > 1)


@given(shapes(max_side=5), st.data())
def test_any_layout_from_numpy(shape, data):
    base = np.arange(np.prod(shape), dtype="float64").reshape(shape)
    array = base.transpose(data.draw(st.permutations(range(base.ndim))))[(*steps(data.draw, base.ndim), ...)]
    tensor = torch.from_numpy(array)
    assert_same(tensor, array)
    if array.size:
        assert tensor.data_ptr() == address(array)
        tensor.mul_(-1)
        assert_same(tensor, array)


def test_memory_outlives_either_side():
    tensor = torch.from_numpy(np.arange(1000.0))
    gc.collect()
    assert tensor.sum().item() == 499500
    array = torch.arange(1000.0)[10:].numpy()
    gc.collect()
    assert array[0] == 10 and array.sum() == 499455
    view = torch.from_numpy(np.ones((50, 50)))[3:, 4].t()
    gc.collect()
    assert view.sum().item() == 47


def test_the_array_is_released():
    class Witness(np.ndarray):
        """An array that can be watched."""

    import weakref

    array = np.ones(10).view(Witness)
    watch = weakref.ref(array)
    tensor = torch.from_numpy(array)
    piece = tensor[2:]
    del array, tensor
    gc.collect()
    assert watch() is not None
    del piece
    gc.collect()
    assert watch() is None


def test_scalars_and_empty_arrays():
    assert torch.from_numpy(np.array(3.5)).shape == () and torch.from_numpy(np.array(3.5)).item() == 3.5
    assert torch.from_numpy(np.zeros((0, 3))).shape == (0, 3)
    assert torch.from_numpy(np.zeros((2, 0), "int8")).dtype == torch.int8
    assert torch.zeros(0, 3).numpy().shape == (0, 3) and torch.tensor(2).numpy().shape == ()


def test_numpy_reads_tensors():
    tensor = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert np.asarray(tensor).dtype == np.float32 and address(np.asarray(tensor)) == tensor.data_ptr()
    assert address(np.array(tensor)) != tensor.data_ptr()
    np.testing.assert_array_equal(np.asarray(tensor, dtype="int64"), [[1, 2], [3, 4]])
    np.testing.assert_array_equal(np.array([tensor[0], tensor[1]]), [[1, 2], [3, 4]])
    assert np.sum(tensor.numpy()) == 10 and float(np.mean(tensor.numpy())) == 2.5
    np.testing.assert_array_equal(np.zeros(3)[np.asarray(torch.tensor([0, 2]))], [0, 0])


def test_tensors_made_from_arrays():
    array = np.array([[1, 2], [3, 4]], "int16")
    for copy in (
        torch.tensor(array),
        torch.tensor(array.T).t(),
        torch.tensor(array[::-1].copy()).flatten()[[2, 3, 0, 1]].view(2, 2),
    ):
        assert copy.dtype == torch.int16 and copy.tolist() == [[1, 2], [3, 4]]
        copy.zero_()
    assert array.tolist() == [[1, 2], [3, 4]]
    assert torch.as_tensor(array).data_ptr() == address(array)
    assert torch.as_tensor(array, dtype=torch.float32).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert torch.tensor(array, dtype=torch.float64).dtype == torch.float64
    assert torch.tensor([np.float64(1.5), np.float64(2)]).dtype == torch.float64
    assert torch.tensor([np.float32(1.5), 2]).tolist() == [1.5, 2.0]
    assert torch.tensor(np.float64(2.5)).dtype == torch.float64 and torch.tensor(np.int32(3)).dtype == torch.int32
    assert torch.tensor(np.bool_(True)).dtype == torch.bool
    assert torch.tensor([np.array([1, 2]), np.array([3, 4])]).tolist() == [[1, 2], [3, 4]]


def test_numpy_scalars_are_numbers():
    tensor = torch.tensor([1.0, 2.0])
    assert (tensor + np.float32(1)).tolist() == [2.0, 3.0] and (tensor * np.int64(3)).dtype == torch.float32
    assert tensor[np.int64(1)].item() == 2.0
    assert torch.zeros(np.int64(2), np.int32(3)).shape == (2, 3)
    assert torch.full((2,), np.float32(1.5)).tolist() == [1.5, 1.5]
    assert tensor.sum(np.int64(0)).item() == 3.0
    tensor[0] = np.float64(7)
    assert tensor.tolist() == [7.0, 2.0]
    assert torch.arange(np.int64(3)).tolist() == [0, 1, 2]


def test_arrays_as_indices():
    tensor = torch.arange(6.0).view(2, 3)
    assert tensor[np.array([1, 0])].tolist() == [[3.0, 4.0, 5.0], [0.0, 1.0, 2.0]]
    assert tensor[np.array([True, False])].tolist() == [[0.0, 1.0, 2.0]]
    assert tensor[:, np.array([2])].tolist() == [[2.0], [5.0]]


def test_read_only_arrays_warn():
    array = np.arange(3)
    array.flags.writeable = False
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tensor = torch.from_numpy(array)
    assert tensor.tolist() == [0, 1, 2]
    assert all(issubclass(w.category, UserWarning) for w in caught)  # shown once per process


@pytest.mark.parametrize(
    ("array", "error"),
    [
        (np.arange(4)[::-1], ValueError),
        (np.zeros((2, 3))[:, ::-1], ValueError),
        (np.zeros(3, ">f4"), ValueError),
        (np.array(["a", "b"]), TypeError),
        (np.array([b"a"]), TypeError),
        (np.array([None, 1], dtype=object), TypeError),
        (np.zeros(2, "datetime64[s]"), TypeError),
        (np.zeros(2, "timedelta64[s]"), TypeError),
        (np.zeros(2, [("x", "f4"), ("y", "i4")]), TypeError),
        (np.zeros(4, [("x", "f4"), ("y", "i1")])["x"], ValueError),  # strides that are no multiple of the item size
        (np.zeros(2, np.longdouble), TypeError),
    ],
)
def test_arrays_that_cannot_be_shared(array, error):
    before = array.copy()
    with pytest.raises(error):
        torch.from_numpy(array)
    with pytest.raises(error):
        torch.as_tensor(array)
    assert array.tobytes() == before.tobytes()


def test_what_is_no_array():
    for thing in ([1, 2], 3, None, "x", torch.zeros(1)):
        with pytest.raises(TypeError):
            torch.from_numpy(thing)
    with pytest.raises(TypeError):
        torch.zeros(2, dtype=torch.bfloat16).numpy()
    with pytest.raises(TypeError):
        np.asarray(torch.zeros(2, dtype=torch.bfloat16))
