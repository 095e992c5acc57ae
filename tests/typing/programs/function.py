import torch
from torch.autograd import Function
from torch.autograd.function import FunctionCtx, once_differentiable


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2


reveal_type(Double.apply(torch.ones(2)))
reveal_type(FunctionCtx())
reveal_type(Double().forward)
Double.applies(torch.ones(2))  # an error
