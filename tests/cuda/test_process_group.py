"""Groups over NCCL. Ranks are threads with a GPU each; where there are fewer than two, or torch lacks NCCL, all is skipped."""

import datetime
import functools
import os
import subprocess
import sys
import threading

import pytest
import torch
import torch.distributed as dist

if not dist.is_available() or not dist.is_nccl_available():
    pytest.skip("torch was built without torch.distributed or NCCL", allow_module_level=True)
if torch.cuda.device_count() < 2:
    pytest.skip("ranks need two GPUs", allow_module_level=True)

from torch.distributed import _options, _threads

SIZE = 2
TIMEOUT = 5


def ranked(function=None, *, backend="nccl", timeout=TIMEOUT):
    """The test runs on two ranks, with each rank's number."""
    if function is None:
        return functools.partial(ranked, backend=backend, timeout=timeout)

    def test():
        def rank():
            mine = dist.get_rank()
            torch.cuda.set_device(mine)
            function(mine)

        _threads.run(rank, SIZE, timeout=timeout, backend=backend)

    test.__name__, test.__doc__ = function.__name__, function.__doc__
    return test


def cuda(values, **kwargs):
    return torch.tensor(values, device="cuda", **kwargs)


@ranked
def test_what_a_group_is(rank):
    assert dist.get_backend() == "nccl" and dist.get_rank() == rank and dist.get_world_size() == SIZE
    group = dist.group.WORLD._get_backend(torch.device("cuda"))
    assert isinstance(group, dist.ProcessGroupNCCL) and group.name() == "nccl"
    with pytest.raises(RuntimeError, match="No backend type associated with device type cpu"):
        dist.all_reduce(torch.ones(1))


@ranked
def test_all_reduce(rank):
    x = [1.0, -3.0] if rank == 0 else [4.0, -9.0]
    for op, wanted in (
        (dist.ReduceOp.SUM, [5, -12]),
        (dist.ReduceOp.AVG, [2.5, -6]),
        (dist.ReduceOp.PRODUCT, [4, 27]),
        (dist.ReduceOp.MIN, [1, -9]),
        (dist.ReduceOp.MAX, [4, -3]),
        (_options._make_premul_sum(0.5), [2.5, -6]),
    ):
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
            t = cuda(x, dtype=dtype)
            dist.all_reduce(t, op)
            assert t.tolist() == wanted, (op, dtype)
    for dtype in (torch.int8, torch.int32, torch.int64):
        t = cuda([1, -2], dtype=dtype)
        dist.all_reduce(t)
        assert t.tolist() == [2, -4]
    t = cuda([[True, False], [rank == 0, False]])
    dist.all_reduce(t)
    assert t.tolist() == [[True, False], [True, False]]
    t = cuda([1 + 2j, rank * 1j])
    dist.all_reduce(t)
    assert t.tolist() == [2 + 4j, 1j]
    strided = torch.zeros(2, 3, device="cuda").t()[::2]
    strided += rank + 1
    dist.all_reduce(strided)
    assert strided.tolist() == [[3, 3]] * 2
    dist.all_reduce(torch.empty(0, 3, device="cuda"))


@ranked
def test_broadcast_and_reduce(rank):
    for dtype in (torch.float32, torch.int16, torch.complex64, torch.bool, torch.uint8):
        t = torch.full((2, 2), rank + 1, device="cuda").to(dtype)
        dist.broadcast(t, 1)
        assert torch.equal(t, torch.full((2, 2), 2, device="cuda").to(dtype))
    t = torch.full((2, 3), rank, device="cuda").t()
    dist.broadcast(t, 1)
    assert t.tolist() == [[1, 1]] * 3
    t = cuda([1.0, 2.0]) * (rank + 1)
    dist.reduce(t, 1)
    assert t.tolist() == ([1, 2] if rank == 0 else [3, 6])


