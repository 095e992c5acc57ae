"""Storages: the memory behind tensors. `UntypedStorage` holds bytes and is made in C++; a `TypedStorage` is one of them
as elements of a dtype; `torch.FloatStorage` and its like are its names of 2017, one for each dtype."""

import copy as _copy
import os
import sys

import torch
from torch import _C
from torch._C import UntypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]

# Pickle's names of dtypes: a file says torch.FloatStorage and means float32. The dtypes that came later have none.
_NAMES = {
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
    "ComplexDoubleStorage": "complex128",
    "ComplexFloatStorage": "complex64",
}
DTYPES = {name: getattr(_C, dtype) for name, dtype in _NAMES.items()}
NAME_OF_DTYPE = {dtype: name for name, dtype in DTYPES.items()}
_CONVERSIONS = {
    "double": "float64",
    "float": "float32",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "complex_double": "complex128",
    "complex_float": "complex64",
    "float8_e5m2": "float8_e5m2",
    "float8_e4m3fn": "float8_e4m3fn",
    "float8_e5m2fnuz": "float8_e5m2fnuz",
    "float8_e4m3fnuz": "float8_e4m3fnuz",
}


def is_storage(obj):
    """Whether `obj` is a storage, typed or not."""
    return isinstance(obj, (UntypedStorage, TypedStorage))


