"""The unpickler of weights_only=True. It supports the operations that torch.save writes and an allow-list of functions,
each called with arguments of the kind it expects; nothing else is imported or called.

It reads from bytes, so a length in the pickle can ask for no more than there is. Every other way to exhaust the machine
is closed too: keys of dicts are limited in depth (Python hashes nested tuples recursively), bytearray(10**12) and its
like are refused. What is wrong is an UnpicklingError."""

import _compat_pickle
import collections
import struct
import warnings
from pickle import UnpicklingError, decode_long

import torch
from torch import _tensor, _utils, storage
from torch._storage.typed import is_storage

BLOCKED = ("sys", "os", "posix", "nt")
# What a user has allowed: full name -> object.
user_globals = {}

_MOST_KEY_PARTS = 1000


def check_key(key):
    """Raises unless `key` may be hashed: nested tuples of plain things, not too many."""
    parts, seen = [key], 0
    while parts:
        part = parts.pop()
        seen += 1
        if type(part) is tuple:
            parts.extend(part)
        if seen + len(parts) > _MOST_KEY_PARTS:
            raise UnpicklingError(f"a key of more than {_MOST_KEY_PARTS} parts")


def _needs(condition, what):
    if not condition:
        raise UnpicklingError(f"corrupt file: {what}")


def _number(value):
    return type(value) in (int, float)


# ---- functions that a pickle may call, with the arguments that they take ----------------------------------
def _encode(text="", encoding="latin1"):
    _needs(type(text) is str and encoding in ("latin1", "latin-1"), "_codecs.encode takes a str and 'latin1'")
    return text.encode("latin1")


def _bytearray(data=b"", encoding=None):
    if encoding is not None:
        data = _encode(data, encoding)
    _needs(type(data) in (bytes, bytearray), "bytearray takes bytes")
    return bytearray(data)


def _set(items=()):
    _needs(type(items) in (list, tuple), "set takes a list")
    for item in items:
        check_key(item)
    return set(items)


def _complex(real=0.0, imag=0.0):
    _needs(_number(real) and _number(imag), "complex takes two numbers")
    return complex(real, imag)


def _ordered_dict(items=()):
    _needs(type(items) in (list, tuple, dict), "OrderedDict takes a list of pairs")
    if type(items) is not dict:
        for pair in items:
            _needs(type(pair) in (list, tuple) and len(pair) == 2, "OrderedDict takes a list of pairs")
            check_key(pair[0])
    return collections.OrderedDict(items)


def _counter(counts=()):
    _needs(not counts or type(counts) is dict, "Counter takes a dict")
    return collections.Counter(counts or {})


def _size(sizes=()):
    _needs(type(sizes) in (list, tuple) and all(type(n) is int for n in sizes), "torch.Size takes ints")
    return torch.Size(sizes)


def _device(kind="cpu", index=None):
    _needs(type(kind) is str and type(index) in (int, type(None)), "torch.device takes a str and an int")
    return torch.device(kind) if index is None else torch.device(kind, index)


def _is_sizes(value):
    return type(value) in (tuple, torch.Size) and all(type(n) is int for n in value)


def _rebuild_meta(dtype=None, size=None, stride=None, requires_grad=False):
    _needs(isinstance(dtype, torch.dtype), "a tensor's dtype")
    _needs(_is_sizes(size) and _is_sizes(stride), "sizes are ints")
    return _utils._rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad)


def _rebuild_sparse(layout=None, data=()):
    from torch.sparse import _pickling

    _pickling.check_data(layout, data)
    return _utils._rebuild_sparse_tensor(layout, data)


def _rebuild(name):
    function = getattr(_utils, name)
    if function is _utils._rebuild_meta_tensor_no_storage:
        return _rebuild_meta
    if function is _utils._rebuild_sparse_tensor:
        return _rebuild_sparse
    takes_data = name.startswith("_rebuild_parameter")

    def call(*args):
        if takes_data:
            _needs(args and isinstance(args[0], torch.Tensor), f"{name} takes a tensor")
            if len(args) > 3:
                _check_state(args[3])
        else:
            _needs(args and is_storage(args[0]), f"{name} takes a storage")
            for sizes in args[2:4]:
                _needs(_is_sizes(sizes), "sizes are ints")
            _needs(all(type(n) is int for n in args[1:2]), "an offset is an int")
        return function(*args)

    return call


