"""Views, choices, copies."""

import torch
from torch.autograd._functions._made import classes, in_place, methods


def _set_item(i, index, value):
    i[index] = value
    return i


def _concat(*args):
    """Of (dim, tensors…), as it was at last, or (tensors…, dim), as an instance calls it."""
    first = isinstance(args[0], int)
    return torch.cat(args[1:] if first else args[:-1], args[0] if first else args[-1])


def _resize(tensor, *sizes):
    sizes = sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
    count = torch.Size(sizes).numel()
    if tensor.numel() != count:
        raise RuntimeError(
            f"requested resize to {'x'.join(map(str, sizes))} ({count} elements), but the tensor has {tensor.numel()}: "
            f"size {tuple(tensor.size())}"
        )
    return tensor.contiguous().view(*sizes)


def _cuda(i, device=None, non_blocking=False):
    return i.cuda(device, non_blocking=non_blocking)


def _selected(name):
    """Values, with their places unless return_indices is false."""

    def function(input, *args, return_indices=True):
        values, places = getattr(input, name)(*args)
        return (values, places) if return_indices else values

    return function


functions = methods(
    """Transpose transpose View view Expand expand Permute permute IndexSelect index_select Clone clone Unsqueeze unsqueeze
    MaskedSelect masked_select Chunk chunk Split split Gather gather Repeat repeat Cumsum cumsum Cumprod cumprod
    Unfold unfold"""
)
functions |= {
    "Index": lambda i, index: i[index],
    "SetItem": _set_item,
    "NoGrad": lambda i: i.detach(),
    "Type": lambda i, type: i.type(type),
    "CudaTransfer": _cuda,
    "IndexAdd": in_place("index_add", 4),
    "IndexCopy": in_place("index_copy", 4),
    "IndexFill": in_place("index_fill", 4),
    "MaskedCopy": in_place("masked_scatter", 3),
    "MaskedScatter": in_place("masked_scatter", 3),
    "MaskedFill": in_place("masked_fill", 3),
    "Scatter": in_place("scatter", 4),
    "ScatterAdd": in_place("scatter_add", 4),
    "Concat": _concat,
    "Resize": _resize,
    "Squeeze": lambda i, dim=None: i.squeeze() if dim is None else i.squeeze(dim),
    "Sort": _selected("sort"),
    "Topk": _selected("topk"),
}
_DIMENSION_FIRST = ("IndexSelect", "IndexAdd", "IndexCopy", "IndexFill", "Gather", "Scatter", "ScatterAdd", "SetItem")
globals().update(classes(__name__, functions, _DIMENSION_FIRST))
