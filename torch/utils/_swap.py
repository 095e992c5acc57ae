"""torch.utils.swap_tensors."""

import torch


def _leaf(tensor, which):
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"swap_tensors: {which} must be a tensor, got {type(tensor).__name__}")
    if tensor.grad_fn is not None:
        raise RuntimeError(f"swap_tensors: {which} has been computed with gradients: only leaves can be swapped here")
    if tensor._base is not None:
        raise RuntimeError(f"swap_tensors: {which} is a view: only tensors of their own can be swapped here")


def swap_tensors(t1, t2):
    """Makes each of two tensors what the other was: elements, class, gradient, attributes and hooks, so that whoever holds one
    of them finds the other there. RuntimeError for tensors that were computed with gradients, and for views."""
    _leaf(t1, "t1")
    _leaf(t2, "t2")
    if t1 is t2:
        return
    states = [(t.data, t.requires_grad, t.grad, t.__class__, dict(t.__dict__), t._backward_hooks) for t in (t1, t2)]
    for tensor, (data, requires_grad, grad, cls, attributes, hooks) in zip((t2, t1), states):
        tensor.requires_grad_(False)
        tensor.grad = None
        tensor._backward_hooks = None
        tensor.data = data
        tensor.requires_grad_(requires_grad)
        tensor.grad = grad
        tensor.__class__ = cls
        tensor.__dict__.clear()
        tensor.__dict__.update(attributes)
        if hooks:
            tensor._backward_hooks = hooks
