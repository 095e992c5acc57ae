"""DLPack: tensors and other libraries' arrays over the same memory."""

import ctypes
import gc
import inspect
import weakref

import numpy as np
import pytest
import torch
from memory import megabytes
from torch.utils import dlpack

OURS = hasattr(torch._C, "_storage_filename")
DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32]
DTYPES += [torch.float64]


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_sees_the_memory(dtype):
    tensor = torch.tensor([[0, 1, 1], [1, 0, 1]]).to(dtype)
    array = np.from_dlpack(tensor)
    assert str(array.dtype) == str(dtype)[6:] and array.tolist() == tensor.tolist()
    assert array.__array_interface__["data"][0] == tensor.data_ptr()
    tensor[0, 0] = 1
    assert array[0, 0] == 1
    back = torch.from_dlpack(array)
    assert back.dtype == dtype and back.data_ptr() == tensor.data_ptr() and back.tolist() == tensor.tolist()


@pytest.mark.parametrize("dtype", [*DTYPES, torch.bfloat16])
def test_capsules(dtype):
    tensor = torch.tensor([0, 1, 1]).to(dtype)
    for capsule in (dlpack.to_dlpack(tensor), tensor.__dlpack__(), tensor.__dlpack__(max_version=(1, 0))):
        got = dlpack.from_dlpack(capsule)
        assert got.dtype == dtype and got.data_ptr() == tensor.data_ptr() and got.tolist() == tensor.tolist()
        with pytest.raises(RuntimeError, match="consumed only once"):
            torch.from_dlpack(capsule)


def name(capsule):
    api = ctypes.pythonapi.PyCapsule_GetName
    api.restype, api.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return api(capsule)


def test_versions():
    tensor = torch.ones(3)
    assert name(tensor.__dlpack__()) == name(tensor.__dlpack__(max_version=(0, 8))) == b"dltensor"
    assert name(tensor.__dlpack__(max_version=(1, 0))) == b"dltensor_versioned"
    assert name(tensor.__dlpack__(max_version=(2, 5))) == b"dltensor_versioned"
    capsule = tensor.__dlpack__(max_version=(1, 0))
    torch.from_dlpack(capsule)
    assert name(capsule) == b"used_dltensor_versioned"


def test_layouts():
    base = torch.arange(24.0).view(2, 3, 4)
    for tensor in (base, base[1], base.transpose(0, 2), base[:, ::2, 1:3], base[0, 0].expand(3, 4), base[1, 2, 3]):
        array = np.from_dlpack(tensor)
        assert array.tolist() == tensor.tolist() and array.shape == tuple(tensor.shape)
        back = torch.from_dlpack(array)
        assert back.tolist() == tensor.tolist() and back.data_ptr() == tensor.data_ptr()
    for shape in ((0,), (0, 3), (2, 0, 4)):
        assert np.from_dlpack(torch.zeros(shape)).shape == shape
        assert torch.from_dlpack(np.zeros(shape)).shape == shape
    assert torch.from_dlpack(np.array(3.5)).item() == 3.5
    assert torch.from_dlpack(np.arange(6).reshape(2, 3).T).stride() == (1, 3)
    assert torch.from_dlpack(np.arange(10)[2::3]).tolist() == [2, 5, 8]


def test_lifetimes():
    array = np.from_dlpack(torch.arange(1000.0))
    gc.collect()
    junk = [torch.full((1000,), 7.0) for _ in range(50)]
    assert array.sum() == 499500 and junk

    class Watched(np.ndarray):
        """Can be watched."""

    owner = np.ones(10).view(Watched)
    watch = weakref.ref(owner)
    tensor = torch.from_dlpack(owner)[2:]
    del owner
    gc.collect()
    assert watch() is not None and tensor.sum().item() == 8
    del tensor
    gc.collect()
    assert watch() is None

    # A capsule that nobody takes gives its tensor back.
    tensor = torch.ones(100_000)
    capsules = [tensor.__dlpack__(max_version=(1, 0)), dlpack.to_dlpack(tensor)]
    del capsules
    tensor.untyped_storage().resize_(0)


@pytest.mark.skipif(not OURS, reason="PyTorch moves it under the consumer")
def test_shared_memory_stays_where_it_is():
    tensor = torch.arange(4.0)
    array = np.from_dlpack(tensor)
    with pytest.raises(RuntimeError, match="not resizable"):
        tensor.untyped_storage().resize_(1000)
    with pytest.raises(RuntimeError, match="not resizable"):
        tensor.resize_(1000)
    assert array[3] == 3
    del array
    gc.collect()
    tensor.resize_(1000)
    assert tensor[3].item() == 3


