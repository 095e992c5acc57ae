"""Reductions and normalisations of the elements where a mask is True.

What does not count is replaced by the identity of the operation, so one dense kernel serves; gradients flow to what
counts. `mask` has the shape of the input, or one that broadcasts to it; without one everything counts. `dtype` is that of
the result. A MaskedTensor brings its own mask, which takes the place of `mask` but in the counts of mean(), var() and
std(): those are of `mask`, as in PyTorch, and so of all elements where there is none. What these are of sparse tensors
stands in _sparse.py; of a strided tensor a mask may have any layout.
"""

# ruff: noqa: A001 - the functions are called sum, as those of torch
import functools
import inspect
import math
from collections.abc import Callable
from typing import TypeVar, cast

import torch
from torch import Tensor

_SMALL_INTEGERS = {torch.uint8, torch.bool, torch.int8, torch.int16, torch.int32}
_Dims = int | tuple[int, ...] | list[int] | None


# ---- masks and what stands for nothing ---------------------------------------------------------------------
def _identity(operation, dtype, order=None):
    """What changes no result of an operation, as a number."""
    if operation in ("sum", "prod"):
        return int(operation == "prod")
    if operation == "norm":
        return math.inf if order == -math.inf else 0
    if operation == "median":
        return math.nan  # nanmedian() passes over it
    largest = operation == "amin"
    if dtype.is_floating_point:
        return math.inf if largest else -math.inf
    if dtype.is_complex and operation == "logsumexp":
        return complex(-math.inf, 0)
    if dtype.is_complex:
        raise TypeError(f"masked {operation}: {dtype} numbers have no order, so nothing is their largest or smallest")
    if dtype == torch.bool:
        raise NotImplementedError(f"identity of {operation} on {dtype} input")
    return torch.iinfo(dtype).max if largest else torch.iinfo(dtype).min


_F = TypeVar("_F", bound=Callable[..., Tensor])


def _of_layouts(function: _F) -> _F:
    """The function, which is that of _sparse.py of the same name where a tensor is sparse."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def chosen(*args, **kwargs):
        if not any(isinstance(arg, Tensor) and arg.layout != torch.strided for arg in args[:2]):
            return function(*args, **kwargs)
        from torch.masked import _sparse

        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        return getattr(_sparse, function.__name__)(**given.arguments)

    return cast(_F, chosen)


def _mask_like(input, mask):
    """The mask as booleans, of the shape of `input`."""
    if mask.dim() > input.dim():
        raise IndexError(
            f"mask has {mask.dim()} dimensions and the input {input.dim()}: a mask broadcasts to the input, not the other "
            "way round"
        )
    if mask.layout != torch.strided:
        mask = mask.to(torch.bool).to_dense()
    return mask.to(torch.bool) if mask.shape == input.shape else mask.broadcast_to(input.shape).to(torch.bool)


def _parts(input, mask):
    """(elements, mask or None) of a tensor, or of a MaskedTensor, which brings its own."""
    from torch.masked.maskedtensor.core import is_masked_tensor

    if is_masked_tensor(input):
        return input.get_data(), input.get_mask()
    return input, None if mask is None else _mask_like(input, mask)


def _filled(operation, input, mask, order=None):
    """The elements, the identity in place of those that do not count."""
    data, mask = _parts(input, mask)
    if mask is None:
        return data
    return torch.where(
        mask, data, torch.tensor(_identity(operation, data.dtype, order), dtype=data.dtype, device=data.device)
    )


def _dims(dim, ndim):
    """The dimensions as sorted numbers from the left; all of them for None and ()."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    found, ndim = [], max(ndim, 1)
    for each in (dim,) if isinstance(dim, int) else dim:
        if not -ndim <= each < ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {each})"
            )
        if each % ndim in found:
            raise RuntimeError(f"dim={each} appears multiple times in the list of dims")
        found.append(each % ndim)
    return tuple(sorted(found))


