"""Collective operations with gradients: what they give, and gradients of the sum of all ranks' losses, by definition."""

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def weights(rank, *shape):
    """What a rank's loss multiplies results by: anybody can say what another rank's are."""
    return torch.rand(*shape, generator=torch.Generator().manual_seed(rank + 1), dtype=torch.float64)


def leaf(rank, *shape):
    return weights(100 + rank, *shape).requires_grad_()


def of_results():
    from torch.distributed.nn import functional as F

    rank, size = dist.get_rank(), dist.get_world_size()
    w = [weights(r, size, 3) for r in range(size)]
    x = [leaf(r, 3) for r in range(size)]
    mine, total = x[rank], sum(x).detach()

    def check(result, want, scaled, gradient):
        torch.testing.assert_close(result, want)
        (scaled).backward()
        torch.testing.assert_close(mine.grad, gradient)
        mine.grad = None

    y = F.all_reduce(mine)
    check(y, total, (y * w[rank][0]).sum(), sum(each[0] for each in w))
    y = F.all_reduce(mine, dist.ReduceOp.AVG)
    check(y, total / size, (y * w[rank][0]).sum(), sum(each[0] for each in w) / size)
    y = F.broadcast(mine, 1)
    check(y, x[1], (y * w[rank][0]).sum(), sum(each[0] for each in w) if rank == 1 else torch.zeros(3).double())
    y = F.reduce(mine, 1)
    assert rank != 1 or torch.allclose(y, total)
    (y * w[rank][0]).sum().backward()
    torch.testing.assert_close(mine.grad, w[1][0])
    mine.grad = None
    y = torch.stack(F.all_gather(mine))
    check(y, torch.stack(x), (y * w[rank]).sum(), sum(each[rank] for each in w))
    y = F._all_gather_base(torch.empty(size * 3).double(), mine)
    check(y, torch.cat(x), (y * w[rank].flatten()).sum(), sum(each[rank] for each in w))
    y = torch.stack(F.gather(mine, 1))
    here = rank == 1
    check(y, torch.stack(x) if here else torch.zeros(size, 3).double(), (y * w[rank]).sum(), w[1][rank])
    with pytest.raises(NotImplementedError, match="MAX"):
        F.all_reduce(mine, dist.ReduceOp.MAX).sum().backward()

    rows = [leaf(r, size, 3) for r in range(size)]
    parts = list(rows[rank].unbind())

    def check_rows(result, want, scale, gradient):
        torch.testing.assert_close(result, want)
        (result * scale).sum().backward()
        torch.testing.assert_close(rows[rank].grad, gradient)
        rows[rank].grad = None

    check_rows(F.scatter(parts, 0), rows[0][rank], w[rank][0],
               torch.stack([each[0] for each in w]) * (rank == 0))  # fmt: skip
    y = F.reduce_scatter(torch.empty(3).double(), list(rows[rank].unbind()))
    check_rows(y, sum(r[rank] for r in rows), w[rank][0], torch.stack([each[0] for each in w]))
    y = torch.stack(F.all_to_all([torch.empty(3).double()] * size, list(rows[rank].unbind())))
    check_rows(y, torch.stack([r[rank] for r in rows]), w[rank], torch.stack([each[rank] for each in w]))
    y = F.all_to_all_single(torch.empty(size, 3).double(), rows[rank])
    check_rows(y, torch.stack([r[rank] for r in rows]), w[rank], torch.stack([each[rank] for each in w]))
    with pytest.raises(ValueError, match="each of 3 ranks, not 1"):
        F.scatter(parts[:1])


def by_name():
    from torch.distributed import _functional_collectives as C

    rank, size = dist.get_rank(), dist.get_world_size()
    group, everyone = dist.group.WORLD, list(range(size))
    x = torch.arange(6.0).reshape(2, 3) + 10 * rank
    all_x = [torch.arange(6.0).reshape(2, 3) + 10 * r for r in range(size)]
    before = x.clone()
    assert torch.equal(C.all_reduce(x, "sum", group), sum(all_x)) and torch.equal(x, before)
    assert torch.equal(C.all_reduce(x, "max", everyone), all_x[-1])
    assert torch.equal(C.wait_tensor(C.broadcast(x, 1, group)), all_x[1])
    for dim in (0, 1, -1):
        assert torch.equal(C.all_gather_tensor(x, dim, group), torch.cat(all_x, dim))
        whole = torch.cat([x] * size, dim)
        want = torch.cat([sum(all_x)] * size, dim).chunk(size, dim)[rank]
        assert torch.equal(C.reduce_scatter_tensor(whole, "sum", dim, group), want)
        assert torch.equal(C.reduce_scatter_tensor(whole, "avg", dim, group), want / size)
    got = C.all_reduce_coalesced([x, x.long()], "sum", group)
    assert torch.equal(got[0], sum(all_x)) and torch.equal(got[1], sum(all_x).long())
    got = C.all_gather_into_tensor_coalesced([x, x[0]], group)
    assert torch.equal(got[0], torch.cat(all_x)) and torch.equal(got[1], torch.cat([t[0] for t in all_x]))
    got = C.reduce_scatter_tensor_coalesced([torch.cat([x] * size), torch.cat([x] * size, 1)], "sum", [0, 1], group)
    assert torch.equal(got[0], sum(all_x)) and torch.equal(got[1], sum(all_x))
    # Uneven: to rank r go r + 1 rows.
    rows = torch.cat([torch.full((r + 1, 2), 10.0 * rank + r) for r in range(size)])
    got = C.all_to_all_single(rows, [rank + 1] * size, [r + 1 for r in range(size)], group)
    assert torch.equal(got, torch.cat([torch.full((rank + 1, 2), 10.0 * r + rank) for r in range(size)]))
    assert torch.equal(C.permute_tensor(x, [(r + 1) % size for r in range(size)], group), all_x[rank - 1])
    with pytest.raises(ValueError, match="largest"):
        C.all_reduce(x, "largest", group)
    with pytest.raises(ValueError, match=r"divisible by 3 ranks, not \[2, 3\]"):
        C.reduce_scatter_tensor(x, "sum", 0, group)

    w = [weights(r, 2, 3 * size).float() for r in range(size)]
    leaves = x.clone().requires_grad_()
    (C.all_gather_tensor_autograd(leaves, 1, group) * w[rank]).sum().backward()
    torch.testing.assert_close(leaves.grad, sum(w)[:, 3 * rank : 3 * rank + 3])
    whole = torch.cat([x] * size, 1).requires_grad_()
    (C.reduce_scatter_tensor_autograd(whole, "sum", 1, group) * w[rank][:, :3]).sum().backward()
    torch.testing.assert_close(whole.grad, torch.cat([each[:, :3] for each in w], 1))
    rows.requires_grad_()
    sizes = [rank + 1] * size, [r + 1 for r in range(size)]
    y = C.all_to_all_single_autograd(rows, *sizes, group)
    (y * (rank + 1)).sum().backward()
    torch.testing.assert_close(rows.grad, torch.cat([torch.full((r + 1, 2), r + 1.0) for r in range(size)]))


def everything():
    of_results()
    by_name()


def test_against_definitions():
    ranks.run(everything, 3)
