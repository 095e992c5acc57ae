"""State dicts of models and optimisers by parameters' names, whichever way they are wrapped: plain, DistributedDataParallel,
FullyShardedDataParallel, fully_shard(); what one of them gives another one takes."""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch._absent import rest_of
from torch.distributed.checkpoint._names import names_of, parameter_names
from torch.distributed.checkpoint._shares import broadcast, collected, like
from torch.nn.modules.module import _IncompatibleKeys

__all__ = [
    "DictValueType",
    "FQNS_T",
    "ListDictValueType",
    "OptimizerStateType",
    "PrimitiveType",
    "StateDictOptions",
    "ValueType",
    "get_model_state_dict",
    "get_optimizer_state_dict",
    "get_state_dict",
    "set_model_state_dict",
    "set_optimizer_state_dict",
    "set_state_dict",
]

FQNS_T = set[str]
PrimitiveType = Any
ValueType = Any
DictValueType = dict[str, ValueType]
ListDictValueType = list[DictValueType]
OptimizerStateType = dict[str, DictValueType | ListDictValueType]


@dataclass
class StateDictOptions:
    """What the functions of this module give and take.

    full_state_dict: whole tensors, not this rank's parts. cpu_offload: of the CPU; with full_state_dict on rank 0 alone, the
    others get an empty dict. ignore_frozen_params: without parameters that ask for no gradient. keep_submodule_prefixes:
    False: names below `submodules` begin there. strict: as load_state_dict() has it. broadcast_from_rank0: rank 0 has what
    all are to load, whole tensors. flatten_optimizer_state_dict: one dict of names as "state.weight.exp_avg".
    """

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"


class _About:
    """A model's names, and what is asked for."""

    def __init__(self, model, submodules, options, optimizers=()):
        self.model, self.options = model, options or StateDictOptions()
        if self.options.broadcast_from_rank0 and not self.options.full_state_dict:
            raise ValueError("broadcast_from_rank0 is for whole tensors: full_state_dict must be True, too")
        self.optimizers = [optimizers] if isinstance(optimizers, torch.optim.Optimizer) else list(optimizers)
        self.names = parameter_names(model)
        self.frozen = {name for p, name in self.names.items() if not p.requires_grad}
        self.prefixes = None
        if submodules:
            warnings.warn("submodules is deprecated: choose from the whole state dict", FutureWarning, stacklevel=4)
            paths = names_of(model, dict(model.named_modules()))
            self.prefixes = [f"{paths[name]}." for name, each in model.named_modules() if each in submodules]

    def kept(self, state_dict):
        """The entries that are asked for, by the names that are asked for."""
        if self.options.ignore_frozen_params:
            state_dict = {name: value for name, value in state_dict.items() if name not in self.frozen}
        if self.prefixes is None:
            return state_dict
        found = {}
        for name, value in state_dict.items():
            for prefix in self.prefixes:
                if name.startswith(prefix):
                    found[name if self.options.keep_submodule_prefixes else name[len(prefix) :]] = value
        return found

    def given(self, state_dict):
        """Tensors as they are asked for; collective where they are whole."""
        return collected(state_dict, self.options.full_state_dict, self.options.cpu_offload)

    def parts(self):
        """A context in which FullyShardedDataParallel gives and takes DTensors."""
        if not any("_fsdp_wrapped_module" in each._modules for each in self.model.modules()):
            return contextlib.nullcontext()
        from torch.distributed.fsdp import FullyShardedDataParallel, StateDictType

        return FullyShardedDataParallel.state_dict_type(self.model, StateDictType.SHARDED_STATE_DICT)

    def model_state(self):
        """{name: (name in the model, tensor)}"""
        with self.parts():
            state_dict = self.model.state_dict()
        names = names_of(self.model, state_dict)
        return {names[key]: (key, value) for key, value in state_dict.items()}

    def names_in(self, optimizer):
        """Names of the optimiser's parameters, group by group. RuntimeError: the model has not got one."""
        found = []
        for i, group in enumerate(optimizer.param_groups):
            for j, parameter in enumerate(group["params"]):
                if parameter not in self.names:
                    raise RuntimeError(
                        f"parameter {j} of group {i} of the optimizer, of {list(parameter.shape)}, is none of the model's"
                    )
            found.append([self.names[parameter] for parameter in group["params"]])
        return found

    def optimizer_state(self):
        """The state of all optimisers by names."""
        state, groups = {}, []
        for optimizer in self.optimizers:
            _begin(optimizer)
            raw = optimizer.state_dict()
            for names, group in zip(self.names_in(optimizer), raw["param_groups"]):
                for name, number in zip(names, group["params"]):
                    if number in raw["state"]:
                        state[name] = raw["state"][number]
                groups.append({key: value for key, value in group.items() if key != "params"} | {"params": names})
        kept = self.kept(dict.fromkeys(self.names.values(), True))
        if self.prefixes is not None or self.options.ignore_frozen_params:
            state = self.kept(state)
            for group in groups:
                group["params"] = list(self.kept(dict.fromkeys(group["params"])))
            groups = [group for group in groups if any(name in kept for name in group["params"])]
        return {"state": state, "param_groups": groups}


