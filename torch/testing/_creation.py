"""make_tensor: tensors of random elements, for tests."""

from __future__ import annotations

import math
import warnings

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


__all__ = ["make_tensor"]

_INTEGRAL = (
    *(torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.uint8, torch.uint16, torch.uint32, torch.uint64),
)
_FLOAT8 = (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz)
_FLOATING = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_COMPLEX = (torch.complex32, torch.complex64, torch.complex128)


def _interval(low, high, dtype, default, lowest, above):
    """Both ends, as numbers within the dtype's; integers for integral dtypes.

    `lowest` is the least that the dtype has, `above` what is beyond its greatest; for floating dtypes the greatest.
    """
    low = default[0] if low is None else low
    high = default[1] if high is None else high
    if any(isinstance(x, float) and math.isnan(x) for x in (low, high)):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and dtype in _FLOATING + _COMPLEX:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated since 2.1 and "
            "will be removed in 2.3. Use `torch.full(...)` instead.",
            FutureWarning,
            stacklevel=4,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < lowest or low >= above:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports "
            f"[{lowest}, {above})"
        )
    low, high = max(low, lowest), min(high, above)
    if dtype in (torch.bool, *_INTEGRAL):
        return math.ceil(low), math.ceil(high)
    return low, high


def _floats(shape, dtype, device, low, high):
    """Evenly from [low, high), also where their distance overflows."""
    result = torch.empty(shape, dtype=dtype, device=device)
    real = torch.view_as_real(result) if dtype.is_complex else result
    if low == high:
        real.fill_(low)
    elif high - low > torch.finfo(real.dtype).max:
        real.uniform_(low / 2, high / 2).mul_(2)
    else:
        real.uniform_(low, high)
    return result


def _elements(shape, dtype, device, low, high):
    if dtype is torch.bool:
        low, high = _interval(low, high, dtype, (0, 2), 0, 2)
        return torch.randint(low, high, shape, device=device, dtype=dtype)
    if dtype in _INTEGRAL:
        info = torch.iinfo(dtype)
        default = (0 if dtype is torch.uint8 else -9, 10)
        low, high = _interval(low, high, dtype, default, info.min, info.max + 1)
        # randint's bounds are int64
        drawn = torch.randint(low, min(high, 2**63 - 1), shape, device=device, dtype=torch.int64)
        return drawn.to(dtype)
    if dtype in _FLOATING + _COMPLEX:
        info = torch.finfo(dtype)
        low, high = _interval(low, high, dtype, (-9, 9), info.min, info.max)
        if dtype is torch.complex32:
            return _floats(shape, torch.complex64, device, low, high).to(dtype)
        return _floats(shape, dtype, device, low, high)
    if dtype in _FLOAT8:
        info = torch.finfo(dtype)
        low, high = _interval(low, high, dtype, (-9, 9), info.min, info.max)
        return _floats(shape, torch.float32, device, low, high).to(dtype)
    raise TypeError(f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor().")


def make_tensor(
    *shape: int | torch.Size | list[int] | tuple[int, ...],
    dtype: torch.dtype,
    device: str | torch.device,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format=None,
) -> Tensor:
    """A tensor of random elements from [low, high).

    Args:
        shape (ints, or one tuple or list of them): the tensor's shape
        dtype (torch.dtype), device (str or torch.device): the tensor's
        low, high (number, optional): by default -9 and 10 for integers (0 and 10 for uint8), -9 and 9 for floating and
            complex dtypes, 0 and 2 for bool. They are cut to what the dtype can hold
        requires_grad (bool): as of torch.tensor
        noncontiguous (bool): with gaps between the elements, where there are two or more
        exclude_zero (bool): zeros become the smallest positive number (1 for integers)
        memory_format (torch.memory_format, optional): excludes `noncontiguous`

    Raises ValueError for bounds that are NaN, out of order or beyond the dtype's, for `requires_grad` of an integral dtype,
    and for options that exclude each other; TypeError for other dtypes.
    """
    if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}")
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
            f"{noncontiguous=} and {memory_format=}"
        )
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        (shape,) = shape
    result = _elements(tuple(shape), dtype, device, low, high)
    if noncontiguous and result.numel() > 1:
        result = torch.repeat_interleave(result, 2, dim=-1)[..., ::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        smallest = torch.finfo(dtype).tiny if dtype.is_floating_point or dtype.is_complex else 1
        result[result == 0] = smallest
    return result.requires_grad_() if requires_grad else result
