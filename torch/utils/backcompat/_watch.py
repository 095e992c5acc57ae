"""How calls are watched: by a function mode below all others, present while a warning is on."""

import warnings

import torch
from torch import _C
from torch.overrides import TorchFunctionMode

POINTWISE = frozenset(
    """add sub mul div truediv fmod remainder mod pow atan2 lerp addcmul addcdiv dist eq ne lt le gt ge max min and or
    xor masked_fill masked_scatter masked_select copy""".split()
)
# Where the dimension stands among the arguments, and where keepdim does.
REDUCTIONS = dict.fromkeys(("sum", "prod", "mean", "max", "min", "median", "mode"), (1, 2))
REDUCTIONS |= {"std": (1, 3), "var": (1, 3), "norm": (2, 3), "kthvalue": (2, 3)}
ALONG_THE_LAST = ("median", "mode", "kthvalue")  # which took the last dimension where none was given

_kinds = set()  # those that are on: of all threads, as a warning is


class _Watch(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "").strip("_")
        plain = name[1:] if name[1:] in POINTWISE and name[:1] in "ri" else name  # __radd__, __iadd__
        # Looked at before, since an operator may write into an operand.
        shapes = _shapes(args, kwargs) if "broadcast" in _kinds and plain in POINTWISE else None
        reduced = "keepdim" in _kinds and name in REDUCTIONS and _drops_dimension(name, args, kwargs)
        result = func(*args, **kwargs)
        if shapes:
            text = " and ".join(map(str, map(tuple, shapes)))
            warnings.warn(
                f"{name}: operands of shapes {text} are broadcast; PyTorch 0.1 took them as one-dimensional, "
                "since they have equally many elements",
                stacklevel=2,
            )
        if reduced:
            warnings.warn(
                f"{name}: without keepdim, the dimension is dropped; PyTorch 0.1 kept it, of size 1", stacklevel=2
            )
        return result


def _shapes(args, kwargs):
    """The shapes of two operands that 0.1 would have taken as one-dimensional, or None."""
    tensors = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
    for other in tensors[1:]:
        if 0 in (other.dim(), tensors[0].dim()):
            continue  # there were none without dimensions
        if other.shape != tensors[0].shape and other.numel() == tensors[0].numel():
            return tensors[0].shape, other.shape
    return None


def _drops_dimension(name, args, kwargs):
    dim_at, keepdim_at = REDUCTIONS[name]
    if "keepdim" in kwargs or len(args) > keepdim_at:
        return False
    dim = kwargs.get("dim", args[dim_at] if len(args) > dim_at else None)
    if isinstance(dim, torch.Tensor):
        return False  # max(a, b)
    return dim is not None or (name in ALONG_THE_LAST and (name == "kthvalue" or len(args) == 1 and not kwargs))


def _restack(change):
    """Takes all modes of this thread off, and puts on what `change(modes)` makes of the list, lowest first."""
    modes = [_C._get_function_stack_at(level) for level in range(_C._len_torch_function_stack())]
    for _ in modes:
        _C._pop_torch_function_stack()
    for mode in change(modes):
        _C._push_on_torch_function_stack(mode)


class Warning:  # noqa: A001 - PyTorch's name
    """A warning that can be switched on: `enabled`."""

    def __init__(self, kind):
        self._kind = kind

    @property
    def enabled(self):
        """Whether it is on."""
        return self._kind in _kinds

    @enabled.setter
    def enabled(self, value):
        (_kinds.add if value else _kinds.discard)(self._kind)
        _restack(lambda modes: [*([_Watch()] if _kinds else []), *(m for m in modes if not isinstance(m, _Watch))])


broadcast_warning = Warning("broadcast")
keepdim_warning = Warning("keepdim")
