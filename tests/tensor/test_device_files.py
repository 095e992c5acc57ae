"""Tensors on the device meta: their storages, copies and files."""

import copy
import io
import pickle

import numpy
import pytest
import torch
from devices import CPU, META, geometry

pytestmark = pytest.mark.usefixtures("cpu_again")


# ---- storages ----------------------------------------------------------------------------------------------
def test_storage(m):
    untyped, typed = m.untyped_storage(), m.storage()
    assert untyped.device == typed.device == META and untyped.nbytes() == 24 and typed.size() == len(typed) == 6
    assert untyped.data_ptr() == typed.data_ptr() == 0 and untyped.resizable()
    assert repr(untyped) == "...\n[torch.storage.UntypedStorage(device=meta) of size 24]"
    assert repr(typed) == "...\n[torch.storage.TypedStorage(dtype=torch.float32, device=meta) of size 6]"
    for clone in (untyped.clone(), copy.copy(untyped), copy.deepcopy(untyped)):
        assert clone.device == META and clone.nbytes() == 24 and clone is not untyped
    assert untyped.new().device == META and untyped.resize_(48).nbytes() == 48 and untyped.to(device="meta") is untyped
    assert torch.ones(2).untyped_storage().to(device="meta").device == META
    assert m.shape == (2, 3) and m.resize_(5, 7).untyped_storage().nbytes() == 140


READS = [
    lambda t: t.untyped_storage()[0],
    lambda t: t.untyped_storage()[0:2],
    lambda t: t.untyped_storage().tolist(),
    lambda t: list(t.untyped_storage()),
    lambda t: bytes(t.untyped_storage()),
    lambda t: memoryview(t.untyped_storage()),
    lambda t: t.storage()[0],
    lambda t: t.storage().tolist(),
    lambda t: list(t.storage()),
]


@pytest.mark.parametrize("read", READS)
def test_bytes_cannot_be_read(m, read):
    with pytest.raises(NotImplementedError, match="Not available for 'meta' device type"):
        read(m)


def test_bytes_that_are_written_are_lost(m):
    storage = m.untyped_storage()
    storage[0] = 1
    storage[0:4] = 3
    assert storage.fill_(1) is storage
    assert storage.copy_(torch.ones(6).untyped_storage()) is storage
    with pytest.raises(IndexError):
        storage[24] = 1
    assert storage.nbytes() == 24


def test_storages_of_their_own():
    assert torch.UntypedStorage(4, device="meta").device == torch.UntypedStorage([1, 2], device="meta").device == META
    assert torch.UntypedStorage(10**15, device="meta").nbytes() == 10**15
    assert torch.TypedStorage(4, dtype=torch.int32, device="meta").nbytes() == 16
    assert torch.TypedStorage([1.5, 2], dtype=torch.int32, device="meta").device == META
    with META:
        assert (
            torch.UntypedStorage(4).device == torch.TypedStorage([1, 2]).device == torch.FloatStorage(2).device == CPU
        )


def test_a_tensor_over_a_storage():
    storage = torch.UntypedStorage(24, device="meta")
    tensor = torch._storage.untyped.tensor_over(storage, torch.float32, 1, (2,), (3,))
    assert geometry(tensor) == ((2,), (3,), torch.float32, META) and tensor.storage_offset() == 1
    assert tensor.data_ptr() == 4 and tensor.untyped_storage() is storage
    with pytest.raises(RuntimeError):
        torch._storage.untyped.tensor_over(storage, torch.float32, 6, (2,), (1,))


# ---- copies and files --------------------------------------------------------------------------------------
def written_and_read(x, **options):
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    return torch.load(file, **options)


COPIES = [
    copy.copy,
    copy.deepcopy,
    lambda x: pickle.loads(pickle.dumps(x)),
    lambda x: pickle.loads(pickle.dumps(x, 2)),
    written_and_read,
    lambda x: written_and_read(x, map_location="meta"),
    lambda x: written_and_read(x, map_location="cpu"),
    lambda x: written_and_read(x, weights_only=False),
]


@pytest.mark.parametrize("again", COPIES)
@pytest.mark.parametrize(
    "x",
    [
        torch.empty(2, 3, device="meta"),
        torch.empty(4, 3, dtype=torch.int16, device="meta").t()[:, 1:],
        torch.empty((), device="meta"),
    ],
)
def test_copies_have_the_geometry(again, x):
    read = again(x)
    assert geometry(read) == geometry(x) and read.storage_offset() == 0  # there is no storage to lie in


def test_a_deep_copy_keeps_attributes(m):
    m.role = ["weight"]
    again = copy.deepcopy(m)
    assert again.role == ["weight"] and again.role is not m.role


def test_storages_of_copies():
    strided = torch.empty_strided((3, 2), (1, 3), dtype=torch.int16, device="meta")
    # A copy has a storage of its own: as copy.copy keeps the strides, and as copy.deepcopy makes them dense.
    for again, nbytes, stride in ((copy.copy, 8, (2, 3)), (copy.deepcopy, 4, (1, 2))):
        assert geometry(again(strided)) == geometry(strided) and again(strided[::2]).stride() == stride
        row = again(strided[1])
        assert row.storage_offset() == 0 and row.untyped_storage().nbytes() == nbytes
    pair = copy.deepcopy([strided, strided])
    assert pair[0] is pair[1]


@pytest.mark.parametrize("weights_only", [True, False])
def test_a_file_holds_the_geometry(m, weights_only):
    file = io.BytesIO()
    view = torch.empty_strided((3, 2), (1, 3), device="meta")
    torch.save({"m": m, "again": m, "view": view, "c": torch.ones(2)}, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=weights_only)
    assert geometry(loaded["m"]) == geometry(m) and geometry(loaded["view"]) == geometry(view)
    assert loaded["m"] is loaded["again"] and loaded["c"].tolist() == [1, 1]
    assert len(file.getvalue()) < 3000 and b"_rebuild_meta_tensor_no_storage" in file.getvalue()


@pytest.mark.parametrize(
    "location",
    ["meta", META, {"cpu": "meta"}, lambda storage, place: torch.UntypedStorage(storage.nbytes(), device="meta")],
    ids=["name", "device", "dict", "function"],
)
def test_a_file_is_mapped_to_meta(location):
    base = torch.ones(2, 3)
    saved = [base, base.t(), base.int(), torch.tensor(3)]
    loaded = written_and_read(saved, map_location=location)
    assert [geometry(t)[:3] for t in loaded] == [geometry(t)[:3] for t in saved]
    assert {t.device for t in loaded} == {META}
    assert loaded[0].untyped_storage() is loaded[1].untyped_storage()


def test_a_broken_file_is_refused():
    rebuild = torch._utils._rebuild_meta_tensor_no_storage

    class Tensor:
        def __init__(self, *args):
            self.args = args

        def __reduce__(self):
            return rebuild, self.args

    for args in (("float32", (2,), (1,), False), (torch.float32, "ab", (1,), False), (torch.float32, (2,), [1], False)):
        file = io.BytesIO()
        torch.save(Tensor(*args), file)
        file.seek(0)
        with pytest.raises(pickle.UnpicklingError):
            torch.load(file)


def test_the_default_device_leaves_files_alone():
    file = io.BytesIO()
    torch.save(torch.ones(2), file)
    file.seek(0)
    with META:
        assert torch.load(file).tolist() == [1.0, 1.0]
        assert list(reversed(torch.ones(2, device="cpu"))) == [1, 1]
        assert torch.from_numpy(numpy.ones(1)).device == torch.frombuffer(bytearray(4), dtype=torch.uint8).device == CPU
