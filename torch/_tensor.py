"""Methods of torch.Tensor that are written in Python."""

import torch
from torch._C import Tensor
from torch._tensor_types import NAMES

_type = type  # Tensor.type is defined below


def _method(function):
    setattr(Tensor, function.__name__, function)
    return function


# ---- copies and pickles ------------------------------------------------------------------------------------
def _rebuild_tensor(data, dtype, shape):
    """A tensor from what __reduce_ex__ has written."""
    if not data:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(data), dtype=dtype).view(shape)


def _rebuild_subclass(cls, tensor, attributes):
    result = tensor if cls is Tensor else tensor.as_subclass(cls)
    result.__dict__.update(attributes)
    return result


@_method
def __reduce_ex__(self, protocol):
    dense = self.detach().contiguous()
    start = dense.storage_offset() * dense.element_size()
    data = bytes(memoryview(dense.untyped_storage())[start : start + dense.nbytes])
    plain = (_rebuild_tensor, (data, self.dtype, tuple(self.shape)))
    if _type(self) is Tensor and not self.__dict__:
        return plain
    return _rebuild_subclass, (_type(self), _rebuild_tensor(*plain[1]), self.__dict__)


@_method
def __copy__(self):
    """Another tensor over the same elements."""
    return _rebuild_subclass(_type(self), self.data, self.__dict__)


@_method
def __deepcopy__(self, memo):
    if id(self) in memo:
        return memo[id(self)]
    import copy

    result = _rebuild_subclass(_type(self), self.clone(), {})
    memo[id(self)] = result
    if self.__dict__:
        result.__dict__.update(copy.deepcopy(self.__dict__, memo))
    return result


# ---- NumPy -------------------------------------------------------------------------------------------------
@_method
def __array__(self, dtype=None, copy=None):
    array = self.numpy()
    if dtype is None:
        return array.copy() if copy else array
    import numpy

    if copy is False and array.dtype != numpy.dtype(dtype):
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    return array.astype(dtype, copy=bool(copy))


@_method
def __array_wrap__(self, array, context=None, return_scalar=False):
    """What a NumPy function makes of a tensor is a tensor again."""
    return torch.from_numpy(array)


# ---- dtypes by name ----------------------------------------------------------------------------------------
_TYPE_NAMES = {f"torch.{name}": dtype for name, dtype in NAMES.items()}
_NAME_OF_TYPE = {dtype: name for name, dtype in _TYPE_NAMES.items()}


@_method
def type(self, dtype=None, non_blocking=False):  # noqa: A001 - torch's name
    """The type's name, "torch.FloatTensor", or the tensor converted to a dtype or type of that name."""
    if dtype is None:
        return _NAME_OF_TYPE[self.dtype]
    if isinstance(dtype, torch.dtype):
        return self.to(dtype)
    if isinstance(dtype, str):
        name = dtype
    elif isinstance(dtype, _type):
        name = f"{dtype.__module__}.{dtype.__name__}" if dtype.__module__ != "builtins" else dtype.__name__
    else:
        raise TypeError("dtype must be a type, str, or dtype object")
    if name not in _TYPE_NAMES:
        raise ValueError(f"invalid type: '{name}'")
    return self.to(_TYPE_NAMES[name])


@_method
def storage_type(self):
    """The type of the tensor's storage."""
    name = _NAME_OF_TYPE[self.dtype].removeprefix("torch.").replace("Tensor", "Storage")
    return getattr(torch, name, _type(self.storage()))


@_method
def __reversed__(self):
    """The tensor with its rows in reverse order."""
    if self.dim() == 0:
        return self
    return self[torch.arange(len(self) - 1, -1, -1)]


# ---- factorisations ------------------------------------------------------------------------------------------
@_method
def lu(self, pivot=True, get_infos=False):
    """See torch.lu."""
    return torch.lu(self, pivot=pivot, get_infos=get_infos)
