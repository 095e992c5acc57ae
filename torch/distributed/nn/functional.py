"""Collective operations with gradients: each rank's loss may use what came of all ranks, and what it differentiates is the
sum of all ranks' losses. Each function returns its result and leaves its inputs as they are; backward() is a collective
operation, too, so all ranks of the group call it. `group=None`: the default group.
"""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch._absent import rest_of
from torch.autograd import Function
from torch.distributed import ReduceOp


def resolved(group):
    """The group that an argument means."""
    return dist.distributed_c10d._get_default_group() if group is None else group


_LINEAR = (ReduceOp.SUM, ReduceOp.AVG)  # whose gradient is the same operation, turned around


def _linear(op, who):
    if getattr(op, "op", op) not in _LINEAR:
        raise NotImplementedError(f"{who}: the gradient of a reduction by {op} is not known; those of SUM and AVG are")
    return op


def _dense(tensor):
    return tensor.contiguous()


class _Broadcast(Function):
    @staticmethod
    def forward(ctx, src, group, tensor):
        ctx.src, ctx.group = src, group
        result = tensor.clone()
        dist.broadcast(result, src, group=group)
        return result

    @staticmethod
    def backward(ctx, grad):
        total = grad.clone()
        dist.reduce(total, ctx.src, group=ctx.group)
        return None, None, total if dist.get_rank() == ctx.src else torch.zeros_like(total)


class _Reduce(Function):
    @staticmethod
    def forward(ctx, dst, op, group, tensor):
        ctx.dst, ctx.op, ctx.group = dst, op, group
        result = tensor.clone()
        dist.reduce(result, dst, op=op, group=group)
        return result

    @staticmethod
    def backward(ctx, grad):
        op = _linear(ctx.op, "reduce")
        grad = grad.clone()
        dist.broadcast(grad, ctx.dst, group=ctx.group)
        return None, None, None, grad / resolved(ctx.group).size() if op == ReduceOp.AVG else grad


class _AllReduce(Function):
    @staticmethod
    def forward(ctx, op, group, tensor):
        ctx.op, ctx.group = op, group
        result = tensor.clone()
        dist.all_reduce(result, op=op, group=group)
        return result

    @staticmethod
    def backward(ctx, grad):
        return None, None, _AllReduce.apply(_linear(ctx.op, "all_reduce"), ctx.group, grad)


class _Gather(Function):
    @staticmethod
    def forward(ctx, dst, group, tensor):
        ctx.dst, ctx.group = dst, group
        received = [torch.zeros_like(tensor) for _ in range(resolved(group).size())]
        dist.gather(_dense(tensor), received if dist.get_rank() == dst else None, dst, group=group)
        return tuple(received)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *grads)


class _Scatter(Function):
    @staticmethod
    def forward(ctx, src, group, *tensors):
        ctx.src, ctx.group = src, group
        mine = torch.zeros_like(tensors[0])
        dist.scatter(mine, [_dense(t) for t in tensors] if dist.get_rank() == src else None, src, group=group)
        return mine

    @staticmethod
    def backward(ctx, grad):
        return None, None, *_Gather.apply(ctx.src, ctx.group, grad)


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx, op, group, output, *tensors):
        ctx.op, ctx.group = op, group
        result = torch.empty_like(output)
        dist.reduce_scatter(result, [_dense(t) for t in tensors], op=op, group=group)
        return result

    @staticmethod
    def backward(ctx, grad):
        op = _linear(ctx.op, "reduce_scatter")
        grads = _AllGather.apply(ctx.group, grad / resolved(ctx.group).size() if op == ReduceOp.AVG else grad)
        return None, None, None, *grads


class _AllGather(Function):
    @staticmethod
    def forward(ctx, group, tensor):
        ctx.group = group
        received = [torch.empty_like(tensor) for _ in range(resolved(group).size())]
        dist.all_gather(received, _dense(tensor), group=group)
        return tuple(received)

    @staticmethod
    def backward(ctx, *grads):
        mine = grads[resolved(ctx.group).rank()]
        return None, _ReduceScatter.apply(ReduceOp.SUM, ctx.group, mine, *grads)


