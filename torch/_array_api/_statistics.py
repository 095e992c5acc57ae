"""Reductions, sums along an axis, sorting, and sets."""

import collections

import torch


def _axes(x, axis):
    """The dimensions as a tuple, all for None."""
    if axis is None:
        return tuple(range(x.dim()))
    return (axis,) if isinstance(axis, int) else tuple(axis)


def _sum_dtype(x, dtype):
    """Small integers are summed in the default integer, unsigned ones in the widest of theirs; bits of both are equal."""
    if dtype is not None or x.dtype.is_floating_point or x.dtype.is_complex:
        return dtype
    return torch.uint64 if x.dtype in (torch.uint8, torch.uint16, torch.uint32, torch.uint64) else torch.int64


def sum(x, /, *, axis=None, dtype=None, keepdims=False):  # noqa: A001 - the standard's names, here and below
    """The sum along some dimensions."""
    axes = _axes(x, axis)
    if axes == () and x.dim():
        return x.to(_sum_dtype(x, dtype), copy=True) if _sum_dtype(x, dtype) else x.clone()
    return torch.sum(x, axes, keepdim=keepdims, dtype=_sum_dtype(x, dtype))


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product along some dimensions."""
    dtype = _sum_dtype(x, dtype)
    if axis is None:
        found = torch.prod(x, dtype=dtype)
        return found.reshape((1,) * x.dim()) if keepdims else found
    for one in sorted((a % (x.dim() or 1) for a in _axes(x, axis)), reverse=True):
        x = torch.prod(x, one, keepdim=keepdims, dtype=dtype)
    return x if dtype is None or x.dtype == dtype else x.to(dtype)


def max(x, /, *, axis=None, keepdims=False):
    """The greatest element along some dimensions."""
    return x.clone() if _axes(x, axis) == () else torch.amax(x, _axes(x, axis), keepdims)


def min(x, /, *, axis=None, keepdims=False):
    """The least element along some dimensions."""
    return x.clone() if _axes(x, axis) == () else torch.amin(x, _axes(x, axis), keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    """The mean along some dimensions."""
    return x.clone() if _axes(x, axis) == () else torch.mean(x, _axes(x, axis), keepdims)


def _deviation(function, x, axis, correction, keepdims):
    axes = _axes(x, axis)
    if axes == ():
        return torch.zeros_like(x) if correction == 0 else torch.full_like(x, float("nan"))
    return function(x, axes, correction=correction, keepdim=keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The standard deviation along some dimensions."""
    return _deviation(torch.std, x, axis, correction, keepdims)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variance along some dimensions."""
    return _deviation(torch.var, x, axis, correction, keepdims)


def _truth(function, x, axis, keepdims):
    axes = _axes(x, axis)
    return x.to(torch.bool, copy=True) if axes == () else function(x.to(torch.bool), axes, keepdims)


def all(x, /, *, axis=None, keepdims=False):
    """Whether all elements are true along some dimensions."""
    return _truth(torch.all, x, axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    """Whether an element is true along some dimensions."""
    return _truth(torch.any, x, axis, keepdims)


# ---- along an axis -------------------------------------------------------------------------------------------
def _cumulative(function, name, first, x, axis, dtype, include_initial):
    if axis is None:
        if x.dim() > 1:
            raise ValueError(f"{name}(): axis must be given for an array of {x.dim()} dimensions")
        axis = 0
    found = function(x, axis, dtype=_sum_dtype(x, dtype))
    if not include_initial:
        return found
    shape = list(found.shape)
    shape[axis] = 1
    return torch.cat([torch.full(shape, first, dtype=found.dtype, device=found.device), found], axis)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """The sums of the first elements along `axis`; with `include_initial` that of none, too."""
    return _cumulative(torch.cumsum, "cumulative_sum", 0, x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """The products of the first elements along `axis`; with `include_initial` that of none, too."""
    return _cumulative(torch.cumprod, "cumulative_prod", 1, x, axis, dtype, include_initial)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """The differences of neighbours along `axis`, n times."""
    return torch.diff(x, n=n, dim=axis, prepend=prepend, append=append)


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices that sort."""
    return torch.sort(x, dim=axis, descending=descending, stable=stable).indices


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """The elements in order."""
    return torch.sort(x, dim=axis, descending=descending, stable=stable).values


# ---- sets ----------------------------------------------------------------------------------------------------
UniqueAllResult = collections.namedtuple("UniqueAllResult", "values indices inverse_indices counts")
UniqueCountsResult = collections.namedtuple("UniqueCountsResult", "values counts")
UniqueInverseResult = collections.namedtuple("UniqueInverseResult", "values inverse_indices")


def _distinct_nans(x):
    """Elements as their places among the sorted ones that differ, a NaN from each other, and those."""
    flat = x.reshape(-1)
    values, inverse, counts = torch.unique(flat, return_inverse=True, return_counts=True)
    return values, inverse.reshape(x.shape), counts


def unique_all(x, /):
    """The elements that differ, where each comes first, which of them each element is, how often it comes."""
    values, inverse, counts = _distinct_nans(x)
    order = torch.sort(inverse.reshape(-1), stable=True).indices
    first = torch.cumsum(counts, 0) - counts
    return UniqueAllResult(values, order[first], inverse, counts)


def unique_counts(x, /):
    """The elements that differ and how often each comes."""
    values, _, counts = _distinct_nans(x)
    return UniqueCountsResult(values, counts)


def unique_inverse(x, /):
    """The elements that differ, and which of them each element is."""
    values, inverse, _ = _distinct_nans(x)
    return UniqueInverseResult(values, inverse)


def unique_values(x, /):
    """The elements that differ, sorted."""
    return torch.unique(x)
