"""The formats before PyTorch 1.6, for reading: a row of pickles and then the storages' bytes (0.1.10 to 1.5), and a tar
of three parts (before that)."""

from __future__ import annotations

import contextlib
import io
import struct
import tarfile
from collections.abc import Callable
from pickle import UnpicklingError
from typing import Any

from torch import _utils, uint8
from torch._serialization import location, unpickler
from torch._serialization.zipped import trusting_unpickler
from torch._storage.typed import DTYPES
from torch._storage.untyped import tensor_over
from torch.storage import TypedStorage, UntypedStorage

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    import torch

MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001


class _Pickles:
    """Pickles that stand one behind the other in `data`, read with or without trust."""

    def __init__(self, data, weights_only, pickle_module, pickle_args):
        self.data, self.at = data, 0
        self._weights_only, self._module, self._args = weights_only, pickle_module, pickle_args

    def next(self, persistent_load=None):
        """The next object."""
        source = persistent_load or self._no_storage
        if self._weights_only:
            machine = unpickler.Unpickler(
                self.data, self.at, persistent_load=source, encoding=self._args.get("encoding", "utf-8")
            )
            result = machine.load()
            self.at = machine.end
            return result
        file = io.BytesIO(self.data)
        file.seek(self.at)
        result = trusting_unpickler(self._module, source)(file, **self._args).load()
        self.at = file.tell()
        return result

    @staticmethod
    def _no_storage(pid):
        raise UnpicklingError("unsupported persistent id encountered")

    def take(self, layout):
        """Numbers that stand between the pickles."""
        size = struct.calcsize(layout)
        if self.at + size > len(self.data):
            raise EOFError(f"the file ends early: {size} bytes expected at {self.at}, it has {len(self.data)}")
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += size
        return values

    def bytes(self, storage, dtype):
        """The bytes of a storage, which begin with the number of its elements."""
        (count,) = self.take("<q")
        nbytes = storage.nbytes()
        if count < 0 or count * dtype.itemsize != nbytes:
            raise RuntimeError(f"corrupt file: a storage of {nbytes} bytes is said to have {count} elements of {dtype}")
        if self.at + nbytes > len(self.data):
            raise EOFError(f"the file ends early: {nbytes} bytes expected at {self.at}, it has {len(self.data)}")
        with memoryview(storage) as view:
            view[:] = memoryview(self.data)[self.at : self.at + nbytes]
        self.at += nbytes


def _dtype_of(cls):
    if cls is UntypedStorage:
        return uint8
    try:
        return DTYPES[cls.__name__]
    except (AttributeError, KeyError):
        raise RuntimeError("corrupt file: a storage's name must say its type") from None


class _Storages:
    """The storages that the pickle names; their bytes come behind it."""

    def __init__(self, map_location, most):
        self._restore = location.restorer(map_location)
        self._left = most  # bytes that the file may still have for storages
        self.found = {}

    def __call__(self, pid):
        if type(pid) is not tuple or not pid:
            raise RuntimeError(f"corrupt file: saved_id must be a tuple, got {type(pid).__name__}")
        kind, *data = pid
        kind = kind.decode("latin1") if isinstance(kind, bytes) else kind
        if kind == "module":  # a module with its source: there is none to compare any more
            return data[0]
        if kind != "storage" or len(data) != 5:
            raise RuntimeError("corrupt file: a storage's name has five parts")
        cls, key, place, count, view = data
        dtype = _dtype_of(cls)
        if type(count) is not int or count < 0:
            raise RuntimeError("corrupt file: a storage's number of elements")
        unpickler.check_key(key)
        if key not in self.found:
            nbytes = count * dtype.itemsize
            if nbytes > self._left:
                raise RuntimeError(f"corrupt file: a storage of {nbytes} bytes in a file that has {self._left} left")
            self._left -= nbytes
            place = place.decode("latin1") if isinstance(place, bytes) else place
            untyped = location.as_untyped(self._restore(UntypedStorage(nbytes).fill_(0), place))
            self.found[key] = TypedStorage(wrap_storage=untyped, dtype=dtype)
        return self.found[key] if view is None else self._part(self.found[key], *view)

    def _part(self, root, key, offset, count):
        unpickler.check_key(key)
        if key not in self.found:
            self.found[key] = part_of(root, offset, count)
        return self.found[key]


