"""Forward mode: tensors that carry a tangent, and functions of them whose results carry theirs.

    with torch.autograd.forward_ad.dual_level():
        y = function(make_dual(x, tangent))
        unpack_dual(y).tangent  # the Jacobian of the function at x, times the tangent

Inside of a level every function of torch is asked for its tangent after it has run (_duals.py): its gradient is linear in
what it is given, v, and the derivative of the gradient's product with the tangent by v is the Jacobian times the tangent.
So whatever has a gradient that can be differentiated has a tangent, and each function is computed a second time for it.
Primals do not require a gradient that did not before; what does is differentiated as ever, its tangent, too.

Of a dual tensor itself no gradient is taken inside of the level (NotImplementedError): that of `unpack_dual(y).primal` is, and
torch.autograd.functional.hvp gives products with second derivatives. Tangents are followed in the thread that has entered
the level, as far as functions of torch are called from Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch._contextlib import _DecoratorContextManager

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]

_level = None  # the one that has been entered: an object of torch.autograd._duals


class UnpackedDualTensor(NamedTuple):
    """What unpack_dual() returns: the tensor without its tangent; the tangent, or None."""

    primal: torch.Tensor
    tangent: torch.Tensor | None


def enter_dual_level() -> int:
    """Begins a level and returns its number, 0; dual_level() is the context that ends it, too. RuntimeError within another."""
    global _level
    if _level is not None:
        raise RuntimeError("Nested forward mode AD is not supported: leave the level that has been entered first")
    from torch.autograd._duals import Level

    _level = Level()
    _level.begin()
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Ends the level: all tangents are forgotten. RuntimeError where there is none."""
    global _level
    if _level is None:
        raise RuntimeError("exit_dual_level(): no level has been entered")
    if level not in (None, 0):
        raise RuntimeError(f"exit_dual_level(): the level is 0, got {level}")
    ended, _level = _level, None
    ended.end()


def make_dual(tensor: torch.Tensor, tangent: torch.Tensor, *, level: int | None = None) -> torch.Tensor:
    """A view of `tensor` with a tangent of its shape, which is kept, not copied, if dtype and strides are the same."""
    for name, value in (("tensor", tensor), ("tangent", tangent)):
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"make_dual(): {name} must be a Tensor, got {type(value).__name__}")
    if _level is None:
        raise RuntimeError("make_dual(): no level exists: call it within dual_level(), or after enter_dual_level()")
    if level not in (None, 0):
        raise RuntimeError(f"make_dual(): the level is 0, got {level}")
    for name, value in (("primal", tensor), ("tangent", tangent)):
        if not (value.is_floating_point() or value.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {value.dtype}")
    if tangent.is_complex() and not tensor.is_complex():
        raise ValueError(
            f"make_dual(): a tangent of {tangent.dtype} to a tensor of {tensor.dtype}, which has no imaginary part"
        )
    return _level.make(tensor, tangent)


def unpack_dual(tensor: torch.Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """(the tensor without its tangent, its tangent): a view, and None for the latter where nothing with a tangent took part, or
    no level has been entered."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"unpack_dual(): argument must be Tensor, not {type(tensor).__name__}")
    if _level is None or level not in (None, 0):
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*_level.unpack(tensor))


class dual_level(_DecoratorContextManager):  # noqa: N801 - torch's name
    """A context, or a decorator, in which tensors may have tangents."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        exit_dual_level()
