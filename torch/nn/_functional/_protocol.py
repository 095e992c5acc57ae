"""What the functions share: the protocol __torch_function__, warnings of shapes, and the dtype of statistics."""

import functools
from typing import Any, TypeVar

import torch
from torch import _C
from torch._python_bodies import AUTOCAST
from torch.overrides import handle_torch_function, has_torch_function, has_torch_function_variadic

_F = TypeVar("_F")


def overridable(function: _F) -> _F:
    """Types with a __torch_function__ among the arguments, and modes, are asked before `function` runs; then
    torch.autocast, if it names the function."""
    policies = AUTOCAST.get(function.__name__)
    if policies:
        return _casting(function, policies)

    @functools.wraps(function)
    def asking(*args, **kwargs):
        if has_torch_function_variadic(*args) or (kwargs and has_torch_function(tuple(kwargs.values()))):
            return handle_torch_function(asking, (*args, *kwargs.values()), *args, **kwargs)
        return function(*args, **kwargs)

    asking.__module__ = "torch.nn.functional"
    return asking


def _casting(function: Any, policies: Any) -> Any:
    converts, call = _C._autocast_converts, _C._autocast_call

    @functools.wraps(function)
    def asking(*args, **kwargs):
        if has_torch_function_variadic(*args) or (kwargs and has_torch_function(tuple(kwargs.values()))):
            return handle_torch_function(asking, (*args, *kwargs.values()), *args, **kwargs)
        if converts():
            return call(function, policies, args, kwargs)
        return function(*args, **kwargs)

    asking.__module__ = "torch.nn.functional"
    return asking


def broadcast_pair(name, input, target):
    """Input and target of a loss in one shape, with a warning where they had two."""
    if input.size() == target.size():
        return input, target
    import warnings

    warnings.warn(
        f"Using a target size ({target.size()}) that is different to the input size ({input.size()}): {name} compares "
        "them by broadcasting, which is seldom what was meant",
        stacklevel=4,
    )
    return torch.broadcast_tensors(input, target)


def compute_dtype(input):
    """The dtype that statistics are computed in: float32 for half types."""
    return torch.float32 if input.dtype in (torch.float16, torch.bfloat16) else input.dtype