def _begin(optimizer):
    """Gives an optimiser that has made no step its state, by a step of length 0."""
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    if optimizer.state or any(p.grad is not None for p in parameters):
        return
    rates = [group.get("lr") for group in optimizer.param_groups]
    try:
        for group, rate in zip(optimizer.param_groups, rates):
            if rate is not None:
                group["lr"] = torch.zeros_like(rate) if isinstance(rate, torch.Tensor) else 0.0
        for p in parameters:
            if p.requires_grad:
                p.grad = torch.zeros_like(p)
        optimizer.step(closure=None)
    finally:
        for group, rate in zip(optimizer.param_groups, rates):
            if rate is not None:
                group["lr"] = rate
        optimizer.zero_grad(set_to_none=True)


def _flat(state_dict):
    flat = {f"state.{name}.{key}": value for name, each in state_dict["state"].items() for key, value in each.items()}
    for group in state_dict["param_groups"]:
        for name in group["params"]:
            flat |= {f"param_groups.{name}.{key}": value for key, value in group.items() if key != "params"}
    return flat


def _nested(flat, groups, names):
    """The nested state dict of a flat one: names of parameters may have dots, so they are looked for."""
    state = {}
    for name in names:
        prefix = f"state.{name}."
        found = {key[len(prefix) :]: value for key, value in flat.items() if key.startswith(prefix)}
        found = {key: value for key, value in found.items() if "." not in key}
        if found:
            state[name] = found
    made = []
    for group_names, group in groups:
        values = {}
        for key in group:
            at = f"param_groups.{group_names[0]}.{key}" if group_names else ""
            if key != "params" and at in flat:
                values[key] = flat[at]
        made.append(values | {"params": group_names})
    return {"state": state, "param_groups": made}


def get_model_state_dict(model: nn.Module, *, submodules=None, options: StateDictOptions | None = None):
    """A model's state dict, by the names that the unwrapped model has; collective where full_state_dict is True."""
    about = _About(model, submodules, options)
    return about.given(about.kept({name: value for name, (_, value) in about.model_state().items()}))


def get_optimizer_state_dict(model: nn.Module, optimizers, *, submodules=None, options: StateDictOptions | None = None):
    """The state dict of one optimiser or several: {"state": {name: {...}}, "param_groups": [{"params": names, ...}]}.

    An optimiser that has made no step yet makes one of length 0. RuntimeError: it has parameters that are not the model's.
    """
    about = _About(model, submodules, options, optimizers)
    found = about.optimizer_state()
    return about.given(_flat(found) if about.options.flatten_optimizer_state_dict else found)


def get_state_dict(model: nn.Module, optimizers, *, submodules=None, options: StateDictOptions | None = None):
    """(get_model_state_dict(), get_optimizer_state_dict())"""
    return (
        get_model_state_dict(model, submodules=submodules, options=options),
        get_optimizer_state_dict(model, optimizers, submodules=submodules, options=options),
    )