@ranked
def test_gathering(rank):
    mine = cuda([[rank, 10 + rank]])
    out = [torch.zeros(1, 2, dtype=torch.int64, device="cuda") for _ in range(SIZE)]
    dist.all_gather(out, mine)
    assert [t.tolist() for t in out] == [[[0, 10]], [[1, 11]]]
    uneven = [torch.zeros(1 + r, device="cuda") for r in range(SIZE)]
    dist.all_gather(uneven, torch.full((1 + rank,), rank + 1.0, device="cuda"))
    assert [t.tolist() for t in uneven] == [[1], [2, 2]]
    whole = torch.zeros(2, 2, dtype=torch.int64, device="cuda")
    dist.all_gather_into_tensor(whole, mine)
    assert whole.tolist() == [[0, 10], [1, 11]]
    got = [torch.zeros_like(mine) for _ in range(SIZE)] if rank == 1 else None
    dist.gather(mine, got, dst=1)
    assert rank == 0 or [t.tolist() for t in got] == [[[0, 10]], [[1, 11]]]
    to = torch.zeros(2, device="cuda")
    dist.scatter(to, [cuda([1.0, 2.0]), cuda([3.0, 4.0])] if rank == 0 else None, src=0)
    assert to.tolist() == [[1, 2], [3, 4]][rank]


@ranked
def test_reduce_scatter(rank):
    out = torch.zeros(2, device="cuda")
    dist.reduce_scatter(out, [cuda([1.0, 2.0]), cuda([3.0, 4.0])])
    assert out.tolist() == [[2, 4], [6, 8]][rank]
    dist.reduce_scatter_tensor(out, torch.arange(4.0, device="cuda"), op=dist.ReduceOp.AVG)
    assert out.tolist() == [[0, 1], [2, 3]][rank]
    uneven = torch.zeros(1 + rank, device="cuda")
    dist.reduce_scatter(uneven, [cuda([1.0]), cuda([2.0, 3.0])], op=dist.ReduceOp.MAX)
    assert uneven.tolist() == [[1], [2, 3]][rank]


@ranked
def test_all_to_all(rank):
    out = torch.zeros(4, device="cuda")
    dist.all_to_all_single(out, torch.arange(4.0, device="cuda") + 10 * rank)
    assert out.tolist() == [[0, 1, 10, 11], [2, 3, 12, 13]][rank]
    sent = cuda([[1], [2], [3]]) if rank == 0 else cuda([[4]])
    rows = [[1, 2], [1, 0]][rank], [[1, 1], [2, 0]][rank]
    out = torch.zeros(sum(rows[1]), 1, dtype=torch.int64, device="cuda")
    dist.all_to_all_single(out, sent, rows[1], rows[0])
    assert out.tolist() == [[[1], [4]], [[2], [3]]][rank]
    outs = [torch.zeros(1 + r, device="cuda") for r in range(SIZE)]
    dist.all_to_all(outs, [torch.full((1 + rank,), 10.0 * rank + r, device="cuda") for r in range(SIZE)])
    assert [t.tolist() for t in outs] == [[0.0 + rank], [10.0 + rank] * 2]


@ranked
def test_messages(rank):
    t = cuda([1.0 + rank, 2.0])
    got = torch.zeros(2, device="cuda")
    if rank == 0:
        dist.send(t, 1)
        assert dist.recv(got, 1) == 1
    else:
        assert dist.recv(got, 0) == 0
        dist.send(t, 0)
    assert got.tolist() == [2.0 - rank, 2.0]
    # Both send first: that is no deadlock where NCCL gets them together.
    big = torch.full((1000,), float(rank), device="cuda")
    there = torch.empty_like(big)
    ops = [dist.P2POp(dist.isend, big, 1 - rank), dist.P2POp(dist.irecv, there, 1 - rank)]
    works = dist.batch_isend_irecv(ops)
    assert len(works) == 1
    works[0].wait()
    assert there.unique().tolist() == [1.0 - rank]
    with pytest.raises(RuntimeError, match="recv over NCCL names the rank that sends"):
        dist.recv(got)
    objects = [{"rank": rank}, "text"]
    dist.broadcast_object_list(objects, 1)
    assert objects == [{"rank": 1}, "text"]
    gathered = [None] * SIZE
    dist.all_gather_object(gathered, "x" * (rank + 1))
    assert gathered == ["x", "xx"]


