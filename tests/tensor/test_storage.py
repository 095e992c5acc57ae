"""torch.UntypedStorage, TypedStorage, FloatStorage and its like."""

import copy
import gc
import pickle
import sys
import warnings

import pytest
import torch
from memory import megabytes

NAMES = {
    "DoubleStorage": torch.float64,
    "FloatStorage": torch.float32,
    "HalfStorage": torch.float16,
    "BFloat16Storage": torch.bfloat16,
    "LongStorage": torch.int64,
    "IntStorage": torch.int32,
    "ShortStorage": torch.int16,
    "CharStorage": torch.int8,
    "ByteStorage": torch.uint8,
    "BoolStorage": torch.bool,
}
OURS = hasattr(torch._C, "_storage_filename")
pytestmark = pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")


@pytest.mark.parametrize("name", NAMES)
def test_each_type(name):
    cls, dtype = getattr(torch, name), NAMES[name]
    storage = cls([0, 1, 1])
    assert storage.tolist() == list(storage) == torch.tensor([0, 1, 1]).to(dtype).tolist()
    assert storage.dtype == cls.dtype == dtype and len(storage) == storage.size() == 3
    assert storage.element_size() == torch.tensor([], dtype=dtype).element_size()
    assert storage.nbytes() == 3 * storage.element_size() and storage.untyped().nbytes() == storage.nbytes()
    assert storage.type() == f"torch.{name}" and storage.pickle_storage_type() == name
    assert isinstance(storage, cls) and isinstance(storage, torch.TypedStorage) and issubclass(cls, torch.TypedStorage)
    assert not isinstance(storage, torch.FloatStorage if name != "FloatStorage" else torch.IntStorage)
    assert isinstance(torch.zeros(2, dtype=dtype).storage(), cls)
    assert torch.zeros(2, dtype=dtype).storage_type() is cls
    assert len(cls(5)) == 5 and len(cls()) == 0
    assert storage.fill_(1).tolist() == torch.ones(3, dtype=dtype).tolist()
    assert pickle.loads(pickle.dumps(storage)).tolist() == storage.tolist()
    assert str(storage.device) == "cpu" and not storage.is_shared() and not storage.is_pinned() and storage.resizable()


@pytest.mark.parametrize("dtype", NAMES.values())
def test_conversions(dtype):
    storage = torch.FloatStorage([0, 1, 3])
    methods = {
        torch.float64: "double",
        torch.float32: "float",
        torch.float16: "half",
        torch.bfloat16: "bfloat16",
        torch.int64: "long",
        torch.int32: "int",
        torch.int16: "short",
        torch.int8: "char",
        torch.uint8: "byte",
        torch.bool: "bool",
    }
    got = getattr(storage, methods[dtype])()
    assert got.dtype == dtype and got.tolist() == torch.tensor([0.0, 1.0, 3.0]).to(dtype).tolist()
    untyped = torch.UntypedStorage([0, 1, 3])
    assert getattr(untyped, methods[dtype])().tolist() == got.tolist()


def test_what_makes_one():
    assert torch.TypedStorage([1, 2], dtype=torch.int32).tolist() == [1, 2]
    assert torch.TypedStorage(2).dtype == torch.float32
    bytes_ = torch.UntypedStorage([0, 0, 128, 63])
    assert torch.FloatStorage(wrap_storage=bytes_).tolist() == [1.0]
    assert torch.FloatStorage(wrap_storage=bytes_).untyped() is bytes_
    for args in (("x",), (2.0,), (torch.ones(2),), (bytes_,), (1, 2)):
        with pytest.raises((TypeError, RuntimeError)):
            torch.FloatStorage(*args)
    with pytest.raises(RuntimeError, match="device"):
        torch.FloatStorage(2, device="cpu")
    for size in (-1, -(2**40), 2**60):
        with pytest.raises(RuntimeError):
            torch.FloatStorage(size)
    with pytest.raises(RuntimeError, match="overflow"):
        torch.ByteStorage([300])
    assert torch.is_storage(bytes_) and torch.is_storage(torch.FloatStorage()) and not torch.is_storage(3)


def test_elements():
    storage = torch.FloatStorage([1, 2, 3])
    storage[1] = 7
    assert storage[1] == 7.0 and storage[-1] == 3.0
    storage[0:2] = 5
    assert storage.tolist() == [5.0, 5.0, 3.0]
    for index in (3, -4):
        with pytest.raises(IndexError):
            storage[index]
        with pytest.raises(IndexError):
            storage[index] = 1
    with pytest.raises((TypeError, RuntimeError)):
        storage["a"]
    with pytest.raises(RuntimeError, match="slices are only supported"):
        storage[0:1]


