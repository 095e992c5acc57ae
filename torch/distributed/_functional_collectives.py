"""Collective operations that return their result and leave their inputs as they are. They are done when they return, and
wait_tensor() is there for those who ask. A reduction is named by a word: "sum", "avg", "product", "min", "max", "band",
"bor", "bxor". A group is a ProcessGroup, its name, a list of ranks of the default group, a DeviceMesh of one dimension, or
(DeviceMesh, dimension). Those named …_autograd have gradients, as torch.distributed.nn.functional has.
"""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch._absent import rest_of
from torch.distributed.distributed_c10d import _pg_map
from torch.distributed.nn import functional as _F

_WORDS = ("sum", "avg", "product", "min", "max", "band", "bor", "bxor")


def _reduction(word):
    if not isinstance(word, str):
        return word
    if word.lower() not in _WORDS:
        raise ValueError(f"a reduction is one of {', '.join(_WORDS)}, not {word!r}")
    return getattr(dist.ReduceOp, word.upper())


def _resolve_group(group, tag=""):
    """The ProcessGroup that an argument means. ValueError: it means none that this process has joined."""
    if group is None:
        return _F.resolved(None)
    if isinstance(group, dist.ProcessGroup):
        return group
    if isinstance(group, tuple) and len(group) == 2 and hasattr(group[0], "get_group"):
        return group[0].get_group(group[1])
    if hasattr(group, "get_group"):
        if group.ndim != 1:
            raise ValueError(f"a mesh of {group.ndim} dimensions names no group: give (mesh, dimension)")
        return group.get_group(0)
    if isinstance(group, str):
        for joined in _pg_map:
            if joined.group_name == group:
                return joined
        raise ValueError(f"this process has joined no group named {group!r}")
    if isinstance(group, list):
        wanted = [rank for part in group for rank in part] if group and isinstance(group[0], list) else group
        for joined, known in _pg_map.items():
            if list(known.ranks) == wanted:
                return joined
        raise ValueError(f"this process has joined no group of the ranks {wanted}: new_group() makes it")
    raise ValueError(f"a group is a ProcessGroup, a name, a list of ranks or a mesh, not {type(group).__name__}")


def _resolve_group_name(group, tag=""):
    """The name of the group that an argument means."""
    return _resolve_group(group, tag).group_name


def _dimension(tensor, dim):
    if not -tensor.dim() <= dim < tensor.dim():
        raise IndexError(f"a tensor of shape {list(tensor.shape)} has no dimension {dim}")
    return dim % tensor.dim()


def wait_tensor(tensor):
    """The tensor itself: what it waits for is done."""
    return tensor


def broadcast(self, src: int, group, tag: str = ""):
    """src's tensor, for all; src is a place in the default group."""
    result = self.clone(memory_format=torch.contiguous_format)
    dist.broadcast(result, src, group=_resolve_group(group, tag))
    return result


def all_reduce(self, reduceOp: str, group, tag: str = ""):  # noqa: N803 - torch's name
    """What all ranks' tensors add up to, or what the reduction says, for all."""
    group, op = _resolve_group(group, tag), _reduction(reduceOp)
    if torch.is_grad_enabled() and self.requires_grad:
        return _F.all_reduce(self, op, group)
    result = self.clone(memory_format=torch.contiguous_format)
    dist.all_reduce(result, op, group)
    return result


def all_reduce_coalesced(self, reduceOp: str, group, tag: str = ""):  # noqa: N803
    """all_reduce() of each of several tensors."""
    group, op = _resolve_group(group, tag), _reduction(reduceOp)
    results = [t.detach().clone(memory_format=torch.contiguous_format) for t in self]
    for work in [dist.all_reduce(t, op, group, async_op=True) for t in results]:
        work.wait()
    return results


def _joined(stacked, dim):
    """Ranks' tensors, stacked, joined along one of their dimensions."""
    return torch.cat(stacked.unbind(), dim) if dim else stacked.flatten(0, 1)


def all_gather_tensor(self, gather_dim: int, group, tag: str = ""):
    """All ranks' tensors, of one shape, joined along a dimension."""
    group, dim = _resolve_group(group, tag), _dimension(self, gather_dim)
    stacked = self.new_empty(group.size(), *self.shape)
    dist.all_gather_into_tensor(stacked, self.detach().contiguous(), group=group)
    return _joined(stacked, dim)


def all_gather_into_tensor_coalesced(self, group, tag: str = ""):
    """all_gather_tensor() along the first dimension of each of several tensors."""
    group = _resolve_group(group, tag)
    stacked = [t.new_empty(group.size(), *t.shape) for t in self]
    works = [
        dist.all_gather_into_tensor(out, t.detach().contiguous(), group=group, async_op=True)
        for out, t in zip(stacked, self)
    ]
    for work in works:
        work.wait()
    return [out.flatten(0, 1) for out in stacked]


