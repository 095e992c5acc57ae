"""Variable: what tensors with gradients were once called."""

import torch

__all__ = ["Variable", "VariableMeta"]


class VariableMeta(type):
    """Every tensor counts as an instance of Variable."""

    def __instancecheck__(cls, other):
        return isinstance(other, torch.Tensor)


class Variable(metaclass=VariableMeta):
    """Variable(data, requires_grad=False): another tensor over the elements of `data`, without history."""

    def __new__(cls, data=None, requires_grad=False, volatile=None):
        if data is None:
            data = torch.empty(0)
        if not isinstance(data, torch.Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return data.detach().requires_grad_(bool(requires_grad))
