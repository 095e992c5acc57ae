"""State dicts of optimisers of FullyShardedDataParallel modules: by names and whole, by numbers and in parts, and between."""

from __future__ import annotations

import torch
from torch.distributed.checkpoint._names import parameter_names
from torch.distributed.checkpoint._shares import broadcast, collected, like


def _groups(model, optim):
    """Names of the optimiser's parameters, group by group. RuntimeError: one is none of the model's."""
    names = parameter_names(model)
    for i, group in enumerate(optim.param_groups):
        for parameter in group["params"]:
            if parameter not in names:
                raise RuntimeError(f"a parameter of group {i}, of {list(parameter.shape)}, is none of the model's")
    return [[names[parameter] for parameter in group["params"]] for group in optim.param_groups]


def _numbered(groups):
    """[(number in raw state dicts, name)]"""
    return list(enumerate(name for names in groups for name in names))


def named(model, optim, raw=None):
    """A raw state dict, which is the optimiser's own otherwise, by names."""
    raw = optim.state_dict() if raw is None else raw
    groups = _groups(model, optim)
    state = {name: raw["state"][number] for number, name in _numbered(groups) if number in raw["state"]}
    made = [
        {key: value for key, value in group.items() if key != "params"} | {"params": names}
        for names, group in zip(groups, raw["param_groups"])
    ]
    return {"state": state, "param_groups": made}


def full(model, optim, first_only, offload, raw=None):
    """By names, with whole tensors."""
    return collected(named(model, optim, raw), True, offload, first_only)


def local(tree):
    """By names, with this rank's parts as plain tensors."""
    if isinstance(tree, dict):
        return {key: local(value) for key, value in tree.items()}
    return tree.to_local() if hasattr(tree, "to_local") else tree


def raw_of(model, optim, given):
    """A state dict by names as one that optim.load_state_dict() takes: by numbers, in parts. KeyError: names differ."""
    groups = _groups(model, optim)
    parameters = {name: parameter for parameter, name in parameter_names(model).items()}
    home = {name: group for group in given["param_groups"] for name in group["params"]}
    state = {}
    for number, name in _numbered(groups):
        if name in given["state"]:
            state[number] = {
                key: _part(parameters[name], value, f"{name}.{key}") for key, value in given["state"][name].items()
            }
    made, number = [], 0
    for names in groups:
        for name in names:
            if name not in home:
                raise KeyError(f"the state dict has no parameter {name!r}")
        values = {key: value for key, value in home[names[0]].items() if key != "params"} if names else {}
        made.append(values | {"params": list(range(number, number + len(names)))})
        number += len(names)
    return {"state": state, "param_groups": made}


def _part(parameter, value, name):
    """What a parameter's state is on this rank: divided as the parameter, where it has its shape, or this rank's part has."""
    if not isinstance(value, torch.Tensor) or value.dim() == 0:
        return value
    own = getattr(parameter, "to_local", None)
    if own is not None and type(value) is torch.Tensor and value.shape != parameter.shape:
        if value.shape != own().shape:
            raise RuntimeError(f"{name} has the size {list(parameter.shape)}, not {list(value.shape)}")
        from torch.distributed.tensor import DTensor

        return DTensor._made(value, parameter._spec)
    return like(parameter, value, name)


def scattered(model, optim, given):
    """raw_of() what rank 0 was given."""
    return raw_of(model, optim, broadcast(given, {"state": {}, "param_groups": []}))


def rekeyed(given, by_name, model, optim):
    """A state dict by names as one by numbers, or the reverse, its values as they are."""
    groups = _groups(model, optim)
    numbers = {name: number for number, name in _numbered(groups)}
    table = {number: name for name, number in numbers.items()} if by_name else numbers
    made = [group | {"params": [table.get(each, each) for each in group["params"]]} for group in given["param_groups"]]
    return {"state": {table.get(key, key): value for key, value in given["state"].items()}, "param_groups": made}
