"""THNN's functions for a type of tensors: `type2backend["torch.DoubleTensor"].Tanh_updateOutput(None, input, output)`."""

import importlib

import torch
from torch._tensor_types import NAMES


def target_of(type):
    """(name, dtype, device) of "torch.DoubleTensor", "torch.cuda.FloatTensor", of such a class, or of a dtype."""
    if isinstance(type, torch.dtype):
        type = next(f"torch.{name}" for name, dtype in NAMES.items() if dtype == type)
    elif not isinstance(type, str):
        type = f"{type.__module__}.{type.__name__}"
    last = type.rpartition(".")[2]
    if last not in NAMES or type not in (f"torch.{last}", f"torch.cuda.{last}"):
        raise ValueError(f"invalid type: '{type}'; a type is the name of one, such as 'torch.FloatTensor'")
    return type, NAMES[last], "cuda" if type.startswith("torch.cuda.") else "cpu"


class Backend:
    """THNN's functions for a type, by their names without it: `Tanh_updateOutput(library_state, input, output)`."""

    library_state = None

    def __init__(self, type):
        _, dtype, device = target_of(type)
        name = type.rpartition(".")[2].removesuffix("Tensor")
        self._prefix = name if device == "cpu" else "Cuda" + ("" if dtype == torch.float32 else name)

    def __getattr__(self, name):
        library = "_THCUNN" if self._prefix.startswith("Cuda") else "_THNN"
        return getattr(importlib.import_module(f"torch._thnn.{library}"), self._prefix + name)


class _Backends(dict):
    """A Backend for each type, by its name or the type itself, made when it is first asked for."""

    def __missing__(self, type):
        name = target_of(type)[0]
        if name != type:
            return self[name]
        self[name] = Backend(name)
        return self[name]


type2backend = _Backends()
