"""Log-softmax and the loss of classes that are on several ranks."""

from __future__ import annotations

import torch
from torch.distributed.tensor._api import DTensor, redistribute
from torch.distributed.tensor._dtensor_spec import TensorMeta, local_shape_and_offset
from torch.distributed.tensor.placement_types import Partial, Replicate


def log_softmax(input, dim):
    """Along a dimension that may be split: two numbers of each line are exchanged."""
    dim %= input.dim()
    if not any(p.is_shard(dim) for p in input.placements) or input.shape[dim] < input.device_mesh.size():
        return torch.log_softmax(input, dim)
    shifted = input - input.detach().amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def chosen(logs, target, dim, ignored):
    """(-logs of the target's class, or 0 where it is ignored; 1 or 0), without the dimension of classes."""
    mesh = logs.device_mesh
    if not isinstance(target, DTensor):
        target = DTensor.from_local(target, mesh, [Replicate()] * mesh.ndim, run_check=False)
    if any(p.is_partial() for p in logs.placements):
        logs = redistribute(logs, logs._spec.gradient().placements)
    split = [i for i, p in enumerate(logs.placements) if p.is_shard(dim)]

    def of_target(p):
        if not p.is_shard() or p.is_shard(dim):
            return Replicate()
        return p.of_dim(p.dim - (p.dim > dim))

    wanted = tuple(of_target(p) for p in logs.placements)
    target = redistribute(target, wanted)
    own = target._local_tensor
    size, offset = local_shape_and_offset(logs.shape, mesh, logs.placements)
    here = (own != ignored) & (own >= offset[dim]) & (own < offset[dim] + size[dim])
    local = logs._local_tensor
    if size[dim]:
        at = torch.where(here, own - offset[dim], 0).unsqueeze(dim)
        each = -torch.gather(local, dim, at).squeeze(dim) * here.to(local.dtype)
    else:
        each = local.sum(dim) * 0
    lies = tuple(Partial() if i in split else p for i, p in enumerate(wanted))
    meta = TensorMeta(target.shape, target.stride(), local.dtype)
    made = DTensor._made(each, logs._spec._replace(placements=lies, tensor_meta=meta))
    counted = DTensor._made((own != ignored).to(local.dtype), made._spec._replace(placements=wanted))
    return made, counted