def part_of(root, offset, count):
    """`count` elements of a storage, from `offset` on, over the same memory."""
    if type(offset) is not int or type(count) is not int or offset < 0 or count < 0 or offset + count > len(root):
        raise RuntimeError(f"corrupt file: a view beyond a storage of {len(root)} elements")
    item = root.element_size()
    untyped = root.untyped()[offset * item : (offset + count) * item]
    return TypedStorage(wrap_storage=untyped, dtype=root.dtype)


def load(
    file,
    map_location: Callable[[Any, str], Any] | torch.device | str | dict[str, str] | None,
    weights_only: bool | None,
    pickle_module: Any,
    pickle_args,
) -> Any:
    """The object in a file object that holds pickles and bytes."""
    pickles = _Pickles(file.read(), weights_only, pickle_module, pickle_args)
    if not pickles.data:
        raise EOFError("Ran out of input")
    if pickles.next() != MAGIC_NUMBER:
        raise RuntimeError("Invalid magic number; corrupt file?")
    version = pickles.next()
    if version != PROTOCOL_VERSION:
        raise RuntimeError(f"Invalid protocol version: {version if type(version) is int else type(version).__name__}")
    pickles.next()  # the machine that wrote it
    storages = _Storages(map_location, len(pickles.data))
    with _utils._validating_sparse_tensors_at_the_end():
        result = pickles.next(storages)
        _fill(storages, pickles)
    return result


def _fill(storages, pickles):
    """Bytes, which follow the pickle."""
    keys = pickles.next()
    if type(keys) is not list:
        raise RuntimeError("corrupt file: the list of storages")
    for key in keys:
        unpickler.check_key(key)
        if key not in storages.found:
            raise RuntimeError("corrupt file: bytes of a storage that nothing is made of")
        typed = storages.found[key]
        pickles.bytes(typed.untyped(), typed.dtype)


# ---- tar ---------------------------------------------------------------------------------------------------
def is_tar(file):
    """Whether the file object is at the begin of a tar."""
    start = file.tell()
    header = file.read(512)
    file.seek(start)
    return header[257:262] == b"ustar"


def load_tar(file, map_location, pickle_module, pickle_args):
    """The object in a tar, which is read with trust only: it is full of pickles that say what to call."""
    with contextlib.closing(tarfile.open(fileobj=file, mode="r:", format=tarfile.PAX_FORMAT)) as tar:

        def pickles(name):
            return _Pickles(tar.extractfile(name).read(), False, pickle_module, pickle_args)

        restore = location.restorer(map_location)
        objects = {}
        part = pickles("storages")
        for _ in range(part.next()):
            key, place, cls = part.next()
            dtype = _dtype_of(cls)
            (count,) = struct.unpack_from("<q", part.data, part.at)
            if count < 0 or count * dtype.itemsize > len(part.data):
                raise RuntimeError(f"corrupt file: a storage of {count} elements")
            untyped = UntypedStorage(count * dtype.itemsize)
            part.bytes(untyped, dtype)
            objects[key] = TypedStorage(wrap_storage=location.as_untyped(restore(untyped, place)), dtype=dtype)
        for target, root, offset, count in part.next():
            objects[target] = part_of(objects[root], offset, count)

        part = pickles("tensors")
        for _ in range(part.next()):
            key, storage, _ = part.next()
            ndim, _ = part.take("<ii")
            if not 0 <= ndim <= 64:
                raise RuntimeError(f"corrupt file: a tensor of {ndim} dimensions")
            size, stride, (offset,) = part.take(f"<{ndim}q"), part.take(f"<{ndim}q"), part.take("<q")
            objects[key] = tensor_over(objects[storage].untyped(), objects[storage].dtype, offset, size, stride)

        def persistent_load(pid):
            return pid[0] if isinstance(pid, tuple) else objects[int(pid)]

        return pickles("pickle").next(persistent_load)
