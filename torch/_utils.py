"""What pickles of tensors call: the names are those that torch.save of every PyTorch writes into files. And what
may go to another process, and how its exceptions come back."""

import sys
import traceback
from _thread import get_ident

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


# By thread that reads a file whose storages' bytes come behind its pickle: the sparse tensors that it has made so far.
_sparse_tensors_to_validate = {}


def _rebuild_sparse_tensor(layout, data):
    """A tensor of a sparse layout. RuntimeError where its indices lie."""
    from torch.sparse import _pickling

    made = _pickling.unchecked(layout, data)
    waiting = _sparse_tensors_to_validate.get(get_ident())
    if waiting is None:
        _pickling.validate(made)
    else:
        waiting.append(made)
    return made


class _validating_sparse_tensors_at_the_end:
    def __enter__(self):
        self.waiting = []
        self.before = _sparse_tensors_to_validate.get(get_ident())
        _sparse_tensors_to_validate[get_ident()] = self.waiting

    def __exit__(self, *error):
        if self.before is None:
            del _sparse_tensors_to_validate[get_ident()]
        else:
            _sparse_tensors_to_validate[get_ident()] = self.before
        if not any(error):
            _validate_loaded_sparse_tensors(self.waiting)


def _validate_loaded_sparse_tensors(tensors):
    for tensor in tensors:
        torch._validate_sparse_tensor(tensor)


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
    if tensor.layout != torch.strided:
        from torch.sparse import _pickling

        return _rebuild_sparse_tensor, _pickling.reduce(tensor)
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


# ---- lists of tensors as one -------------------------------------------------------------------------------
def _flatten_dense_tensors(tensors):
    """All elements of a sequence of tensors of one type, one after the other, as a vector."""
    return torch.cat([tensor.contiguous().view(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat, tensors):
    """Views of `flat`, as `_flatten_dense_tensors` has made it, in the shapes of `tensors`."""
    parts, start = [], 0
    for tensor in tensors:
        parts.append(flat.narrow(0, start, tensor.numel()).view_as(tensor))
        start += tensor.numel()
    return tuple(parts)


def _take_tensors(tensors, size_limit):
    """Lists of tensors of one type and together of at most about `size_limit` bytes, in the order in which they are full."""
    waiting = {}
    for tensor in tensors:
        group, size = waiting.get(tensor.type(), ([], 0))
        more = tensor.numel() * tensor.element_size()
        if group and size + more > size_limit:
            yield group
            group, size = [], 0
        waiting[tensor.type()] = [*group, tensor], size + more
    for group, _ in waiting.values():
        if group:
            yield group


def _reorder_tensors_as(tensors, ordered_tensors):
    """`tensors`, which come in groups of a type, in the order of types that `ordered_tensors` have."""
    of_type = {}
    for tensor in tensors:
        of_type.setdefault(tensor.type(), []).append(tensor)
    iterators = {kind: iter(group) for kind, group in of_type.items()}
    return tuple(next(iterators[tensor.type()]) for tensor in ordered_tensors)


# ---- devices -----------------------------------------------------------------------------------------------
def _get_available_device_type():
    """The kind of the device besides the CPU, a str; None without one."""
    found = torch.accelerator.current_accelerator()
    return None if found is None else found.type


def _get_device_index(device, optional=False, allow_cpu=False):
    """The index of a device: an int, a str, a torch.device. -1 for the CPU where `allow_cpu`; the current device's where
    `optional` and none is said. ValueError else."""
    if isinstance(device, int):
        return device
    found = torch.device(device) if isinstance(device, str) else device
    if isinstance(found, torch.device):
        if found.type == "cpu" and not allow_cpu:
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        index = -1 if found.type == "cpu" else found.index
        if index is not None:
            return index
    if not optional:
        raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")
    return _get_current_device_index()


def _get_current_device_index():
    """The index of the current device; -1 without one."""
    kind = _get_available_device_type()
    return -1 if kind is None else torch.get_device_module(kind).current_device()


get_current_device_index = _get_current_device_index


def _get_all_device_indices():
    """The indices of all devices besides the CPU."""
    kind = _get_available_device_type()
    return [] if kind is None else list(range(torch.get_device_module(kind).device_count()))


def _get_obj_state(obj):
    """What pickle is to store of an object's attributes: a dict, or (dict, {slot: value}), or what it says itself."""
    import copyreg

    get = getattr(obj, "__getstate__", None)
    if get is not None and type(obj).__getstate__ is not object.__getstate__ and not isinstance(obj, torch.Tensor):
        return get()
    slots = {name: getattr(obj, name) for name in copyreg._slotnames(type(obj)) if hasattr(obj, name)}
    return (obj.__dict__, slots) if slots else obj.__dict__


def _import_dotted_name(name):
    """What "torch.nn.Linear" names."""
    first, *parts = name.split(".")
    found = __import__(first)
    for part in parts:
        found = getattr(found, part)
    return found


def is_compiling():
    """Whether the caller is being compiled: no."""
    return False


class classproperty:  # noqa: N801 - torch's name
    """A property of a class, read from the class itself."""

    def __init__(self, fget):
        self.fget = fget

    def __get__(self, instance, owner=None):
        return self.fget(type(instance) if owner is None else owner)


class CallbackRegistry:
    """Functions that are told of an event by whoever calls fire_callbacks(). What one raises is logged."""

    def __init__(self, name):
        self.name, self.callback_list = name, []

    def __class_getitem__(cls, parameters):
        return cls

    def add_callback(self, cb):
        """One more."""
        self.callback_list.append(cb)

    def fire_callbacks(self, *args, **kwargs):
        """Calls all of them."""
        for callback in self.callback_list:
            try:
                callback(*args, **kwargs)
            except Exception:
                import logging

                logging.getLogger(__name__).exception("a callback of %s has raised", self.name)


def _dummy_type(name):
    """A class that cannot be made, in the place of one that torch was built without."""

    def refuse(cls, *args, **kwargs):
        raise RuntimeError(f"Tried to instantiate dummy base class {name}")

    return type(name, (), {"__new__": refuse})


def render_call(fn, args, kwargs):
    """The call as text, for messages."""
    name = torch.overrides.resolve_name(fn) or getattr(fn, "__name__", str(fn))
    texts = [*map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())]
    return f"{name}({', '.join(texts)})"