class _AllGatherBase(Function):
    @staticmethod
    def forward(ctx, output, group, tensor):
        ctx.group, ctx.shape = group, tensor.shape
        result = torch.empty_like(output)
        dist.all_gather_into_tensor(result, _dense(tensor), group=group)
        return result

    @staticmethod
    def backward(ctx, grad):
        mine = grad.new_empty(ctx.shape)
        dist.reduce_scatter_tensor(mine, _dense(grad), group=ctx.group)
        return None, None, mine


class _AllToAll(Function):
    @staticmethod
    def forward(ctx, group, count, *tensors):
        sent, shapes = tensors[count:], [t.shape for t in tensors[:count]]
        ctx.group, ctx.shapes = group, [t.shape for t in sent]
        received = [sent[0].new_empty(shape) for shape in shapes]
        dist.all_to_all(received, [_dense(t) for t in sent], group=group)
        return tuple(received)

    @staticmethod
    def backward(ctx, *grads):
        shaped = [grads[0].new_empty(shape) for shape in ctx.shapes]
        back = _AllToAll.apply(ctx.group, len(shaped), *shaped, *grads)
        return None, None, *(None for _ in grads), *back


class _AllToAllSingle(Function):
    @staticmethod
    def forward(ctx, group, output, output_sizes, input_sizes, tensor):
        ctx.group, ctx.shape, ctx.sizes = group, tensor.shape, (output_sizes, input_sizes)
        result = torch.empty_like(output)
        dist.all_to_all_single(result, _dense(tensor), output_sizes, input_sizes, group=group)
        return result

    @staticmethod
    def backward(ctx, grad):
        output_sizes, input_sizes = ctx.sizes
        shaped = grad.new_empty(ctx.shape)
        return None, None, None, None, _AllToAllSingle.apply(ctx.group, shaped, input_sizes, output_sizes, grad)


def broadcast(tensor, src, group=None):
    """src's tensor, for all. The gradient, at src: the sum of all ranks' gradients; zero elsewhere."""
    return _Broadcast.apply(src, group, tensor)


def gather(tensor, dst=0, group=None):
    """A tuple of all ranks' tensors at dst, zeros elsewhere; tensors have one shape. Gradients go back to their ranks."""
    return _Gather.apply(dst, group, tensor)


def scatter(tensors, src=0, group=None):
    """src's tensors[rank]; other ranks' tensors give the shape alone. Gradients go back to src."""
    if len(tensors) != resolved(group).size():
        raise ValueError(f"scatter: a tensor for each of {resolved(group).size()} ranks, not {len(tensors)}")
    dist.get_group_rank(resolved(group), src)
    return _Scatter.apply(src, group, *tensors)


def reduce(tensor, dst, op=ReduceOp.SUM, group=None):
    """What all ranks' tensors add up to, at dst; dst's gradient is everybody's. Elsewhere the result has no meaning."""
    return _Reduce.apply(dst, op, group, tensor)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None):
    """What ranks' input_list[rank] add up to, of output's shape. Each rank's gradient goes to all of its addends."""
    return _ReduceScatter.apply(op, group, output, *input_list)


def all_gather(tensor, group=None):
    """A tuple of all ranks' tensors, which have one shape. The gradient is the sum of what all ranks have for it."""
    return _AllGather.apply(group, tensor)


def _all_gather_base(output_tensor, input_tensor, group=None):
    """all_gather() joined along the first dimension, of output_tensor's shape."""
    return _AllGatherBase.apply(output_tensor, group, input_tensor)


def all_to_all(output_tensor_list, input_tensor_list, group=None):
    """A tuple: what rank r had at input_tensor_list[rank], of the shape of output_tensor_list[r]. Gradients go back."""
    return _AllToAll.apply(group, len(output_tensor_list), *output_tensor_list, *input_tensor_list)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None):
    """Rows of `input` go to the ranks, as many to each or as input_split_sizes says; the result has output's shape."""
    return _AllToAllSingle.apply(group, output, output_split_sizes, input_split_sizes, input)


def all_reduce(tensor, op=ReduceOp.SUM, group=None):
    """What all ranks' tensors add up to, for all. The gradient is the sum of all ranks' gradients; AVG: their mean.

    NotImplementedError in backward(): `op` is another one.
    """
    return _AllReduce.apply(op, group, tensor)


__getattr__, __dir__ = rest_of(__name__)
