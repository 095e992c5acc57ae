"""Collective operations in processes, against their definitions."""

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def full(rank, *size, dtype=torch.float32):
    return torch.full(size, rank, dtype=dtype)


def of_tensors():
    rank, size = dist.get_rank(), dist.get_world_size()
    for dtype in (torch.uint8, torch.int64, torch.float16, torch.bfloat16, torch.float64, torch.complex64):
        for shape in ((), (0,), (3, 5)):
            t = full(rank + 1, *shape, dtype=dtype)
            assert dist.all_reduce(t) is None
            assert torch.equal(t, full(size * (size + 1) // 2, *shape, dtype=dtype))
    t = full(rank + 1, 4).to(torch.int32)
    dist.all_reduce(t, dist.ReduceOp.MAX)
    assert t.tolist() == [size] * 4
    columns = full(rank, 3, 4).t()
    dist.broadcast(columns, src=size - 1)
    assert (columns == size - 1).all() and columns.stride() == (1, 4)
    total = full(1, 2)
    dist.reduce(total, dst=0)
    assert total.tolist() == ([size] * 2 if rank == 0 else [1, 1])

    parts = [torch.empty(r + 1) for r in range(size)]
    dist.all_gather(parts, full(rank, rank + 1))
    assert all((part == r).all() for r, part in enumerate(parts))
    together = torch.empty(size * 2)
    dist.all_gather_into_tensor(together, full(rank, 2))
    assert torch.equal(together, torch.arange(size).repeat_interleave(2).float())
    gathered = [torch.empty(2) for _ in range(size)] if rank == 0 else None
    dist.gather(full(rank, 2), gathered, dst=0)
    assert rank or [int(g[0]) for g in gathered] == list(range(size))
    mine = torch.empty(2)
    dist.scatter(mine, [full(r, 2) for r in range(size)] if rank == 0 else None, src=0)
    assert mine.tolist() == [rank, rank]
    dist.reduce_scatter(mine, [full(r, 2) for r in range(size)])
    assert mine.tolist() == [rank * size] * 2
    dist.reduce_scatter_tensor(mine, torch.arange(2.0 * size))
    assert mine.tolist() == [2.0 * rank * size, (2.0 * rank + 1) * size]
    out = torch.empty(size, 2)
    dist.all_to_all_single(out, full(rank, size, 2))
    assert torch.equal(out, torch.arange(size).float()[:, None].expand(size, 2))
    received = [torch.empty(1) for _ in range(size)]
    dist.all_to_all(received, [full(10 * rank + r, 1) for r in range(size)])
    assert [r.item() for r in received] == [10 * r + rank for r in range(size)]
    sparse = torch.sparse_coo_tensor([[0, rank]], [1.0, 2.0], (size,))
    dist.all_reduce(sparse)
    want = torch.full((size,), 2.0)
    want[0] += size
    assert torch.equal(sparse.to_dense(), want)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_of_tensors(size):
    ranks.run(of_tensors, size)


def without_waiting():
    rank, size = dist.get_rank(), dist.get_world_size()
    tensors = [full(rank + i, 100) for i in range(20)]
    works = [dist.all_reduce(t, async_op=True) for t in tensors]
    now = full(1, 2)
    dist.all_reduce(now)
    assert now.tolist() == [size, size]
    for i, (work, t) in enumerate(zip(works, tensors)):
        assert work.wait() and work.is_completed() and work.is_success() and work.exception() is None
        assert (t == size * i + size * (size - 1) // 2).all()
    assert works[0].get_future().wait()[0] is not None
    with pytest.raises(RuntimeError, match="no source"):
        works[0].source_rank()


def test_without_waiting():
    ranks.run(without_waiting, 2)


def of_objects():
    rank, size = dist.get_rank(), dist.get_world_size()
    found = [None] * size
    dist.all_gather_object(found, {"rank": rank, "text": "x" * rank})
    assert [f["rank"] for f in found] == list(range(size))
    gathered = [None] * size if rank == 1 else None
    dist.gather_object((rank, torch.ones(rank)), gathered, dst=1)
    assert rank != 1 or [len(t) for _, t in gathered] == list(range(size))
    objects = ["a", {"b": 1}, None] if rank == 0 else [None] * 3
    dist.broadcast_object_list(objects)
    assert objects == ["a", {"b": 1}, None]
    mine = [None]
    dist.scatter_object_list(mine, [f"to {r}" for r in range(size)] if rank == 0 else None)
    assert mine == [f"to {rank}"]
    if rank == 0:
        dist.send_object_list(["hello", 5], dst=1)
    elif rank == 1:
        got = [None, None]
        assert dist.recv_object_list(got, src=0) == 0 and got == ["hello", 5]


def test_of_objects():
    ranks.run(of_objects, 3)


def messages():
    rank, size = dist.get_rank(), dist.get_world_size()
    there, here = (rank + 1) % size, (rank - 1) % size
    received = torch.empty(5)
    works = dist.batch_isend_irecv(
        [dist.P2POp(dist.isend, full(rank, 5), there), dist.P2POp(dist.irecv, received, here)]
    )
    for work in works:
        work.wait()
    assert (received == here).all()
    if rank == 0:
        anybody = torch.empty(1)
        senders = {dist.recv(anybody, tag=3) for _ in range(size - 1)}
        assert senders == set(range(1, size))
    else:
        dist.send(full(rank, 1), 0, tag=3)
    with pytest.raises(ValueError, match="itself"):
        dist.send(received, rank)


def test_messages():
    ranks.run(messages, 3)


def groups():
    rank = dist.get_rank()
    pair = dist.new_group([1, 3])
    if rank in (1, 3):
        t = full(rank, 1)
        dist.all_reduce(t, group=pair)
        assert t.item() == 4
        assert dist.get_process_group_ranks(pair) == [1, 3] and dist.get_world_size(pair) == 2
        assert dist.get_rank(pair) == (rank == 3) and dist.get_global_rank(pair, 1) == 3
        dist.broadcast(t, src=3, group=pair)
    else:
        assert pair == dist.GroupMember.NON_GROUP_MEMBER and dist.get_rank(pair) == -1
        with pytest.warns(UserWarning, match="not in the group"):
            assert dist.all_reduce(full(rank, 1), group=pair) is None
    mine, everyone = dist.new_subgroups(2)
    assert len(everyone) == 2 and mine.rank() == rank % 2
    part = dist.split_group(split_ranks=[[0, 2], [1, 3]])
    t = full(rank, 1)
    dist.all_reduce(t, group=part)
    assert t.item() == (2 if rank % 2 == 0 else 4)
    assert dist.get_backend() == "gloo" and dist.get_pg_count() == 5
    dist.destroy_process_group(part)
    with pytest.raises(ValueError, match="no process group"):
        dist.destroy_process_group(part)
    with pytest.raises(ValueError, match="0 to 3, not 9"):
        dist.new_group([0, 9])
    with pytest.raises(ValueError, match="called before"):
        dist.init_process_group("gloo")


def test_groups():
    ranks.run(groups, 4)


def disagreement():
    dist.set_debug_level(dist.DebugLevel.DETAIL)
    t = full(1, 3)
    dist.all_reduce(t)
    assert t[0] == dist.get_world_size()
    with pytest.raises(dist.DistBackendError, match=r"do not agree.*\[3\] \(rank 0\).*\[4\] \(rank 1\)"):
        dist.all_reduce(full(1, 3 + dist.get_rank()))
    dist.destroy_process_group()


def test_ranks_that_disagree_are_told():
    ranks.run(disagreement, 2)


def absence():
    import datetime

    if dist.get_rank() == 1:
        import time

        time.sleep(2)
        dist.destroy_process_group()
        return
    with pytest.raises(RuntimeError, match="rank 1 did not come"):
        dist.monitored_barrier(timeout=datetime.timedelta(milliseconds=300))
    dist.destroy_process_group()


def test_who_is_missing_is_named():
    ranks.run(absence, 2)


def test_before_there_is_a_group():
    assert not dist.is_initialized()
    for function in (dist.get_rank, dist.get_world_size, dist.barrier, lambda: dist.all_reduce(torch.ones(1))):
        with pytest.raises(ValueError, match="Default process group has not been initialized"):
            function()
