"""Items to a batch: default_collate stacks them, default_convert takes them one by one."""

import collections.abc
import copy
import re
import sys

import torch

# Kinds of NumPy's dtypes that no tensor has. The name is the one that libraries import.
np_str_obj_array_pattern = re.compile("[SaUO]")

_CANNOT = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def _is_numpy(value):
    """Whether `value` is an array or a number of NumPy, which need not be installed."""
    kind = type(value)
    return kind.__module__ == "numpy" and hasattr(value, "dtype")


def _has_text_or_objects(array):
    return np_str_obj_array_pattern.search(array.dtype.str) is not None


def _is_namedtuple(value):
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _mapping_like(model, items):
    """A mapping of `model`'s type and attributes with `items`; a dict where that type cannot be made so."""
    try:
        if isinstance(model, collections.abc.MutableMapping):
            filled = copy.copy(model)
            filled.update(items)
            return filled
        return type(model)(items)
    except TypeError:
        return items


def _sequence_like(model, items):
    """The same for sequences; a list where the type cannot be made so."""
    try:
        if isinstance(model, collections.abc.MutableSequence):
            filled = copy.copy(model)
            for i, item in enumerate(items):
                filled[i] = item
            return filled
        return type(model)(items)
    except TypeError:
        return items


def default_convert(data):
    """`data` with NumPy's arrays and numbers as tensors, at any depth of mappings, sequences and named tuples; what is
    something else stays as it is. What a DataLoader does to each item where batch_size is None."""
    if isinstance(data, torch.Tensor):
        return data
    if _is_numpy(data) and not isinstance(data, (str, bytes)):
        if type(data).__name__ == "ndarray" and _has_text_or_objects(data):
            return data
        return torch.as_tensor(data)
    if isinstance(data, collections.abc.Mapping):
        return _mapping_like(data, {key: default_convert(data[key]) for key in data})
    if _is_namedtuple(data):
        return type(data)(*(default_convert(item) for item in data))
    if isinstance(data, tuple):
        return [default_convert(item) for item in data]
    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        return _sequence_like(data, [default_convert(item) for item in data])
    return data


def collate(batch, *, collate_fn_map=None):
    """One value of the items in `batch`, a sequence that is not empty.

    collate_fn_map: {type or tuple of types: f(batch, *, collate_fn_map)}. A function is chosen by the type of the
    first item: by that very type, or else by the first entry that it is an instance of.
    Mappings, named tuples and sequences are taken apart and their values collated in turn.
    Raises RuntimeError for sequences of several lengths, TypeError for an item that nothing above fits."""
    first = batch[0]
    kind = type(first)
    if collate_fn_map is not None:
        if kind in collate_fn_map:
            return collate_fn_map[kind](batch, collate_fn_map=collate_fn_map)
        for types, function in collate_fn_map.items():
            if isinstance(first, types):
                return function(batch, collate_fn_map=collate_fn_map)

    def again(samples):
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(first, collections.abc.Mapping):
        return _mapping_like(first, {key: again([item[key] for item in batch]) for key in first})
    if _is_namedtuple(first):
        return kind(*(again(samples) for samples in zip(*batch)))
    if isinstance(first, collections.abc.Sequence):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [again(samples) for samples in zip(*batch)]
        return columns if isinstance(first, tuple) else _sequence_like(first, columns)
    raise TypeError(_CANNOT.format(kind))


def collate_tensor_fn(batch, *, collate_fn_map=None):
    """Tensors of one shape, stacked along a new first dimension."""
    return torch.stack(list(batch), 0)


def collate_numpy_array_fn(batch, *, collate_fn_map=None):
    """Arrays of one shape, stacked as tensors. Raises TypeError for arrays of text or objects."""
    if _has_text_or_objects(batch[0]):
        raise TypeError(_CANNOT.format(batch[0].dtype))
    return collate([torch.as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch, *, collate_fn_map=None):
    """NumPy's numbers to a tensor of one dimension and their dtype."""
    return torch.as_tensor(batch)


def collate_float_fn(batch, *, collate_fn_map=None):
    """Floats to a float64 tensor."""
    return torch.tensor(batch, dtype=torch.float64)


def collate_int_fn(batch, *, collate_fn_map=None):
    """Ints to an int64 tensor, bools to a bool tensor."""
    return torch.tensor(batch)


def collate_str_fn(batch, *, collate_fn_map=None):
    """Text and bytes stay as they are."""
    return batch


default_collate_fn_map = {
    torch.Tensor: collate_tensor_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def _add_numpy():
    """Take NumPy's types into the map once the program has imported it, above those of Python: numpy.float64 is a
    float, numpy.str_ a str."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not hasattr(numpy, "ndarray") or numpy.ndarray in default_collate_fn_map:
        return
    own = dict(default_collate_fn_map)
    default_collate_fn_map.clear()
    default_collate_fn_map[torch.Tensor] = own.pop(torch.Tensor, collate_tensor_fn)
    default_collate_fn_map[numpy.ndarray] = collate_numpy_array_fn
    default_collate_fn_map[(numpy.bool_, numpy.number, numpy.object_)] = collate_numpy_scalar_fn
    default_collate_fn_map.update(own)


_add_numpy()


def default_collate(batch):
    """One value of the items in `batch`: tensors, arrays and numbers get a new first dimension, mappings, sequences
    and named tuples are collated value by value, text stays a list. A tuple becomes a list.

    Raises TypeError for items of another type, RuntimeError for shapes or lengths that differ, IndexError for an
    empty batch."""
    _add_numpy()
    return collate(batch, collate_fn_map=default_collate_fn_map)
