"""What pickles of tensors call: the names are those that torch.save of every PyTorch writes into files. And what
may go to another process, and how its exceptions come back."""

import sys
import traceback

import torch
from torch._storage.typed import NAME_OF_DTYPE, TensorsStorage
from torch._storage.untyped import tensor_over
from torch.storage import TypedStorage, UntypedStorage


def _element_size(dtype):
    """Bytes of an element."""
    return dtype.itemsize


def _rebuild_tensor(storage, storage_offset, size, stride):
    """A tensor over a storage that says its dtype."""
    if not isinstance(storage, TypedStorage):
        raise RuntimeError(f"a tensor's storage must be a TypedStorage, got {type(storage).__name__}")
    return tensor_over(storage.untyped(), storage.dtype, storage_offset, size, stride)


def _with_gradient(tensor, requires_grad, backward_hooks=None):
    tensor.requires_grad_(bool(requires_grad))
    if backward_hooks:
        tensor._backward_hooks = backward_hooks
    return tensor


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    """The same, with gradient state. `metadata` says which of the lazy bits (conj, neg) are set."""
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    return _with_gradient(_with_metadata(tensor, metadata), requires_grad, backward_hooks)


def _with_metadata(tensor, metadata):
    for name, apply in (("conj", torch.Tensor.conj), ("neg", torch.Tensor.neg)) if metadata else ():
        if metadata.get(name):
            tensor = apply(tensor)
    return tensor


def _rebuild_tensor_v3(storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype, metadata=None):
    """The same for dtypes that no typed storage is named after."""
    untyped = storage if isinstance(storage, UntypedStorage) else storage.untyped()
    tensor = tensor_over(untyped, dtype, storage_offset, size, stride)
    return _with_gradient(_with_metadata(tensor, metadata), requires_grad, backward_hooks)


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    """A tensor on the device meta, which has a geometry and no elements."""
    return _with_gradient(torch.empty_strided(size, stride, dtype=dtype, device="meta"), requires_grad)


def _rebuild_parameter(data, requires_grad, backward_hooks):
    """An nn.Parameter."""
    from torch.nn.parameter import Parameter

    parameter = Parameter(data, requires_grad)
    if backward_hooks:
        parameter._backward_hooks = backward_hooks
    return parameter


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    """The same with attributes."""
    return _set_obj_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _set_obj_state(obj, state):
    """Attributes, as `_get_obj_state` has found them."""
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for values in (attributes, slots):
        if values is not None and not isinstance(values, dict):
            raise RuntimeError(f"an object's state must be a dict, got {type(values).__name__}")
    if attributes:
        obj.__dict__.update(attributes)
    for name, value in (slots or {}).items():
        setattr(obj, name, value)
    return obj


def reduce_tensor(tensor):
    """The function and arguments that pickle a plain tensor."""
    import collections

    dtype = tensor.dtype
    if tensor.is_meta:
        return _rebuild_meta_tensor_no_storage, (dtype, tuple(tensor.size()), tensor.stride(), tensor.requires_grad)
    untyped = tensor.untyped_storage()
    hooks = collections.OrderedDict()
    place = tensor.storage_offset(), tuple(tensor.size()), tensor.stride(), tensor.requires_grad, hooks
    if dtype in NAME_OF_DTYPE:
        return _rebuild_tensor_v2, (TypedStorage(wrap_storage=untyped, dtype=dtype), *place)
    return _rebuild_tensor_v3, (TensorsStorage(wrap_storage=untyped, dtype=dtype), *place, dtype)


def refuse_history(tensor):
    """RuntimeError for a tensor that was computed with gradients, which no other process could be told of."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad: what it was computed from stays in this "
            "process, and a gradient could not come back. Send tensor.detach()"
        )


class KeyErrorMessage(str):
    """Text that a KeyError shows as it is, with its line breaks, instead of the quoted form of a key."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


class ExceptionWrapper:
    """An exception as text, to be sent to another process and raised there. Tracebacks and frames cannot be sent.

    exc_info: as sys.exc_info() returns it; the exception being handled unless told.
    where: words for where it happened, such as "in DataLoader worker process 0"."""

    def __init__(self, exc_info=None, where="in background"):
        kind, value, where_raised = exc_info or sys.exc_info()
        self.exc_type = kind
        self.exc_msg = "".join(traceback.format_exception(kind, value, where_raised))
        self.where = where

    def reraise(self):
        """Raise an exception of the same type whose text holds the original traceback; RuntimeError where the type
        cannot be made from a text."""
        text = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if issubclass(self.exc_type, KeyError):
            raise self.exc_type(KeyErrorMessage(text))
        try:
            # Some types take their text by this name alone.
            by_name = getattr(self.exc_type, "message", None)
            exception = self.exc_type(message=text) if by_name else self.exc_type(text)
        except Exception:
            exception = RuntimeError(text)
        raise exception from None
