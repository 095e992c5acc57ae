"""State dicts, whole parameters and norms of FullyShardedDataParallel."""

from __future__ import annotations

import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint._shares import like
from torch.distributed.fsdp.api import StateDictType

_WRAPPED = "_fsdp_wrapped_module."


def hook(module):
    """State dicts of a module have names without the wrapper, and parameters as its settings say."""
    module.register_state_dict_pre_hook(lambda this, *_: this._fsdp_group.reshard())
    module._register_state_dict_hook(_saved)
    module.register_load_state_dict_pre_hook(_loaded)


def _own(module):
    """{name below the module: (part, parameter)} of the module's group."""
    paths = {each: path for path, each in module.named_modules()}
    found = {}
    for part in module._fsdp_group.parts:
        for holder, name in part.holders:
            found[f"{paths[holder]}.{name}" if paths[holder] else name] = part
    return found


def _saved(module, state, prefix, _):
    settings = module._settings
    kind = settings.state_dict_type
    first_only = kind is StateDictType.FULL_STATE_DICT and settings.state_dict_config.rank0_only
    left_out = first_only and dist.get_rank() != 0
    own, whole = _own(module), {}
    for name, part in own.items():
        value = state.get(prefix + name)
        if value is None:
            continue
        if kind is StateDictType.FULL_STATE_DICT:
            if part not in whole:
                full = part.parameter.detach().full_tensor()
                # Of NO_SHARD it may be the parameter itself.
                whole[part] = None if left_out else full.clone()
            state[prefix + name] = whole[part]
        elif kind is StateDictType.LOCAL_STATE_DICT:
            state[prefix + name] = part.parameter.to_local().detach()
    paths = {each: path for path, each in module.named_modules()}
    for (holder, name), dtype in module._buffer_dtypes.items():
        key = f"{prefix}{paths[holder]}.{name}"
        if key in state:
            state[key] = state[key].to(dtype)
    start = prefix + _WRAPPED
    entries = list(state.items())
    state.clear()
    for key, value in entries:
        if not (left_out and key.startswith(prefix)):
            state[prefix + key[len(start) :] if key.startswith(start) else key] = value
    metadata = getattr(state, "_metadata", None)
    if metadata is not None:
        for key in [key for key in metadata if key == start[:-1] or key.startswith(start)]:
            metadata[(prefix + key[len(start) :]).rstrip(".") if key != start[:-1] else prefix[:-1]] = metadata.pop(key)


def _loaded(module, state, prefix, *_):
    module._fsdp_group.reshard()
    start = prefix + _WRAPPED
    for key in list(state):
        if key.startswith(prefix) and not key.startswith(start):
            state[start + key[len(prefix) :]] = state.pop(key)
    local = module._settings.state_dict_type is StateDictType.LOCAL_STATE_DICT
    for name, part in _own(module).items():
        value = state.get(prefix + name)
        if not isinstance(value, torch.Tensor):
            continue
        parameter = part.parameter
        if local and type(value) is not type(parameter) and value.shape == parameter.to_local().shape:
            from torch.distributed.tensor import DTensor

            state[prefix + name] = DTensor._made(value.detach(), parameter._spec)
        elif value.shape == parameter.shape:  # the module says which sizes differ
            state[prefix + name] = like(parameter, value, name)


@contextlib.contextmanager
def summoned(module, writeback, first_only, with_grads):
    """A context in which a module's own parameters are whole."""
    group = module._fsdp_group
    if group.whole is not None and group.order is not None and group.order.backward:
        raise RuntimeError("parameters are summoned between passes, not in one")
    group.reshard()
    here = not first_only or dist.get_rank() == 0
    made = []
    for part in group.parts:
        own = part.parameter
        full = own.detach().full_tensor().clone()
        gradient = own.grad.full_tensor().clone() if with_grads and own.grad is not None else None
        if not here:
            continue
        whole = nn.Parameter(full, requires_grad=own.requires_grad)
        whole.grad = gradient
        part.put(whole)
        made.append((part, whole))
    module._summoned = here
    try:
        yield
    finally:
        module._summoned = False
        for part, whole in made:
            own = part.parameter
            holder, name = part.holders[0]
            now = holder._parameters.get(name, whole)  # who has put another one there means that
            part.put(own)
            if writeback:
                with torch.no_grad():
                    own.to_local().copy_(like(own, now.detach(), name).to_local())
                if with_grads:
                    own.grad = like(own, now.grad, name) if now.grad is not None else None


def clipped(module, limit, kind):
    """The norm of all gradients below a module, which are scaled to `limit` where it is more."""
    divided, seen = {}, set()  # by the groups that parts are in, also where there are none
    for each in module.modules():
        group = each.__dict__.get("_fsdp_group")
        if group is not None:
            divided.setdefault((group.shard_group,), [])
        for part in group.parts if group is not None else ():
            seen.add(part.parameter)
            of = divided.setdefault((group.shard_group, *part.other_groups()), [])
            if part.parameter.grad is not None:
                of.append(part.parameter.grad.to_local())
    rest = [p.grad for p in module.parameters() if p not in seen and p.grad is not None]
    largest = kind == float("inf")
    norms = []
    for groups, gradients in divided.items():  # also where this rank has no gradient: the others ask
        norm = _norm(gradients, kind)
        norm = norm if largest else norm**kind
        for group in groups:
            dist.all_reduce(norm, dist.ReduceOp.MAX if largest else dist.ReduceOp.SUM, group=group)
        norms.append(norm if largest else norm ** (1 / kind))
    norms.append(_norm(rest, kind))
    total = torch.linalg.vector_norm(torch.stack(norms), kind)
    gradients = [gradient for each in divided.values() for gradient in each] + rest
    factor = (limit / (total + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor.to(gradient.dtype))
    return total.to(gradients[0].dtype) if gradients else total.float()


def _norm(tensors, kind):
    if not tensors:
        return torch.zeros((), dtype=torch.float64)
    norms = [
        torch.linalg.vector_norm(each, kind, dtype=torch.float64)
        if each.numel()
        else torch.zeros((), dtype=torch.float64)
        for each in tensors
    ]
    return torch.linalg.vector_norm(torch.stack(norms), kind)
