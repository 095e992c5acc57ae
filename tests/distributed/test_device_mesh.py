"""DeviceMesh: which groups there are, and what a slice of it is."""

import pickle

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def of_a_square():
    from torch.distributed.device_mesh import DeviceMesh, _mesh_resources, init_device_mesh

    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    assert mesh.mesh.tolist() == [[0, 1], [2, 3]] and mesh.shape == (2, 2) and mesh.ndim == 2
    assert mesh.size() == 4 and mesh.size(1) == 2 and mesh.get_rank() == rank
    assert mesh.get_coordinate() == (rank // 2, rank % 2)
    assert mesh.get_local_rank("dp") == rank // 2 and mesh.get_local_rank(1) == rank % 2
    for name, sum_of in (("dp", 2 * (rank % 2) + 2), ("tp", 4 * (rank // 2) + 1)):
        t = torch.tensor(rank)
        dist.all_reduce(t, group=mesh.get_group(name))
        assert t == sum_of
        part = mesh[name]
        assert part.ndim == 1 and part.mesh_dim_names == (name,) and part.get_group() is mesh.get_group(name)
        assert part.get_local_rank() == mesh.get_local_rank(name)
    assert _mesh_resources.get_root_mesh(mesh["tp"]) is mesh and _mesh_resources.get_root_mesh_dim(mesh["tp"]) == 1
    assert mesh["dp", "tp"] is mesh
    flat = mesh._flatten("all")
    assert flat.mesh.tolist() == [0, 1, 2, 3] and mesh["all"] is flat and flat.get_local_rank() == rank
    t = torch.tensor(rank)
    dist.all_reduce(t, group=flat.get_group())
    assert t == 6
    with mesh:
        assert _mesh_resources.get_current_mesh() is mesh
    with pytest.raises(RuntimeError, match="no DeviceMesh"):
        _mesh_resources.get_current_mesh()
    again = pickle.loads(pickle.dumps(mesh))
    assert again == mesh and hash(again) == hash(mesh) and mesh != flat
    with pytest.raises(RuntimeError, match="without groups"):
        again.get_group("dp")
    line = DeviceMesh.from_group(mesh.get_group("tp"), "cpu")
    assert line.mesh.tolist() == mesh["tp"].mesh.tolist() and line.get_group() is mesh.get_group("tp")
    some = DeviceMesh("cpu", [1, 3])
    assert some.get_coordinate() == ({1: (0,), 3: (1,)}.get(rank))

    for wrong, kind in (
        (lambda: mesh["pp"], KeyError),
        (lambda: mesh["dp", "dp"], KeyError),
        (lambda: mesh.get_group(), RuntimeError),
        (lambda: mesh.get_group(2), IndexError),
        (lambda: DeviceMesh("cpu", [0, 0]), ValueError),
        (lambda: DeviceMesh("cpu", [0, 7]), ValueError),
        (lambda: DeviceMesh("cpu", [0, 1], mesh_dim_names=("a", "b")), ValueError),
        (lambda: init_device_mesh("cpu", (8,)), RuntimeError),
        (lambda: init_device_mesh("cpu", (2, 2), mesh_dim_names=("a", "a")), RuntimeError),
        (lambda: init_device_mesh("cpu:0", (4,)), RuntimeError),
    ):
        with pytest.raises(kind):
            wrong()


def test_of_a_square():
    ranks.run(of_a_square, 4)
