"""Shapes, and elements by their places."""

import torch
from torch._array_api._promotion import promoted, result_type


def broadcast_arrays(*arrays):
    """The arrays in the shape that theirs broadcast to."""
    return tuple(torch.broadcast_tensors(*arrays))


def broadcast_shapes(*shapes):
    """The shape that these broadcast to."""
    return tuple(torch.broadcast_shapes(*shapes))


def broadcast_to(x, /, shape):
    """x in a shape that it broadcasts to."""
    return torch.broadcast_to(x, shape)


def concat(arrays, /, *, axis=0):
    """Arrays behind each other along `axis`; None: of their elements in a row."""
    dtype = result_type(*arrays)
    arrays = [x.to(dtype) for x in arrays]
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    return torch.cat(arrays, axis)


def expand_dims(x, /, axis):
    """With dimensions of size 1 there: an int, or several, as they are counted in the result."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    ndim = x.dim() + len(axes)
    places = sorted(a + ndim if a < 0 else a for a in axes)
    if len(set(places)) != len(places) or any(not 0 <= a < ndim for a in places):
        raise IndexError(f"expand_dims(): axis {axis} does not fit {ndim} dimensions, each of which is meant once")
    for place in places:
        x = torch.unsqueeze(x, place)
    return x


def flip(x, /, *, axis=None):
    """The other way round along `axis`, several of them, or all."""
    axes = range(x.dim()) if axis is None else (axis,) if isinstance(axis, int) else axis
    return torch.flip(x, tuple(axes))


def matrix_transpose(x, /):
    """The last two dimensions exchanged."""
    if x.dim() < 2:
        raise ValueError(f"matrix_transpose(): an array of at least 2 dimensions is wanted, got one of {x.dim()}")
    return x.mT


def moveaxis(x, source, destination, /):
    """Dimensions at other places."""
    return torch.movedim(x, source, destination)


def permute_dims(x, /, axes):
    """The dimensions in this order."""
    return torch.permute(x, tuple(axes))


def repeat(x, repeats, /, *, axis=None):
    """Each element as often as that, along `axis`; None: all in a row."""
    return torch.repeat_interleave(x, repeats, axis)


def reshape(x, /, shape, *, copy=None):
    """In another shape; copied (True), sharing memory or failing (False), or as it must be."""
    if copy is None:
        return torch.reshape(x, shape)
    return torch.reshape(x.clone(), shape) if copy else x.view(shape)


def roll(x, /, shift, *, axis=None):
    """Moved along `axis`, what falls off at the end coming back at the beginning."""
    return torch.roll(x, shift, axis)


def squeeze(x, /, axis):
    """Without those dimensions, which must have size 1."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    for one in axes:
        if x.shape[one] != 1:
            raise ValueError(f"squeeze(): dimension {one} has size {x.shape[one]}, not 1, in shape {tuple(x.shape)}")
    return torch.squeeze(x, axes)


def stack(arrays, /, *, axis=0):
    """Arrays beside each other along a new dimension."""
    dtype = result_type(*arrays)
    return torch.stack([x.to(dtype) for x in arrays], axis)


def tile(x, repetitions, /):
    """The array repeated along its dimensions."""
    return torch.tile(x, tuple(repetitions))


def unstack(x, /, *, axis=0):
    """The arrays along `axis`."""
    return tuple(torch.unbind(x, axis))


# ---- indices ----------------------------------------------------------------------------------------------
def take(x, indices, /, *, axis=None):
    """Elements along `axis` by their indices."""
    if axis is None:
        if x.dim() != 1:
            raise ValueError(f"take(): axis must be given for an array of {x.dim()} dimensions")
        axis = 0
    return torch.index_select(x, axis, indices.to(torch.int64))


def take_along_axis(x, indices, /, *, axis=-1):
    """Elements along `axis`, by an array of indices for each place."""
    return torch.take_along_dim(x, indices.to(torch.int64), axis)


# ---- search and choice -------------------------------------------------------------------------------------
def argmax(x, /, *, axis=None, keepdims=False):
    """Where the greatest element is."""
    return _argument(torch.argmax, x, axis, keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """Where the least element is."""
    return _argument(torch.argmin, x, axis, keepdims)


def _argument(function, x, axis, keepdims):
    if axis is None and keepdims:
        return function(x).reshape((1,) * x.dim())
    return function(x, axis, keepdims) if axis is not None else function(x)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements are not 0."""
    from torch._array_api._statistics import sum as total

    return total(x != 0, axis=axis, keepdims=keepdims, dtype=torch.int64)


def isin(x1, x2, /, *, invert=False):
    """Which elements of x1 are in x2."""
    return torch.isin(*promoted(x1, x2), invert=invert)


def nonzero(x, /):
    """The indices of what is not 0, a tensor for each dimension."""
    if x.dim() == 0:
        raise ValueError("nonzero(): an array of at least 1 dimension is wanted, got one of 0")
    return tuple(torch.nonzero(x, as_tuple=True))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where in x1, which is sorted, the elements of x2 belong."""
    if not isinstance(x2, torch.Tensor):
        x2 = torch.asarray(x2, device=x1.device)
    dtype = torch.promote_types(x1.dtype, x2.dtype)
    return torch.searchsorted(x1.to(dtype), x2.to(dtype).contiguous(), side=side, sorter=sorter)


def where(condition, x1, x2, /):
    """x1 where the condition holds, x2 elsewhere."""
    return torch.where(condition, *promoted(x1, x2))