def _check_state(state):
    attributes, slots = state if type(state) is tuple and len(state) == 2 else (state, None)
    for values in (attributes, slots):
        _needs(values is None or isinstance(values, dict), "an object's state is a dict")
    for name in slots or ():
        _needs(type(name) is str and not name.startswith("__"), "names of slots")


def _rebuild_from_type(function=None, cls=None, args=(), state=None):
    call = CALLS.get(id(function))
    _needs(call is not None and getattr(function, "__module__", "") == "torch._utils", "a tensor's rebuild function")
    _needs(type(args) is tuple, "a rebuild function's arguments are a tuple")
    _needs(isinstance(cls, type) and issubclass(cls, torch.Tensor), "a subclass of Tensor")
    _check_state(state)
    tensor = call(*args)
    return _utils._set_obj_state(tensor if type(tensor) is cls else tensor.as_subclass(cls), state)


_REBUILD = [name for name in vars(_utils) if name.startswith("_rebuild_")]
# Full name -> what it stands for, and how to call that. What is not here cannot be called.
ALLOWED = {
    "collections.OrderedDict": (collections.OrderedDict, _ordered_dict),
    "collections.Counter": (collections.Counter, _counter),
    "torch.Size": (torch.Size, _size),
    "torch.device": (torch.device, _device),
    "torch.Tensor": (torch.Tensor, None),
    "torch.serialization._get_layout": (_tensor._get_layout, _tensor._get_layout),
    "torch.storage.UntypedStorage": (storage.UntypedStorage, None),
    "torch.storage.TypedStorage": (storage.TypedStorage, None),
    "_codecs.encode": (_encode, _encode),
    "builtins.bytearray": (bytearray, _bytearray),
    "builtins.set": (set, _set),
    "builtins.complex": (complex, _complex),
    "torch._tensor._rebuild_from_type_v2": (_tensor._rebuild_from_type_v2, _rebuild_from_type),
    **{f"torch._utils.{name}": (getattr(_utils, name), _rebuild(name)) for name in _REBUILD},
    **{f"torch.{name}": (value, None) for name, value in vars(torch._C).items() if isinstance(value, torch.dtype)},
    **{f"torch.{name}": (cls, None) for name, cls in storage.TYPES.items()},
    **{f"torch.cuda.{name}": (cls, None) for name, cls in storage.TYPES.items()},
}
CALLS = {id(value): call for value, call in ALLOWED.values() if call is not None}


def full_name(module, name):
    """The name of a global in Python 3, whatever Python wrote it."""
    if (module, name) in _compat_pickle.NAME_MAPPING:
        module, name = _compat_pickle.NAME_MAPPING[module, name]
    elif module in _compat_pickle.IMPORT_MAPPING:
        module = _compat_pickle.IMPORT_MAPPING[module]
    return module, f"{module}.{name}"


def is_allowed(name):
    """Whether a pickle may name this global."""
    return name in ALLOWED or name in user_globals


def _find(module, name):
    module, full = full_name(module, name)
    if module in BLOCKED:
        raise UnpicklingError(f"Trying to load unsupported GLOBAL {full} whose module {module} is blocked.")
    if full in ALLOWED:
        return ALLOWED[full][0]
    if full in user_globals:
        return user_globals[full]
    shown = full.removeprefix("builtins.")
    raise UnpicklingError(
        f"Unsupported global: GLOBAL {shown} was not an allowed global by default. If it does no harm, whatever the file "
        f"gives it, `torch.serialization.add_safe_globals([{shown}])` allows it, or for a `with` block "
        f"`torch.serialization.safe_globals([{shown}])`."
    )


def _is_users(value):
    return any(value is allowed for allowed in user_globals.values())