def _parts(tensor, dim, size):
    """A tensor of the parts of another one along a dimension, as many as there are ranks."""
    if tensor.shape[dim] % size:
        raise ValueError(f"dimension {dim} must be divisible by {size} ranks, not {list(tensor.shape)}")
    return torch.stack(tensor.chunk(size, dim)) if dim else tensor.unflatten(0, (size, tensor.shape[0] // size))


def reduce_scatter_tensor(self, reduceOp: str, scatter_dim: int, group, tag: str = ""):  # noqa: N803
    """What ranks' parts number `rank` along a dimension add up to. ValueError: ranks do not divide its size."""
    group, op, dim = _resolve_group(group, tag), _reduction(reduceOp), _dimension(self, scatter_dim)
    parts = _parts(self.detach(), dim, group.size()).contiguous()
    result = parts.new_empty(parts.shape[1:])
    dist.reduce_scatter_tensor(result, parts.flatten(0, 1), op, group)
    return result


def reduce_scatter_tensor_coalesced(inputs, reduceOp: str, scatter_dim, group, tag: str = ""):  # noqa: N803
    """reduce_scatter_tensor() of each of several tensors, along a dimension of each."""
    if len(inputs) != len(scatter_dim):
        raise ValueError(f"a dimension for each of {len(inputs)} tensors, not {len(scatter_dim)}")
    return [reduce_scatter_tensor(t, reduceOp, dim, group, tag) for t, dim in zip(inputs, scatter_dim)]


def _sizes(tensor, output_split_sizes, input_split_sizes, group):
    size = group.size()
    if input_split_sizes is not None and sum(input_split_sizes) != tensor.shape[0]:
        raise ValueError(f"input_split_sizes {input_split_sizes} must add up to {tensor.shape[0]} rows")
    rows = tensor.shape[0] if output_split_sizes is None else sum(output_split_sizes)
    if (input_split_sizes is None or output_split_sizes is None) and tensor.shape[0] % size:
        raise ValueError(f"{tensor.shape[0]} rows cannot be divided among {size} ranks: give their numbers")
    return tensor.new_empty(rows, *tensor.shape[1:])


def all_to_all_single(self, output_split_sizes, input_split_sizes, group, tag: str = ""):
    """Rows go to the ranks, as many to each or as input_split_sizes says; those that come are the result."""
    group = _resolve_group(group, tag)
    result = _sizes(self, output_split_sizes, input_split_sizes, group)
    dist.all_to_all_single(result, self.detach().contiguous(), output_split_sizes, input_split_sizes, group)
    return result


def permute_tensor(self, src_dst: list[int], group, tag: str = ""):
    """The tensor of the rank r for which src_dst[r] is this rank: src_dst is a permutation of places in the group."""
    group = _resolve_group(group, tag)
    size, rank = group.size(), group.rank()
    if sorted(src_dst) != list(range(size)):
        raise ValueError(f"src_dst must be a permutation of 0 to {size - 1}, not {src_dst}")
    flat = self.contiguous().flatten()
    output, input = [0] * size, [0] * size
    output[src_dst.index(rank)] = input[src_dst[rank]] = flat.numel()
    return all_to_all_single(flat, output, input, group).view(self.shape)


# ---- with gradients ----------------------------------------------------------------------------------------
def all_gather_tensor_autograd(self, gather_dim: int, group, tag: str = ""):
    """all_gather_tensor() with a gradient: the sum of what all ranks have for this rank's tensor."""
    group, dim = _resolve_group(group, tag), _dimension(self, gather_dim)
    stacked = _F._all_gather_base(self.new_empty(group.size(), *self.shape), self, group)
    return _joined(stacked, dim)


def reduce_scatter_tensor_autograd(self, reduceOp: str, scatter_dim: int, group, tag: str = ""):  # noqa: N803
    """reduce_scatter_tensor() with a gradient, for "sum" and "avg": each part has that of the rank it goes to."""
    group, op, dim = _resolve_group(group, tag), _reduction(reduceOp), _dimension(self, scatter_dim)
    parts = _parts(self, dim, group.size()).unbind()
    return _F.reduce_scatter(torch.empty_like(parts[0], memory_format=torch.contiguous_format), list(parts), op, group)


def all_to_all_single_autograd(self, output_split_sizes, input_split_sizes, group, tag: str = ""):
    """all_to_all_single() with a gradient: rows of it go back where rows came from."""
    group = _resolve_group(group, tag)
    result = _sizes(self, output_split_sizes, input_split_sizes, group)
    return _F.all_to_all_single(result, self, output_split_sizes, input_split_sizes, group)


all_gather_single, all_gather_single_autograd = all_gather_tensor, all_gather_tensor_autograd
all_gather_single_coalesced = all_gather_into_tensor_coalesced
reduce_scatter_single, reduce_scatter_single_autograd = reduce_scatter_tensor, reduce_scatter_tensor_autograd
reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced


# ---- those that write into what they are given -------------------------------------------------------------
def all_reduce_inplace(tensor, op="sum", group=None, async_op: bool = False, tag: str = ""):
    """torch.distributed.all_reduce() that returns the tensor."""
    if async_op:
        raise ValueError("async_op: what writes in place is done when it returns here")
    dist.all_reduce(tensor, _reduction(op), _resolve_group(group, tag))
    return tensor


def all_gather_tensor_inplace(
    output_tensor, input_tensor, group=None, async_op: bool = False, tag: str = "", gather_dim: int = 0
):
    """all_gather_tensor() into a tensor, which is returned."""
    if async_op:
        raise ValueError("async_op: what writes in place is done when it returns here")
    return output_tensor.copy_(all_gather_tensor(input_tensor, gather_dim, group, tag))


def reduce_scatter_tensor_inplace(
    output, input, op="sum", group=None, async_op: bool = False, scatter_dim: int = 0, tag: str = ""
):
    """reduce_scatter_tensor() into a tensor, which is returned."""
    if async_op:
        raise ValueError("async_op: what writes in place is done when it returns here")
    return output.copy_(reduce_scatter_tensor(input, op, scatter_dim, group, tag))


__getattr__, __dir__ = rest_of(__name__)
