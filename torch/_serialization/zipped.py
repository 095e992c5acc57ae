"""Objects into the archives of torch.save and out of them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch._serialization import archive, location, unpickler
from torch._storage.typed import DTYPES, TensorsStorage, is_storage
from torch.storage import TYPES, TypedStorage, UntypedStorage

leave_empty = False  # torch.serialization.skip_data: zeros in the place of elements


# ---- saving ------------------------------------------------------------------------------------------------
class _Storages:
    """Names for the storages that a pickle meets."""

    def __init__(self):
        self.by_key = {}
        self._keys, self._dtypes = {}, {}

    def name(self, obj):
        """What the pickle says instead of a storage; None for anything else."""
        if not is_storage(obj):
            return None
        if isinstance(obj, TensorsStorage):
            obj = obj.untyped()
        untyped = obj.untyped()
        typed = isinstance(obj, TypedStorage)
        dtype = obj.dtype if typed else torch.uint8
        cls = TYPES[obj.pickle_storage_type()] if typed else UntypedStorage
        if untyped.data_ptr() and self._dtypes.setdefault(untyped.data_ptr(), dtype) != dtype:
            raise RuntimeError("Cannot save multiple tensors or storages that view the same data as different types")
        key = self._keys.setdefault(untyped._cdata, str(len(self._keys)))
        self.by_key[key] = untyped
        return "storage", cls, key, location.location_tag(untyped), obj.size()


def save(obj: object, file, stem, pickle_module: Any, protocol, checksums, says_byteorder=True) -> None:
    """Writes an archive with `obj` to a file object."""
    storages = _Storages()

    class Pickler(pickle_module.Pickler):
        def persistent_id(self, obj):
            return storages.name(obj)

    data = io.BytesIO()
    Pickler(data, protocol=protocol).dump(obj)
    writer = archive.Writer(file, stem, checksums)
    writer.record("data.pkl", data.getbuffer())
    writer.record(".format_version", b"1")
    writer.record(".storage_alignment", str(archive.ALIGNMENT).encode())
    if says_byteorder:
        writer.record("byteorder", sys.byteorder.encode())
    for key, storage in storages.by_key.items():
        if leave_empty:
            writer.record(f"data/{key}", bytes(storage.nbytes()))
            continue
        with memoryview(storage.cpu()) as view:
            writer.record(f"data/{key}", view)
    writer.close()


# ---- loading -----------------------------------------------------------------------------------------------
def _corrupt(what):
    raise RuntimeError(f"corrupt file: {what}")


class Loader:
    """The storages of an archive, made when the pickle refers to them."""

    def __init__(self, reader, map_location, mapped, byteorder):
        self._reader, self._mapped = reader, mapped
        self._restore = location.restorer(map_location)
        self._loaded = {}
        if "byteorder" in reader:
            name = reader.read("byteorder")
            if name not in (b"little", b"big"):
                raise ValueError(f"Unknown endianness type: {name[:40].decode(errors='replace')}")
            byteorder = name.decode()
        self._swapped = byteorder != sys.byteorder

    def persistent_load(self, pid):
        """The storage that a tuple of the pickle names."""
        if type(pid) is not tuple or len(pid) != 5:
            _corrupt(f"a storage's name must be a tuple of five, got {type(pid).__name__}")
        kind, cls, key, place, numel = pid
        if kind not in ("storage", b"storage"):
            _corrupt("Unknown typename for persistent_load, expected 'storage'")
        key, place = (text.decode("latin1") if isinstance(text, bytes) else text for text in (key, place))
        if type(key) is not str or type(place) is not str or type(numel) is not int or numel < 0:
            _corrupt("a storage's name must say its record, its device and its size")
        if cls is UntypedStorage:
            dtype = torch.uint8
        elif getattr(cls, "__name__", None) in DTYPES:
            dtype = DTYPES[cls.__name__]
        else:
            _corrupt("a storage's name must say its type")
        nbytes = numel * dtype.itemsize
        if key not in self._loaded:
            storage = self._read(f"data/{key}", nbytes, dtype)
            self._loaded[key] = location.as_untyped(self._restore(storage, place))
        storage = self._loaded[key]
        if storage.nbytes() < nbytes:
            _corrupt(f"storage {key!r} of {storage.nbytes()} bytes is said to have {nbytes}")
        return TypedStorage(wrap_storage=storage, dtype=dtype)

    def _read(self, name, nbytes, dtype):
        record = self._reader.find(name)
        if not nbytes <= record.size < nbytes + dtype.itemsize:
            _corrupt(f"record {name!r} of {record.size} bytes is said to have {nbytes}")
        if self._mapped is not None and not record.compressed and not record.start % dtype.itemsize:
            storage = self._mapped[record.start : record.start + nbytes]
        else:
            storage = UntypedStorage(nbytes)
            with memoryview(storage) as view:
                self._reader.read_into(name, view)
        if self._swapped:
            storage.byteswap(dtype)
        return storage


# Names of old versions.
_MODULES = {"torch.tensor": "torch._tensor"}


def trusting_unpickler(pickle_module, storage_source):
    """The class for weights_only=False: pickle's, with the storages of `storage_source`."""

    class Unpickler(pickle_module.Unpickler):
        def find_class(self, module, name):
            if name in TYPES and module in ("torch", "torch.cuda"):
                return TYPES[name]
            return super().find_class(_MODULES.get(module, module), name)

        def persistent_load(self, pid):
            return storage_source(pid)

    return Unpickler


def load(
    reader,
    map_location: Callable[[Any, str], Any] | torch.device | str | dict[str, str] | None,
    mapped,
    byteorder,
    weights_only: bool | None,
    pickle_module: Any,
    pickle_args,
) -> Any:
    """The object in an archive."""
    loader = Loader(reader, map_location, mapped, byteorder)
    data = reader.read("data.pkl")
    if weights_only:
        return unpickler.Unpickler(data, persistent_load=loader.persistent_load).load()
    return trusting_unpickler(pickle_module, loader.persistent_load)(io.BytesIO(data), **pickle_args).load()


def stem_of(path):
    """The folder in the archive: the file's name without its last ending."""
    name = os.path.basename(os.fsdecode(path))
    stem = name.rpartition(".")[0] if "." in name else name
    return stem if stem and stem.isascii() and "/" not in stem else "archive"