@ranked
def test_operations_are_in_the_order_of_streams(rank):
    t = torch.zeros(1000, device="cuda")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        t += rank + 1  # what the current stream holds comes first
        work = dist.all_reduce(t, async_op=True)
        assert not work.is_completed(), "nobody has waited for the device"
        work.wait()
        doubled = t * 2  # after it, on the stream that has waited
    side.synchronize()
    assert doubled.unique().tolist() == [6] and work.is_completed() and work.is_success() and work.exception() is None
    # The host does not wait for the other rank's call.
    if rank == 0:
        works = [dist.all_reduce(t, async_op=True) for _ in range(3)]
        dist.group.WORLD.get_group_store().set("called", b"")
    else:
        dist.group.WORLD.get_group_store().wait(["called"])
        works = [dist.all_reduce(t, async_op=True) for _ in range(3)]
    works[-1].wait()
    assert t.unique().tolist() == [24]
    assert works[0].get_future().value()[0] is t


@ranked
def test_memory_stays_until_it_is_done(rank):
    x = torch.full((100_000,), rank + 1.0, device="cuda")
    y = torch.empty_like(x)
    torch.cuda.synchronize()
    address = x.data_ptr()
    work = dist.all_gather_into_tensor(torch.empty(SIZE, 100_000, device="cuda"), x, async_op=True)
    del x
    again = torch.empty_like(y)
    assert again.data_ptr() != address or work.is_completed()
    work.wait()


@ranked
def test_coalescing(rank):
    a, b = torch.full((2,), rank + 1.0, device="cuda"), torch.full((3,), rank + 1.0, device="cuda")
    with dist._coalescing_manager(async_ops=True) as together:
        dist.all_reduce(a)
        dist.all_reduce(b)
    together.wait()
    assert len(together.works) == 1 and a.tolist() == [3, 3] and b.tolist() == [3, 3, 3]
    dist.all_reduce_coalesced([a, b])
    assert a.tolist() == [6, 6] and b.tolist() == [6, 6, 6]


@ranked
def test_groups(rank):
    one = dist.new_group([rank], use_local_synchronization=True)
    other = dist.new_group([1, 0])
    options = dist.ProcessGroupNCCL.Options(is_high_priority_stream=True)
    urgent = dist.new_group(pg_options=options)
    t = cuda([float(rank)])
    dist.all_reduce(t, group=one)
    assert t.item() == rank
    for group in (other, urgent):
        t = cuda([1.0])
        dist.all_reduce(t, group=group)
        assert t.item() == 2
    assert urgent._get_backend("cuda")._communicators[t.device].stream.priority < 0
    dist.destroy_process_group(urgent)
    with pytest.raises(RuntimeError, match=f"rank {rank} of 2: the group has been left"):
        urgent._get_backend("cuda").allreduce([t], dist.AllreduceOptions())


@ranked
def test_groups_leave_nothing_behind(rank):
    def tasks():
        return len(os.listdir("/proc/self/task"))

    x = torch.ones(2, device="cuda")
    dist.all_reduce(x)
    dist.barrier()
    before = tasks()
    for _ in range(20):
        group = dist.new_group()
        dist.all_reduce(x, group=group)
        dist.destroy_process_group(group)
    dist.barrier()
    assert tasks() == before and x.unique().tolist() == [2.0**21]


def test_a_device_at_once_and_splitting():
    def ranks():
        rank = threading.current_thread().rank
        torch.cuda.set_device(rank)
        store = threading.current_thread().joins["store"]
        dist.destroy_process_group()
        dist.init_process_group(
            "nccl", store=dist.PrefixStore("again", store), rank=rank, world_size=SIZE, device_id=torch.device("cuda", rank),
            timeout=datetime.timedelta(seconds=TIMEOUT),
        )  # fmt: skip
        backend = dist.group.WORLD._get_backend("cuda")
        assert list(backend._communicators) == [torch.device("cuda", rank)]
        t = torch.zeros(1, device="cuda")
        if rank == 0:
            dist.send(t + 3, 1)
        else:
            dist.recv(t, 0)
            assert t.item() == 3
        dist.barrier(device_ids=[rank])
        assert list(backend._communicators) == [torch.device("cuda", rank)], "messages go by it, too"
        alone = dist.split_group(split_ranks=[[0], [1]])
        both = dist.split_group(split_ranks=[[1, 0]])
        only = dist.split_group(split_ranks=[[1]])
        assert (alone.size(), both.size(), both.rank()) == (1, 2, 1 - rank)
        assert (only is None) == (rank == 0)
        for group, wanted in ((alone, 1), (both, 2)):
            t = torch.ones(1, device="cuda")
            dist.all_reduce(t, group=group)
            assert t.item() == wanted

    _threads.run(ranks, SIZE, timeout=TIMEOUT)