def test_copies():
    tensor = torch.arange(3.0)
    assert torch.from_dlpack(tensor).data_ptr() == tensor.data_ptr()
    assert torch.from_dlpack(tensor, copy=True).data_ptr() != tensor.data_ptr()
    assert torch.from_dlpack(tensor, copy=False).data_ptr() == tensor.data_ptr()
    assert torch.from_dlpack(tensor, device="cpu").data_ptr() == tensor.data_ptr()
    torch.from_dlpack(tensor, copy=True)[0] = 9
    assert tensor[0].item() == 0


def test_read_only_arrays():
    array = np.arange(3)
    array.flags.writeable = False
    assert torch.from_dlpack(array).tolist() == [0, 1, 2]


class Old:
    """An exporter of the time before max_version."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, stream=None):
        return self.tensor.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


class Elsewhere:
    """Something on another device."""

    def __init__(self, kind):
        self.kind = kind

    def __dlpack__(self, **wishes):
        raise AssertionError("must not be asked")

    def __dlpack_device__(self):
        return self.kind, 0


def test_other_exporters():
    tensor = torch.arange(3.0)
    assert torch.from_dlpack(Old(tensor)).data_ptr() == tensor.data_ptr()
    for kind in (2, 10):
        with pytest.raises((AssertionError, BufferError, RuntimeError)):
            torch.from_dlpack(Elsewhere(kind))
    for thing in (3, None, b"abc", memoryview(b"abc")):
        with pytest.raises((RuntimeError, TypeError)):
            torch.from_dlpack(thing)


def test_device():
    kind, index = torch.ones(1).__dlpack_device__()
    assert (kind, index) == (1, 0) and kind is dlpack.DLDeviceType.kDLCPU


def test_wrong_arguments():
    tensor = torch.ones(2)
    with pytest.raises(AssertionError, match="stream should be None on cpu"):
        tensor.__dlpack__(stream=1)
    with pytest.raises(TypeError, match="stream must be"):
        tensor.__dlpack__(stream="x")
    if not torch.cuda.is_available():
        with pytest.raises(NotImplementedError):
            tensor.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="Unsupported device_type: 9"):
        tensor.__dlpack__(dl_device=(9, 0))
    with pytest.raises(TypeError, match="stream must be"):
        tensor.__dlpack__(stream=True)
    with pytest.raises(TypeError):
        tensor.__dlpack__(1)
    with pytest.raises(TypeError, match="must be Tensor"):
        dlpack.to_dlpack(3)
    with pytest.raises(BufferError):
        torch.from_dlpack(np.zeros(3, "O"))
    with pytest.raises(BufferError):
        torch.from_dlpack(np.zeros(3, ">f4"))
    if OURS:  # PyTorch ends the process
        with pytest.raises(BufferError, match="negative strides"):
            torch.from_dlpack(np.arange(3)[::-1])
    array = np.from_dlpack(tensor)
    with pytest.raises((AssertionError, RuntimeError)):
        torch.from_dlpack(array, device="cuda")


def test_nothing_leaks():
    def work(times):
        for _ in range(times):
            torch.from_dlpack(np.from_dlpack(torch.ones(100_000)))
            torch.ones(100_000).__dlpack__()

    work(20)
    before = megabytes()
    work(500)
    assert megabytes() - before < 20


def test_the_standards_parameters_have_names():
    """Array libraries look at the signature before they call."""
    parameters = inspect.signature(torch.Tensor.__dlpack__).parameters
    names = ["stream", "max_version", "dl_device", "copy"]
    assert list(parameters)[1:5] == names and all(parameters[n].kind is inspect.Parameter.KEYWORD_ONLY for n in names)
    assert list(inspect.signature(torch.from_dlpack).parameters)[1:] == ["device", "copy"]


def test_a_copy_is_another_memory_and_no_other_word():
    tensor = torch.arange(3)
    for copy, kept in ((True, 0), (False, 5), (None, 5)):
        tensor[0] = 0
        other = dlpack.from_dlpack(tensor.__dlpack__(copy=copy, max_version=(1, 0), dl_device=(1, 0), stream=None))
        tensor[0] = 5
        assert other[0] == kept
    with pytest.raises(TypeError, match="copy"):
        tensor.__dlpack__(copy=1)
