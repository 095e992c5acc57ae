"""Arrays from nothing, from numbers, from other arrays."""

import torch


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """From `start` (0, where `stop` is not given) up to, not including, `stop`."""
    if stop is None:
        start, stop = 0, start
    if (step > 0) != (stop > start):  # nothing in between
        if dtype is None and all(isinstance(x, int) for x in (start, stop, step)):
            dtype = torch.int64
        return torch.empty(0, dtype=dtype, device=device)
    return torch.arange(start, stop, step, dtype=dtype, device=device)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """torch.asarray."""
    return torch.asarray(obj, dtype=dtype, device=device, copy=copy)


def astype(x, dtype, /, *, copy=True, device=None):
    """The array in another dtype; the array itself only where nothing changes and `copy` is False."""
    return x.to(device=device, dtype=dtype, copy=copy)


def empty(shape, *, dtype=None, device=None):
    """An array of whatever elements."""
    return torch.empty(shape, dtype=dtype, device=device)


def empty_like(x, /, *, dtype=None, device=None):
    """An array of whatever elements, in the shape of x."""
    return torch.empty_like(x, dtype=dtype, device=device)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """Ones on the k-th diagonal, zeros elsewhere."""
    n_cols = n_rows if n_cols is None else n_cols
    found = torch.zeros((n_rows, n_cols), dtype=dtype, device=device)
    if -n_rows < k < n_cols:
        torch.diagonal(found, k).fill_(1)
    return found


def from_dlpack(x, /, *, device=None, copy=None):
    """An array over the memory of another library's, or over a copy."""
    return torch.from_dlpack(x, device=device, copy=copy)


def full(shape, fill_value, *, dtype=None, device=None):
    """An array of one number."""
    return torch.full((shape,) if isinstance(shape, int) else shape, fill_value, dtype=dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """An array of one number, in the shape of x."""
    return torch.full_like(x, fill_value, dtype=dtype, device=device)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """`num` numbers from `start` to `stop`; without `endpoint` the last step is left out."""
    if endpoint:
        return torch.linspace(start, stop, num, dtype=dtype, device=device)
    return torch.linspace(start, stop, num + 1, dtype=dtype, device=device)[:-1]


def meshgrid(*arrays, indexing="xy"):
    """Coordinates of a grid: each array along a dimension of its own."""
    if not arrays:
        return ()
    return tuple(torch.meshgrid(*arrays, indexing=indexing))


def ones(shape, *, dtype=None, device=None):
    """An array of ones."""
    return torch.ones(shape, dtype=dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    """Ones in the shape of x."""
    return torch.ones_like(x, dtype=dtype, device=device)


def tril(x, /, *, k=0):
    """Matrices below and on the k-th diagonal, zeros above."""
    return torch.tril(x, k)


def triu(x, /, *, k=0):
    """Matrices above and on the k-th diagonal, zeros below."""
    return torch.triu(x, k)


def zeros(shape, *, dtype=None, device=None):
    """An array of zeros."""
    return torch.zeros(shape, dtype=dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    """Zeros in the shape of x."""
    return torch.zeros_like(x, dtype=dtype, device=device)
