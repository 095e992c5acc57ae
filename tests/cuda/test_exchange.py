"""Tensors to files, processes' pickles and other libraries, and back."""

import io
import pickle

import pytest
import torch


def saved(obj):
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return file


def test_save_and_load(second):
    a = torch.arange(6, device="cuda:0")
    file = saved({"a": a, "view": a[2:], "b": torch.ones(2, device=second), "c": torch.ones(1)})
    found = torch.load(file)
    assert found["a"].device == a.device and found["b"].device == second and found["c"].is_cpu
    found["a"][2] = 50
    assert found["view"][0].item() == 50
    for location, expected in (
        ("cpu", "cpu"),
        ("cuda:1", "cuda:1"),
        (torch.device("cuda:1"), "cuda:1"),
        ({"cuda:0": "cuda:1"}, "cuda:1"),
        (lambda storage, place: storage.cuda(1) if place == "cuda:0" else None, "cuda:1"),
    ):
        file.seek(0)
        assert torch.load(file, map_location=location)["a"].device == torch.device(expected)


def test_a_device_that_there_is_not():
    file = saved(torch.ones(2, device="cuda"))
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on CUDA device 99"):
        torch.load(file, map_location="cuda:99")


def test_pickle():
    a = torch.arange(4.0, device="cuda")
    b = pickle.loads(pickle.dumps(a, protocol=5))
    assert b.device == a.device and b.tolist() == a.tolist() and b.data_ptr() != a.data_ptr()
    assert pickle.loads(pickle.dumps(a.untyped_storage(), protocol=2)).is_cuda


# ---- DLPack ------------------------------------------------------------------------------------------------
def test_dlpack():
    a = torch.arange(6.0, device="cuda").reshape(2, 3).t()
    assert tuple(a.__dlpack_device__()) == (2, 0)
    b = torch.from_dlpack(a)
    assert b.data_ptr() == a.data_ptr() and b.stride() == a.stride() and b.device == a.device
    b[0, 0] = 9
    assert a[0, 0].item() == 9
    assert torch.from_dlpack(a, device="cpu").is_cpu and torch.from_dlpack(a, copy=True).data_ptr() != a.data_ptr()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        assert torch.from_dlpack(a).sum().item() == a.sum().item()
    with pytest.raises(AssertionError, match="stream"):
        a.__dlpack__(stream=0)
    with pytest.raises(TypeError, match="stream"):
        a.__dlpack__(stream="x")
    assert torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(a)).data_ptr() == a.data_ptr()


def test_dlpack_of_the_other_device(second):
    a = torch.ones(2, device=second)
    assert torch.from_dlpack(a).device == second
    with pytest.raises(BufferError):
        torch.from_dlpack(a, device="cuda:0")


# ---- __cuda_array_interface__ ------------------------------------------------------------------------------
class Foreign:
    def __init__(self, **changes):
        self.tensor = torch.arange(6.0, device="cuda").reshape(2, 3)
        self.__cuda_array_interface__ = {**self.tensor.__cuda_array_interface__, **changes}


def test_what_a_tensor_says():
    a = torch.arange(6, dtype=torch.int32, device="cuda").reshape(2, 3)
    said = a.__cuda_array_interface__
    assert said == {"typestr": "<i4", "shape": (2, 3), "strides": None, "data": (a.data_ptr(), False), "version": 2}
    assert a.t().__cuda_array_interface__["strides"] == (4, 12)
    assert torch.empty(0, device="cuda").__cuda_array_interface__["data"] == (0, False)
    assert not hasattr(torch.ones(1), "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="Can't get __cuda_array_interface__ on non-CUDA tensor"):
        torch.ones(1).__cuda_array_interface__  # noqa: B018
    with pytest.raises(TypeError, match="no code for torch.float8"):
        torch.zeros(1, dtype=torch.float8_e5m2, device="cuda").__cuda_array_interface__  # noqa: B018


def test_what_others_say():
    other = Foreign()
    a = torch.as_tensor(other)
    assert a.data_ptr() == other.tensor.data_ptr() and a.tolist() == other.tensor.tolist()
    assert torch.asarray(other).data_ptr() == other.tensor.data_ptr()
    assert torch.tensor(other).data_ptr() != other.tensor.data_ptr()
    assert torch.as_tensor(other, device="cpu").is_cpu
    a[0, 0] = 5
    assert other.tensor[0, 0].item() == 5
    del other
    assert a[0, 0].item() == 5  # it keeps the object
    strided = Foreign(shape=(3, 2), strides=(4, 12), stream=1)
    assert torch.as_tensor(strided).tolist() == strided.tensor.t().tolist()
    assert torch.as_tensor(Foreign(shape=(0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"typestr": "<U4"}, TypeError, "no dtype for the elements '<U4'"),
        ({"mask": [1]}, TypeError, "masked"),
        ({"strides": (-12, 4)}, ValueError, "not negative"),
        ({"strides": (12, 3)}, ValueError, "multiples of 4"),
        ({"stream": 0}, ValueError, "got 0"),
        ({"data": (0, False)}, ValueError, "no storage"),
    ],
)
def test_what_nobody_should_say(changes, error, words):
    with pytest.raises(error, match=words):
        torch.as_tensor(Foreign(**changes))
