"""fully_shard(): parameters in parts on all ranks, whole while they are used."""

from __future__ import annotations

import dataclasses
from collections import defaultdict

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.distributed.fsdp._group import Group, Part, pack, unpack

__all__ = [
    "CPUOffloadPolicy",
    "FSDPModule",
    "MixedPrecisionPolicy",
    "OffloadPolicy",
    "UnshardHandle",
    "fully_shard",
    "register_fsdp_forward_method",
]


@dataclasses.dataclass(frozen=True)
class MixedPrecisionPolicy:
    """Dtypes: of whole parameters, of gradients while they are added up, of outputs; None: as they are.

    cast_forward_inputs: inputs get param_dtype.
    """

    param_dtype: torch.dtype | None = None
    reduce_dtype: torch.dtype | None = None
    output_dtype: torch.dtype | None = None
    cast_forward_inputs: bool = True


@dataclasses.dataclass
class OffloadPolicy:
    """Parts stay where they are computed with."""


@dataclasses.dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Parts lie in the CPU's memory, as those of this torch's CPU tensors do anyway."""

    pin_memory: bool = True


class UnshardHandle:
    """wait(): parameters are whole."""

    def __init__(self, group=None):
        self._group = group

    def wait(self) -> None:
        """Returns when they are."""
        if self._group is not None:
            self._group.unshard()
            self._group = None


def _cast(value, dtype):
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _cast(each, dtype) for key, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_cast(each, dtype) for each in value)
    return value


class FSDPModule:
    """What a module becomes by fully_shard(), besides what it was."""

    def forward(self, *args, **kwargs):
        """The module's own forward(), with whole parameters."""
        return self._through(super().forward, args, kwargs)

    def _through(self, forward, args, kwargs):
        group = self._fsdp_group
        policy = group.policy
        if policy.param_dtype is not None and policy.cast_forward_inputs:
            args, kwargs = _cast(args, policy.param_dtype), _cast(kwargs, policy.param_dtype)
        group.unshard()
        for module in self._fsdp_prefetched:
            module._fsdp_group.begin()
        done = False
        try:
            with saved_tensors_hooks(pack, unpack):
                result = forward(*args, **kwargs)
            done = True
        finally:
            if group.reshard_after_forward or not done or not torch.is_grad_enabled():
                group.reshard()
        return result if policy.output_dtype is None else _cast(result, policy.output_dtype)

    def _groups(self, recurse):
        modules = self.modules() if recurse else [self]
        return [module._fsdp_group for module in modules if isinstance(module, FSDPModule)]

    def unshard(self, async_op: bool = False):
        """Gathers parameters now, until reshard(). async_op: returns an UnshardHandle, whose wait() is for the end of it."""
        self._fsdp_group.begin()
        handle = UnshardHandle(self._fsdp_group)
        return handle if async_op else handle.wait()

    def reshard(self) -> None:
        """Lets go of whole parameters."""
        self._fsdp_group.reshard()

    def set_requires_gradient_sync(self, requires_gradient_sync: bool, *, recurse: bool = True) -> None:
        """False: whole gradients are added up here, until a backward() after True."""
        for group in self._groups(recurse):
            group.sync = requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce: bool, *, recurse: bool = True) -> None:
        """False: gradients are not added up over replicas."""
        for group in self._groups(recurse):
            group.all_reduce = requires_all_reduce

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True) -> None:
        """Whether whole parameters are let go of between forward and backward."""
        for group in self._groups(recurse):
            group.reshard_after_forward = reshard_after_forward

    def set_reshard_after_backward(self, reshard_after_backward: bool, *, recurse: bool = True) -> None:
        """Whether whole parameters are let go of after backward."""
        for group in self._groups(recurse):
            group.reshard_after_backward = reshard_after_backward

    def set_modules_to_forward_prefetch(self, modules) -> None:
        """Modules whose parameters are begun to be gathered when this one's forward() begins."""
        self._fsdp_prefetched = list(modules)

    def set_modules_to_backward_prefetch(self, modules) -> None:
        """Modules whose parameters are begun to be gathered when this one's are, in backward()."""
        self._fsdp_group.before_backward = [module._fsdp_group for module in modules]

    def set_gradient_divide_factor(self, factor: float) -> None:
        """What sums of gradients are divided by, instead of the number of ranks."""
        self._fsdp_group.factor = factor

    set_reduce_scatter_divide_factor = set_gradient_divide_factor


