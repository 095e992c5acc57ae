"""fully_shard(): parameters in parts on all ranks, whole while they are used."""

from __future__ import annotations

import dataclasses
import warnings
from collections import defaultdict

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.distributed.fsdp import _two_ways
from torch.distributed.fsdp._group import Group, Part, groups_of, order_of, pack, unpack

__all__ = [
    "CPUOffloadPolicy",
    "DataParallelMeshDims",
    "FSDPModule",
    "MixedPrecisionPolicy",
    "OffloadPolicy",
    "UnshardHandle",
    "fully_shard",
    "register_fsdp_forward_method",
    "share_comm_ctx",
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


@dataclasses.dataclass(frozen=True)
class DataParallelMeshDims:
    """Names of the dimensions of a mesh that parameters are divided over, and repeated over."""

    shard: str | tuple[str, ...] | None = None
    replicate: str | tuple[str, ...] | None = None

    def __post_init__(self):
        if self.shard is None and self.replicate is None:
            raise ValueError("DataParallelMeshDims names at least one dimension to divide or to repeat over")


class UnshardHandle:
    """wait(): parameters are whole."""

    def __init__(self, group=None):
        self._group = group

    def wait(self) -> None:
        """Returns when they are."""
        if self._group is not None:
            self._group.unshard()
            self._group = None


def cast(value, dtype):
    """The value with tensors of floating point in a dtype."""
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: cast(each, dtype) for key, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(cast(each, dtype) for each in value)
    return value


def through(module, forward, args, kwargs):
    """Calls forward(*args, **kwargs) with whole parameters of the module's own group."""
    group = module._fsdp_group
    order = order_of(module)
    order.settle()
    outermost = order.root is module and not order.backward
    policy = group.policy
    if policy.param_dtype is not None and policy.cast_forward_inputs:
        args, kwargs = cast(args, policy.param_dtype), cast(kwargs, policy.param_dtype)
    begins, done = not group.left, False
    group.left = set(group.modules) if begins else group.left
    try:
        if outermost:
            order.enter()
        if begins:
            group.unshard()
            order.used(group)
            for each in group.before_forward:
                each.begin()
        with saved_tensors_hooks(pack, unpack):
            result = forward(*args, **kwargs)
        done = True
    finally:
        group.left = group.left - {module} if done else set()
        if not group.left:
            if done:
                order.done(group)
            if group.reshard_after_forward or not done or not torch.is_grad_enabled():
                group.reshard(forget=not done or not torch.is_grad_enabled())
        if outermost:
            order.leave()
    return result if policy.output_dtype is None else cast(result, policy.output_dtype)


class FSDPModule:
    """What a module becomes by fully_shard(), besides what it was."""

    def __new__(cls, *args, **kwargs):
        """What a container makes of its own kind, as of a slice of it, is a plain one."""
        return cls.__mro__[2](*args, **kwargs)

    def __deepcopy__(self, memo):
        raise AssertionError("modules in parts are not copied: load a state dict into another one")

    def forward(self, *args, **kwargs):
        """The module's own forward(), with whole parameters."""
        return through(self, super().forward, args, kwargs)

    def _groups(self, recurse):
        return groups_of(self) if recurse else [self._fsdp_group]

    def unshard(self, async_op: bool = False):
        """Gathers parameters now, until reshard(). async_op: returns an UnshardHandle, whose wait() is for the end of it."""
        self._fsdp_group.begin()
        self._fsdp_group.asked = True
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
        self._fsdp_group.before_forward = [module._fsdp_group for module in modules]

    def set_modules_to_backward_prefetch(self, modules) -> None:
        """Modules whose parameters are begun to be gathered when this one's are, in backward()."""
        self._fsdp_group.before_backward = [module._fsdp_group for module in modules]

    def set_gradient_divide_factor(self, factor: float) -> None:
        """What sums of gradients are divided by, instead of the number of ranks."""
        self._fsdp_group.factor = factor

    def set_reduce_scatter_divide_factor(self, factor: float) -> None:
        """set_gradient_divide_factor() by the name that it had."""
        warnings.warn(
            "set_reduce_scatter_divide_factor() is set_gradient_divide_factor() now", FutureWarning, stacklevel=2
        )
        self.set_gradient_divide_factor(factor)

    def set_reduce_scatter_max_input_buffers(self, max_input_buffers: int, *, recurse: bool = True) -> None:
        """How many reductions may be under way at once, each with the whole gradients of one module; 1 at first."""
        if isinstance(max_input_buffers, bool) or not isinstance(max_input_buffers, int) or max_input_buffers < 1:
            raise ValueError(f"max_input_buffers is an int of at least 1, not {max_input_buffers!r}")
        for group in self._groups(recurse):
            group.max_reductions = max_input_buffers

    def set_reduce_scatter_unused_params(self, reduce_scatter_unused_params: bool, *, recurse: bool = True) -> None:
        """Gradients of parameters that were not used count as zeros here, whatever is set, if their module was used."""

    def set_separate_reduce_scatter_group(self, enable: bool = True, *, recurse: bool = True) -> None:
        """Whether gradients are added up in groups of their own, beside gathering; ranks that share parameters call this."""
        made = {}
        for group in self._groups(recurse):
            ranks = tuple(torch.distributed.get_process_group_ranks(group.shard_group))
            if enable and ranks not in made:
                made[ranks] = torch.distributed.new_group(list(ranks), use_local_synchronization=True, sort_ranks=False)
            group.reduce_group = made[ranks] if enable else group.shard_group

    def set_unshard_in_backward(self, unshard_in_backward: bool) -> None:
        """False: parameters are not gathered ahead in backward, which does not need them, as those of an embedding."""
        self._fsdp_group.unshard_in_backward = unshard_in_backward

    def set_is_last_backward(self, is_last_backward: bool) -> None:
        """Accepted: each backward() ends with its gradients added up, and keeps nothing for the next."""

    def set_all_reduce_hook(self, hook, *, stream=None) -> None:
        """hook(gradients): called with this rank's parts, one after the other in one row, when they have been added up."""
        self._fsdp_group.reduced_hook = hook

    def set_custom_all_gather(self, comm) -> None:
        """comm.allocate(size, dtype=, device=), comm(output_tensor=, input_tensor=, group=, async_op=): gathers instead."""
        self._fsdp_group.gather = comm

    def set_custom_reduce_scatter(self, comm) -> None:
        """comm.allocate() and comm(output_tensor=, input_tensor=, group=, op=, async_op=): adds up instead."""
        self._fsdp_group.scatter = comm

    def set_force_sum_reduction_for_comms(self, enable: bool) -> None:
        """Accepted: gradients are added up and divided afterwards, always."""

    def set_allocate_memory_from_process_group_for_comm(self, enable: bool) -> None:
        """Accepted: groups of the CPU have no memory of their own."""

    def set_symm_mem_for_comm(self, backend: str = "NCCL") -> None:
        """RuntimeError: symmetric memory is NCCL's, of GPUs."""
        raise RuntimeError(f"there is no symmetric memory by {backend} for tensors of the CPU")

    def set_post_optim_event(self, event) -> None:
        """Waits for the event, which an optimiser's step on another stream records."""
        event.synchronize()

    def reset_iter_state(self) -> None:
        """After an exception in forward() or backward(): parameters are in parts, and the next pass begins anew.

        Called for the outermost module (RuntimeError otherwise); gradients under way, and those kept for later, are lost.
        """
        order = self._fsdp_group.order
        if order is not None and order.root is not self:
            raise RuntimeError("reset_iter_state() is for the outermost module")
        for group in self._groups(True):
            group.reset()
            group.order = None


def managed(roots, ignored, left=frozenset()):
    """{parameter: [(module, name)]} of modules, without those of modules inside that are sharded already or `left` as they are."""
    found, seen = defaultdict(list), set()

    def visit(module):
        if module in seen or module in left or (module not in roots and "_fsdp_group" in module.__dict__):
            return
        seen.add(module)
        for name, parameter in module._parameters.items():
            if parameter is not None and parameter not in ignored:
                found[parameter].append((module, name))
        for child in module.children():
            visit(child)

    for root in roots:
        visit(root)
    return found


def placed(found, mesh, policy, reshard, placement=None):
    """The Group of managed() parameters, which become DTensors.

    ValueError: a parameter has no dimensions, is a DTensor on a mesh that does not go with this one, or their dtypes differ;
    nothing has been changed then.
    """
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

    size, dims, specs = mesh.size(mesh.ndim - 1), [], []
    for parameter, holders in found.items():
        name = holders[0][1]
        if parameter.dim() == 0:
            raise ValueError(f"the parameter {name} has no dimension to divide")
        if parameter.dtype != next(iter(found)).dtype:
            raise ValueError(f"parameters of one module have one dtype, not {parameter.dtype}: {name}")
        wanted = placement(parameter) if placement is not None else None
        wanted = Shard(0) if wanted is None else wanted
        if not isinstance(wanted, Shard):
            raise ValueError(f"shard_placement_fn gives a Shard or None, not {wanted!r} for {name}")
        if not -parameter.dim() <= wanted.dim < parameter.dim():
            raise ValueError(f"shard_placement_fn gives {wanted!r} for {name} of {parameter.dim()} dimensions")
        dim = wanted.dim % parameter.dim()
        shape = _two_ways.local_of(parameter).shape
        if dim and shape[dim] % size:
            raise ValueError(f"{name} of {list(shape)} is not divided evenly along {dim} by {size} ranks")
        dims.append(dim)
        specs.append(_two_ways.spec_of(parameter, mesh, dim, name) if isinstance(parameter, DTensor) else None)
    smaller = None
    if not isinstance(reshard, bool):
        if not 1 <= reshard <= size or size % reshard:
            raise ValueError(f"reshard_after_forward is a divisor of {size}, the number of parts, not {reshard}")
        reshard, count = reshard > 1, reshard
        if 1 < count < size:
            ranks = torch.distributed.get_process_group_ranks(mesh.get_group(mesh.ndim - 1))
            at = ranks.index(torch.distributed.get_rank()) // count * count
            smaller = torch.distributed.new_group(
                ranks[at : at + count], use_local_synchronization=True, sort_ranks=False
            )
    parts = []
    for (parameter, holders), dim, spec in zip(found.items(), dims, specs):
        if spec is not None:
            made = _two_ways.divided(parameter, spec, mesh, dim)
            part = Part(holders, made, size, dim, parameter._local_tensor.shape, parameter._spec)
        else:
            placements = [Replicate()] * (mesh.ndim - 1) + [Shard(dim)]
            made = distribute_tensor(parameter, mesh, placements, src_data_rank=None)
            part = Part(holders, made, size, dim)
        part.put(made)
        parts.append(part)
    replicas = mesh.get_group(0) if mesh.ndim == 2 else None
    return Group(parts, mesh.get_group(mesh.ndim - 1), replicas, policy, reshard, smaller)


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
    """Divides a module's parameters among ranks: they become DTensors, which state_dict() and optimisers see.

    While forward() and backward() of the module run, its parameters are whole: one all_gather for all of them before, one
    reduce_scatter of their gradients after. Call it for the modules inside first: each has what those do not. From the
    second pass on the next module's parameters are gathered while one computes; reductions run beside backward().
    A parameter that is a DTensor already, of parallelize_module() on another slice of the mesh's root, is divided further: its
    placements are this mesh's and then those it had, and while it is whole it is the DTensor that it was.

    Args:
        module: one, or a list of modules whose parameters are gathered together, before the first one's forward() and until
            the last one's has ended.
        mesh: of one dimension, or (replicas, parts); None: all ranks.
        reshard_after_forward: whole parameters are let go of between forward and backward. None: unless it is the module
            that the others are in. A number, which divides that of the parts: each rank keeps one of so many parts.
        shard_placement_fn: of a parameter, the Shard(dim) that it is divided by; None: Shard(0). Even, unless dim is 0.
        mp_policy: dtypes.
        ignored_params: those that stay as they are.

    Returns the module or modules, each now an FSDPModule, too. ValueError: it is one already, a parameter has no dimensions, or as above.
    """
    from torch.distributed.device_mesh import init_device_mesh

    modules = list(dict.fromkeys(module)) if isinstance(module, (list, tuple)) else [module]
    if not modules:
        raise ValueError("fully_shard() takes at least one module")
    if any(isinstance(each, FSDPModule) for each in modules):
        raise ValueError("fully_shard() has been called for this module")
    if dp_mesh_dims is not None:
        raise NotImplementedError("fully_shard() takes a mesh of data alone: slice it by its names instead")
    if mesh is None:
        mesh = init_device_mesh("cpu", (torch.distributed.get_world_size(),))
    if mesh.ndim not in (1, 2):
        raise ValueError(f"fully_shard() takes a mesh of one dimension or two, not {mesh.ndim}")
    inside = any("_fsdp_group" in part.__dict__ for each in modules for part in each.modules())
    reshard = not inside if reshard_after_forward is None else reshard_after_forward
    found = managed(modules, ignored_params or set())
    group = placed(found, mesh, mp_policy, reshard, shard_placement_fn)
    group.modules = tuple(modules)
    for each in modules:
        each._fsdp_group = group
        each.__class__ = type(f"FSDP{type(each).__name__}", (FSDPModule, type(each)), {})
        each.register_state_dict_pre_hook(lambda this, *_: this.reshard())
        each.register_load_state_dict_pre_hook(lambda this, *_: this.reshard())
    return module


def share_comm_ctx(modules) -> None:
    """Accepted: outermost modules of the CPU have no streams to share. TypeError: one is not an FSDPModule."""
    for module in modules:
        if not isinstance(module, FSDPModule):
            raise TypeError(f"share_comm_ctx() takes FSDPModules, not {type(module).__name__}")


def register_fsdp_forward_method(module, method_name: str) -> None:
    """Parameters are whole while this method runs, too, as while forward() does."""
    if not isinstance(module, FSDPModule):
        return
    if not hasattr(module, method_name):
        raise ValueError(f"{type(module).__name__} has no method {method_name!r}")
    method = getattr(module, method_name)

    def called(*args, **kwargs):
        return through(module, method, args, kwargs)

    setattr(module, method_name, called)
