"""torch.save and torch.load: files of real PyTorch are read, ours have its bytes, and a file is whole or what it was.

What real PyTorch says to our files: tests/serialization/read_ours.py, run by hand.
"""

import collections
import io
import os
import pathlib
import pickle
import stat
import struct
import sys
import tempfile
import zipfile

import pytest
import torch
from serialization import objects
from serialization.objects import same

OURS = hasattr(torch._C, "_storage_filename")
DATA = pathlib.Path(__file__).parent / "data"


def saved(obj, **options):
    file = io.BytesIO()
    torch.save(obj, file, **options)
    return file.getvalue()


def loaded(data, **options):
    return torch.load(io.BytesIO(data), **options)


# ---- files that PyTorch has written ------------------------------------------------------------------------
CASES = {
    "containers.pt": objects.containers,
    "tensors.pt": objects.tensors,
    "deflated.pt": objects.tensors,
    "dtypes.pt": objects.dtypes,
    "big_endian.pt": objects.dtypes,
    "stored.pt": objects.stored,
    "attributes.pt": objects.subclassed,
    "storages.pt": objects.storages,
    "tensors.legacy.pt": objects.tensors,
    "dtypes.legacy.pt": objects.dtypes,
    "stored.legacy.pt": objects.stored,
    "storages.legacy.pt": objects.typed_storages,
}


@pytest.fixture
def endianness(request):
    yield torch.serialization.set_default_load_endianness
    torch.serialization.set_default_load_endianness(None)


@pytest.mark.parametrize("trust", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_files_of_pytorch(name, trust, endianness):
    if name == "big_endian.pt":
        endianness(torch.serialization.LoadEndianness.BIG)
    assert same(torch.load(DATA / name, weights_only=not trust), CASES[name]())
    with open(DATA / name, "rb") as file:
        assert same(torch.load(file, weights_only=not trust), CASES[name]())
        assert not file.closed


@pytest.mark.parametrize("name", ["tensors.pt", "tensors.legacy.pt"])
def test_shared_storages_of_pytorch(name):
    got = torch.load(DATA / name)
    for view in ("view", "transposed", "expanded"):
        assert got[view].untyped_storage().data_ptr() == got["base"].untyped_storage().data_ptr(), view
    assert got["other"].untyped_storage().data_ptr() != got["base"].untyped_storage().data_ptr()
    got["base"].fill_(7)
    assert got["view"].tolist() == [[7.0, 7.0], [7.0, 7.0]]


def test_the_tar_format():
    got = torch.load(DATA / "tensors.tar.pt", weights_only=False)
    assert got["a"].tolist() == [[0, 1, 2], [3, 4, 5]] and got["b"].tolist() == [3, 4]
    got["a"][1, 0] = 9
    assert got["b"][0].item() == 9
    with pytest.raises(RuntimeError, match="legacy .tar format"):
        torch.load(DATA / "tensors.tar.pt")


@pytest.mark.filterwarnings("ignore")
def test_parameters_of_pytorch():
    got = torch.load(DATA / "parameters.pt")
    assert [got[name].tolist() for name in "pgr"] == [[1.0, 1.0]] * 3


def test_plain_pickles_of_pytorch():
    want = objects.tensors()["view"]
    assert same(pickle.loads((DATA / "pickled.pkl").read_bytes()), want)


def test_later_dtypes_of_pytorch():
    for name in ("complex64", "complex128"):
        assert torch.load(DATA / "complex.pt")[name].tolist() == [1 + 2j, -1j]


# ---- files that we write -----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["containers.pt", "tensors.pt", "dtypes.pt", "attributes.pt", "storages.pt"])
def test_our_files_have_the_bytes_of_pytorchs(name, tmp_path):
    """All but the serialization id, which is a hash that nothing reads."""
    ours = tmp_path / name
    torch.save(CASES[name](), ours)
    got, want = ours.read_bytes(), (DATA / name).read_bytes()
    with zipfile.ZipFile(DATA / name) as archive:
        info = archive.getinfo(f"{ours.stem}/.data/serialization_id")
        checksum = struct.pack("<L", info.CRC)
        header = struct.unpack_from("<2H", want, info.header_offset + 26)
        start = info.header_offset + 30 + sum(header)
    mine = struct.pack("<L", zipfile.ZipFile(ours).getinfo(info.filename).CRC)
    assert len(got) == len(want)
    assert got[start : start + 40].isdigit()
    got = (got[:start] + want[start : start + 40] + got[start + 40 :]).replace(mine, checksum)
    assert got == want


def test_the_archive_of_a_file_object(tmp_path):
    with zipfile.ZipFile(io.BytesIO(saved([torch.ones(3), torch.zeros(0)]))) as archive:
        assert archive.testzip() is None
        names = ["data.pkl", ".format_version", ".storage_alignment", "byteorder", "data/0", "data/1", "version"]
        assert archive.namelist() == [f"archive/{name}" for name in [*names, ".data/serialization_id"]]
        assert archive.read("archive/version") == b"3\n" and archive.read("archive/byteorder") == sys.byteorder.encode()
        assert all(info.compress_type == zipfile.ZIP_STORED for info in archive.infolist())
    for name, stem in (("a.b.pt", "a.b"), ("none", "none"), ("ümlaut.pt", "archive")):
        torch.save(1, tmp_path / name)
        assert zipfile.ZipFile(tmp_path / name).namelist()[0] == f"{stem}/data.pkl"


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["containers", "tensors", "dtypes", "stored", "storages"])
def test_round_trip(name, protocol):
    want = getattr(objects, name)()
    data = saved(want, pickle_protocol=protocol)
    assert same(loaded(data, weights_only=False), want)
    if protocol == 2:
        assert same(loaded(data), want)


