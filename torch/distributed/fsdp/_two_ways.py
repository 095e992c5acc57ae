"""Parameters that are in parts already, by tensor parallelism: fully_shard() divides what each rank has of them."""

from __future__ import annotations

import torch
from torch.distributed.device_mesh import DeviceMesh


def local_of(parameter):
    """What one rank has of a parameter before it is divided: the tensor itself, where it is none of several ways."""
    from torch.distributed.tensor import DTensor

    return parameter._local_tensor.detach() if isinstance(parameter, DTensor) else parameter


def spec_of(parameter, mesh, dim, name):
    """How a DTensor lies when the last dimension of the mesh divides it along `dim`, too.

    ValueError: it is of terms, or its mesh and this one are no slices of one.
    """
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.placement_types import _StridedShard

    old = parameter._spec
    if any(placement.is_partial() for placement in old.placements):
        raise ValueError(f"the parameter {name} is of terms that are not added up yet: {old.placements}")
    try:
        both = DeviceMesh._concatenate([mesh, old.mesh])
    except ValueError as error:
        raise ValueError(
            f"the parameter {name} is a DTensor on a mesh that does not go with fully_shard()'s: {error}"
        ) from None
    factor = 1
    for i, placement in enumerate(old.placements):
        factor *= old.mesh.size(i) if placement.is_shard(dim) else 1
    own = Shard(dim) if factor == 1 else _StridedShard(dim, split_factor=factor)
    return old._replace(mesh=both, placements=(*[Replicate()] * (mesh.ndim - 1), own, *old.placements))


def divided(parameter, spec, mesh, dim):
    """The parameter lying by the spec: this rank's part of what it has."""
    from torch.distributed.tensor import DTensor, _redistribute

    local = _redistribute.own_part(parameter._local_tensor.detach(), mesh, mesh.ndim - 1, dim)
    made = DTensor(local.clone(memory_format=torch.contiguous_format), spec)
    return torch.nn.Parameter(made, requires_grad=parameter.requires_grad)


def put_together(whole, spec):
    """What a module computes with: the DTensor that the parameter was, of the dtype that is gathered."""
    from torch.distributed.tensor import DTensor

    return DTensor._made(whole, spec._replace(tensor_meta=spec.tensor_meta._replace(dtype=whole.dtype)))
