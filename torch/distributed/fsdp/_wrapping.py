"""What FullyShardedDataParallel does to a module before its parameters are divided."""

from __future__ import annotations

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import _two_ways
from torch.distributed.fsdp._fully_shard import cast
from torch.distributed.fsdp.api import ShardingStrategy
from torch.distributed.fsdp.wrap import _Policy, _recursively, _wrap_targets

_HYBRID = (ShardingStrategy.HYBRID_SHARD, ShardingStrategy._HYBRID_SHARD_ZERO2)


def ignored(modules, states):
    """(modules, parameters) that stay as they are. TypeError: of neither kind, or of both."""
    given = list(modules or states or ())
    left = {inner for each in given if isinstance(each, nn.Module) for inner in each.modules()}
    parameters = {each for each in given if isinstance(each, torch.Tensor)}
    if len(parameters) + sum(isinstance(each, nn.Module) for each in given) != len(given) or (left and parameters):
        raise TypeError(f"what is ignored is modules or parameters, not {sorted({type(e).__name__ for e in given})}")
    if any("_fsdp_group" in each.__dict__ for each in left):
        raise ValueError("a module that is ignored is wrapped already")
    return left, parameters | {p for each in left for p in each._parameters.values() if p is not None}


def mesh_of(strategy, group, mesh):
    """The DeviceMesh of one dimension, or (replicas, parts)."""
    from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

    if group is not None and mesh is not None:
        raise ValueError("process_group and device_mesh both say which ranks there are: give one")
    if mesh is not None:
        if strategy in _HYBRID and mesh.ndim != 2:
            raise ValueError(f"{strategy.name} takes a mesh (replicas, parts), not one of {mesh.ndim} dimensions")
        if strategy is ShardingStrategy.NO_SHARD and mesh.ndim == 1:
            return _all_whole(mesh.mesh.tolist())
        if (
            strategy not in _HYBRID
            and mesh.ndim != 1
            and not (strategy is ShardingStrategy.NO_SHARD and mesh.ndim == 2 and mesh.size(1) == 1)
        ):
            raise ValueError(f"{strategy.name} takes a mesh of one dimension, not of {mesh.ndim}")
        return mesh
    if strategy in _HYBRID:
        if isinstance(group, tuple):
            parts, replicas = group
            lines = [None] * replicas.size()
            dist.all_gather_object(lines, dist.get_process_group_ranks(parts), group=replicas)
            return DeviceMesh.from_group([replicas, parts], "cpu", torch.tensor(lines))
        if group is not None:
            raise ValueError(f"{strategy.name} takes two process groups, of ranks that divide and of those that repeat")
        world = dist.get_world_size()
        here = int(os.environ.get("LOCAL_WORLD_SIZE", world))
        if world % here:
            raise ValueError(f"{world} ranks are not divided evenly by LOCAL_WORLD_SIZE, {here}")
        return init_device_mesh("cpu", (world // here, here))
    if group is not None and not isinstance(group, dist.ProcessGroup):
        raise ValueError(f"{strategy.name} takes one process group, not {type(group).__name__}")
    if strategy is ShardingStrategy.NO_SHARD:
        return _all_whole(dist.get_process_group_ranks(group or dist.group.WORLD))
    if group is None:
        return init_device_mesh("cpu", (dist.get_world_size(),))
    return DeviceMesh.from_group(group, "cpu")


def _all_whole(ranks):
    from torch.distributed.device_mesh import DeviceMesh

    return DeviceMesh("cpu", torch.tensor(ranks).view(-1, 1))


def wrap(module, policy, wrapper, left, ignored_parameters, arguments):
    """Wraps the parts of a module that a policy chooses, and by themselves those that keep their dtypes."""
    precision = arguments["mixed_precision"]
    classes = tuple(precision._module_classes_to_ignore) if precision is not None else ()
    as_they_are = [
        each for each in module.modules() if isinstance(each, classes) and each not in left and each is not module
    ]
    if isinstance(policy, _Policy):
        targets = policy._run_policy(module, left, arguments)
        targets.pop(module, None)
    elif callable(policy):
        targets = None
    else:
        raise ValueError(f"auto_wrap_policy is a function or a policy, not {type(policy).__name__}")
    if as_they_are and precision.param_dtype is not None:
        plain = arguments | {"mixed_precision": None}
        if targets is None:
            _wrap_targets(module, dict.fromkeys(as_they_are, plain), wrapper)
        else:
            targets |= dict.fromkeys(as_they_are, plain)
        for each in as_they_are:
            _keep_dtypes(each, precision.param_dtype)
    if targets is None:
        _recursively(module, policy, wrapper, left, ignored_parameters, True, arguments)
    else:
        _wrap_targets(module, targets, wrapper)


def _keep_dtypes(module, low):
    """Inputs of the module get its own dtype, and outputs the one that others compute with."""
    own = next((p.dtype for p in module.parameters()), torch.get_default_dtype())
    module.register_forward_pre_hook(
        lambda _, args, kwargs: (cast(args, own), cast(kwargs, own)), with_kwargs=True, prepend=True
    )
    module.register_forward_hook(lambda _, args, result: cast(result, low))


def filled(found, function):
    """Fills parameters that are on the device meta, module by module."""
    holders = {}
    for parameter, places in found.items():
        if parameter.is_meta:
            for module, _ in places:
                holders[module] = None
    for module in holders:
        if function is not None:
            function(module)
            continue
        if not callable(getattr(module, "reset_parameters", None)):
            raise ValueError(f"{type(module).__name__} is on meta and has no reset_parameters(): give param_init_fn")
        module.to_empty(device="cpu", recurse=False)
        with torch.no_grad():
            module.reset_parameters()


def synchronize(module, found, mesh, left):
    """All ranks get the first one's parameters and buffers."""
    tensors = [_two_ways.local_of(parameter).detach() for parameter in found]
    for each in module.modules():
        if each not in left:
            tensors += [buffer for buffer in each._buffers.values() if buffer is not None]
    for tensor in tensors:
        for i in range(mesh.ndim):
            dist.broadcast(tensor, group=mesh.get_group(i), group_src=0)


def buffers_as(module, dtype, left):
    """Gives buffers a dtype; {(module, name): the one that they had}, in which they are stored."""
    before = {}
    if dtype is None:
        return before
    stack, seen = [module], set()
    while stack:
        each = stack.pop()
        if each in seen or each in left or "_fsdp_group" in each.__dict__:
            continue
        seen.add(each)
        for name, buffer in each._buffers.items():
            if buffer is not None and buffer.is_floating_point():
                before[each, name] = buffer.dtype
                each._buffers[name] = buffer.to(dtype)
        stack += each.children()
    return before
