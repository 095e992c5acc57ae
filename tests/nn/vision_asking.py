"""Results in other dtypes, and the names of nodes, of whatever torch there is."""

import torch
from nn_asking import SPACE


def ask_dtype(call, operands):
    """The result, and where it is floating the gradient of its sum for x."""
    x = operands["x"].detach().clone()
    x.requires_grad_(x.is_floating_point())
    y = eval(call, {**SPACE, **operands, "x": x})
    graph = y.requires_grad
    gradient = torch.autograd.grad(y.real.sum() if y.is_complex() else y.sum(), x)[0] if graph else None
    return {"result": y.detach().clone(), "gradient": gradient}


def ask_names(call, operands):
    """The nodes of the result and of its gradient."""
    x = operands["x"].detach().clone().requires_grad_()
    y = eval(call, {**SPACE, "x": x})
    (gradient,) = torch.autograd.grad(y, x, torch.ones_like(y).requires_grad_(), create_graph=True)
    return [y.grad_fn.name(), gradient.grad_fn.name()]
