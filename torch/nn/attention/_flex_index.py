"""What the functions of flex_attention are called with: each argument stands for one number, and holds those of all
positions.

A function is called once, with tensors of the batch, the head, the query and the key, (B, 1, 1, 1), (1, H, 1, 1),
(1, 1, Q, 1) and (1, 1, 1, K), which broadcast. To the function they are numbers without dimensions: `table[h]` is a row,
whatever is done to it is done to the row of every head.
"""

import torch
from torch import Tensor
from torch._C import DisableTorchFunctionSubclass

_BATCH = 4  # dimensions that the function does not see
_REDUCTIONS = frozenset({"sum", "mean", "prod", "amax", "amin", "any", "all", "argmax", "argmin"})


class Each(Tensor):
    """A tensor whose first four dimensions are hidden."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        with DisableTorchFunctionSubclass():
            if name == "__get__":
                name = getattr(getattr(func, "__self__", None), "__name__", "")
                if name in _SHAPES:
                    return _SHAPES[name](args[0])
                return _wrapped(func(_plain(args[0])))
            if name in _SHAPES:
                return _SHAPES[name](*args, **kwargs)
            if name == "__getitem__":
                return _wrapped(_item(*args))
            if name == "__bool__":
                raise RuntimeError(
                    "a function of flex_attention is called once for all positions: it cannot decide by a value with "
                    "`if`, `and` or `or`; torch.where, & and | can"
                )
            if name in _REDUCTIONS and isinstance(args[0], Each):
                return _wrapped(_reduced(func, *args, **kwargs))
            seen = _seen_dims([*args, *kwargs.values()])
            args = [_aligned(arg, seen) for arg in args]
            return _wrapped(func(*args, **{key: _aligned(value, seen) for key, value in kwargs.items()}))


def _plain(value):
    return value.as_subclass(Tensor) if isinstance(value, Each) else value


def _wrapped(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(_wrapped, value))
    return value.as_subclass(Each) if isinstance(value, Tensor) and value.dim() >= _BATCH else value


def _shape(each):
    return _plain(each).shape[_BATCH:]


def _size(each, dim=None):
    shape = _shape(each)
    return shape if dim is None else shape[dim]


_SHAPES = {
    "shape": _shape,
    "size": _size,
    "dim": lambda each: len(_shape(each)),
    "ndim": lambda each: len(_shape(each)),
    "numel": lambda each: _shape(each).numel(),
    "__len__": lambda each: _shape(each)[0],
}


def _seen_dims(values):
    """The most dimensions that the function sees of any of them."""
    dims = [0]
    for value in values:
        if isinstance(value, (tuple, list)):
            dims.append(_seen_dims(value))
        elif isinstance(value, Tensor):
            dims.append(len(_shape(value)) if isinstance(value, Each) else value.dim())
    return max(dims)


def _aligned(value, seen):
    """The plain tensor, with as many dimensions after the hidden ones as broadcasting asks for."""
    if isinstance(value, (tuple, list)):
        return type(value)(_aligned(item, seen) for item in value)
    if not isinstance(value, Each):
        return value
    plain = _plain(value)
    own = plain.dim() - _BATCH
    return plain[(slice(None),) * _BATCH + (None,) * (seen - own)] if own < seen else plain


def _reduced(func, each, dim=None, *args, **kwargs):
    plain = _plain(each)
    dims = range(plain.dim() - _BATCH) if dim is None else (dim,) if isinstance(dim, int) else dim
    if not dims:
        return plain
    dims = tuple(d + _BATCH if d >= 0 else d for d in dims)
    return func(plain, dims if len(dims) > 1 else dims[0], *args, **kwargs)


def _item(value, index):
    """value[index], for every position."""
    index = index if isinstance(index, tuple) else (index,)
    hidden = [i for i, part in enumerate(index) if isinstance(part, Each)]
    if isinstance(value, Each):
        plain = _plain(value)
        if not hidden:
            return plain[(slice(None),) * _BATCH + index]
        if hidden != list(range(len(hidden))):
            raise NotImplementedError("an index of a row of a table must come before slices of it")
        positions = []
        for dim in range(_BATCH):  # along the hidden dimensions everything stays where it is
            shape = [1] * _BATCH
            shape[dim] = plain.shape[dim]
            positions.append(torch.arange(plain.shape[dim], device=plain.device).view(shape))
        return plain[tuple(positions) + tuple(map(_plain, index))]
    # Numbers beside tensors are indices as they are; then the hidden dimensions come where the first of them stood.
    parts = [torch.tensor(part, device=value.device) if type(part) is int else _plain(part) for part in index]
    result = value[tuple(parts)]
    tensors = [i for i, part in enumerate(parts) if isinstance(part, Tensor)]
    first = tensors[0] if tensors == list(range(tensors[0], tensors[-1] + 1)) else 0
    return result.movedim(tuple(range(first, first + _BATCH)), tuple(range(_BATCH))) if first else result


def positions(batch, heads, queries, keys, dtype=torch.int32):
    """The arguments b, h, q and k of a function; of queries and keys, tensors of what they are."""
    device = queries.device
    parts = (
        torch.arange(batch, device=device, dtype=dtype),
        torch.arange(heads, device=device, dtype=dtype),
        queries.to(dtype),
        keys.to(dtype),
    )
    shapes = ((-1, 1, 1, 1), (1, -1, 1, 1), (1, 1, -1, 1), (1, 1, 1, -1))
    return [part.view(shape).as_subclass(Each) for part, shape in zip(parts, shapes)]


def called(function, where, score=None):
    """What a function says of all positions, a plain tensor that broadcasts to (B, H, Q, K)."""
    result = function(*where) if score is None else function(score.as_subclass(Each), *where)
    if not isinstance(result, Tensor):
        kind = "mask_mod" if score is None else "score_mod"
        raise TypeError(f"{kind} must return a tensor, got {type(result).__name__}")
    if isinstance(result, Each) and len(_shape(result)):
        raise RuntimeError(
            f"{function} must return one number for each position, got the shape {tuple(_shape(result))}"
        )
    return _plain(result)
