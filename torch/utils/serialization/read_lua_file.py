"""Reads what Lua Torch's `torch.save(file, object)` wrote: .t7 files, in its binary format.

A file is one object. An object begins with its kind, an int; tables and what torch made have a number next, under
which they may occur again. There is no length of the whole and no checksum, so each size is compared with what is
left of the file before anything is allocated.
"""

import os
import struct
import sys

import torch

NIL, NUMBER, STRING, TABLE, TORCH, BOOLEAN, FUNCTION, LEGACY_RECURSIVE, RECURSIVE = range(9)
_FUNCTIONS = (FUNCTION, LEGACY_RECURSIVE, RECURSIVE)

_DTYPES = {
    "Byte": torch.uint8,
    "Char": torch.int8,
    "Short": torch.int16,
    "Int": torch.int32,
    "Long": torch.int64,
    "Half": torch.float16,
    "Float": torch.float32,
    "Double": torch.float64,
}
# Those of the GPU had their numbers copied to the file; a name without a type means float.
_DTYPES |= {f"Cuda{name}": dtype for name, dtype in _DTYPES.items()} | {"Cuda": torch.float32}
_TENSORS = {f"torch.{name}Tensor": dtype for name, dtype in _DTYPES.items()}
_STORAGES = {f"torch.{name}Storage": dtype for name, dtype in _DTYPES.items()}


class T7ReaderException(Exception):  # noqa: N818 - its name since 2016
    """The file is not what Lua Torch writes, or holds what this reader has no type for."""


class hashable_uniq_dict(dict):  # noqa: N801 - its name since 2016
    """A table that is no list. Tables are keys in Lua, each one equal to itself alone; so are these."""

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other


class TorchObject:
    """An object of a class that this reader does not know. Its fields are attributes; `torch_typename()` is its class."""

    def __init__(self, typename, fields=None):
        self._typename = typename
        self._obj = {} if fields is None else fields

    def torch_typename(self):
        """The class' name in Lua: "nn.Linear"."""
        return self._typename

    def __getattr__(self, name):
        fields = self.__dict__.get("_obj", {})  # empty where copy and pickle ask before there is anything
        if isinstance(fields, dict) and name in fields:
            return fields[name]
        raise AttributeError(f"{self.__dict__.get('_typename')} has no field {name!r}")

    def __repr__(self):
        return f"TorchObject({self._typename!r}, {self._obj!r})"


class _Recursive:
    """The place of a table that is being read, with whether something inside refers to it."""

    def __init__(self, table):
        self.table = table
        self.used = False