def _type_of(value):
    return value if isinstance(value, type) else type(value)


class Unpickler:
    """Loads the pickle that begins at `start` of `data`. `self.end` is where it ended. `persistent_load` gives the
    storage that a tuple names. `encoding` is that of the byte strings of Python 2."""

    def __init__(self, data, start=0, *, persistent_load, encoding="utf-8"):
        self._data, self.end = memoryview(data), start
        self._persistent_load, self._encoding = persistent_load, encoding
        self._memo, self._marks, self._stack = {}, [], []

    def load(self):
        """The object."""
        try:
            while True:
                code = self._take(1)[0]
                if code == 0x2E:  # STOP
                    return self._pop()
                operation = _OPERATIONS.get(code)
                if operation is None:
                    raise UnpicklingError(f"Unsupported operand {code}")
                operation(self)
        except (IndexError, KeyError, TypeError, ValueError, AttributeError, struct.error, OverflowError) as error:
            raise UnpicklingError(f"corrupt file: {type(error).__name__}: {error}") from error

    def _take(self, count):
        end = self.end + count
        if end > len(self._data):
            raise UnpicklingError("pickle data was truncated")
        taken = self._data[self.end : end]
        self.end = end
        return taken

    def _number(self, layout, count):
        return struct.unpack(layout, self._take(count))[0]

    def _line(self):
        window = bytes(self._data[self.end : self.end + 4096])
        length = window.find(b"\n")
        if length < 0:
            raise UnpicklingError("pickle data was truncated")
        self.end += length + 1
        return window[:length].decode()

    def _push(self, value):
        self._stack.append(value)

    def _pop(self):
        if not self._stack:
            raise UnpicklingError("the pickle takes more than it has put")
        return self._stack.pop()

    def _since_mark(self):
        if not self._marks:
            raise UnpicklingError("the pickle ends a list that it has not begun")
        items, self._stack = self._stack, self._marks.pop()
        return items

    def _top(self):
        if not self._stack:
            raise UnpicklingError("the pickle takes more than it has put")
        return self._stack[-1]

    # ---- operations that do something ----
    def _global(self):
        self._push(_find(self._line(), self._line()))

    def _new(self):
        args, cls = self._pop(), self._pop()
        _needs(type(args) is tuple, "arguments are a tuple")
        if isinstance(cls, type) and _is_users(cls):
            self._push(cls.__new__(cls, *args))
        elif id(cls) in CALLS:
            self._push(CALLS[id(cls)](*args))
        else:
            raise UnpicklingError(
                "Can only create new object for nn.Parameter or classes allowlisted via `add_safe_globals` but got "
                f"{_type_of(cls)}"
            )

    def _reduce(self):
        args, function = self._pop(), self._pop()
        _needs(type(args) is tuple, "arguments are a tuple")
        call = CALLS.get(id(function))
        if call is None:
            if not _is_users(function):
                raise UnpicklingError(f"Trying to call reduce for unrecognized function {_type_of(function)}")
            call = function
        self._push(call(*args))

    def _build(self):
        state, target = self._pop(), self._top()
        if type(target) is torch.Tensor:  # files of 2017
            _needs(type(state) is tuple and len(state) == 4 and is_storage(state[0]), "a tensor's state")
            target.set_(*state)
        elif type(target) is collections.OrderedDict:
            _needs(type(state) is dict and all(type(name) is str for name in state), "an OrderedDict's state")
            target.__dict__.update(state)
        elif _is_users(type(target)):
            if hasattr(target, "__setstate__"):
                target.__setstate__(state)
            else:
                _utils._set_obj_state(target, state)
        else:
            raise UnpicklingError(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via `add_safe_globals`, but got "
                f"{type(target)}"
            )

    def _persistent(self):
        pid = self._pop()
        if type(pid) is not tuple and type(pid) is not int:
            raise UnpicklingError(f"persistent_load id must be tuple or int, but got {type(pid)}")
        if type(pid) is tuple and (not pid or pid[0] not in ("storage", b"storage")):
            raise UnpicklingError(f"Only persistent_load of storage is allowed, but got {type(pid[0]) if pid else pid}")
        self._push(self._persistent_load(pid))

    def _extend(self, items):
        target = self._top()
        if type(target) is not list:
            raise UnpicklingError(f"Can only append to lists, but got {type(target)}")
        target.extend(items)

    def _append(self):
        item = self._pop()
        self._extend([item])

    def _update(self, items, name):
        target = self._top()
        if type(target) not in (dict, collections.OrderedDict, collections.Counter):
            raise UnpicklingError(
                f"Can only {name} for dict, collections.OrderedDict, collections.Counter, but got {type(target)}"
            )
        _needs(len(items) % 2 == 0, "a key without a value")
        for key, value in zip(items[::2], items[1::2]):
            check_key(key)
            target[key] = value

    def _set_item(self):
        value, key = self._pop(), self._pop()
        self._update([key, value], "SETITEM")

    def _set_add(self):
        items, target = self._since_mark(), self._top()
        _needs(type(target) is set, "elements for what is no set")
        for item in items:
            check_key(item)
        target.update(items)

    def _mark(self):
        self._marks.append(self._stack)
        self._stack = []

    def _tuple(self, count):
        items = [self._pop() for _ in range(count)]
        self._push(tuple(items[::-1]))

    def _get(self, index):
        if index not in self._memo:
            raise UnpicklingError(f"Memo value not found at index {index}")
        self._push(self._memo[index])

    def _put(self, index):
        self._memo[index] = self._top()

    def _text(self, count):
        self._push(str(self._take(count), "utf-8", "surrogatepass"))

    def _byte_string(self, count):
        data = bytes(self._take(count))
        self._push(data if self._encoding == "bytes" else data.decode(self._encoding))

    def _protocol(self):
        protocol = self._take(1)[0]
        if protocol != 2:
            warnings.warn(
                f"Detected pickle protocol {protocol} in the checkpoint. torch.save writes protocol 2, and weights_only=True "
                "knows of others only the operations that tensors and containers need.",
                stacklevel=6,
            )


