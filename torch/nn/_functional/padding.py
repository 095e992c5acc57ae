"""Padding: a border of a constant, or of the input's own elements."""

import torch
from torch import _C
from torch._autocast import DTYPES
from torch._python_bodies import AUTOCAST
from torch.nn._functional._protocol import overridable


def _reflected(size, before, after, shape, dim, place):
    if before >= size or after >= size:
        raise RuntimeError(
            f"Argument #{place}: Padding size should be less than the corresponding input dimension, but got: padding "
            f"({before}, {after}) at dimension {dim} of input {shape}"
        )
    # … 2 1 | 0 1 2 … n-1 | n-2 n-3 …
    index = torch.arange(-before, size + after).abs()
    return (size - 1) - ((size - 1) - index).abs()


def _replicated(size, before, after, shape, dim, place):
    return torch.arange(-before, size + after).clamp(0, size - 1)


def _circular(size, before, after, shape, dim, place):
    if before > size or after > size:
        raise RuntimeError("Padding value causes wrapping around more than once.")
    if size + before + after <= 0:
        raise RuntimeError("Negative padding value is resulting in an empty dimension")
    # what negative sizes take away is no part of the circle
    first, last = max(-before, 0), size - max(-after, 0)
    return first + torch.arange(-max(before, 0), last - first + max(after, 0)).remainder(last - first)


_INDICES = {"reflect": _reflected, "replicate": _replicated, "circular": _circular}
_OPERATORS = {"reflect": "reflection_pad{}d", "replicate": "replication_pad{}d"}  # PyTorch's, as autocast names them


@overridable
def pad(input, pad, mode="constant", value=None):
    """Adds elements at both ends of dimensions.

    pad: (before, after) of the last dimension, then of the one before, …; negative ones take elements away. mode: "constant"
    (`value`, 0), "reflect", "replicate" (the last element) or "circular"; other modes than "constant" pad the last 1, 2 or 3
    dimensions of an input that has one or two more. RuntimeError and NotImplementedError for others.
    """
    sizes = list(pad)
    if len(sizes) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(sizes) > 2 * input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(sizes)} and input of dimension {input.dim()}"
        )
    if mode == "constant":
        return torch.constant_pad_nd(input, sizes, 0 if value is None else value)
    if mode not in _INDICES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    padded = len(sizes) // 2
    if padded not in (1, 2, 3) or input.dim() not in (padded + 1, padded + 2):
        raise NotImplementedError(
            f"Padding size {len(sizes)} is not supported for {input.dim()}D input tensor: other modes than constant pad the "
            "last 1, 2 or 3 dimensions of an input with one or two dimensions before them"
        )
    policy = AUTOCAST.get(_OPERATORS.get(mode, "").format(padded))
    if policy and _C._autocast_converts():
        return _C._autocast_call(globals()["pad"], DTYPES[policy], (input, sizes, mode), {})
    result = input
    for i in range(padded):
        before, after = sizes[2 * i], sizes[2 * i + 1]
        dim = input.dim() - 1 - i
        index = _INDICES[mode](input.size(dim), before, after, list(input.shape), dim, 4 + 2 * i)
        if before or after:
            result = result.index_select(dim, index.to(input.device))
    return result if result is not input else input.clone()
