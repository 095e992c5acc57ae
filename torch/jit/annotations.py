"""Types that annotations for TorchScript are written with, and questions about them."""

import types as _types
import typing
from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: F401, UP035

import torch
from torch._absent import rest_of
from torch.futures import Future

__all__ = [
    "Any",
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "Dict",
    "Future",
    "List",
    "Optional",
    "Tuple",
    "Union",
    "is_dict",
    "is_future",
    "is_list",
    "is_optional",
    "is_tensor",
    "is_tuple",
    "is_union",
]


class BroadcastingListCls:
    """A list of several numbers, for which one number may stand: BroadcastingList2[int]."""

    def __getitem__(self, types):
        return None


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = BroadcastingListCls()


def _is(ann, kind):
    return typing.get_origin(ann) is kind


def is_tuple(ann):
    """Whether an annotation is of a tuple with the types of its elements."""
    return _is(ann, tuple)


def is_list(ann):
    """Whether an annotation is of a list with the type of its elements."""
    return _is(ann, list)


def is_dict(ann):
    """Whether an annotation is of a dict with the types of its keys and values."""
    return _is(ann, dict)


def is_union(ann):
    """Whether an annotation is of one of several types."""
    return typing.get_origin(ann) in (Union, _types.UnionType)


def is_optional(ann):
    """Whether an annotation is of a type or None."""
    parts = typing.get_args(ann)
    return is_union(ann) and len(parts) == 2 and type(None) in parts


def is_future(ann):
    """Whether an annotation is of a Future with the type of its value."""
    return _is(ann, Future)


def is_tensor(ann):
    """Whether an annotation is of a tensor."""
    return isinstance(ann, type) and issubclass(ann, torch.Tensor)


__getattr__, __dir__ = rest_of(__name__)
