"""Trees of arguments divided among devices, and trees of results put together again."""

import torch
from torch.nn.parallel._functions import Gather, Scatter

__all__ = ["gather", "scatter", "scatter_kwargs"]


def is_namedtuple(value):
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def scatter(inputs, target_gpus, dim=0):
    """A list, or for a tensor a tuple, of what each device gets: of tensors, also within tuples, lists and dicts, parts
    along `dim`; of anything else the object itself."""
    if isinstance(inputs, torch.Tensor):
        return Scatter.apply(target_gpus, None, dim, inputs)
    count = len(target_gpus)
    if isinstance(inputs, dict) and inputs:
        columns = [scatter(item, target_gpus, dim) for item in inputs.items()]
        return [type(inputs)(row) for row in zip(*columns)]
    if isinstance(inputs, (tuple, list)) and inputs:
        rows = zip(*(scatter(part, target_gpus, dim) for part in inputs))
        if is_namedtuple(inputs):
            return [type(inputs)(*row) for row in rows]
        return [list(row) if isinstance(inputs, list) else row for row in rows]
    return [inputs] * count


def scatter_kwargs(inputs, kwargs, target_gpus, dim=0):
    """(tuples of positional arguments, dicts of keyword arguments), one of each for every device that gets something."""
    positional = scatter(inputs, target_gpus, dim) if inputs else []
    named = scatter(kwargs, target_gpus, dim) if kwargs else []
    count = max(len(positional), len(named))
    positional = [*positional, *[()] * (count - len(positional))]
    named = [*named, *({} for _ in range(count - len(named)))]
    return tuple(positional), tuple(named)


def gather(outputs, target_device, dim=0):
    """The results of several devices, trees of one form, as one on the target, a device or "cpu": tensors one behind the
    other along `dim`, None where they are None. ValueError for dicts of different keys."""
    first = outputs[0]
    if isinstance(first, torch.Tensor):
        return Gather.apply(target_device, dim, *outputs)
    if first is None:
        return None
    if isinstance(first, dict):
        if any(len(each) != len(first) for each in outputs):
            raise ValueError("All dicts must have the same number of keys")
        return type(first)((key, gather([each[key] for each in outputs], target_device, dim)) for key in first)
    parts = [gather(row, target_device, dim) for row in zip(*outputs)]
    return type(first)(*parts) if is_namedtuple(first) else type(first)(parts)
