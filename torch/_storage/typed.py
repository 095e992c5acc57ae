"""TypedStorage: an untyped storage as elements of a dtype."""

import copy
import functools

import torch
from torch import _C
from torch._C import UntypedStorage
from torch._storage.untyped import _is_pinned, _text, tensor_over

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


def is_storage(obj, /):
    """Whether `obj` is a storage, typed or not."""
    return isinstance(obj, (UntypedStorage, TypedStorage))


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
        return self._like(copy.deepcopy(self._untyped_storage, memo))

    def __reduce__(self):
        make = functools.partial(
            TypedStorage, wrap_storage=self._untyped_storage, dtype=self.dtype, _internal=True
        )  # with _internal PyTorch does not warn
        return make, ()

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


class TensorsStorage(TypedStorage):
    """The storage of a tensor whose dtype has no name among storages: files know it as one of bytes, pickles as a
    TypedStorage."""


def _dtype_of_class(cls):
    if cls is TypedStorage:
        raise RuntimeError(
            "from_buffer: only supported for subclasses of TypedStorage that know their dtype, as torch.FloatStorage"
        )
    return cls.dtype


def _conversion(name, dtype):
    def convert(self):
        if isinstance(self, UntypedStorage):
            return TypedStorage(wrap_storage=self, dtype=torch.uint8).type(dtype)
        return self.type(dtype)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"The elements as {dtype}, in another storage unless they are that already."
    return convert


for _name, _dtype in _CONVERSIONS.items():
    for _class in (UntypedStorage, TypedStorage):
        setattr(_class, _name, _conversion(_name, getattr(_C, _dtype)))
