"""COO tensors in parts, as terms and whole: moves, functions and gradients against the same of one tensor."""

import itertools

import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads

DENSE = torch.arange(30.0, dtype=torch.float64).view(5, 6).where(torch.arange(30).view(5, 6) % 3 == 0, 0)
COO = DENSE.to_sparse()
B = torch.rand(6, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
# (function, the result's placement where the first operand has its rows in parts)
CASES = {
    "twice": (lambda x, b: x * 2, "S(0)"),
    "sum of two": (lambda x, b: x + x, "S(0)"),
    "relu": (lambda x, b: x.relu(), "S(0)"),
    "sqrt": (lambda x, b: x.sqrt(), "S(0)"),
    "product": (lambda x, b: x @ b, "S(0)"),
    "sparse.mm": (lambda x, b: torch.sparse.mm(x, b), "S(0)"),
    "transposed": (lambda x, b: b.t() @ x.t(), None),
    "sum": (lambda x, b: x.sum(), "P(sum)"),
    "sum of rows": (lambda x, b: torch.sparse.sum(x, 1), "S(0)"),
    "t": (lambda x, b: x.t(), "S(1)"),
    "to_dense": (lambda x, b: x.to_dense(), "S(0)"),
    "cat": (lambda x, b: torch.cat([x, x], 1), "S(0)"),
    "coalesce": (lambda x, b: x.coalesce(), None),
}


def dense(t):
    return t if t.layout is torch.strided else t.to_dense()


def _ways(mesh):
    from torch.distributed.tensor import Partial, Replicate, Shard

    return itertools.product((Replicate(), Partial(), Shard(0), Shard(1)), repeat=mesh.ndim)


def _lain(t, mesh, way):
    from torch.distributed.tensor import DTensor, Replicate, distribute_tensor

    local = distribute_tensor(t, mesh, [Replicate() if p.is_partial() else p for p in way]).to_local()
    for i, p in enumerate(way):
        if p.is_partial():
            n, r = mesh.size(i), mesh.get_local_rank(i)
            local = local * ((r + 1) / (n * (n + 1) / 2))
    strides = (t.shape[1], 1)
    return DTensor.from_local(local, mesh, way, shape=t.shape, stride=strides).detach().requires_grad_()


def moves(shape):
    from torch.distributed.device_mesh import init_device_mesh

    mesh = init_device_mesh("cpu", shape)
    for source, target in itertools.product(_ways(mesh), repeat=2):
        if any(t.is_partial() and s != t for s, t in zip(source, target)):
            continue
        found = _lain(COO, mesh, source).redistribute(mesh, target)
        whole = found.full_tensor()
        assert found.placements == target and found.to_local().layout is whole.layout is torch.sparse_coo
        torch.testing.assert_close(dense(whole).detach(), DENSE)


@pytest.mark.parametrize("shape", [(2,), (3,), (2, 2)])
def test_moves(shape):
    _threads.run(moves, len(shape) * 2 if len(shape) > 1 else shape[0], shape)


def functions(shape):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    mesh = init_device_mesh("cpu", shape)
    b = distribute_tensor(B, mesh, [Replicate()] * mesh.ndim)
    for (name, (function, lies)), way in itertools.product(CASES.items(), _ways(mesh)):
        x, plain = _lain(COO, mesh, way), COO.clone().requires_grad_()
        found, wanted = function(x, b), function(plain, B)
        where = f"{name} {way} -> {found.placements}"
        if lies is not None and way == (Shard(0),):
            assert str(found.placements[0]) == lies, where
        whole = found.full_tensor()
        assert whole.shape == wanted.shape and whole.layout is wanted.layout, where
        torch.testing.assert_close(dense(whole).detach(), dense(wanted).detach(), msg=lambda m, w=where: f"{w}: {m}")
        if whole.layout is torch.strided:
            (whole**2).sum().backward()
            (wanted**2).sum().backward()
            got, want = dense(x.grad.full_tensor()), dense(plain.grad)
            at = DENSE != 0  # a gradient is told where there are elements
            torch.testing.assert_close(got[at], want[at], msg=lambda m, w=where: f"gradient of {w}: {m}")


@pytest.mark.parametrize("shape", [(2,), (2, 2)])
def test_functions(shape):
    _threads.run(functions, 2 * len(shape), shape)


def test_whose_elements_count():
    def rank():
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.tensor import Replicate, Shard, distribute_tensor

        mesh = init_device_mesh("cpu", (2,))
        mine = (
            COO if dist.get_rank() else torch.eye(5, 6, dtype=torch.float64).to_sparse()
        )  # of another number of elements
        torch.testing.assert_close(
            dense(distribute_tensor(mine, mesh, [Replicate()]).to_local()), torch.eye(5, 6).double()
        )
        one = distribute_tensor(mine, mesh, [Shard(0)], src_data_rank=1)
        torch.testing.assert_close(dense(one.full_tensor()), DENSE)
        empty = distribute_tensor((COO * 0).coalesce(), mesh, [Shard(0)])
        assert not dense(empty.full_tensor()).any() and empty.to_local().shape == ((3, 6), (2, 6))[dist.get_rank()]

    _threads.run(rank, 2)
