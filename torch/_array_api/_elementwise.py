"""Functions of elements."""

import functools

import torch
from torch._array_api._promotion import isdtype, promoted

_SAME = (
    "abs acos acosh asin asinh atan atanh bitwise_not conj cos cosh exp expm1 imag isfinite isinf isnan log log10 log1p "
    "log2 logical_not negative positive reciprocal signbit sin sinh sqrt square tan tanh"
).split()
_BINARY = {
    "add": "add",
    "atan2": "atan2",
    "bitwise_and": "bitwise_and",
    "bitwise_left_shift": "bitwise_left_shift",
    "bitwise_or": "bitwise_or",
    "bitwise_right_shift": "bitwise_right_shift",
    "bitwise_xor": "bitwise_xor",
    "copysign": "copysign",
    "divide": "div",
    "equal": "eq",
    "floor_divide": "floor_divide",
    "greater": "gt",
    "greater_equal": "ge",
    "hypot": "hypot",
    "less": "lt",
    "less_equal": "le",
    "logaddexp": "logaddexp",
    "logical_and": "logical_and",
    "logical_or": "logical_or",
    "logical_xor": "logical_xor",
    "maximum": "maximum",
    "minimum": "minimum",
    "multiply": "mul",
    "nextafter": "nextafter",
    "not_equal": "ne",
    "pow": "pow",
    "remainder": "remainder",
    "subtract": "sub",
}
_WIDE_SHIFTS = ("bitwise_left_shift", "bitwise_right_shift")
# Those whose kernels take two tensors
_TENSORS_ONLY = ("atan2", "copysign", "hypot", "logaddexp", "maximum", "minimum", "nextafter")


def _unary(name):
    function = getattr(torch, name)

    def call(x, /):
        return function(x)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"torch.{name} of each element."
    return call


def _as_tensors(name, x1, x2):
    """Both as tensors; a number becomes one of the other's dtype, by the rules of numbers."""
    if isinstance(x1, torch.Tensor) and isinstance(x2, torch.Tensor):
        return promoted(x1, x2)
    array = x1 if isinstance(x1, torch.Tensor) else x2
    if not isinstance(array, torch.Tensor):
        raise TypeError(f"{name}(): at least one argument must be an array, got {x1!r} and {x2!r}")
    if name not in _TENSORS_ONLY and (name not in _WIDE_SHIFTS or array is x1):
        return x1, x2
    dtype = torch.result_type(array, x2 if array is x1 else x1)
    of = functools.partial(torch.asarray, dtype=dtype, device=array.device)
    return (array.to(dtype), of(x2)) if array is x1 else (of(x1), array.to(dtype))


def _binary(name, torchs):
    function = getattr(torch, torchs)

    def call(x1, x2, /):
        return function(*_as_tensors(name, x1, x2))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"torch.{torchs} of each pair of elements, which broadcast; of two dtypes that to which they promote."
    )
    return call


def _rounding(name):
    function = getattr(torch, name)

    def call(x, /):
        return function(x) if x.dtype.is_floating_point or x.dtype.is_complex else x.clone()

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"torch.{name} of each element; integers stay as they are."
    return call


def round(x, /):  # noqa: A001 - the standard's name
    """torch.round of each element; of a complex number of both parts."""
    if x.dtype.is_complex:
        return torch.complex(torch.round(x.real), torch.round(x.imag))
    return torch.round(x) if x.dtype.is_floating_point else x.clone()


def real(x, /):
    """The real parts."""
    return torch.real(x)


def sign(x, /):
    """-1, 0 or 1; of a complex number it, divided by its absolute value; of NaN NaN."""
    if x.dtype.is_complex:
        return torch.where(x == 0, torch.zeros_like(x), x / torch.abs(x))
    found = torch.sign(x)
    return torch.where(torch.isnan(x), x, found) if x.dtype.is_floating_point else found


def clip(x, /, min=None, max=None):  # noqa: A002 - the standard's names
    """Elements below `min` become `min`, those above `max` `max`, in the dtype of x."""
    for name, bound in (("min", min), ("max", max)):
        number = isinstance(bound, float) and not isinstance(bound, torch.Tensor)
        if number and isdtype(x.dtype, "integral"):
            raise TypeError(f"clip(): {name}={bound} is a float, but the array is of {x.dtype}")
    if min is None and max is None:
        return x.clone()
    if not isinstance(min, torch.Tensor) and not isinstance(max, torch.Tensor):
        return torch.clamp(x, min, max)
    found = x
    if min is not None:
        low = torch.as_tensor(min, dtype=x.dtype, device=x.device)
        found = torch.where(torch.isnan(low) | (found < low), low, found)
    if max is not None:
        high = torch.as_tensor(max, dtype=x.dtype, device=x.device)
        found = torch.where(torch.isnan(high) | (found > high), high, found)
    return found


FUNCTIONS = {
    **{name: _unary(name) for name in _SAME if name != "bitwise_not"},
    **{name: _binary(name, torchs) for name, torchs in _BINARY.items()},
    **{name: _rounding(name) for name in ("ceil", "floor", "trunc")},
    "bitwise_invert": _unary("bitwise_not"),
    "clip": clip,
    "real": real,
    "round": round,
    "sign": sign,
}
