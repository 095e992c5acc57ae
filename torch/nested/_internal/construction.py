"""Nested tensors of lists, of tensors and of parts of them."""

import torch
from torch.nested._internal.nested_tensor import made


def of_list(parts, dtype, device):
    if not parts:
        raise RuntimeError("Cannot construct a nested tensor from an empty tensor list")
    if len({part.dim() for part in parts}) > 1:
        raise RuntimeError("When constructing a nested tensor, all tensors in list must have the same dim")
    if parts[0].dim() == 0:
        raise RuntimeError("Cannot construct a nested tensor from a list of zero-dim tensors")
    if dtype is None and len({part.dtype for part in parts}) > 1:
        raise RuntimeError("When constructing a nested tensor, all tensors in list must have the same dtype")
    if device is None and len({part.device for part in parts}) > 1:
        raise RuntimeError("When constructing a nested tensor, all tensors in list must be on the same device")
    parts = [part.to(device=part.device if device is None else device, dtype=dtype or part.dtype) for part in parts]
    ragged = [dim for dim in range(parts[0].dim()) if len({part.shape[dim] for part in parts}) > 1] or [0]
    if len(ragged) > 1:
        raise RuntimeError(
            f"tensors of a nested tensor may differ in one size, got {[tuple(part.shape) for part in parts]}"
        )
    lengths = torch.tensor([part.shape[ragged[0]] for part in parts], device=parts[0].device)
    return made(torch.cat(parts, ragged[0]), _offsets(lengths), None, ragged[0] + 1)


def of_tensor(tensor):
    if tensor.dim() < 2:
        raise RuntimeError(
            f"as_nested_tensor(): a tensor of at least 2 dimensions is needed, got {tuple(tensor.shape)}"
        )
    rows, length = tensor.shape[:2]
    offsets = torch.arange(rows + 1, device=tensor.device) * length
    return made(tensor.flatten(0, 1), offsets, None, 1)


def _offsets(lengths):
    return torch.nn.functional.pad(lengths.cumsum(0), (1, 0))


def from_jagged(values, offsets, lengths, ragged):
    if offsets is None and lengths is None:
        raise RuntimeError("nested_tensor_from_jagged(): At least one of offsets or lengths is required.")
    if not 1 <= ragged <= values.dim():
        raise ValueError(f"jagged_dim is one of 1 to {values.dim()}, got {ragged}")
    for name, tensor in (("offsets", offsets), ("lengths", lengths)):
        if tensor is not None and (tensor.dim() != 1 or tensor.is_floating_point()):
            raise ValueError(f"{name} must be integers in one dimension, got {tensor}")
    if offsets is None:
        offsets, lengths = _offsets(lengths), None
    total, bounds = values.shape[ragged - 1], offsets.detach()
    if len(bounds) == 0 or bounds[0] < 0 or bounds[-1] > total or (bounds.diff() < 0).any():
        raise ValueError(
            f"offsets must rise, and end at the {total} elements of that dimension, got {offsets.tolist()}"
        )
    if lengths is not None:
        if len(lengths) != len(bounds) - 1:
            raise ValueError(
                f"{len(bounds)} offsets are of {len(bounds) - 1} rows, and there are {len(lengths)} lengths"
            )
        if (lengths < 0).any() or (bounds[:-1] + lengths > total).any():
            raise ValueError(f"lengths {lengths.tolist()} do not lie in the {total} elements of that dimension")
    return made(values, offsets, lengths, ragged)


def narrowed(tensor, start, length):
    if tensor.dim() < 2:
        raise RuntimeError(f"narrow(): a tensor of at least 2 dimensions is needed, got {tuple(tensor.shape)}")
    rows, size = tensor.shape[:2]
    start, length = (torch.as_tensor(value, device=tensor.device).expand(rows).clone() for value in (start, length))
    if (start < 0).any() or (length < 0).any() or (start + length > size).any():
        raise RuntimeError(f"narrow(): start {start.tolist()} and length {length.tolist()} exceed the size {size}")
    begins = torch.arange(rows, device=tensor.device) * size + start
    offsets = torch.cat([begins, begins.new_tensor([rows * size])])
    return made(tensor.flatten(0, 1), offsets, length, 1)


def masked(tensor, mask):
    tensor, mask = torch.broadcast_tensors(tensor, mask)
    if tensor.dim() < 2:
        raise RuntimeError(f"masked_select(): a tensor of at least 2 dimensions is needed, got {tuple(tensor.shape)}")
    counts = mask.flatten(1).sum(1)
    return made(tensor[mask], _offsets(counts), None, 1)
