"""The context in which operators choose their dtype, and what custom Functions need to live in it."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import torch
from torch import _C
from torch._autocast import (
    autocast_decrement_nesting,
    autocast_increment_nesting,
    get_autocast_dtype,
    is_autocast_available,
    is_autocast_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)

__all__ = ["autocast", "autocast_decorator", "custom_bwd", "custom_fwd", "is_autocast_available"]

_CPU_DTYPES = (torch.bfloat16, torch.float16)


def autocast_decorator(autocast_instance, func):
    """`func`, run inside of `autocast_instance`."""

    @functools.wraps(func)
    def decorate_autocast(*args, **kwargs):
        with autocast_instance:
            return func(*args, **kwargs)

    decorate_autocast.__script_unsupported = "@autocast() decorator is not supported in script mode"
    return decorate_autocast


class autocast:  # noqa: N801 - torch's name
    """A context, or a decorator, in which operators choose the dtype that they compute in, in the calling thread.

    Products with weights (convolution, linear, matmul, attention, recurrent layers …) convert their floating-point
    arguments to `dtype`. What needs float32's range converts half types to it: losses, and on the CPU Fourier transforms
    and decompositions, on CUDA devices exponentials, powers, sums, softmax and normalisation. Some convert to the widest
    dtype among their arguments: on the CPU `cat`, `stack` and `index_copy`, on CUDA devices `addcmul`, `dot`,
    `scatter_add` and a few more. All others compute in the dtype that they are given, and so do in-place forms, out=
    forms and float64. Gradients come back in the arguments' dtypes. What weights were converted to is kept until the
    outermost context ends.

    A context is for tensors on one type of device; one for "cpu" inside of one for "cuda" leaves that as it is.

    Args:
        device_type (str): the type of device that tensors are on: "cpu" or "cuda". Contexts of others only tell their
            settings. One for "cuda" where there is no CUDA device warns, and is disabled.
        dtype (torch.dtype, optional): bfloat16 or float16 (default: ``torch.get_autocast_dtype(device_type)``, which is
            bfloat16 for "cpu" and float16 for "cuda"). Others disable a context for "cpu", with a warning.
        enabled (bool): False makes a part of an outer context compute as without one
        cache_enabled (bool, optional): whether converted weights are kept

    Contexts nest. Raises ValueError if `device_type` is no str, RuntimeError for one without autocast and for
    bfloat16 on a CUDA device that has none. Inside of one for "cuda", `binary_cross_entropy` raises RuntimeError.

    Example::

        >>> layer = torch.nn.Linear(3, 2)
        >>> with torch.autocast("cpu", dtype=torch.bfloat16):
        ...     y = layer(torch.ones(1, 3))
        >>> y.dtype
        torch.bfloat16
        >>> y.sum().backward()
        >>> layer.weight.grad.dtype
        torch.float32
    """

    def __init__(
        self,
        device_type: str,
        dtype: torch.dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.device = device_type
        self.custom_backend_name = "privateuseone"
        self._cache_enabled = _C.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        self._outer = []  # settings of contexts around it: one object may be entered again inside of itself
        kind = device_type.partition(":")[0]
        if enabled and kind == "cpu" and self.fast_dtype not in _CPU_DTYPES:
            warnings.warn(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.",
                stacklevel=2,
            )
            enabled = False
        elif enabled and device_type == "cuda":  # of "cuda:0" PyTorch asks neither
            if not torch.cuda.is_available():
                warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
                enabled = False
            elif self.fast_dtype == torch.bfloat16 and not torch.cuda.is_bf16_supported():
                raise RuntimeError("Current CUDA Device does not support bfloat16. Please switch dtype to float16.")
        self._enabled = enabled

    def __enter__(self):
        outer = (is_autocast_enabled(self.device), get_autocast_dtype(self.device), _C.is_autocast_cache_enabled())
        set_autocast_enabled(self.device, self._enabled)
        set_autocast_dtype(self.device, self.fast_dtype)
        autocast_increment_nesting()
        _C.set_autocast_cache_enabled(self._cache_enabled)
        self._outer.append(outer)
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any):
        enabled, dtype, cache = self._outer.pop()
        if autocast_decrement_nesting() == 0:
            _C.clear_autocast_cache()
        set_autocast_enabled(self.device, enabled)
        set_autocast_dtype(self.device, dtype)
        _C.set_autocast_cache_enabled(cache)
        return False

    def __call__(self, func):
        return autocast_decorator(self, func)


def _enter_autocast(*vals):
    """Enter a context of these arguments, and return it."""
    return autocast(*vals).__enter__()


def _exit_autocast(mode):
    """Leave a context that _enter_autocast has returned."""
    mode.__exit__(None, None, None)


def _cast(value, device_type: str, dtype: torch.dtype):
    """`value` with the floating-point tensors of the device, but float64, in `dtype`; lists and dictionaries too."""
    if isinstance(value, torch.Tensor):
        eligible = value.is_floating_point() and value.device.type == device_type and value.dtype != torch.float64
        return value.to(dtype) if eligible else value
    if isinstance(value, dict):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_cast(v, device_type, dtype) for v in value]
        if hasattr(value, "_fields"):
            return type(value)(*items)
        return type(value)(items)
    return value


def _check_type(device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def custom_fwd(fwd=None, *, device_type: str, cast_inputs: torch.dtype | None = None):
    """Decorates the `forward` of a :class:`torch.autograd.Function` that is used inside of autocast.

    Args:
        fwd (callable): the forward method
        device_type (str): the type of device whose autocast is meant
        cast_inputs (torch.dtype, optional): inside of autocast, floating-point tensors among the arguments become this,
            and the method runs as without autocast. None: it runs as the context says.
    """
    _check_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorate_fwd(*args, **kwargs):
        args[0]._dtype = get_autocast_dtype(device_type)
        enabled = is_autocast_enabled(device_type)
        if cast_inputs is None or not enabled:
            args[0]._fwd_used_autocast = enabled if cast_inputs is None else False
            return fwd(*args, **kwargs)
        args[0]._fwd_used_autocast = False
        with autocast(device_type=device_type, enabled=False):
            return fwd(*_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))

    return decorate_fwd


def custom_bwd(bwd=None, *, device_type: str):
    """Decorates the `backward` of a Function whose `forward` has :func:`custom_fwd`: it runs in the context that the
    forward ran in."""
    _check_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorate_bwd(*args, **kwargs):
        with autocast(device_type=device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)

    return decorate_bwd
