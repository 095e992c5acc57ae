"""Batch normalisation over the batches of all ranks of a group."""

import torch
from torch.autograd import Function
from torch.distributed import _collectives as collectives


def _row(values, like):
    return values.to(like.dtype).view(1, -1, *([1] * (like.dim() - 2)))


class SyncBatchNormFunction(Function):
    """Ranks exchange means, variances and counts; in the backward pass, sums of gradients."""

    @staticmethod
    def forward(ctx, input, weight, bias, running_mean, running_var, eps, momentum, group):
        channels = input.size(1)
        dims = [d for d in range(input.dim()) if d != 1]
        kind = torch.float64 if input.dtype == torch.float64 else torch.float32
        wide = input.to(kind)
        count = input.numel() // channels
        if count:
            var, mean = torch.var_mean(wide, dims, correction=0)
        else:
            var, mean = wide.new_zeros(channels), wide.new_zeros(channels)
        mine = torch.cat([mean, var, mean.new_full((1,), count)])
        all_ranks = mine.new_empty(group.size(), mine.numel())
        collectives.all_gather_into_tensor(all_ranks, mine, group)
        means, variances, counts = all_ranks.split([channels, channels, 1], 1)
        total = counts.sum()
        if total <= 1:
            raise ValueError(
                f"Expected more than 1 value per channel when training, got {int(total)} on all ranks together"
            )
        mean = (means * counts).sum(0) / total
        var = ((variances + (means - mean) ** 2) * counts).sum(0) / total
        if running_mean is not None:
            running_mean.mul_(1 - momentum).add_(mean.to(running_mean.dtype), alpha=momentum)
        if running_var is not None:
            running_var.mul_(1 - momentum).add_((var * (total / (total - 1))).to(running_var.dtype), alpha=momentum)
        scale = (var + eps).rsqrt()
        ctx.save_for_backward(input, weight, mean, scale)
        ctx.total, ctx.group, ctx.dims, ctx.has_bias = total, group, dims, bias is not None
        out = (wide - _row(mean, wide)) * _row(scale, wide)
        if weight is not None:
            out = out * _row(weight, wide)
        if bias is not None:
            out = out + _row(bias, wide)
        return out.to(input.dtype)

    @staticmethod
    def backward(ctx, grad):
        input, weight, mean, scale = ctx.saved_tensors
        wide = input.to(mean.dtype)
        grad = grad.to(mean.dtype)
        normed = (wide - _row(mean, wide)) * _row(scale, wide)
        sum_grad, sum_product = grad.sum(ctx.dims), (grad * normed).sum(ctx.dims)
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            sums = torch.cat([sum_grad, sum_product])
            collectives.all_reduce(sums, group=ctx.group)
            mean_grad, mean_product = (sums / ctx.total).chunk(2)
            factor = scale if weight is None else scale * weight.to(scale.dtype)
            grad_input = (grad - _row(mean_grad, grad) - normed * _row(mean_product, grad)) * _row(factor, grad)
            grad_input = grad_input.to(input.dtype)
        if weight is not None and ctx.needs_input_grad[1]:
            grad_weight = sum_product.to(weight.dtype)
        if ctx.has_bias and ctx.needs_input_grad[2]:
            grad_bias = sum_grad.to(weight.dtype if weight is not None else input.dtype)
        return grad_input, grad_weight, grad_bias, None, None, None, None, None
