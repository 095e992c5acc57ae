"""Storages: the memory behind tensors. `UntypedStorage` holds bytes (torch/_storage/untyped.py); a `TypedStorage` is one of
them as elements of a dtype (typed.py there); `torch.FloatStorage` and its like, made here, are its names of 2017."""

import torch
from torch._C import UntypedStorage
from torch._storage.typed import _EXPECTED, DTYPES, NAME_OF_DTYPE, TypedStorage
from torch._storage.untyped import tensor_over

__all__ = ["TypedStorage", "UntypedStorage"]

TypedStorage.__module__ = __name__  # where pickles look for it


def _as_tensor(storage, dtype):
    """What torch.asarray makes of a storage: a tensor over its memory, of as many elements as fit. A TypedStorage is of
    its own dtype. Bytes are elements of `dtype`, without which they are int64, as what a sequence of bytes makes."""
    if isinstance(storage, UntypedStorage):
        return tensor_over(storage, dtype or (torch.int64 if storage.nbytes() else torch.get_default_dtype()))
    if dtype not in (None, storage.dtype):
        names = {dtype: name for name, dtype in torch._C._dtypes_by_type.items()}
        raise RuntimeError(
            f"Expected a Storage of type {names[dtype]} or an UntypedStorage, but got {names[storage.dtype]}"
        )
    return storage._tensor()


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