@pytest.mark.skipif(not OURS, reason="PyTorch cannot read what it has pickled")
@pytest.mark.parametrize("name", objects.stored())
def test_plain_pickles_of_dtypes_that_no_storage_is_named_after(name):
    tensor = objects.stored()[name]
    assert same(pickle.loads(pickle.dumps(tensor)), tensor)


def test_sharing_survives():
    base = torch.zeros(4)
    got = loaded(saved({"a": base, "b": base[1:3], "c": [base, base]}))
    got["a"][1] = 5
    assert got["b"][0].item() == 5 and got["c"][0] is got["a"] is got["c"][1]
    assert got["b"].storage_offset() == 1 and got["b"].untyped_storage().nbytes() == 16


def test_two_dtypes_over_one_memory_are_refused():
    tensor = torch.zeros(4)
    with pytest.raises(RuntimeError, match="Cannot save multiple tensors or storages that view the same data"):
        saved([tensor, tensor.untyped_storage()])


@pytest.mark.skipif(not OURS, reason="PyTorch cannot pickle it")
def test_layouts():
    assert loaded(saved(torch.strided)) is torch.strided


class Mine:
    """A class of a user's."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return type(other) is Mine and other.value == self.value

    __hash__ = None


class Slots:
    """One with slots and its own state."""

    __slots__ = ("a", "b")

    def __getstate__(self):
        return None, {"a": self.a, "b": self.b}


def double(value):
    return value * 2


class Called:
    """Pickled as a call of a function."""

    def __reduce__(self):
        return double, (21,)


def test_objects_of_users():
    data = saved({"m": Mine([1, torch.ones(2)])})
    assert loaded(data, weights_only=False)["m"].value[0] == 1
    with pytest.raises(pickle.UnpicklingError, match=r"Unsupported global: GLOBAL test_serialization.Mine was not an"):
        loaded(data)
    assert torch.serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(data)) == ["test_serialization.Mine"]
    with torch.serialization.safe_globals([Mine]):
        assert Mine in torch.serialization.get_safe_globals()
        assert loaded(data)["m"].value[1].tolist() == [1.0, 1.0]
    assert Mine not in torch.serialization.get_safe_globals()
    torch.serialization.add_safe_globals([Mine, (Mine, "elsewhere.Name")])
    torch.serialization.add_safe_globals([double])
    assert {Mine, double, (Mine, "elsewhere.Name")} <= set(torch.serialization.get_safe_globals())
    assert loaded(saved(Called())) == 42 and loaded(data)["m"].value[0] == 1
    torch.serialization.clear_safe_globals()
    with pytest.raises(pickle.UnpicklingError, match="add_safe_globals"):
        loaded(saved(Called()))
    slots = Slots()
    slots.a, slots.b = 1, torch.ones(1)
    with torch.serialization.safe_globals([Slots]):
        assert loaded(saved(slots)).a == 1
    if OURS:  # PyTorch says so with the next file
        with pytest.raises(ValueError, match="tuple of length"):
            torch.serialization.add_safe_globals([(Mine, "a", "b")])


def test_what_the_error_says():
    with pytest.raises(pickle.UnpicklingError) as raised:
        loaded(saved(Mine(1)))
    text = str(raised.value)
    for part in ("Weights only load failed", "`weights_only`", "add_safe_globals([test_serialization.Mine])"):
        assert part in text
    for function in (os.system, sys.exit):
        with pytest.raises(pickle.UnpicklingError, match="blocked"):
            loaded(saved([function]))


# ---- where files and storages are --------------------------------------------------------------------------
def test_kinds_of_files(tmp_path):
    tensor = torch.arange(3)
    for path in (tmp_path / "a.pt", str(tmp_path / "b.pt")):
        torch.save(tensor, path)
        assert torch.load(path).tolist() == [0, 1, 2]
    with open(tmp_path / "c.pt", "wb") as file:
        torch.save(tensor, file)
        assert not file.closed
    with open(tmp_path / "c.pt", "rb", buffering=0) as file:
        assert torch.load(file).tolist() == [0, 1, 2]

    class Sink:
        """The least that save needs."""

        data = b""

        def flush(self):
            pass

        def write(self, data):
            self.data += bytes(data)
            return len(data)

    torch.save(tensor, sink := Sink())
    assert loaded(sink.data).tolist() == [0, 1, 2]
    with pytest.raises(AttributeError, match="'write'"):
        torch.save(tensor, 3)
    for missing in ("read", "seek", "tell"):
        file = type("File", (), {name: getattr(sink, name, None) for name in {"read", "seek", "tell"} - {missing}})()
        with pytest.raises(AttributeError, match=f"'{missing}'. You can only torch.load from a file that is seekable"):
            torch.load(file)

    class Pipe(io.BytesIO):
        def seek(self, *where):
            raise io.UnsupportedOperation("seek")

    with pytest.raises(io.UnsupportedOperation, match="seek. You can only torch.load from a file that is seekable"):
        torch.load(Pipe(bytes(sink.data)))
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "missing.pt")
    with pytest.raises(RuntimeError, match="Parent directory"):
        torch.save(tensor, tmp_path / "missing" / "a.pt")
    torch.save(tensor, "/dev/null")


def test_map_location():
    data = saved({"a": torch.ones(2), "b": torch.ones(2, dtype=torch.int8)})
    for place in (None, "cpu", torch.device("cpu"), {"cuda:0": "cpu"}, lambda storage, location: storage):
        assert loaded(data, map_location=place)["a"].tolist() == [1.0, 1.0]
    seen = []
    loaded(data, map_location=lambda storage, location: seen.append((storage.nbytes(), location)))
    assert seen == [(8, "cpu"), (2, "cpu")]
    twice = loaded(data, map_location=lambda storage, location: storage.clone().fill_(0))
    assert twice["a"].tolist() == [0.0, 0.0]
    # A file of another machine.
    other = data.replace(b"X\3\0\0\0cpuq", b"X\3\0\0\0hpuq")
    torch.serialization.set_crc32_options(False)
    try:
        with pytest.raises(RuntimeError, match="(?i)hpu"):
            loaded(other)
        assert loaded(other, map_location="cpu")["a"].tolist() == [1.0, 1.0]
        assert loaded(other, map_location={"hpu": "cpu"})["a"].tolist() == [1.0, 1.0]
    finally:
        torch.serialization.set_crc32_options(True)


def test_mapped_files(tmp_path):
    path = tmp_path / "a.pt"
    want = {"a": torch.arange(1000.0), "b": torch.arange(5, dtype=torch.int8), "c": torch.empty(0)}
    torch.save(want, path)
    before = path.read_bytes()
    got = torch.load(path, mmap=True)
    assert same([got[k].tolist() for k in got], [want[k].tolist() for k in want])
    assert got["a"].untyped_storage().filename in (None, str(path))
    got["a"].add_(1)
    assert path.read_bytes() == before  # what is written stays here
    view = got["a"][10:]
    del got
    assert view[0].item() == 11.0
    with pytest.raises(ValueError, match="file path"):
        torch.load(io.BytesIO(before), mmap=True)
    with pytest.raises(RuntimeError, match="mmap can only be used"):
        torch.load(DATA / "tensors.legacy.pt", mmap=True)
    assert same(torch.load(DATA / "tensors.pt", mmap=True), objects.tensors())


# ---- a file is whole or what it was ------------------------------------------------------------------------
class Failing:
    """Cannot be pickled."""

    def __reduce__(self):
        raise ValueError("not me")


def test_a_failed_save_leaves_the_old_file(tmp_path):
    """Ours alone: PyTorch writes into the file itself."""
    path = tmp_path / "a.pt"
    torch.save([1], path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="not me"):
        torch.save([torch.ones(1000), Failing()], path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["a.pt"]


def test_permissions_and_links(tmp_path):
    path, link = tmp_path / "a.pt", tmp_path / "link.pt"
    torch.save([1], path)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    link.symlink_to(path)
    torch.save([2], link)
    assert link.is_symlink() and torch.load(path) == [2] and stat.S_IMODE(path.stat().st_mode) == 0o640


# ---- options -----------------------------------------------------------------------------------------------
def test_who_is_trusted(monkeypatch):
    data = saved(Mine(3))
    with pytest.raises(RuntimeError, match="explicit pickle_module"):
        loaded(data, weights_only=True, pickle_module=pickle)
    assert loaded(data, pickle_module=pickle).value == 3
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    with pytest.warns(UserWarning, match="forcing weights_only=False"):
        assert loaded(data).value == 3
    with pytest.raises(pickle.UnpicklingError):
        loaded(data, weights_only=True)
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "1")
    with pytest.raises(RuntimeError, match="both were set"):
        loaded(data)
    monkeypatch.delenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
    with pytest.raises(pickle.UnpicklingError):
        loaded(data, weights_only=False)


def test_checksums_may_be_left_out():
    torch.serialization.set_crc32_options(False)
    try:
        assert not torch.serialization.get_crc32_options()
        assert loaded(saved(torch.ones(2))).tolist() == [1.0, 1.0]
    finally:
        torch.serialization.set_crc32_options(True)


def test_state_dicts():
    state = collections.OrderedDict(w=torch.ones(2, 2), b=torch.zeros(2))
    state._metadata = collections.OrderedDict({"": {"version": 1}})
    got = loaded(saved(state))
    assert type(got) is collections.OrderedDict and list(got) == ["w", "b"] and got._metadata[""] == {"version": 1}


def test_safetensors(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    if not OURS:
        pytest.skip("PyTorch goes by safetensors.torch")
    from torch.utils.safetensors import load_file, save_file

    want = {**objects.dtypes(), "m": torch.arange(6.0).view(2, 3).t(), "e": torch.empty(0, 2)}
    save_file(want, tmp_path / "a.safetensors", metadata={"by": "us"})
    for got in (load_file(tmp_path / "a.safetensors"), torch.load(tmp_path / "a.safetensors")):
        assert {k: (v.dtype, v.tolist()) for k, v in got.items()} == {k: (v.dtype, v.tolist()) for k, v in want.items()}
    without = (
        load_file(tmp_path / "a.safetensors", "meta"),
        torch.load(tmp_path / "a.safetensors", map_location="meta"),
    )
    assert {(x.is_meta, x.shape) for got in without for x in got.values()} == {(True, x.shape) for x in want.values()}
    with pytest.raises(NotImplementedError, match="no data"):
        save_file({"m": torch.empty(10**6, device="meta")}, tmp_path / "a.safetensors")
    assert load_file(tmp_path / "a.safetensors").keys() == want.keys()
    del want["bfloat16"]
    safetensors.save_file({k: v.contiguous().numpy() for k, v in want.items()}, tmp_path / "b.safetensors")
    assert load_file(tmp_path / "b.safetensors")["m"].tolist() == want["m"].tolist()


@pytest.mark.parametrize("flushes", [True, False])
def test_a_file_object_is_flushed(flushes):
    """What another process is told to read is there; an object that cannot flush is written all the same."""

    class Writer:
        def __init__(self):
            self.parts, self.flushed = [], 0

        def write(self, data):
            self.parts.append(bytes(data))
            return len(data)

    def flush(self):
        self.flushed = len(self.parts)

    if flushes:
        Writer.flush = flush
    elif "PyTorch" in (torch.__config__.show() or ""):
        pytest.skip("PyTorch asks for flush")
    writer = Writer()
    torch.save(torch.ones(2), writer)
    assert writer.flushed == (len(writer.parts) if flushes else 0)
    assert torch.load(io.BytesIO(b"".join(writer.parts))).tolist() == [1, 1]


def test_what_is_saved_to_an_open_file_can_be_read_at_once():
    with tempfile.NamedTemporaryFile() as file:
        torch.save(torch.ones(2), file)
        assert torch.load(file.name).tolist() == [1, 1]


def test_explanations_are_of_this_library():
    for text in (torch.serialization._UNSAFE, torch.serialization._DOCS):
        assert "PyTorch" not in text and "http" not in text