def _managed(root, ignored):
    """{parameter: [(module, name)]} of a module, without those of modules inside that are sharded already."""
    found, seen = defaultdict(list), set()

    def visit(module):
        if module in seen or (module is not root and isinstance(module, FSDPModule)):
            return
        seen.add(module)
        for name, parameter in module._parameters.items():
            if parameter is not None and parameter not in ignored:
                found[parameter].append((module, name))
        for child in module.children():
            visit(child)

    visit(root)
    return found


def fully_shard(
    module,
    *,
    mesh=None,
    reshard_after_forward: bool | int | None = None,
    shard_placement_fn=None,
    mp_policy: MixedPrecisionPolicy = MixedPrecisionPolicy(),  # noqa: B008 - frozen
    offload_policy: OffloadPolicy | None = None,
    ignored_params=None,
    dp_mesh_dims=None,
):
    """Divides a module's parameters among ranks: they become DTensors by Shard(0), which state_dict() and optimisers see.

    While forward() and backward() of the module run, its parameters are whole: one all_gather for all of them before, one
    reduce_scatter of their gradients after. Call it for the modules inside first: each has what those do not.

    Args:
        mesh: of one dimension, or (replicas, parts); None: all ranks.
        reshard_after_forward: whole parameters are let go of between forward and backward. None: unless it is the module
            that the others are in. A number: as True.
        mp_policy: dtypes.
        ignored_params: those that stay as they are.

    Returns the module, now an FSDPModule, too. ValueError: it is one already, or a parameter has no dimensions.
    """
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

    if isinstance(module, FSDPModule):
        raise ValueError("fully_shard() has been called for this module")
    if shard_placement_fn is not None or dp_mesh_dims is not None:
        raise NotImplementedError("fully_shard() divides along the first dimension, over a mesh of data alone")
    if mesh is None:
        mesh = init_device_mesh("cpu", (torch.distributed.get_world_size(),))
    if mesh.ndim not in (1, 2):
        raise ValueError(f"fully_shard() takes a mesh of one dimension or two, not {mesh.ndim}")
    found = _managed(module, ignored_params or set())
    for parameter, holders in found.items():
        if parameter.dim() == 0 or isinstance(parameter, DTensor):
            what = "has no dimension to divide" if parameter.dim() == 0 else "is a DTensor already"
            raise ValueError(f"the parameter {holders[0][1]} {what}")
        if parameter.dtype != next(iter(found)).dtype:
            raise ValueError(f"parameters of one module have one dtype, not {parameter.dtype}: {holders[0][1]}")
    placements = [Replicate()] * (mesh.ndim - 1) + [Shard(0)]
    parts = []
    for parameter, holders in found.items():
        made = distribute_tensor(parameter, mesh, placements, src_data_rank=None)
        part = Part(holders, made, mesh.size(mesh.ndim - 1))
        part.put(made)
        parts.append(part)
    inside = any(isinstance(each, FSDPModule) for each in module.modules())
    reshard = not inside if reshard_after_forward is None else bool(reshard_after_forward)
    replicas = mesh.get_group(0) if mesh.ndim == 2 else None
    module._fsdp_group = Group(parts, mesh.get_group(mesh.ndim - 1), replicas, mp_policy, reshard)
    module._fsdp_prefetched = []
    module.__class__ = type(f"FSDP{type(module).__name__}", (FSDPModule, type(module)), {})
    module.register_state_dict_pre_hook(lambda this, *_: this.reshard())
    return module


def register_fsdp_forward_method(module, method_name: str) -> None:
    """Parameters are whole while this method runs, too, as while forward() does."""
    if not isinstance(module, FSDPModule):
        return
    if not hasattr(module, method_name):
        raise ValueError(f"{type(module).__name__} has no method {method_name!r}")
    method = getattr(module, method_name)

    def called(*args, **kwargs):
        return module._through(method, args, kwargs)

    setattr(module, method_name, called)