def test_bytes():
    storage = torch.UntypedStorage([1, 2, 3, 4])
    assert storage.tolist() == [1, 2, 3, 4] and bytes(storage) == b"\1\2\3\4" and len(storage) == storage.nbytes() == 4
    part = storage[1:3]
    part[0] = 77
    assert storage.tolist() == [1, 77, 3, 4] and part.data_ptr() == storage.data_ptr() + 1
    storage[2:] = 9
    assert storage.tolist() == [1, 77, 9, 9] and storage[-1] == 9
    assert storage.fill_(300).tolist() == [44] * 4
    with pytest.raises(RuntimeError, match="step of 2"):
        storage[::2]
    with pytest.raises(IndexError):
        storage[4]
    with pytest.raises(RuntimeError, match="not resizable"):
        part.resize_(9)
    with pytest.raises(RuntimeError, match="size does not match"):
        storage.copy_(torch.UntypedStorage(3))
    del storage
    gc.collect()
    assert part.tolist() == [44, 44]
    swapped = torch.UntypedStorage([1, 2, 3, 4])
    swapped.byteswap(torch.int16)
    assert swapped.tolist() == [2, 1, 4, 3]
    for bad in ([1.5], "x", 2.5, ["a"]):
        with pytest.raises(RuntimeError):
            torch.UntypedStorage(bad)


def test_text():
    assert repr(torch.FloatStorage([1, 2])) == (
        " 1.0\n 2.0\n[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 2]"
    )
    assert str(torch.UntypedStorage([1])) == " 1\n[torch.storage.UntypedStorage(device=cpu) of size 1]"
    assert repr(torch.UntypedStorage()) == " \n[torch.storage.UntypedStorage(device=cpu) of size 0]"


def test_one_object_at_a_time():
    tensor = torch.ones(3)
    storage = tensor.untyped_storage()
    assert tensor[1:].untyped_storage() is storage and tensor.clone().untyped_storage() is not storage
    assert tensor.storage().untyped() is storage
    address = storage._cdata
    del storage
    assert tensor.untyped_storage()._cdata == address


def test_copies_share_what_was_shared():
    base = torch.arange(6.0).view(2, 3)
    obj = {"base": base, "view": base[1], "t": base.t()}
    # Plain pickles of PyTorch do not keep them together.
    copies = [copy.deepcopy(obj), *(pickle.loads(pickle.dumps(obj, p)) for p in (2, 4, 5) if OURS)]
    for got in copies:
        got["base"][1, 0] = 42
        assert got["view"][0].item() == 42 and got["t"].stride() == (1, 3) and got["view"].storage_offset() == 3
        assert got["t"][0, 1].item() == 42
    assert base[1, 0].item() == 3
    twin = copy.copy(base)
    twin[0, 0] = 5
    assert base[0, 0].item() == 5


@pytest.mark.skipif(not OURS, reason="PyTorch sends its bytes in the pickle")
def test_out_of_band_buffers():
    buffers = []
    tensor = torch.arange(4.0)
    data = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and len(data) < 400
    shared = pickle.loads(data, buffers=buffers)
    shared[0] = 9
    assert tensor[0].item() == 9  # the buffer is the memory
    assert pickle.loads(data, buffers=[bytes(b) for b in buffers]).tolist() == [9.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("order", ["native", "little", "big"])
def test_from_buffer(order):
    data = (1).to_bytes(4, sys.byteorder if order == "native" else order) * 3
    assert torch.IntStorage.from_buffer(data, order).tolist() == [1, 1, 1]
    assert torch.IntStorage.from_buffer(data, order, 1, 4).tolist() == [1]
    assert torch.IntStorage.from_buffer(bytearray(data), byte_order=order, count=2).tolist() == [1, 1]
    assert torch.ByteStorage.from_buffer(b"abc").tolist() == [97, 98, 99]
    assert torch.BoolStorage.from_buffer(b"a\0\1", order).tolist() == [True, False, True]
    untyped = torch.UntypedStorage.from_buffer(b"abcd", byte_order="native", dtype=torch.float32)
    assert untyped.tolist() == [97, 98, 99, 100]
    for args, error in (
        ((data, order, 4), ValueError),
        ((data[:3], order), ValueError),
        ((data,), RuntimeError),
        ((data, order, 1, 13), ValueError),
        ((3, order), TypeError),
        ((data, "middle"), ValueError),
    ):
        with pytest.raises(error):
            torch.IntStorage.from_buffer(*args)


def test_from_file(tmp_path):
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(16)))
    private = torch.UntypedStorage.from_file(str(path), False, 8)
    private[0] = 99
    assert private.tolist()[:3] == [99, 1, 2] and path.read_bytes()[0] == 0
    shared = torch.UntypedStorage.from_file(str(path), True, 16)
    shared[1] = 77
    assert path.read_bytes()[1] == 77 and shared.is_shared() and shared.filename == str(path)
    tensor = torch.from_file(str(path), True, 4, dtype=torch.int32)
    tensor[3] = -1
    assert shared.tolist()[12:] == [255] * 4
    assert torch.IntStorage.from_file(str(path), False, 2).size() == 2
    grown = torch.UntypedStorage.from_file(str(tmp_path / "new"), True, 8)
    assert grown.nbytes() == 8 and (tmp_path / "new").stat().st_size == 8
    with pytest.raises(RuntimeError, match="not resizable"):
        grown.resize_(3)
    with pytest.raises(RuntimeError, match="smaller than the required"):
        torch.UntypedStorage.from_file(str(path), False, 17)
    with pytest.raises(RuntimeError, match="unable to open file"):
        torch.from_file(str(tmp_path / "missing"), size=3)


