"""DeviceMesh: the processes of the default group as an array, whose rows along each dimension are groups."""

from __future__ import annotations

import math
import threading

import torch
import torch.distributed as dist
from torch._absent import rest_of

__all__ = ["DeviceMesh", "init_device_mesh"]


class _Resources(threading.local):
    """The meshes that a thread has entered with `with`, and which one is a part of which."""

    def __init__(self):
        self.mesh_stack = []

    def get_current_mesh(self):
        """The innermost one. RuntimeError: none has been entered."""
        if not self.mesh_stack:
            raise RuntimeError("no DeviceMesh is active: `with mesh:` makes one so")
        return self.mesh_stack[-1]

    def get_root_mesh(self, mesh):
        """The mesh that `mesh` is a slice of; itself if it is none."""
        return mesh._root or mesh

    def get_root_mesh_dim(self, mesh):
        """The place of a one-dimensional slice among its mesh's dimensions; None where it has none."""
        root = self.get_root_mesh(mesh)
        names = mesh.mesh_dim_names
        if not names or len(names) != 1 or names[0] not in (root.mesh_dim_names or ()):
            return None
        return root.mesh_dim_names.index(names[0])


_mesh_resources = mesh_resources = _Resources()


class DeviceMesh:
    """Ranks of the default group as an array of one or more dimensions. All processes make it, in the same order.

    Args:
        device_type: "cpu", "cuda": where tensors are that are spread over it.
        mesh: an array of ranks, each once: nested lists or a tensor of integers.
        mesh_dim_names: a name for each dimension.

    ValueError: a rank is in it twice, is none, or names do not fit. The groups are made here.
    """

    def __init__(
        self, device_type, mesh, *, mesh_dim_names=None, backend_override=None, _init_backend=True, _rank=None
    ):
        self.device_type = torch.device(device_type).type
        self._mesh = torch.as_tensor(mesh, dtype=torch.int, device="cpu").detach().clone()
        self.mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names else None
        self._root = None
        self._flattened = {}
        self._joins = None  # of a flattened one: the dimensions of its root that are one here
        ranks = self._mesh.flatten().tolist()
        if not ranks:
            raise ValueError("a DeviceMesh has at least one rank")
        if len(set(ranks)) != len(ranks):
            raise ValueError(f"a rank is in a DeviceMesh once: {self._mesh.tolist()}")
        if self.mesh_dim_names is not None:
            if len(self.mesh_dim_names) != max(self._mesh.ndim, 1):
                raise ValueError(
                    f"mesh_dim_names has {len(self.mesh_dim_names)} names for {self._mesh.ndim} dimensions"
                )
            if len(set(self.mesh_dim_names)) != len(self.mesh_dim_names):
                raise ValueError(f"names of a mesh's dimensions differ: {self.mesh_dim_names}")
        self._groups = None
        if _init_backend:
            if not dist.is_initialized():
                dist.init_process_group()
            size = dist.get_world_size()
            if any(not 0 <= rank < size for rank in ranks):
                raise ValueError(f"ranks of a mesh are 0 to {size - 1}, not {self._mesh.tolist()}")
            self._groups = [self._made(d) for d in range(self._mesh.ndim)]
        rank = _rank if _rank is not None else dist.get_rank() if dist.is_initialized() else -1
        self._place(rank)

    def _place(self, rank):
        self._rank = rank
        found = (self._mesh == rank).nonzero().tolist()
        self._coordinate = tuple(found[0]) if found else None

    def _made(self, d):
        """The group along dimension d that this process is in."""
        if self._mesh.ndim == 1 and self._mesh.tolist() == list(range(dist.get_world_size())):
            return dist.distributed_c10d._get_default_group()
        lines = self._mesh.movedim(d, -1).reshape(-1, self._mesh.size(d)).tolist()
        name = self.mesh_dim_names[d] if self.mesh_dim_names else str(d)
        mine = None
        for line in lines:
            group = dist.new_group(line, group_desc=f"mesh_{name}", sort_ranks=False)
            if dist.get_rank() in line:
                mine = group
        return mine

    # ---- what it is --------------------------------------------------------------------------------------------
    @property
    def mesh(self):
        """The ranks, a tensor of int32."""
        return self._mesh

    @property
    def ndim(self):
        """How many dimensions it has."""
        return self._mesh.ndim

    @property
    def shape(self):
        """Its sizes."""
        return tuple(self._mesh.shape)

    def size(self, mesh_dim=None):
        """How many ranks it has, or how many along a dimension."""
        return self._mesh.numel() if mesh_dim is None else self._mesh.size(mesh_dim)

    def _dim(self, mesh_dim):
        if isinstance(mesh_dim, str):
            if mesh_dim not in (self.mesh_dim_names or ()):
                raise KeyError(f"the mesh has no dimension {mesh_dim!r}, but {self.mesh_dim_names}")
            return self.mesh_dim_names.index(mesh_dim)
        if not -self.ndim <= mesh_dim < self.ndim:
            raise IndexError(f"the mesh has {self.ndim} dimensions, and none is number {mesh_dim}")
        return mesh_dim % self.ndim

    def get_group(self, mesh_dim=None):
        """The process group along a dimension, by its number or name; without one, of a mesh of one dimension."""
        if self._groups is None:
            raise RuntimeError("the mesh was made without groups (_init_backend=False, or it was unpickled)")
        if mesh_dim is None:
            if self.ndim != 1:
                raise RuntimeError(f"the mesh has {self.ndim} dimensions: say which one's group is meant")
            mesh_dim = 0
        if isinstance(mesh_dim, str) and mesh_dim in self._flattened:
            return self._flattened[mesh_dim].get_group()
        return self._groups[self._dim(mesh_dim)]

    def get_all_groups(self):
        """A list of the groups along all dimensions."""
        return [self.get_group(d) for d in range(self.ndim)]

    def get_rank(self):
        """This process's rank in the default group."""
        return self._rank

    def get_local_rank(self, mesh_dim=None):
        """This process's place along a dimension."""
        if mesh_dim is None and self.ndim != 1:
            raise RuntimeError(f"the mesh has {self.ndim} dimensions: say along which one")
        if self._coordinate is None:
            raise RuntimeError(f"rank {self._rank} is not in the mesh {self._mesh.tolist()}")
        return self._coordinate[self._dim(mesh_dim or 0)]

    def get_coordinate(self):
        """This process's places along all dimensions; None: it is not in the mesh."""
        return self._coordinate

    def _is_current_rank_part_of_mesh(self):
        return self._coordinate is not None

    # ---- parts -------------------------------------------------------------------------------------------------
    def _part(self, mesh, names, groups):
        made = object.__new__(DeviceMesh)
        made.device_type, made._mesh, made.mesh_dim_names = self.device_type, mesh, names
        made._root, made._flattened, made._groups, made._joins = self._root or self, {}, groups, None
        made._place(self._rank)
        return made

    def __getitem__(self, names):
        """The mesh of the named dimensions alone, of this process's place along the others."""
        names = (names,) if isinstance(names, str) else tuple(names)
        if not self.mesh_dim_names:
            raise RuntimeError("a mesh without names cannot be sliced by them")
        if len(names) == 1 and names[0] in self._flattened:
            return self._flattened[names[0]]
        if names == self.mesh_dim_names:
            return self
        dims = [self._dim(name) for name in names]
        if len(set(dims)) != len(dims):
            raise KeyError(f"a dimension is named once: {names}")
        if self._coordinate is None:
            raise RuntimeError(f"rank {self._rank} is not in the mesh {self._mesh.tolist()}")
        at = tuple(slice(None) if d in dims else self._coordinate[d] for d in range(self.ndim))
        kept = [d for d in range(self.ndim) if d in dims]
        mesh = self._mesh[at].permute([kept.index(d) for d in dims])
        return self._part(mesh, names, self._groups and [self._groups[d] for d in dims])

    def _flatten(self, mesh_dim_name=None):
        """The mesh as one of one dimension, whose name is that of all joined by "_"; all processes call this."""
        root = self._root or self
        name = mesh_dim_name or "_".join(self.mesh_dim_names or map(str, range(self.ndim)))
        if name in (root.mesh_dim_names or ()) and self.ndim > 1:
            raise ValueError(f"{name} is a dimension of the mesh already")
        if self.ndim == 1 and not mesh_dim_name:
            return self
        if name in root._flattened:
            return root._flattened[name]
        mine = None
        dims = [root.mesh_dim_names.index(n) for n in self.mesh_dim_names] if self is not root else range(self.ndim)
        dims = list(dims)
        others = [d for d in range(root.ndim) if d not in dims]
        lines = root._mesh.permute(others + dims).reshape(-1, self._mesh.numel()).tolist()
        for line in lines:
            group = dist.new_group(line, group_desc=f"mesh_{name}", sort_ranks=False)
            if self._rank in line:
                mine = group
        made = root._part(self._mesh.flatten(), (name,), [mine])
        made._joins, root._flattened[name] = dims, made
        return made

    @staticmethod
    def _concatenate(meshes):
        """The mesh of all dimensions of slices of one mesh. ValueError: they are of several, or have one in common."""
        root = meshes[0]._root or meshes[0]
        names = tuple(name for mesh in meshes for name in mesh.mesh_dim_names or ())
        if any((mesh._root or mesh) is not root or not mesh.mesh_dim_names for mesh in meshes):
            raise ValueError(f"slices by names of one mesh are joined, not {', '.join(map(repr, meshes))}")
        if names == root.mesh_dim_names:
            return root
        joins = [mesh._joins or [root.mesh_dim_names.index(n)] for mesh in meshes for n in mesh.mesh_dim_names]
        dims = [d for joined in joins for d in joined]
        if len(set(dims)) != len(dims):
            raise ValueError(f"slices that are joined have no dimension in common: {names}")
        at = tuple(slice(None) if d in dims else root._coordinate[d] for d in range(root.ndim))
        kept = sorted(dims)
        ranks = root._mesh[at].permute([kept.index(d) for d in dims])
        ranks = ranks.reshape([math.prod(root._mesh.size(d) for d in joined) for joined in joins])
        groups = [group for mesh in meshes for group in mesh._groups] if root._groups else None
        return root._part(ranks, names, groups)

    def _get_all_submeshes(self, name):
        d = self._dim(name)
        lines = self._mesh.movedim(d, -1).reshape(-1, self._mesh.size(d))
        return [self._part(line, (name,), self._groups and [self._groups[d]]) for line in lines]

    @staticmethod
    def from_group(group, device_type, mesh=None, *, mesh_dim_names=None):
        """The mesh of a group that there is, or of a list of groups, one for each dimension of `mesh`."""
        groups = list(group) if isinstance(group, (list, tuple)) else [group]
        if not groups:
            raise ValueError("from_group() takes at least one group")
        if len(groups) == 1 and not isinstance(group, (list, tuple)):
            ranks = dist.get_process_group_ranks(group)
            if mesh is not None and torch.as_tensor(mesh).flatten().tolist() != ranks:
                raise ValueError(f"the group's ranks are {ranks}, not {torch.as_tensor(mesh).tolist()}")
            mesh = ranks
        elif mesh is None:
            raise ValueError("of several groups, mesh says who stands where")
        made = DeviceMesh(device_type, mesh, mesh_dim_names=mesh_dim_names, _init_backend=False)
        if made.ndim != len(groups):
            raise ValueError(f"{len(groups)} groups are given for a mesh of {made.ndim} dimensions")
        made._groups = groups
        return made

    # ---- as an object ------------------------------------------------------------------------------------------
    def __enter__(self):
        _mesh_resources.mesh_stack.append(self)
        return self

    def __exit__(self, *exception):
        _mesh_resources.mesh_stack.pop()

    def _key(self):
        return self.device_type, self.shape, tuple(self._mesh.flatten().tolist()), self.mesh_dim_names

    def __eq__(self, other):
        return self is other or (isinstance(other, DeviceMesh) and self._key() == other._key())

    def __hash__(self):
        return hash(self._key())

    def __getstate__(self):
        return self.__dict__ | {"_groups": None, "_flattened": {}, "_root": None}

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        names = self.mesh_dim_names
        shape = f"({', '.join(map('{}={}'.format, names, self.shape))})" if names else self.shape
        return f"DeviceMesh({shape}, '{self.device_type}', stride={tuple(self._mesh.stride())})"


def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, backend_override=None):
    """The mesh of all ranks of the default group, in their order, which is made where there is none.

    RuntimeError: names are none for each dimension, or `mesh_shape` has another number of places than there are ranks.
    """
    mesh_shape = tuple(mesh_shape)
    if not device_type.isalpha():
        raise RuntimeError(f'device_type is a kind of device without a number, as "cpu", not {device_type!r}')
    if mesh_dim_names is not None:
        if len(set(mesh_dim_names)) != len(mesh_dim_names):
            raise RuntimeError(f"names of a mesh's dimensions differ: {tuple(mesh_dim_names)}")
        if len(mesh_dim_names) != len(mesh_shape):
            raise RuntimeError(f"{len(mesh_dim_names)} names are given for {len(mesh_shape)} dimensions")
    if not dist.is_initialized():
        dist.init_process_group()
    if math.prod(mesh_shape) > dist.get_world_size():
        raise RuntimeError(f"a mesh of {mesh_shape} has more places than there are ranks, {dist.get_world_size()}")
    return DeviceMesh(device_type, torch.arange(math.prod(mesh_shape)).view(mesh_shape), mesh_dim_names=mesh_dim_names)


__getattr__, __dir__ = rest_of(__name__)
