"""What is known of a DTensor besides its elements."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.distributed.tensor.placement_types import Partial, Placement, Replicate, Shard, _StridedShard

__all__ = ["DTensorSpec", "TensorMeta"]


class TensorMeta(NamedTuple):
    """Size, strides and dtype of the whole tensor."""

    shape: torch.Size
    stride: tuple[int, ...]
    dtype: torch.dtype


class DTensorSpec(NamedTuple):
    """Where a tensor lies: mesh, a placement for each of its dimensions, and what the whole tensor is."""

    mesh: Any
    placements: tuple[Placement, ...]
    tensor_meta: TensorMeta | None = None

    @property
    def device_mesh(self):
        return self.mesh

    @property
    def shape(self):
        return self.tensor_meta.shape

    @property
    def stride(self):
        return self.tensor_meta.stride

    @property
    def ndim(self):
        return len(self.tensor_meta.shape)

    @property
    def dim_map(self):
        """For each dimension of the tensor that of the mesh it is split over, or -1."""
        found = [-1] * self.ndim
        for i, placement in enumerate(self.placements):
            if placement.is_shard():
                found[placement.dim] = i
        return found

    def is_replicated(self):
        return all(p.is_replicate() for p in self.placements)

    def is_sharded(self):
        return any(p.is_shard() for p in self.placements)

    def gradient(self):
        """Where the tensor's gradient lies: as the tensor, and whole where that has terms."""
        return self._replace(placements=tuple(Replicate() if isinstance(p, Partial) else p for p in self.placements))


def in_order(placements):
    """Numbers of the mesh's dimensions as they split a tensor: strided ones when all others have, the last one first."""
    later = [i for i, placement in enumerate(placements) if isinstance(placement, _StridedShard)]
    if not later:
        return range(len(placements))
    return [i for i in range(len(placements)) if i not in later] + later[::-1]


def parts_by_later(placements, i, mesh):
    """How many parts dimensions of the mesh behind i make of what i splits."""
    found = 1
    for j in range(i + 1, mesh.ndim):
        found *= mesh.size(j) if placements[j].is_shard(placements[i].dim) else 1
    return found


def local_shape_and_offset(shape, mesh, placements):
    """(sizes of this rank's part, where it begins); nested where several dimensions of the mesh split one."""
    size, offset = list(shape), [0] * len(shape)
    coordinate = mesh.get_coordinate()
    if coordinate is None:
        return (0,) * max(len(shape), 1), tuple(offset)
    for i in in_order(placements):
        if placements[i].is_shard():
            d = placements[i].dim
            size[d], start = Shard.local_shard_size_and_offset(size[d], mesh.size(i), coordinate[i])
            offset[d] += start
    return tuple(size), tuple(offset)


def checked(placements, mesh, ndim):
    """Placements, one for each dimension of the mesh, with dimensions of the tensor counted from the front."""
    if placements is None:
        placements = [Replicate()] * mesh.ndim
    placements = tuple(placements)
    if len(placements) != mesh.ndim:
        raise ValueError(f"{len(placements)} placements are given for a mesh of {mesh.ndim} dimensions")
    made = []
    for placement in placements:
        if not isinstance(placement, Placement):
            raise TypeError(f"a placement is Shard, Replicate or Partial, not {placement!r}")
        if placement.is_shard():
            if not -ndim <= placement.dim < ndim:
                raise IndexError(f"{placement!r} of a tensor of {ndim} dimensions")
            placement = placement.of_dim(placement.dim % ndim)
        made.append(placement)
    for i, placement in enumerate(made):
        if isinstance(placement, _StridedShard) and placement.split_factor != parts_by_later(made, i, mesh):
            raise NotImplementedError(
                f"{placement!r} in {tuple(made)}: later dimensions of {mesh} make {parts_by_later(made, i, mesh)} parts"
            )
    return tuple(made)
