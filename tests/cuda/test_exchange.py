"""Tensors to files, processes' pickles and other libraries, and back."""

import gc
import io
import pickle
import subprocess
import sys
import weakref

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
    for wrong, error in (
        (0, AssertionError),
        (-2, AssertionError),
        (2, BufferError),
        ("x", TypeError),
        (True, TypeError),
    ):
        with pytest.raises(error, match="stream"):
            a.__dlpack__(stream=wrong)
    assert torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(a)).data_ptr() == a.data_ptr()


def later(stream, shape=600):
    """Ones that are there when the stream has done some work."""
    with torch.cuda.stream(stream):
        a = torch.ones(shape, shape, device="cuda")
        for _ in range(3):
            a = a @ a / shape
        return a


def test_dlpack_streams():
    """The consumer's stream waits for the producer's current one."""
    producer, consumer = torch.cuda.Stream(), torch.cuda.Stream()
    for wanted, used in (
        (consumer.cuda_stream, consumer),
        (None, torch.cuda.default_stream()),
        (1, torch.cuda.default_stream()),
    ):
        a = later(producer)
        with torch.cuda.stream(producer):
            capsule = a.__dlpack__(stream=wanted)
        with torch.cuda.stream(used):
            assert (torch.utils.dlpack.from_dlpack(capsule) == 1).all().item()
    with torch.cuda.stream(producer):
        a = later(producer)
        capsule = a.__dlpack__(stream=-1)  # nobody waits
    producer.synchronize()
    assert (torch.utils.dlpack.from_dlpack(capsule) == 1).all().item()


def test_dlpack_to_another_device(second):
    a = torch.ones(2, device=second)
    assert torch.from_dlpack(a).device == second
    for device in ("cuda:0", "cpu"):
        with pytest.raises(ValueError, match=f"cannot move DLPack tensor from device cuda:1 to {device}"):
            torch.from_dlpack(a, device=device, copy=False)
        for copy in (None, True):
            assert torch.from_dlpack(a, device=device, copy=copy).device == torch.device(device)
    assert torch.from_dlpack(a, device=second, copy=False).data_ptr() == a.data_ptr()
    assert torch.from_dlpack(torch.ones(2), device=second).device == second
    # What a consumer asks for:
    for wanted, device in (((1, 0), "cpu"), ((2, 0), "cuda:0"), ((2, 1), "cuda:1")):
        b = torch.utils.dlpack.from_dlpack(a.__dlpack__(dl_device=wanted))
        assert (
            b.device == torch.device(device)
            and b.tolist() == [1, 1]
            and (b.data_ptr() == a.data_ptr()) == (b.device == second)
        )
        if b.device != second:
            with pytest.raises(ValueError, match="copy=False"):
                a.__dlpack__(dl_device=wanted, copy=False)
    assert torch.utils.dlpack.from_dlpack(torch.ones(2).__dlpack__(dl_device=(2, 1))).device == second
    with pytest.raises(BufferError, match="device_type: 9"):
        a.__dlpack__(dl_device=(9, 0))


