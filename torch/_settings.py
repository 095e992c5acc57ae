"""Settings of the whole process: where and of what type tensors are made, determinism."""

from __future__ import annotations

import inspect
import warnings

import torch
from torch import _C, _tensor_types
from torch._C import Size, Tensor, device as _device, dtype as _dtype

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.types import Device


# ---- defaults ----------------------------------------------------------------------------------------------
def set_default_tensor_type(t: type[Tensor] | str, /) -> None:
    """Sets the default float dtype by a type like torch.DoubleTensor or its name. Deprecated: set_default_dtype."""
    if isinstance(t, str):
        given, (module, _, name) = t, t.rpartition(".")
        t = _tensor_types.TYPES.get(name) if module == "torch" else None
        if t is None:
            raise ModuleNotFoundError(f"there is no tensor type '{given}'")
    warnings.warn(
        "torch.set_default_tensor_type() is deprecated: torch.set_default_dtype() sets the dtype, and "
        "torch.set_default_device() the device.",
        stacklevel=2,
    )
    if getattr(t, "is_sparse", False):
        raise TypeError("only dense types are supported as the default type")
    dtype = getattr(t, "dtype", None) if isinstance(t, type) else None
    if not isinstance(dtype, _dtype):
        raise TypeError("invalid type object: only floating-point types are supported as the default type")
    torch.set_default_dtype(dtype)


def set_default_device(device: Device) -> None:
    """The device that this thread makes tensors on: "cpu", "meta". With any other, which this build has no backend for,
    functions that make tensors raise."""
    _C._set_default_device(None if device is None else _device(device))


def get_default_device() -> torch.device:
    """The device that tensors are made on where no other is given."""
    device = _C._get_default_device()
    torch.empty(0, device=device)  # raises where no tensor can live
    return device


# ---- determinism -------------------------------------------------------------------------------------------
_deterministic = False
_warn_only = False


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Whether operators must give the same result each time. Here they do in any case, for any number of threads."""
    global _deterministic, _warn_only
    for name, value in (("mode' (position 1)", mode), ("warn_only'", warn_only)):
        if not isinstance(value, bool):
            raise TypeError(
                f"_set_deterministic_algorithms(): argument '{name} must be bool, not {type(value).__name__}"
            )
    _deterministic, _warn_only = mode, warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """What use_deterministic_algorithms has set."""
    return _deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether use_deterministic_algorithms was called with warn_only: warnings instead of errors."""
    return _warn_only


_MODES = ("default", "warn", "error")


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """use_deterministic_algorithms by a word or number: "default" (0), "warn" (1), "error" (2)."""
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise RuntimeError(
                f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
            )
        debug_mode = _MODES.index(debug_mode)
    elif not isinstance(debug_mode, int):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode() -> int:
    """The number that set_deterministic_debug_mode takes."""
    return 0 if not _deterministic else 1 if _warn_only else 2


# ---- modules of devices ------------------------------------------------------------------------------------
def get_device_module(device: torch.device | str | None = None):
    """The module with a device's functions: torch.cuda for "cuda", torch.cpu for "cpu". `device` is a torch.device or its
    name; None: the accelerator that this torch was built for, else the CPU. RuntimeError for a device without one."""
    device = torch.accelerator.current_accelerator() or "cpu" if device is None else device
    kind = _device(device).type
    module = getattr(torch, kind, None)
    if not inspect.ismodule(module):
        raise RuntimeError(f"Device '{kind}' does not have a corresponding module registered as 'torch.{kind}'.")
    return module


# ---- questions ---------------------------------------------------------------------------------------------
def compiled_with_cxx11_abi() -> bool:
    """Whether libstdc++'s new std::string is used: it always is."""
    return True


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes broadcast to."""
    result = []
    for at, shape in enumerate(shapes):
        if isinstance(shape, int):
            shape = (shape,)  # noqa: PLW2901
        if not isinstance(shape, (tuple, list)):
            raise RuntimeError(f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {shape}")
        result[:0] = [1] * (len(shape) - len(result))
        for back in range(-1, -len(shape) - 1, -1):
            length = shape[back]
            if length < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if length == 1 or length == result[back]:
                continue
            if result[back] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {length} at {back}! Mismatching argument at index "
                    f"{at} had {tuple(shape)}; but expected shape should be broadcastable to {result}"
                )
            result[back] = length
    return Size(result)


def typename(obj, /) -> str:
    """The name of an object's type, with its module; of a tensor, its tensor type: "torch.FloatTensor"."""
    if isinstance(obj, Tensor):
        return obj.type()
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(named, "__module__", None) or ""
    return named.__qualname__ if module in ("", "builtins") else f"{module}.{named.__qualname__}"


def is_nonzero(input):  # noqa: A002 - torch's name
    """Whether the one element of a tensor is not zero."""
    return Tensor.is_nonzero(input)