def set_model_state_dict(model: nn.Module, model_state_dict, *, options: StateDictOptions | None = None):
    """Loads what get_model_state_dict() of any wrapping of the model gave: parts, or whole tensors.

    Returns what load_state_dict() does, with the names of the unwrapped model. RuntimeError: strict, and names differ; or
    sizes do.
    """
    about = _About(model, None, options)
    if model_state_dict and isinstance(next(iter(model_state_dict)), nn.Module):
        raise TypeError("the state dict is by names, not by modules")
    own = about.model_state()
    if about.options.broadcast_from_rank0:
        model_state_dict = broadcast(model_state_dict, {name: value for name, (_, value) in own.items()})
    if not about.options.strict:
        wanted = model_state_dict
    elif about.options.ignore_frozen_params:
        wanted = {name: value for name, (_, value) in own.items() if name in about.frozen} | dict(model_state_dict)
    else:
        wanted = model_state_dict
    named = {}
    for name, value in wanted.items():
        key, current = own.get(name, (name, None))
        named[key] = like(current, value, name)
    with about.parts():
        found = model.load_state_dict(named, strict=about.options.strict)
    keys = names_of(model, list(found.missing_keys))
    return _IncompatibleKeys([keys[key] for key in found.missing_keys], list(found.unexpected_keys))


def set_optimizer_state_dict(
    model: nn.Module, optimizers, optim_state_dict, *, options: StateDictOptions | None = None
) -> None:
    """Loads what get_optimizer_state_dict() of any wrapping of the model gave.

    RuntimeError: strict, and a parameter is in no group of it; parameters of one group are in several.
    """
    about = _About(model, None, options, optimizers)
    strict = about.options.strict
    for optimizer in about.optimizers:
        _begin(optimizer)
    current = {"state": {}}
    for optimizer in about.optimizers:
        raw = optimizer.state_dict()
        for names, group in zip(about.names_in(optimizer), raw["param_groups"]):
            current["state"] |= {
                name: raw["state"][number] for name, number in zip(names, group["params"]) if number in raw["state"]
            }
    if about.options.broadcast_from_rank0:
        flat = "state" not in optim_state_dict
        pattern = _flat(current | {"param_groups": []}) if flat else current
        optim_state_dict = broadcast(optim_state_dict, pattern)
    if optim_state_dict and "state" not in optim_state_dict:
        groups = [
            (names, group)
            for optimizer in about.optimizers
            for names, group in zip(about.names_in(optimizer), optimizer.param_groups)
        ]
        optim_state_dict = _nested(optim_state_dict, groups, about.names.values())
    if not optim_state_dict:
        if strict and any(optimizer.state for optimizer in about.optimizers):
            raise RuntimeError("the optimizer's state dict is empty")
        return
    home = {name: group for group in optim_state_dict["param_groups"] for name in group["params"]}
    loads = []
    for optimizer in about.optimizers:
        raw = optimizer.state_dict()
        for names, group in zip(about.names_in(optimizer), raw["param_groups"]):
            given = [home[name] for name in names if name in home]
            ignored = about.frozen if about.options.ignore_frozen_params else ()
            missing = [name for name in names if name not in home and name not in ignored]
            if strict and missing:
                raise RuntimeError(f"the optimizer's state dict has no parameter {missing[0]!r}")
            if any(each is not given[0] for each in given):
                values = [{key: value for key, value in each.items() if key != "params"} for each in given]
                if any(each != values[0] for each in values):
                    raise RuntimeError(f"parameters of one group are in groups that differ: {', '.join(names)}")
            if given:
                group.update({key: value for key, value in given[0].items() if key != "params"})
            for name, number in zip(names, group["params"]):
                if name in optim_state_dict["state"]:
                    before = current["state"].get(name, {})
                    raw["state"][number] = {
                        key: like(before.get(key), value, f"{name}.{key}")
                        for key, value in optim_state_dict["state"][name].items()
                    }
        loads.append((optimizer, raw))
    for optimizer, raw in loads:
        optimizer.load_state_dict(raw)


def set_state_dict(
    model: nn.Module, optimizers, *, model_state_dict, optim_state_dict, options: StateDictOptions | None = None
):
    """set_model_state_dict(), whose answer it returns, and set_optimizer_state_dict()."""
    found = set_model_state_dict(model, model_state_dict, options=options)
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return found


def _patch_model_state_dict(model, *, options=None):
    """model.state_dict() and model.load_state_dict() are those of this module from now on."""
    model.state_dict = lambda: get_model_state_dict(model, options=options)
    model.load_state_dict = lambda state_dict: set_model_state_dict(model, state_dict, options=options)


__getattr__, __dir__ = rest_of(__name__)
