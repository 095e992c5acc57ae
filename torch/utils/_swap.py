"""torch.utils.swap_tensors."""

import weakref

import torch
from torch import _C


def _slots(tensor):
    return set(getattr(type(tensor), "__slots__", ()))


def swap_tensors(t1, t2):
    """Exchanges all that two tensors are, so that whoever has one of the objects has the other one's elements, type, gradient
    and attributes. RuntimeError for tensors with weak references, whose holders would be surprised."""
    for name, tensor in (("t1", t1), ("t2", t2)):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"swap_tensors: {name} has to be a tensor, not {type(tensor).__name__}")
        if weakref.getweakrefs(tensor):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    if _slots(t1) != _slots(t2):
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    if t1 is t2:
        return
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    slots = [name for name in _slots(t1) if hasattr(t1, name) or hasattr(t2, name)]
    missing = object()
    values = [(name, getattr(t1, name, missing), getattr(t2, name, missing)) for name in slots]
    _C._swap_tensors(t1, t2)
    for name, first, second in values:
        for tensor, value in ((t1, second), (t2, first)):
            if value is missing:
                delattr(tensor, name)
            else:
                setattr(tensor, name, value)
