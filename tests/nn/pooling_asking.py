"""Gradients of gradients, of whatever torch there is."""

import torch
from nn_asking import SPACE


def _weights(tensor, phase):
    return torch.arange(1, tensor.numel() + 1, dtype=tensor.dtype).view(tensor.shape).mul(phase).sin()


def ask_twice(call, operands):
    """Of the result's gradient for x, which depends on a gradient g: those for g and, if there are such, for x."""
    x = operands["x"].detach().clone().requires_grad_()
    y = eval(call, {**SPACE, "x": x})
    g = _weights(y, 0.37).requires_grad_()
    (first,) = torch.autograd.grad(y, x, g, create_graph=True)
    second = torch.autograd.grad((first * _weights(first, 0.71)).sum(), [g, x], allow_unused=True)
    return {"first": first.detach().clone(), "second": [None if s is None else s.detach().clone() for s in second]}