class T7Reader:
    """Reads objects from a binary file object that can be seeked in.

    unknown_classes  classes that are no tensors or storages become TorchObject; else they are an error
    long_size        bytes of a C long where the file was written: 8, or 4 for 32-bit systems and Windows
    """

    def __init__(self, fileobj, unknown_classes=False, long_size=8):
        if long_size not in (4, 8):
            raise ValueError(f"long_size has to be 4 or 8, got {long_size!r}")
        self.f = fileobj
        self.unknown_classes = unknown_classes
        self.long_size = long_size
        self.objects = {}
        here = fileobj.tell()
        self._end = fileobj.seek(0, os.SEEK_END)
        fileobj.seek(here)

    # ---- bytes

    def _fail(self, what):
        raise T7ReaderException(f"at byte {self.f.tell()}: {what}")

    def _bytes(self, count, what):
        left = self._end - self.f.tell()
        if not 0 <= count <= left:
            self._fail(f"{what} of {count} bytes, where {left} are left")
        data = self.f.read(count)
        if len(data) != count:
            self._fail(f"{what} of {count} bytes ends after {len(data)}")
        return data

    def _numbers(self, kind, count, what):
        return struct.unpack(f"<{count}{kind}", self._bytes(count * struct.calcsize(f"<{kind}"), what))

    def read_int(self):
        """A C int."""
        return self._numbers("i", 1, "an int")[0]

    def read_long(self):
        """A C long."""
        return self._longs(1, "a long")[0]

    def _longs(self, count, what):
        if count < 0:
            self._fail(f"{what}: {count} of them")
        return self._numbers("q" if self.long_size == 8 else "i", count, what)

    def read_string(self):
        """A string; bytes where it is not UTF-8: Lua's are any bytes."""
        data = self._bytes(self.read_int(), "a string")
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data

    def read_number(self):
        """A number; Lua has doubles only, and those that stand for an integer exactly are given as int."""
        (value,) = self._numbers("d", 1, "a number")
        return int(value) if value.is_integer() and abs(value) <= 2**53 else value

    def read_boolean(self):
        """A boolean."""
        if (value := self.read_int()) not in (0, 1):
            self._fail(f"a boolean is {value}")
        return value == 1

    # ---- objects

    def read(self):
        """The next object. Tables whose keys are 1, 2, 3… become lists, others dicts."""
        try:
            return self._read()
        except RecursionError:
            raise T7ReaderException(f"at byte {self.f.tell()}: tables lie too deep in each other") from None

    def _read(self):
        kind = self.read_int()
        if kind == NIL:
            return None
        if kind == NUMBER:
            return self.read_number()
        if kind == STRING:
            return self.read_string()
        if kind == BOOLEAN:
            return self.read_boolean()
        if kind == FUNCTION:
            return self._function()
        if kind not in (TABLE, TORCH, *_FUNCTIONS):
            self._fail(f"an object of kind {kind}, which there is not")
        index = self.read_int()
        if index in self.objects:
            found = self.objects[index]
            if isinstance(found, _Recursive):
                found.used = True
                return found.table
            return found
        read = {TABLE: self._table, TORCH: self._torch}.get(kind, self._remembered_function)
        return read(index)

    def _table(self, index):
        count = self.read_int()
        if count < 0:
            self._fail(f"a table of {count} entries")
        place = self.objects[index] = _Recursive(hashable_uniq_dict())
        table = place.table
        for _ in range(count):
            key, value = self._read(), self._read()
            if isinstance(key, list):  # which nothing but itself could find again
                self._fail("a table that is a list is a key")
            if key in table:  # 1 and true are two keys in Lua
                self._fail(f"Python has one key for two, {key!r}")
            table[key] = value
        # In a list there is no place for one that holds itself and has been handed out already.
        numbered = all(type(key) is int for key in table) and set(table) == set(range(1, count + 1))
        if count and numbered and not place.used:
            table = [table[number] for number in range(1, len(table) + 1)]
        self.objects[index] = table
        return table

    def _remembered_function(self, index):
        self.objects[index] = None
        self.objects[index] = found = self._function()
        return found

    def _function(self):
        """Lua's byte code, which nothing here can run: its bytes, and the values that it refers to."""
        code = self._bytes(self.read_int(), "a function")
        return TorchObject("function", {"code": code, "upvalues": self._read()})

    def _torch(self, index):
        version = self.read_string()
        if isinstance(version, str) and version.startswith("V "):
            name = self.read_string()
        else:
            name = version  # files of 2011 and before
        if name in _TENSORS:
            found = self._tensor(_TENSORS[name])
        elif name in _STORAGES:
            found = self._storage(_STORAGES[name])
        elif self.unknown_classes:
            found = self.objects[index] = TorchObject(name)
            found._obj = self._read()
            return found
        else:
            self._fail(f"an object of class {name!r}; unknown_classes=True reads its fields")
        self.objects[index] = found
        return found

    def _tensor(self, dtype):
        dimensions = self.read_int()
        sizes = self._longs(dimensions, "sizes")
        strides = self._longs(dimensions, "strides")
        offset = self.read_long() - 1  # Lua counts from 1
        storage = self._read()
        if storage is None:
            if dimensions and 0 not in sizes:
                self._fail(f"a tensor of sizes {list(sizes)} without a storage")
            return torch.empty(sizes if dimensions else (0,), dtype=dtype, device="cpu")
        if not isinstance(storage, torch.TypedStorage) or storage.dtype != dtype:
            self._fail(f"a tensor of {dtype} over {type(storage).__name__} {getattr(storage, 'dtype', '')}")
        if not dimensions:
            return torch.empty(0, dtype=dtype, device="cpu")  # what Lua called a tensor without dimensions
        last = offset + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
        wrong = min(sizes) < 0 or min(strides) < 0 or offset < 0
        if wrong or (0 not in sizes and last >= len(storage)):
            self._fail(
                f"a tensor of sizes {list(sizes)}, strides {list(strides)} and offset {offset} "
                f"over {len(storage)} elements"
            )
        return torch.empty(0, dtype=dtype, device="cpu").set_(storage, offset, sizes, strides)

    def _storage(self, dtype):
        count = self.read_long()
        width = self.long_size if dtype == torch.int64 else dtype.itemsize
        data = self._bytes(count * width, "a storage")
        if width != dtype.itemsize:
            values = struct.unpack(f"<{count}i", data)
            return torch.tensor(values, dtype=dtype, device="cpu").storage()
        if sys.byteorder == "big":
            data = b"".join(data[start : start + width][::-1] for start in range(0, len(data), width))
        if not data:
            return torch.empty(0, dtype=dtype, device="cpu").storage()
        return torch.frombuffer(bytearray(data), dtype=dtype).clone().storage()


def load_lua(filename, unknown_classes=False, long_size=8):
    """The object in a binary file that Lua Torch wrote (`torch.save("file.t7", object)`).

    Tensors of every type, CUDA's as tensors of the CPU; storages; numbers, strings, booleans and nil; tables, as lists
    where their keys are 1, 2, 3… and as dicts otherwise. What is there twice in the file is one object here, and
    tensors that shared a storage share it. For the parameters see T7Reader.

    Raises T7ReaderException, with the place in the file, for what is damaged, and for classes that are not known.
    """
    with open(filename, "rb") as file:
        return T7Reader(file, unknown_classes=unknown_classes, long_size=long_size).read()