def test_dlpack_versions():
    a = torch.ones(2, device="cuda")
    for version, name in ((None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned")):
        assert f'"{name}"' in repr(a.__dlpack__(max_version=version))


class Producer:
    """What knows some arguments of `__dlpack__` only."""

    def __init__(self, known):
        self.tensor, self.known, self.asked = torch.ones(2, device="cuda"), known, []

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, **wishes):
        self.asked.append(set(wishes))
        if wishes.keys() - self.known:
            raise TypeError(wishes)
        return self.tensor.__dlpack__(**wishes)


@pytest.mark.parametrize(
    "known",
    [
        {"stream"},
        {"stream", "dl_device"},
        {"stream", "dl_device", "copy"},
        {"stream", "dl_device", "copy", "max_version"},
    ],
)
def test_dlpack_of_producers_of_every_age(known):
    for copy in (None, True):
        source = Producer(known)
        b = torch.from_dlpack(source, device="cuda", copy=copy)
        assert b.tolist() == [1, 1] and (b.data_ptr() == source.tensor.data_ptr()) == (copy is None)
    with pytest.raises(TypeError):
        torch.from_dlpack(Producer(set()))


def test_dlpack_of_pinned_memory():
    a = torch.arange(3.0).pin_memory()
    assert tuple(a.__dlpack_device__()) == (3, 0) and tuple(torch.ones(1).__dlpack_device__()) == (1, 0)
    for copy in (None, False):
        assert torch.from_dlpack(a, copy=copy).data_ptr() == a.data_ptr()


def test_a_capsule_before_the_first_use():
    """What a library has made that knows nothing of torch."""
    code = """
import ctypes, torch
class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("kind", ctypes.c_int32), ("index", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p)]
shape = (ctypes.c_int64 * 1)(0)
struct = Tensor(kind=2, index=0, ndim=1, code=2, bits=32, lanes=1, shape=ctypes.addressof(shape))
new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
a = torch.utils.dlpack.from_dlpack(new(ctypes.addressof(struct), b"dltensor", None))
print(a.device, torch.cuda.is_initialized())
struct.index = 99
try: torch.utils.dlpack.from_dlpack(new(ctypes.addressof(struct), b"dltensor", None))
except BufferError as error: print("cuda:99" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:-1] == ["cuda:0 True", "True"], done.stderr


# ---- __cuda_array_interface__ ------------------------------------------------------------------------------
class Foreign:
    def __init__(self, tensor=None, without=(), **changes):
        self.tensor = torch.arange(6.0, device="cuda").reshape(2, 3) if tensor is None else tensor
        said = {**self.tensor.__cuda_array_interface__, **changes}
        self.__cuda_array_interface__ = {key: value for key, value in said.items() if key not in without}


def test_what_a_tensor_says():
    a = torch.arange(6, dtype=torch.int32, device="cuda").reshape(2, 3)
    said = a.__cuda_array_interface__
    assert said == {"typestr": "<i4", "shape": (2, 3), "strides": None, "data": (a.data_ptr(), False), "version": 2}
    assert a.t().__cuda_array_interface__["strides"] == (4, 12)
    assert torch.empty(0, device="cuda").__cuda_array_interface__["data"] == (0, False)
    assert not hasattr(torch.ones(1), "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="Can't get __cuda_array_interface__ on non-CUDA tensor"):
        torch.ones(1).__cuda_array_interface__  # noqa: B018
    bf16 = torch.ones(3, dtype=torch.bfloat16, device="cuda")
    assert bf16.__cuda_array_interface__["typestr"] == "<V2" and torch.as_tensor(Foreign(bf16)).equal(bf16)
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
    empty = torch.as_tensor(Foreign(shape=(2, 0), strides=(4, 4), data=(0, False)))
    assert empty.shape == (2, 0) and empty.is_cuda and empty.tolist() == [[], []]
    one = torch.as_tensor(Foreign(shape=()))
    assert one.item() == 0 and one.dim() == 0
    broadcast = torch.as_tensor(Foreign(shape=(4, 3), strides=(0, 4)))
    assert broadcast.tolist() == [[0, 1, 2]] * 4


def test_memory_lies_where_it_lies(second):
    """Whatever the current device is."""
    other = Foreign(torch.arange(4, device=second), stream=1)
    assert torch.cuda.current_device() == 0
    a = torch.as_tensor(other)
    assert a.device == second and a.tolist() == [0, 1, 2, 3] and a.data_ptr() == other.tensor.data_ptr()
    here = Foreign()
    with torch.cuda.device(second):
        assert torch.as_tensor(here).device == torch.device("cuda:0")
    assert torch.as_tensor(other, device="cuda:0").device == torch.device("cuda:0")


def test_the_stream_that_others_name():
    producer = torch.cuda.Stream()
    for stream, name in ((producer, producer.cuda_stream), (torch.cuda.default_stream(), 1)):
        other = Foreign(later(stream), stream=name, version=3)
        with torch.cuda.stream(torch.cuda.Stream()):
            assert (torch.as_tensor(other) == 1).all().item()


@pytest.mark.parametrize("changes", [{}, {"shape": (0,), "strides": None}])
def test_the_owner_is_kept(changes):
    other = Foreign(**changes)
    alive = weakref.ref(other)
    a = torch.as_tensor(other)
    b = a[..., :1]
    del other, a
    gc.collect()
    assert alive() is not None
    del b
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"typestr": "<U4"}, TypeError, "no dtype for the elements '<U4'"),
        ({"mask": [1]}, TypeError, "masked"),
        ({"strides": (-12, 4)}, ValueError, "not negative"),
        ({"strides": (12, 3)}, ValueError, "not a multiple of the element byte size 4"),
        ({"stream": 0}, ValueError, "got 0"),
        ({"stream": "x"}, ValueError, "got x"),
        ({"data": (0, False)}, ValueError, "address 0"),
        ({"data": 3}, TypeError, "2-tuple"),
        ({"strides": (4,)}, TypeError, "same length as shape"),
        ({"shape": (-1, 3)}, ValueError, "negative"),
        ({"without": ["shape"]}, TypeError, "attribute `shape` must exist"),
        ({"without": ["typestr"]}, TypeError, "attribute `typestr` must exist"),
        ({"without": ["data"]}, TypeError, "attribute `data` must exist"),
    ],
)
def test_what_nobody_should_say(changes, error, words):
    with pytest.raises(error, match=words):
        torch.as_tensor(Foreign(**changes))


def test_memory_that_is_not_a_devices():
    other = Foreign()
    other.__cuda_array_interface__["data"] = (other.tensor.data_ptr(), True)
    with pytest.raises(TypeError, match="read only flag is not supported"):
        torch.as_tensor(other)
    here = torch.arange(6.0)
    with pytest.raises(RuntimeError, match="not registered with any CUDA device"):
        torch.as_tensor(Foreign(data=(here.data_ptr(), False)))
    other.__cuda_array_interface__ = [1]
    with pytest.raises(TypeError, match="must be a dict"):
        torch.as_tensor(other)
