"""Hearing of operators below autograd, by __torch_dispatch__. This torch has no dispatcher that calls Python: a
TorchDispatchMode cannot be entered, and says so. torch.overrides.TorchFunctionMode hears of functions and methods.

What asks whether such a mode is active, and what takes tensors apart that say how (`__tensor_flatten__`), works.
"""

import contextlib
import warnings

import torch

__all__ = [
    "BaseTorchDispatchMode",
    "TorchDispatchMode",
    "any_torch_dispatch_mode_on_stack",
    "is_in_any_mode_without_ignore_compile_internals",
    "is_in_torch_dispatch_mode",
    "is_traceable_wrapper_subclass",
    "is_traceable_wrapper_subclass_type",
    "return_and_correct_aliasing",
    "transform_subclass",
]

_WHY = (
    "this torch has no dispatcher that calls Python; torch.overrides.TorchFunctionMode hears of functions and methods"
)


def is_in_torch_dispatch_mode(include_infra_modes=True):
    """False: there is no such mode."""
    return False


def is_in_any_mode_without_ignore_compile_internals():
    """False: there is no such mode."""
    return False


def any_torch_dispatch_mode_on_stack(*, include_infra_modes=True):
    """False: there is no such mode."""
    return False


class TorchDispatchMode:
    """A mode that would hear of operators below autograd. Classes can be derived from it; entering one raises
    NotImplementedError."""

    supports_higher_order_operators = False

    def __init__(self, _dispatch_key=None):
        if _dispatch_key is not None:
            raise NotImplementedError(f"TorchDispatchMode(_dispatch_key={_dispatch_key!r}): {_WHY}")

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        raise NotImplementedError(f"{type(self).__name__} is a TorchDispatchMode, which cannot be entered: {_WHY}")

    def __exit__(self, exc_type, exc_val, exc_tb):
        raise NotImplementedError(f"{type(self).__name__} is a TorchDispatchMode, which cannot be entered: {_WHY}")

    @classmethod
    def push(cls, *args, **kwargs):
        """An instance."""
        warnings.warn("`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`", stacklevel=2)
        return cls(*args, **kwargs)

    @classmethod
    def ignore_compile_internals(cls):
        return False

    @classmethod
    def is_infra_mode(cls):
        return False


class BaseTorchDispatchMode(TorchDispatchMode):
    """A mode that changes nothing."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_dispatch_mode():
    """None: there is no such mode."""


def _get_current_dispatch_mode_stack():
    return []


@contextlib.contextmanager
def _disable_current_modes():
    """A context that changes nothing: there are no such modes."""
    yield []


def is_traceable_wrapper_subclass(t):
    """Whether it is a tensor of a derived type that says how it is taken apart and put together, by the methods
    __tensor_flatten__ and __tensor_unflatten__."""
    return isinstance(t, torch.Tensor) and is_traceable_wrapper_subclass_type(type(t))


def is_traceable_wrapper_subclass_type(t):
    """The same of a type."""
    return (
        issubclass(t, torch.Tensor)
        and t is not torch.Tensor
        and hasattr(t, "__tensor_flatten__")
        and hasattr(t, "__tensor_unflatten__")
    )


def transform_subclass(t, callback, outer_size=None, outer_stride=None):
    """The tensor with callback(name, inner) for each tensor in it."""
    outer_size = t.size() if outer_size is None else outer_size
    outer_stride = t.stride() if outer_stride is None else outer_stride
    names, context = t.__tensor_flatten__()
    inner = {name: callback(name, getattr(t, name)) for name in names}
    made = type(t).__tensor_unflatten__(inner, context, outer_size, outer_stride)
    if made.shape != outer_size or tuple(made.stride()) != tuple(outer_stride):
        raise AssertionError(
            f"__tensor_unflatten__ of {type(t).__name__} made a tensor of size {tuple(made.shape)} and stride "
            f"{tuple(made.stride())}; wanted are {tuple(outer_size)} and {tuple(outer_stride)}"
        )
    return made


def return_and_correct_aliasing(func, args, kwargs, out):
    """NotImplementedError: what __torch_dispatch__ returns, which nothing here calls."""
    raise NotImplementedError(f"return_and_correct_aliasing: {_WHY}")