def _counts(input, mask, dim, keepdim):
    """How many elements count: a number without a mask."""
    if mask is None:
        return math.prod(input.shape[each] for each in _dims(dim, input.dim()) if input.dim())
    return _mask_like(input, mask).sum(_dims(dim, input.dim()), keepdim=bool(keepdim))


# ---- reductions --------------------------------------------------------------------------------------------
def _widened(dtype):
    """The dtype in which numbers of this one are added and multiplied."""
    return torch.int64 if dtype in _SMALL_INTEGERS else dtype


@_of_layouts
def sum(
    input: Tensor,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The sum of what counts, 0 of nothing. Small integers are added as int64."""
    filled = _filled("sum", input, mask)
    return torch.sum(filled, _dims(dim, filled.dim()), bool(keepdim), dtype=dtype or _widened(input.dtype))


@_of_layouts
def prod(
    input: Tensor,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The product of what counts, 1 of nothing. Small integers are multiplied as int64."""
    result = _filled("prod", input, mask)
    dims = _dims(dim, result.dim())
    result = result.to(dtype or _widened(input.dtype))
    for each in reversed(dims):
        result = result.prod(each, bool(keepdim))
    return result


@_of_layouts
def amax(
    input: Tensor,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The largest that counts; -inf of nothing, or the smallest integer."""
    filled = _filled("amax", input, mask)
    return torch.amax(filled, _dims(dim, filled.dim()), bool(keepdim)).to(dtype or input.dtype)


@_of_layouts
def amin(
    input: Tensor,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The smallest that counts; inf of nothing, or the largest integer."""
    filled = _filled("amin", input, mask)
    return torch.amin(filled, _dims(dim, filled.dim()), bool(keepdim)).to(dtype or input.dtype)


@_of_layouts
def argmax(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Where the largest that counts is, in the dtype of the input unless `dtype` is given; 0 of nothing."""
    return torch.argmax(_filled("amax", input, mask), dim, bool(keepdim)).to(dtype or input.dtype)


@_of_layouts
def argmin(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Where the smallest that counts is, in the dtype of the input unless `dtype` is given; 0 of nothing."""
    return torch.argmin(_filled("amin", input, mask), dim, bool(keepdim)).to(dtype or input.dtype)


def _inexact(own, dtype):
    """The dtype of a mean."""
    source = "Input" if dtype is None else "Optional"
    dtype = dtype or own
    if not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(
            f"mean(): Could not infer output dtype. {source} dtype must be either a floating point or complex dtype. "
            f"Got: {dtype}"
        )
    return dtype


@_of_layouts
def mean(
    input: Tensor,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The mean of what counts, nan of nothing."""
    dtype = _inexact(input.dtype, dtype)
    total = sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask)
    return total / _counts(input, mask, dim, keepdim)


@_of_layouts
def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The lower median of what counts, nan of nothing. Of integers it is one, and ValueError of nothing."""
    data, mask = _parts(input, mask)
    floating = data.is_floating_point()
    result = torch.nanmedian(
        _filled("median", data if floating else data.to(torch.float32), mask), _dims(dim, data.dim())[0], keepdim
    ).values
    if floating:
        return result
    if result.isnan().any():
        raise ValueError(f"masked median: rows in which nothing counts have none in {input.dtype}")
    return result.to(dtype or input.dtype)


@_of_layouts
def logsumexp(
    input: Tensor,
    dim: _Dims = None,
    *,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """log of the sum of exp of what counts, -inf of nothing."""
    filled = _filled("logsumexp", input, mask)
    return torch.logsumexp(filled, _dims(dim, filled.dim()), keepdim=keepdim).to(dtype or input.dtype)


@_of_layouts
def norm(
    input: Tensor,
    ord: float | None = 2.0,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The norm of order `ord` of what counts as a vector; 0 of nothing, inf if ord is -inf."""
    filled = _filled("norm", input, mask, ord)
    dims = _dims(dim, filled.dim())
    return torch.linalg.vector_norm(filled, ord, dims, bool(keepdim), dtype=dtype or input.dtype)


def _variance_dtypes(own, unbiased, correction, dtype):
    """(that of a variance, that in which it is computed, the correction)."""
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    if correction is None:
        correction = 1.0 if unbiased is None else float(unbiased)
    if dtype is None:
        dtype = own if own.is_floating_point or own.is_complex else torch.float32
    return dtype, dtype if dtype.is_floating_point or dtype.is_complex else torch.float32, correction


@_of_layouts
def _variance(input, dim, unbiased, correction, keepdim, dtype, mask):
    dtype, computed, correction = _variance_dtypes(input.dtype, unbiased, correction, dtype)
    data, own = _parts(input, mask)
    count = _counts(data, mask, dim, True)
    centred = data - sum(data, dim, keepdim=True, dtype=dtype, mask=own) / count
    total = sum(centred * centred.conj(), dim, keepdim=keepdim, dtype=computed, mask=own)
    if isinstance(count, Tensor):
        count = (count if keepdim else count.reshape(total.shape)).to(torch.real(total).dtype)
        count = (count - correction).clamp(min=0)
    else:
        count = max(count - correction, 0)
    return (total / count).to(dtype)


def var(
    input: Tensor,
    dim: _Dims = None,
    unbiased: bool | None = None,
    *,
    correction: int | float | None = None,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The variance of what counts, divided by its number less `correction` (1 unless told); nan of nothing."""
    return _variance(input, dim, unbiased, correction, keepdim, dtype, mask)


def std(
    input: Tensor,
    dim: _Dims = None,
    unbiased: bool | None = None,
    *,
    correction: int | None = None,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The root of var()."""
    return torch.sqrt(_variance(input, dim, unbiased, correction, keepdim, dtype, mask))


# ---- of the input's shape ----------------------------------------------------------------------------------
@_of_layouts
def cumsum(input: Tensor, dim: int, *, dtype: torch.dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """Sums from the beginning to each place, of what counts."""
    filled = _filled("sum", input, mask)
    dtype = dtype or input.dtype
    return torch.cumsum(filled, _dims(dim, filled.dim())[0], dtype=dtype).to(dtype)


@_of_layouts
def cumprod(input: Tensor, dim: int, *, dtype: torch.dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """Products from the beginning to each place, of what counts."""
    filled = _filled("prod", input, mask)
    dtype = dtype or input.dtype
    return torch.cumprod(filled, _dims(dim, filled.dim())[0], dtype=dtype).to(dtype)


@_of_layouts
def softmax(input: Tensor, dim: int, *, dtype: torch.dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """softmax of what counts, 0 elsewhere; nan in rows in which nothing counts."""
    filled = _filled("amax", input, mask)
    return filled.softmax(_dims(dim, filled.dim())[0], dtype=dtype or input.dtype)


@_of_layouts
def log_softmax(input: Tensor, dim: int, *, dtype: torch.dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """log of softmax(), -inf for what does not count."""
    filled = _filled("amax", input, mask)
    return filled.log_softmax(_dims(dim, filled.dim())[0], dtype=dtype or input.dtype)


@_of_layouts
def softmin(input: Tensor, dim: int, *, dtype: torch.dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """softmax() of the input's negative."""
    filled = _filled("amin", input, mask)
    return torch.nn.functional.softmin(filled, _dims(dim, filled.dim())[0], dtype=dtype or input.dtype)


@_of_layouts
def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """What counts divided by its norm() along `dim`, or by `eps` where that is larger; 0 elsewhere."""
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled("sum", input, mask) / torch.maximum(length, length.new_full([], eps))


@_of_layouts
def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: torch.dtype | None = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """log(exp(input) + exp(other)), either with a mask; -inf for what does not count."""
    left, right = _filled("logaddexp", input, input_mask), _filled("logaddexp", other, other_mask)
    return torch.logaddexp(left, right).to(dtype or input.dtype)