@ranked(backend="cpu:threaded,cuda:nccl")
def test_a_backend_for_each_device(rank):
    on_cpu, on_cuda = torch.ones(2), torch.ones(2, device="cuda")
    dist.all_reduce(on_cpu)
    dist.all_reduce(on_cuda)
    assert on_cpu.tolist() == on_cuda.tolist() == [2, 2]
    assert dist.get_backend_config() == "cpu:threaded,cuda:nccl"
    dist.barrier()


@ranked
def test_what_is_refused(rank):
    x = torch.ones(2, device="cuda")
    who = f"rank {rank} of 2: "
    for call, text in (
        (lambda: dist.all_reduce(x, dist.ReduceOp.BAND), "all_reduce: NCCL does not reduce by BAND"),
        (lambda: dist.all_reduce(x.short()), "all_reduce: NCCL does not reduce torch.int16 by SUM"),
        (lambda: dist.all_reduce(x.bool(), dist.ReduceOp.AVG), "all_reduce: NCCL does not reduce torch.bool by AVG"),
        (lambda: dist.all_gather([x], x), "all_gather: the output must have a tensor for each rank, 2, not 1"),
        (lambda: dist.all_gather_into_tensor(x, x), r"an output of \[2\] does not hold 2 times \[2\]"),
        (lambda: dist.reduce_scatter_tensor(x, x), r"an input of \[2\] is not 2 times an output of \[2\]"),
        (lambda: dist.all_to_all_single(x, x, [1, 2], [1, 1]), r"split sizes \[1, 2\] do not make up 2 rows for 2"),
        (lambda: dist.all_gather([x, x.double()], x), "must have one dtype, not torch.float32 and torch.float64"),
        (lambda: dist.broadcast(x, 2), "broadcast: there is no rank 2"),
    ):
        with pytest.raises(ValueError, match=who + ".*" + text):
            call()
    dist.all_reduce(x)
    assert x.tolist() == [2, 2]


@ranked
def test_a_rank_that_does_not_call(rank):
    """The other one's operation fails after the timeout, also if nobody asks, and all that is called after."""
    x = torch.ones(3, device="cuda")
    dist.all_reduce(x)
    torch.cuda.synchronize()
    dist.group.WORLD.set_timeout(datetime.timedelta(seconds=0.6))  # not of the first, which connects
    store = dist.group.WORLD.get_group_store()
    store.set_timeout(datetime.timedelta(seconds=10))
    if rank == 1:
        store.wait(["failed"])
        return
    work = dist.all_reduce(x, async_op=True)
    torch.cuda.current_stream().wait_stream(dist.group.WORLD._get_backend("cuda")._communicators[x.device].stream)
    torch.cuda.synchronize()  # comes back, since the watch ends the communicator
    assert work.is_completed() and not work.is_success()
    text = r"rank 0 of 2, cuda:0: all_reduce of float32\[3\] \(operation 2\) is not done after \d+ ms"
    with pytest.raises(dist.DistBackendError, match=text):
        work.wait()
    assert isinstance(work.exception(), dist.DistBackendError)
    with pytest.raises(dist.DistBackendError, match=text):
        dist.all_reduce(x)
    store.set("failed", b"")


@ranked(timeout=0.5)
def test_ranks_that_differ(rank):
    """NCCL would wait for ever; here the timeout ends it, on both."""
    x = torch.ones(2 + rank, device="cuda")
    with pytest.raises(dist.DistBackendError, match=rf"rank {rank} of 2, .*all_reduce of float32\[{2 + rank}\]"):
        dist.all_reduce(x, async_op=True).wait(datetime.timedelta(seconds=0.4))


@ranked
def test_ranks_that_differ_are_named(rank):
    dist.set_debug_level(dist.DebugLevel.DETAIL)
    try:
        with pytest.raises(dist.DistBackendError, match=r"rank 0: all_reduce of float32\[2\]; rank 1: broadcast of"):
            if rank == 0:
                dist.all_reduce(torch.ones(2, device="cuda"))
            else:
                dist.broadcast(torch.ones(2, device="cuda"), 0)
        x = torch.ones(2, device="cuda")
        dist.all_reduce(x)
        assert x.tolist() == [2, 2]
    finally:
        dist.barrier()
        dist.set_debug_level(dist.DebugLevel.OFF)