_OPERATIONS = {
    ord("c"): Unpickler._global,
    0x81: Unpickler._new,
    ord("R"): Unpickler._reduce,
    ord("b"): Unpickler._build,
    ord("Q"): Unpickler._persistent,
    ord("a"): Unpickler._append,
    ord("e"): lambda self: self._extend(self._since_mark()),
    ord("s"): Unpickler._set_item,
    ord("u"): lambda self: self._update(self._since_mark(), "SETITEMS"),
    0x90: Unpickler._set_add,
    ord("("): Unpickler._mark,
    ord("t"): lambda self: self._push(tuple(self._since_mark())),
    0x85: lambda self: self._tuple(1),
    0x86: lambda self: self._tuple(2),
    0x87: lambda self: self._tuple(3),
    ord("N"): lambda self: self._push(None),
    0x89: lambda self: self._push(False),
    0x88: lambda self: self._push(True),
    ord(")"): lambda self: self._push(()),
    ord("]"): lambda self: self._push([]),
    ord("}"): lambda self: self._push({}),
    0x8F: lambda self: self._push(set()),
    ord("J"): lambda self: self._push(self._number("<i", 4)),
    ord("K"): lambda self: self._push(self._number("<B", 1)),
    ord("M"): lambda self: self._push(self._number("<H", 2)),
    0x8A: lambda self: self._push(decode_long(bytes(self._take(self._number("<B", 1))))),
    ord("G"): lambda self: self._push(self._number(">d", 8)),
    ord("X"): lambda self: self._text(self._number("<I", 4)),
    ord("U"): lambda self: self._byte_string(self._number("<B", 1)),
    ord("h"): lambda self: self._get(self._number("<B", 1)),
    ord("j"): lambda self: self._get(self._number("<I", 4)),
    ord("q"): lambda self: self._put(self._number("<B", 1)),
    ord("r"): lambda self: self._put(self._number("<I", 4)),
    0x80: Unpickler._protocol,
}
