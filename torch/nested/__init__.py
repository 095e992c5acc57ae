"""Nested tensors: batches of tensors that differ in one size, packed one after the other without padding.

They have the layout torch.jagged: what nested_tensor() makes has the shape (B, j1, …), where j1 stands for the sizes that
differ. values() are the elements, offsets() say where each begins. Operators of one element at a time, products with
matrices, normalisations, softmax, reductions and scaled_dot_product_attention() take them; what does not says so.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nested._internal import construction
from torch.nested._internal.nested_tensor import NestedTensor

__all__ = [
    "as_nested_tensor",
    "masked_select",
    "narrow",
    "nested_tensor",
    "nested_tensor_from_jagged",
    "to_padded_tensor",
]


def _jagged(layout, function):
    if layout is not torch.jagged:
        raise NotImplementedError(
            f"{function}(): nested tensors of the layout torch.strided are not built; give layout=torch.jagged"
        )


def nested_tensor(
    tensor_list: Any,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A nested tensor of copies of tensors, or of lists, which may differ in one size. It is a leaf: no gradient flows to them."""
    _jagged(layout, "nested_tensor")
    parts = [torch.as_tensor(part).detach() for part in tensor_list]
    result = construction.of_list(parts, dtype, device).detach()
    return result.requires_grad_(requires_grad)


def as_nested_tensor(
    ts: Tensor | list[Tensor] | tuple[Tensor, ...],
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = None,
    layout: torch.layout | None = None,
) -> Tensor:
    """A nested tensor of tensors, to which gradients flow; of one tensor (B, S, …) that of its rows, which shares its elements."""
    if isinstance(ts, NestedTensor):
        return ts.to(device=ts.device if device is None else device, dtype=dtype or ts.dtype)
    if not isinstance(ts, (Tensor, list, tuple)) or not all(isinstance(part, Tensor) for part in ts):
        raise TypeError("as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ")
    _jagged(layout, "as_nested_tensor")
    if isinstance(ts, Tensor):
        return construction.of_tensor(ts.to(device=ts.device if device is None else device, dtype=dtype or ts.dtype))
    return construction.of_list(list(ts), dtype, device)


def nested_tensor_from_jagged(
    values: Tensor,
    offsets: Tensor | None = None,
    lengths: Tensor | None = None,
    jagged_dim: int | None = None,
    min_seqlen: int | None = None,
    max_seqlen: int | None = None,
) -> Tensor:
    """The nested tensor whose elements `values` are, without a copy. Row i lies from offsets[i] to offsets[i + 1], or has
    lengths[i] elements from offsets[i] on, which leaves holes. jagged_dim: the dimension, 1 unless told, whose size differs."""
    return construction.from_jagged(values, offsets, lengths, 1 if jagged_dim is None else jagged_dim)


def narrow(
    tensor: Tensor, dim: int, start: int | Tensor, length: int | Tensor, layout: torch.layout = torch.strided
) -> Tensor:
    """Of row i of a tensor (B, S, …) the length[i] elements from start[i] on, as views in a nested tensor with holes."""
    _jagged(layout, "narrow")
    if dim != 1:
        raise RuntimeError(f"jagged layout only supports dim=1, got dim={dim}")
    return construction.narrowed(tensor, start, length)


def masked_select(tensor: Tensor, mask: Tensor) -> Tensor:
    """The elements where `mask` is True, row by row: (B, j1)."""
    return construction.masked(tensor, mask)


def to_padded_tensor(input: Tensor, padding: float, output_size: Any = None, out: Tensor | None = None) -> Tensor:
    """The rows in one tensor, with `padding` after their ends; of `output_size` if it is given, which may cut them off."""
    if not isinstance(input, NestedTensor):
        raise TypeError(f"to_padded_tensor() takes a nested tensor, got {type(input).__name__}")
    result = input.to_padded_tensor(padding, output_size)
    return result if out is None else out.copy_(result)
