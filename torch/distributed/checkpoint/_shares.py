"""Tensors of state dicts from parts to whole ones, and back."""

from __future__ import annotations

import sys

import torch
import torch.distributed as dist


def _is_dtensor(value):
    module = sys.modules.get("torch.distributed.tensor")
    return module is not None and isinstance(value, module.DTensor)


def _mapped(tree, function):
    if isinstance(tree, dict):
        return {key: _mapped(value, function) for key, value in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(_mapped(value, function) for value in tree)
    return function(tree) if isinstance(tree, torch.Tensor) else tree


def collected(tree, whole, offload, first_only=None):
    """A state dict with DTensors whole where that is asked for, and tensors on the CPU; by one rank alone where both are."""

    def of(tensor):
        if whole and _is_dtensor(tensor):
            tensor = tensor.full_tensor().detach()
            if alone and dist.get_rank() != 0:
                return None  # not all at once on ranks that do not keep them
        return tensor.cpu() if offload and tensor.device.type != "cpu" else tensor

    alone = (whole and offload if first_only is None else first_only) and dist.is_initialized()
    made = _mapped(tree, of)
    return {} if alone and dist.get_rank() != 0 else made


def like(current, value, name):
    """A value as what is there now lies: parts of whole tensors. RuntimeError: sizes differ."""
    if not isinstance(value, torch.Tensor):
        return value
    if not _is_dtensor(current):
        value = value.full_tensor() if _is_dtensor(value) else value
        return value.detach() if value.dim() else value.detach().clone()  # counts of steps are changed in place
    if value.shape != current.shape:
        raise RuntimeError(f"{name} has the size {list(current.shape)}, not {list(value.shape)}")
    if _is_dtensor(value):
        if value.device_mesh == current.device_mesh:
            return value.redistribute(placements=current.placements)
        value = value.full_tensor()
    from torch.distributed.tensor import distribute_tensor

    return distribute_tensor(value.detach(), current.device_mesh, current.placements, src_data_rank=None)


class _Sent:
    """A tensor in what is told of a state dict before its elements are sent."""

    def __init__(self, tensor):
        self.shape, self.dtype = tensor.shape, tensor.dtype


def broadcast(tree, pattern):
    """Rank 0's state dict for all, each tensor as the one of `pattern` in its place lies: never more than one is whole."""
    first = dist.get_rank() == 0
    told = [_mapped(tree, lambda t: _Sent(t)) if first else None]
    dist.broadcast_object_list(told, src=0)

    def received(sent, mine, current, name):
        if isinstance(sent, dict):
            get = current.get if isinstance(current, dict) else lambda key: None
            return {
                key: received(each, mine[key] if first else None, get(key), f"{name}.{key}" if name else key)
                for key, each in sent.items()
            }
        if type(sent) in (list, tuple):
            return type(sent)(received(each, mine[i] if first else None, None, name) for i, each in enumerate(sent))
        if not isinstance(sent, _Sent):
            return sent
        tensor = (
            mine.detach().cpu().clone(memory_format=torch.contiguous_format)
            if first
            else torch.empty(sent.shape, dtype=sent.dtype)
        )
        dist.broadcast(tensor, src=0)
        return like(current, tensor, name) if current is not None else tensor

    return received(told[0], tree, pattern, "")
