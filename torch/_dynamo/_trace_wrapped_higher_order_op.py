"""How functions of a mask read a tensor: here as any function does."""

import torch


class TransformGetItemToIndex(torch.overrides.TorchFunctionMode):
    """A context in which x[i, j] with 0-dim tensors as indices gives a 0-dim tensor, without reading the indices' numbers.
    That is what indexing does here anyway."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def trace_wrapped(*args, **kwargs):
    """`fn` called with the rest: nothing is traced."""
    fn = kwargs.pop("fn")
    return fn(*args, **kwargs)