@ranked(timeout=0.4)
def test_a_rank_that_does_not_come(rank):
    if rank == 1:
        with pytest.raises(
            dist.DistBackendError, match=r"rank 1 of 2: .*needs all of ranks \[0, 1\].*\[0\] have not come"
        ):
            dist.all_reduce(torch.ones(1, device="cuda"))


@ranked(timeout=2)
def test_abort(rank):
    x = torch.ones(2, device="cuda")
    dist.all_reduce(x)
    if rank == 0:
        work = dist.all_reduce(x, async_op=True)
        dist.group.WORLD.abort()
        with pytest.raises(dist.DistBackendError, match="the group has been aborted"):
            work.wait()
        torch.cuda.synchronize()
        with pytest.raises(RuntimeError, match="rank 0 of 2: the group has been aborted"):
            dist.all_reduce(x)


@ranked
def test_distributed_data_parallel(rank):
    def module():
        torch.manual_seed(5)
        return torch.nn.Sequential(
            torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.BatchNorm1d(8), torch.nn.Linear(8, 2)
        )

    with lock:  # the generator is the process's
        torch.manual_seed(6)
        x, mine, whole = torch.randn(SIZE, 6, 4), module().cuda(), module()
    ddp = torch.nn.parallel.DistributedDataParallel(mine, device_ids=[rank], find_unused_parameters=True)
    assert ddp.device_ids == [rank]
    for _ in range(2):
        ddp.zero_grad()
        ddp(x[rank]).square().mean().backward()
    grads = [p.grad.cpu() for p in mine.parameters()]
    total = [torch.zeros_like(g) for g in grads]
    for part in x:
        whole.zero_grad()
        whole(part).square().mean().backward()
        total = [t + p.grad / SIZE for t, p in zip(total, whole.parameters(), strict=True)]
    both = [None] * SIZE
    dist.all_gather_object(both, [g.tolist() for g in grads])
    assert both[0] == both[1]
    for grad, wanted in zip(grads, total, strict=True):
        torch.testing.assert_close(grad, wanted)


lock = threading.Lock()


def test_more_ranks():
    """Of four GPUs: all that has a number of its own for each rank."""
    code = """
import torch, torch.distributed as dist
from torch.distributed import _options, _threads

def ranks():
    rank, size = dist.get_rank(), dist.get_world_size()
    torch.cuda.set_device(rank)
    t = torch.full((3,), float(rank), device="cuda")
    dist.all_reduce(t)
    assert t.tolist() == [6.0] * 3
    out = torch.zeros(size, device="cuda")
    dist.all_to_all_single(out, torch.arange(4.0, device="cuda") + 10 * rank)
    assert out.tolist() == [10.0 * r + rank for r in range(size)]
    # Two of them: by a communicator of their own.
    if rank in (1, 3):
        got = torch.zeros(1, device="cuda")
        if rank == 1:
            dist.send(got + 5, 3)
        else:
            dist.recv(got, 1)
            assert got.item() == 5
    some = dist.new_group([0, 2, 3])
    if rank != 1:
        t = torch.ones(1, device="cuda")
        dist.all_reduce(t, group=some)
        assert t.item() == 3
        dist.broadcast(t.mul_(rank), 2, group=some)
        assert t.item() == 6
    return rank

print(_threads.run(ranks, 4, timeout=20, backend="nccl"))
"""
    environment = os.environ | {"HOST_CUDA_DEVICES": "4"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    if torch.cuda.device_count() < 4 and "invalid device ordinal" in done.stderr:
        pytest.skip("four GPUs")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[0, 1, 2, 3]\n"


def test_without_gpus():
    code = (
        "import torch, torch.distributed as dist\n"
        "store = dist.HashStore()\n"
        "try: dist.init_process_group('nccl', store=store, rank=0, world_size=1)\n"
        "except RuntimeError as error: print(error)\n"
        "dist.init_process_group(store=store, rank=0, world_size=1); print(dist.get_backend_config())\n"
    )
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": "", "HOST_CUDA_DEVICES": "0"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.splitlines()[:1] == ["a group over NCCL needs GPUs, and rank 0 of 1 finds none"], done.stderr