def tensor_over(storage, dtype, offset=0, size=None, stride=None):
    """A tensor over an untyped storage; without a size, one dimension over all of it that `offset` elements leave."""
    if size is None:
        size = (max(storage.nbytes() // dtype.itemsize - offset, 0),)
    return _C._tensor_over(storage, dtype, offset, tuple(size), None if stride is None else tuple(stride))


def _is_pinned(obj):
    """Of a tensor or storage. Nothing is pinned before the first use of CUDA, which is therefore not loaded for it."""
    if obj.device.type != "cpu":
        return False
    cuda = sys.modules.get("torch.cuda")
    return cuda is not None and cuda.is_initialized() and cuda._native().is_pinned(obj.data_ptr())


def _pinned(tensor):
    """What the keyword pin_memory=True makes of a new tensor. One without memory has nothing to pin."""
    if tensor.is_meta:
        return tensor
    if not torch.cuda._is_compiled():
        raise RuntimeError(
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available"
        )
    return tensor.pin_memory()


def _load_from_bytes(data):
    """What plain pickle calls for a storage that torch has pickled."""
    import io

    return torch.load(io.BytesIO(data), weights_only=False)


def _from_pickle(data):
    """What plain pickle calls for a storage of ours: bytes, or a writable buffer that was sent beside the pickle."""
    view = memoryview(data)
    if not len(view):
        return UntypedStorage(0)
    if view.readonly:
        return torch.frombuffer(bytearray(view), dtype=torch.uint8).untyped_storage().clone()
    return torch.frombuffer(view, dtype=torch.uint8).untyped_storage()


def _from_pickle_there(data, device):
    """The same for one on a GPU."""
    return _from_pickle(data).to(device=device)


# ---- shared memory -----------------------------------------------------------------------------------------
def _set_shm_manager():
    _C._set_shm_manager(os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "torch_shm_manager"))


def _share(storage, by_name):
    if storage.device.type != "cpu":
        raise RuntimeError(
            f"_share_{'filename' if by_name else 'fd'}_: only available on CPU; the storage is on {storage.device}"
        )
    if by_name:
        _set_shm_manager()
    _C._storage_share(storage, by_name)


# ---- UntypedStorage ----------------------------------------------------------------------------------------
def _text(storage, kind):
    elements = "..." if storage.device.type == "meta" else " " + "\n ".join(map(str, storage.tolist()))
    return f"{elements}\n[{kind}]"


class _Untyped:
    """UntypedStorage(size=0, *, device=None), UntypedStorage(sequence): bytes, the memory behind tensors, which views
    share."""

    is_sparse = False

    @property
    def is_cuda(self):
        """Whether it is on a GPU."""
        return self.device.type == "cuda"

    def get_device(self):
        """The index of its GPU; -1 on the CPU."""
        return self.device.index if self.is_cuda else -1

    def __repr__(self):
        return _text(self, f"torch.storage.UntypedStorage(device={self.device}) of size {len(self)}")

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        known = memo.setdefault("torch", {})
        if self._cdata not in known:
            known[self._cdata] = self.clone()
        return known[self._cdata]

    def __reduce_ex__(self, protocol):
        if self.is_cuda:
            return _from_pickle_there, (bytes(self.cpu()), str(self.device))
        if protocol >= 5:
            import pickle

            return _from_pickle, (pickle.PickleBuffer(self.cpu()),)
        return _from_pickle, (bytes(self.cpu()),)

    def __sizeof__(self):
        return object.__sizeof__(self) + self.nbytes()

    def element_size(self):
        """1: a byte."""
        return 1

    def clone(self):
        """Another storage with the same bytes, on the same device."""
        return UntypedStorage(self.nbytes(), device=self.device).copy_(self)

    def tolist(self):
        """The bytes as ints."""
        return list(bytes(self.cpu() if self.is_cuda else self))

    def new(self):
        """An empty storage on the same device."""
        return UntypedStorage(device=self.device)

    def untyped(self):
        """Itself."""
        return self

    def cpu(self):
        """Itself if it is on the CPU, else a copy there."""
        return self.to(device="cpu")

    def to(self, *, device, non_blocking=False):
        """Itself if it is on that device, else a copy there. From the device meta there is nothing to copy:
        NotImplementedError."""
        like = UntypedStorage(device=device)  # raises where no storage can be
        return self if like.device == self.device else like.resize_(self.nbytes()).copy_(self, non_blocking)

    def cuda(self, device=None, non_blocking=False):
        """Itself if it is on that GPU, the current one unless it is given, else a copy there."""
        place = torch.empty(0).cuda(device).device  # raises where there is none
        return self.to(device=place, non_blocking=non_blocking)

    def type(self, dtype=None, non_blocking=False):
        """Its type's name."""
        if dtype is None:
            return "torch.storage.UntypedStorage"
        return TypedStorage(wrap_storage=self, dtype=torch.uint8).type(dtype)

    def is_shared(self):
        """Whether its memory is one that other processes can be given: shared memory (`share_memory_`), that of a file
        (`from_file`), or a GPU's."""
        return self.is_cuda or _C._storage_sharing(self) is not None or _C._storage_is_mapped(self)

    def share_memory_(self):
        """Moves it into shared memory, so that other processes see it when it is sent to them (torch.multiprocessing);
        tensors over it stay its views. Nothing happens where it is shared, or on a GPU. RuntimeError where there is no
        room, and for a storage whose address is known elsewhere: by a memoryview, a DLPack capsule, a slice of it."""
        if not self.is_shared():
            from torch.multiprocessing import get_sharing_strategy

            _share(self, get_sharing_strategy() == "file_system")
        return self

    def _share_fd_cpu_(self):
        """(descriptor, number of bytes), shared; the descriptor stays the storage's."""
        _share(self, False)
        if _C._storage_sharing(self) != "file_descriptor":
            raise RuntimeError("the storage is shared by a name already, and has no file descriptor")
        return _C._storage_descriptor(self), self.nbytes()

    def _share_filename_cpu_(self):
        """(manager, name, number of bytes), shared."""
        _share(self, True)
        if _C._storage_sharing(self) != "file_system":
            raise RuntimeError("the storage is shared by its file descriptor already, and has no name")
        return *_C._storage_handle(self), self.nbytes()

    @classmethod
    def _new_shared_fd_cpu(cls, descriptor, size):
        """The storage of another process whose descriptor this is; one of ours if it is that."""
        return _C._storage_from_descriptor(descriptor, size)

    @classmethod
    def _new_shared_filename_cpu(cls, manager, name, size):
        """The storage of another process, by what `_share_filename_cpu_` said there."""
        _set_shm_manager()
        return _C._storage_from_handle(manager, name, size)

    @classmethod
    def _new_shared(cls, size, *, device="cpu"):
        """A storage of so many bytes in shared memory."""
        if torch.device(device).type != "cpu":
            return cls(size, device=device)
        from torch.multiprocessing import get_sharing_strategy

        _set_shm_manager()
        return _C._storage_new_shared(size, get_sharing_strategy() == "file_system")

    def _shared_incref(self):
        """A handle of it is under way: until `_shared_decref` it is not freed. Only for one that is shared by name."""
        _C._storage_sent(self)
        return self

    def _shared_decref(self):
        if _C._storage_sharing(self) == "file_system":
            _C._storage_received(*_C._storage_handle(self))
        return self

    @property
    def filename(self):
        """The file that what is written to it goes to (`from_file` with `shared`), or None."""
        return _C._storage_filename(self)

    def is_pinned(self, device=None):
        """Whether it is memory of the host that a GPU reads by itself."""
        return _is_pinned(self)

    def pin_memory(self, device=None):
        """Itself if it is such memory, else a copy there. TypeError for a storage that is not on the CPU."""
        if self.device.type != "cpu":
            raise TypeError(f"cannot pin '{self.type()}' on {self.device}: only CPU memory can be pinned")
        pinned = tensor_over(self, torch.uint8).pin_memory(device)
        return self if self.is_pinned() else pinned.untyped_storage()

    def byteswap(self, dtype):
        """Reverses the bytes of each element of `dtype`; of both parts of a complex one."""
        size = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
        if size == 1:
            return
        if self.nbytes() % size:
            raise RuntimeError(f"{self.nbytes()} bytes are not a number of elements of {dtype}")
        rows = tensor_over(self, torch.uint8, 0, (self.nbytes() // size, size))
        rows.copy_(rows.flip(1))

    @staticmethod
    def from_buffer(buffer, byte_order=None, count=-1, offset=0, *, dtype=None):
        """A storage holding a copy of `count` elements of `dtype`, from byte `offset` of a buffer on. `byte_order` is
        that of the buffer: "native", "little" or "big"."""
        if dtype is None:
            raise RuntimeError("argument 'dtype' cannot be None")
        size = dtype.itemsize
        if byte_order is None and size > 1:
            raise RuntimeError("function missing required argument 'byte_order' (pos 2)")
        if byte_order not in (None, "native", "little", "big"):
            raise ValueError(f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')")
        view = memoryview(buffer).cast("B")
        if offset < 0 or offset > len(view):
            raise ValueError(
                f"offset must be non-negative and no greater than buffer length ({len(view)}), but got {offset}"
            )
        left = len(view) - offset
        if count < 0:
            if left % size:
                raise ValueError(f"buffer size ({left}) must be a multiple of element size ({size})")
            count = left // size
        if count * size > left:
            raise ValueError(
                f"buffer has only {left // size} elements after offset {offset}, but specified a size of {count}"
            )
        result = UntypedStorage(count * size)
        memoryview(result)[:] = view[offset : offset + count * size]
        if byte_order not in (None, "native", sys.byteorder):
            result.byteswap(dtype)
        if dtype == torch.bool:
            typed = tensor_over(result, torch.uint8)
            typed.copy_(typed != 0)
        return result

    @staticmethod
    def from_file(filename, shared=False, nbytes=0):
        """The first `nbytes` of a file as memory. `shared`: what is written goes to the file, which is made if there
        is none and grows if need be."""
        return _C._storage_from_file(filename, shared, nbytes)


for _name, _value in list(vars(_Untyped).items()):
    if _name not in ("__dict__", "__weakref__", "__module__", "__qualname__"):
        setattr(UntypedStorage, _name, _value)


# ---- TypedStorage ------------------------------------------------------------------------------------------
_EXPECTED = "\n * no arguments\n * (int size)\n * (Sequence data)\n * (*, UntypedStorage wrap_storage)\n"


def _is_sequence(data):
    others = isinstance(data, (torch.Tensor, UntypedStorage)) or type(data).__module__ == "numpy"
    return not others and hasattr(data, "__getitem__") and hasattr(data, "__len__")


class TypedStorage:
    """A storage as elements of one dtype: `TypedStorage(size)`, `TypedStorage(sequence)`, each with `dtype=`, or
    `TypedStorage(wrap_storage=untyped, dtype=…)` over memory that is there already."""

    is_sparse = False

    def __init__(self, data=None, *, wrap_storage=None, dtype=None, device=None, _internal=None):
        # _internal: the type that was called, for messages: torch.FloatStorage.
        if dtype is not None and not isinstance(dtype, torch.dtype):
            raise TypeError(f"argument 'dtype' must be torch.dtype, not {type(dtype)}")
        if wrap_storage is not None:
            if data is not None:
                raise RuntimeError("No positional arguments should be given when using 'wrap_storage'")
            if dtype is None:
                raise RuntimeError("argument 'dtype' must be specified")
            if device is not None:
                raise RuntimeError("argument 'device' should not be specified when 'wrap_storage' is given")
            if not isinstance(wrap_storage, UntypedStorage):
                raise TypeError(
                    f"argument 'wrap_storage' must be UntypedStorage, but got {type(wrap_storage).__name__}"
                )
            self._untyped_storage, self.dtype = wrap_storage, dtype
            return
        self.dtype = dtype or torch.get_default_dtype()
        if data is None or (isinstance(data, int) and not isinstance(data, bool)):
            self._untyped_storage = UntypedStorage((data or 0) * self.dtype.itemsize, device=device)
        elif _is_sequence(data):
            values = data.tolist() if isinstance(data, TypedStorage) else data
            self._untyped_storage = torch.tensor(values, dtype=self.dtype, device=device or "cpu").untyped_storage()
        else:
            raise TypeError(
                f"{_internal or type(self)}.{'__new__' if _internal else '__init__'} received an invalid combination of "
                f"arguments. Expected one of:{_EXPECTED}Argument type not recognized: {type(data)}"
            )

    # ---- what it is ----
    @property
    def device(self):
        """Where the elements are."""
        return self._untyped_storage.device

    @property
    def is_cuda(self):
        """Whether they are on a GPU."""
        return self._untyped_storage.is_cuda

    def get_device(self):
        """The index of its GPU; -1 on the CPU."""
        return self._untyped_storage.get_device()

    @property
    def _cdata(self):
        return self._untyped_storage._cdata

    @property
    def filename(self):
        """The file whose memory it is, or None."""
        return self._untyped_storage.filename

    def untyped(self):
        """The same memory as bytes."""
        return self._untyped_storage

    def data_ptr(self):
        """Address of the first element."""
        return self._untyped_storage.data_ptr()

    def nbytes(self):
        """Number of bytes."""
        return self._untyped_storage.nbytes()

    def element_size(self):
        """Bytes of an element."""
        return self.dtype.itemsize

    def size(self):
        """Number of elements."""
        return self.nbytes() // self.element_size()

    __len__ = size

    def pickle_storage_type(self):
        """ "FloatStorage" for float32: what files call it."""
        try:
            return NAME_OF_DTYPE[self.dtype]
        except KeyError:
            raise KeyError(f"dtype {self.dtype} is not recognized") from None

    _pickle_storage_type = pickle_storage_type

    def resizable(self):
        """Whether `resize_` may give it another size."""
        return self._untyped_storage.resizable()

    def is_shared(self):
        """Whether its memory is one that other processes can be given; see UntypedStorage.is_shared."""
        return self._untyped_storage.is_shared()

    _is_shared = is_shared

    def share_memory_(self):
        """Moves it into shared memory; see UntypedStorage.share_memory_."""
        self._untyped_storage.share_memory_()
        return self

    _share_memory_ = share_memory_

    def _share_fd_cpu_(self):
        descriptor, nbytes = self._untyped_storage._share_fd_cpu_()
        return descriptor, nbytes // self.element_size()

    def _share_filename_cpu_(self):
        manager, name, nbytes = self._untyped_storage._share_filename_cpu_()
        return manager, name, nbytes // self.element_size()

    def _shared_incref(self):
        self._untyped_storage._shared_incref()
        return self

    def _shared_decref(self):
        self._untyped_storage._shared_decref()
        return self

    @classmethod
    def _new_shared(cls, size):
        dtype = _dtype_of_class(cls)
        return TypedStorage(wrap_storage=UntypedStorage._new_shared(size * dtype.itemsize), dtype=dtype)

    def is_pinned(self, device=None):
        """Whether it is memory of the host that a GPU reads by itself."""
        return _is_pinned(self)

    def pin_memory(self, device=None):
        """Itself if it is such memory, else a copy there. TypeError for a storage that is not on the CPU."""
        pinned = self._untyped_storage.pin_memory(device)
        return self if pinned is self._untyped_storage else self._like(pinned)

    def _tensor(self):
        return tensor_over(self._untyped_storage, self.dtype)

    def _check_readable(self):
        if self.device.type == "meta":
            raise NotImplementedError("Not available for 'meta' device type")

    # ---- elements ----
    def _index(self, index):
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"can't index a {type(self)} with {type(index)}")
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} out of range for storage of size {len(self)}")
        return index % len(self)

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        self._check_readable()
        return self._tensor()[self._index(index)].item()

    def __setitem__(self, index, value):
        self._tensor()[index if isinstance(index, slice) else self._index(index)] = value

    def __iter__(self):
        return iter(self.tolist())

    def tolist(self):
        """The elements as Python numbers."""
        self._check_readable()
        return self._tensor().tolist()

    def fill_(self, value):
        """Sets every element."""
        self._tensor().fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        """Copies the memory of a storage of as many bytes. For conversions: `storage.double()`."""
        if not is_storage(source):
            raise TypeError(f"copy_(): argument 'src' (position 1) must be torch.Storage, not {type(source).__name__}")
        self._untyped_storage.copy_(source.untyped(), bool(non_blocking))
        return self

    def resize_(self, size):
        """Another number of elements; those that fit are kept."""
        self._untyped_storage.resize_(size * self.element_size())

    def clone(self):
        """Another storage with the same elements."""
        return self._like(self._untyped_storage.clone())

    def cpu(self):
        """Itself if it is on the CPU, else a copy there."""
        return self.to(device="cpu")

    def to(self, *, device, non_blocking=False):
        """Itself if it is on that device, else a copy there; see UntypedStorage.to."""
        untyped = self._untyped_storage.to(device=device, non_blocking=non_blocking)
        return self if untyped is self._untyped_storage else self._like(untyped)

    def cuda(self, device=None, non_blocking=False):
        """Itself if it is on that GPU, else a copy there; see UntypedStorage.cuda."""
        untyped = self._untyped_storage.cuda(device, non_blocking)
        return self if untyped is self._untyped_storage else self._like(untyped)

    def type(self, dtype=None, non_blocking=False):
        """ "torch.FloatStorage", or the storage converted to a type given by that name, as class or as dtype."""
        if dtype is None:
            return f"torch.{NAME_OF_DTYPE.get(self.dtype, 'storage.TypedStorage')}"
        if not isinstance(dtype, torch.dtype):
            name = dtype if isinstance(dtype, str) else f"{dtype.__module__}.{dtype.__name__}"
            if name.removeprefix("torch.") not in DTYPES:
                raise ValueError(f"invalid type: '{name}'")
            dtype = DTYPES[name.removeprefix("torch.")]
        return self if dtype == self.dtype else self._converted(dtype)

    def _converted(self, dtype):
        return TypedStorage(wrap_storage=self._tensor().to(dtype).untyped_storage(), dtype=dtype)

    def _like(self, untyped):
        return TypedStorage(wrap_storage=untyped, dtype=self.dtype)

    # ---- copies, pickles, text ----
    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self._like(_copy.deepcopy(self._untyped_storage, memo))

    def __reduce__(self):
        return _typed, (self._untyped_storage, self.dtype)

    def __sizeof__(self):
        return object.__sizeof__(self) + self.nbytes()

    def __repr__(self):
        kind = f"torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {len(self)}"
        return _text(self, kind)

    @classmethod
    def from_buffer(cls, *args, **kwargs):
        """As UntypedStorage.from_buffer, with elements of the type's dtype, or of `dtype=`."""
        dtype = kwargs.pop("dtype", None) or _dtype_of_class(cls)
        untyped = UntypedStorage.from_buffer(*args, dtype=dtype, **kwargs)
        return TypedStorage(wrap_storage=untyped, dtype=dtype)

    @classmethod
    def from_file(cls, filename, shared=False, size=0):
        """The first `size` elements of a file as memory; see UntypedStorage.from_file."""
        dtype = _dtype_of_class(cls)
        return TypedStorage(wrap_storage=UntypedStorage.from_file(filename, shared, size * dtype.itemsize), dtype=dtype)


def _typed(untyped, dtype):
    return TypedStorage(wrap_storage=untyped, dtype=dtype)


def _dtype_of_class(cls):
    if cls is TypedStorage:
        raise RuntimeError(
            "from_buffer: only supported for subclasses of TypedStorage that know their dtype, as torch.FloatStorage"
        )
    return cls.dtype


def _conversion(name, dtype):
    def convert(self):
        if isinstance(self, UntypedStorage):
            return _typed(self, torch.uint8).type(dtype)
        return self.type(dtype)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"The elements as {dtype}, in another storage unless they are that already."
    return convert


for _name, _dtype in _CONVERSIONS.items():
    for _class in (UntypedStorage, TypedStorage):
        setattr(_class, _name, _conversion(_name, getattr(_C, _dtype)))


# ---- torch.FloatStorage and its like -----------------------------------------------------------------------
class _LegacyStorageMeta(type):
    """Their type: calling one makes a TypedStorage, and every TypedStorage of the dtype is an instance."""

    def __instancecheck__(cls, instance):
        return type(instance) is TypedStorage and (not hasattr(cls, "dtype") or instance.dtype == cls.dtype)

    def __call__(cls, *args, wrap_storage=None, **kwargs):
        if kwargs:
            raise RuntimeError(
                f"{cls}.__new__ received an invalid combination of arguments. Expected one of:{_EXPECTED}"
                f"Keyword argument '{next(iter(kwargs))}' cannot be specified"
            )
        if len(args) > 1:
            raise TypeError(
                f"{cls}.__new__ received an invalid combination of arguments. Expected one of:{_EXPECTED}"
                "Too many positional arguments"
            )
        return TypedStorage(*args, wrap_storage=wrap_storage, dtype=cls.dtype, _internal=cls)


class _LegacyStorage(TypedStorage, metaclass=_LegacyStorageMeta):
    """Base of torch.FloatStorage and its like."""


# torch/__init__.py puts them into torch, where pickle looks for them.
TYPES = {
    _name: _LegacyStorageMeta(
        _name,
        (_LegacyStorage,),
        {
            "dtype": _dtype,
            "__module__": "torch",
            "__doc__": f"{_name}(size), {_name}(sequence): memory as elements of {_dtype}.",
        },
    )
    for _name, _dtype in DTYPES.items()
}


def default_type():
    """What torch.Storage is: the type of the default dtype, whichever that is now."""
    return TYPES[NAME_OF_DTYPE[torch.get_default_dtype()]]


def from_file(filename, shared=None, size=0, *, dtype=None, layout=None, device=None, pin_memory=False):
    """A tensor over the first `size` elements of a file; see UntypedStorage.from_file."""
    dtype = dtype or torch.get_default_dtype()
    if pin_memory:
        raise RuntimeError("tensors constructed from a file cannot be pinned")
    torch.empty(0, device=device)  # raises for devices that there are not
    storage = UntypedStorage.from_file(filename, bool(shared), size * dtype.itemsize)
    return tensor_over(storage, dtype, 0, (size,)).to(device)