def test_set():
    storage = torch.FloatStorage([1, 2, 3])
    assert torch.zeros(2).set_(storage).tolist() == [1.0, 2.0, 3.0]
    assert torch.zeros(2).set_(storage, 1, (2,), (1,)).tolist() == [2.0, 3.0]
    assert torch.zeros(2).set_(storage.untyped(), 1, (1,)).tolist() == [2.0]
    assert torch.zeros(2).set_().shape == (0,)
    tensor = torch.zeros(2)
    assert tensor.set_(storage, 0, (3, 2), (1, 0)) is tensor and tensor.tolist() == [[1.0] * 2, [2.0] * 2, [3.0] * 2]
    if OURS:  # PyTorch gives the storage more memory here
        with pytest.raises(RuntimeError, match="out of bounds"):
            tensor.set_(storage.untyped(), 1, (3,), (1,))
    assert tensor.shape == (3, 2)
    with pytest.raises(RuntimeError, match="Expected a Storage of type float"):
        torch.zeros(2).set_(torch.IntStorage([1]))
    assert torch.FloatTensor(storage).data_ptr() == storage.data_ptr() == torch.Tensor(storage).data_ptr()
    assert torch.Tensor(storage.untyped()).tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(RuntimeError, match="Storage of type"):
        torch.Tensor(torch.IntStorage([1]))


# ---- resize_ never shows freed memory ----------------------------------------------------------------------
def test_growing_under_views():
    tensor = torch.arange(10.0)
    view = tensor[5:]
    storage = tensor.untyped_storage()
    for size in (400, 4000, 400_000):
        storage.resize_(size)
        junk = [torch.full((size // 4,), 7.0) for _ in range(4)]
        assert view.tolist() == [5.0, 6.0, 7.0, 8.0, 9.0] and view.data_ptr() == storage.data_ptr() + 20 and junk
    tensor.resize_(200_000)
    assert view.tolist() == [5.0, 6.0, 7.0, 8.0, 9.0]


@pytest.mark.skipif(not OURS, reason="PyTorch reads freed memory here")
def test_shrinking_under_views():
    tensor = torch.arange(1000.0)
    view = tensor[500:]
    storage = tensor.untyped_storage()
    storage.resize_(0)
    junk = [torch.full((1000,), 7.0) for _ in range(20)]
    assert storage.nbytes() == 0 and junk
    assert view.sum().item() == sum(range(500, 1000))
    storage.resize_(100)
    assert view.sum().item() == sum(range(500, 1000))
    storage.resize_(8000)
    assert tensor.sum().item() == sum(range(1000))
    alone = torch.UntypedStorage(1000)
    alone.resize_(10)
    assert alone.nbytes() == 10


def test_memory_that_others_hold_stays():
    tensor = torch.arange(4.0)
    storage = tensor.untyped_storage()
    if OURS:
        with memoryview(storage) as view:
            with pytest.raises(RuntimeError, match="not resizable"):
                storage.resize_(1000)
            assert bytes(view[4:8]) == b"\0\0\x80?"
        storage.resize_(1000)
    array = tensor.numpy()
    with pytest.raises(RuntimeError, match="not resizable"):
        storage.resize_(2000)
    with pytest.raises(RuntimeError, match="resiz"):
        tensor.resize_(10_000)
    assert array[1] == 1


def test_nothing_leaks():
    def work(times):
        for _ in range(times):
            storage = torch.UntypedStorage(100_000)
            part = storage[10:90_000]
            torch.FloatStorage([1, 2]).double()
            copy.deepcopy(torch.ones(1000)[5:])
            pickle.loads(pickle.dumps(torch.ones(1000)))
            del storage, part

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        work(50)
        before = megabytes()
        work(500)
    assert megabytes() - before < 20


def test_the_default_type_follows_the_default_dtype():
    assert torch.Storage is torch.FloatStorage and "Storage" in dir(torch)
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.Storage is torch.DoubleStorage and torch.Storage([1, 2]).dtype == torch.float64
        assert torch.zeros(2).int().type(torch.Tensor).dtype == torch.float64
        assert torch.zeros(2).int().type("torch.Tensor").dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
