"""Modules called with other parameters than their own."""

from __future__ import annotations

import contextlib
from typing import Any

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn.modules.module import Module

__all__ = [
    "functional_call",
]


def _place(module, path):
    """(the module that has it, its name there)"""
    before, _, name = path.rpartition(".")
    return module.get_submodule(before), name


def _tied(module, given):
    """`given` with an entry for every name of a tensor that has several. ValueError if two of them get different ones."""
    names = {}
    for tensors in (module.named_parameters(remove_duplicate=False), module.named_buffers(remove_duplicate=False)):
        for name, tensor in tensors:
            names.setdefault(id(tensor), []).append(name)
    result = dict(given)
    for group in names.values():
        values = [given[name] for name in group if name in given]
        if len(group) > 1 and values:
            if any(value is not values[0] for value in values):
                raise ValueError(
                    f"functional_call got multiple values for keys {group}, which are tied: give one of them, or "
                    "tie_weights=False"
                )
            result.update(dict.fromkeys(group, values[0]))
    return result


@contextlib.contextmanager
def reparametrized(module, given, tie_weights=True, strict=False):
    """A context in which the module has those parameters and buffers in the place of its own."""
    own = {name for name, _ in module.named_parameters(remove_duplicate=False)}
    own |= {name for name, _ in module.named_buffers(remove_duplicate=False)}
    if strict:
        missing, unexpected = sorted(own - set(given)), sorted(set(given) - own)
        if missing or unexpected:
            problems = [
                f"{what} key(s): " + ", ".join(map(repr, names)) + "."
                for what, names in (("Unexpected", unexpected), ("Missing", missing))
                if names
            ]
            listed = "\n\t".join(problems)
            raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:\n\t{listed}")
    for value in given.values():
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
    kept = []
    try:
        for path, value in (_tied(module, given) if tie_weights else given).items():
            if path not in own:
                continue
            parent, name = _place(module, path)
            members = parent._parameters if name in parent._parameters else parent._buffers
            kept.append((members, name, members[name]))
            members[name] = value
        yield module
    finally:
        for members, name, value in reversed(kept):
            members[name] = value


def functional_call(
    module: Module,
    parameters_and_buffers: dict[str, Tensor],
    args: Any | tuple | None = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
):
    """module(*args, **kwargs) with the parameters and buffers that a dict of names gives in the place of its own, which it has
    again afterwards. tie_weights: a tensor that has several names is replaced under all of them. strict: RuntimeError unless
    all names are given and no others."""
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with reparametrized(module, parameters_and_buffers, tie_weights, strict):
        return module(*args, **(kwargs or {}))
