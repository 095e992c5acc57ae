"""Batches in memory that an accelerator copies from without waiting."""

import collections.abc

import torch

from .collate import _is_namedtuple, _mapping_like, _sequence_like


def pin_memory(data, device=None):
    """`data` with its tensors in pinned memory, at any depth of mappings, sequences and named tuples; an object with a
    method pin_memory is asked to do it itself."""
    if isinstance(data, torch.Tensor):
        return data.pin_memory()
    if hasattr(data, "pin_memory"):
        return data.pin_memory() if device is None else data.pin_memory(device)
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, collections.abc.Mapping):
        return _mapping_like(data, {key: pin_memory(value, device) for key, value in data.items()})
    if _is_namedtuple(data):
        return type(data)(*(pin_memory(item, device) for item in data))
    if isinstance(data, tuple):
        return [pin_memory(item, device) for item in data]
    if isinstance(data, collections.abc.Sequence):
        return _sequence_like(data, [pin_memory(item, device) for item in data])
    return data
