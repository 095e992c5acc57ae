"""What is done over and over leaves nothing behind: no thread, no descriptor, no file, no memory."""

import gc
import os
import threading
import time

import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Partial, Replicate, Shard, distribute_tensor
from torch.nn.parallel import DistributedDataParallel

# TORCH_SOAK=20: so many times as long, by hand.
TIMES = int(os.environ.get("TORCH_SOAK", "1"))


def held(tmp_path):
    """(descriptors, threads, files)"""
    return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task")), len(os.listdir(tmp_path))


def settle(tmp_path, before):
    """Threads that have been told to end need a moment."""
    for _ in range(100):
        now = held(tmp_path)
        if all(a <= b for a, b in zip(now, before)):
            return
        time.sleep(0.02)
    raise AssertionError(f"descriptors, threads and files: {before} before, {now} after")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def live():
    """How many tensors Python knows."""
    gc.collect()
    return sum(isinstance(thing, torch.Tensor) for thing in gc.get_objects()), len(gc.get_objects())


def test_a_thousand_groups_of_threads(tmp_path):
    _threads.run(int, 2)  # a sanitizer starts a thread of its own with the first
    before = held(tmp_path)

    def rank():
        for i in range(1000 * TIMES):
            group = dist.new_group()
            t = torch.ones(2)
            work = dist.all_reduce(t, group=group, async_op=i % 10 == 0)
            if work is not None:
                work.wait()
            assert t[0] == 2
            dist.destroy_process_group(group)
        assert dist.get_pg_count() == 1 + 1000 * TIMES

    _threads.run(rank, 2)
    settle(tmp_path, before)


def test_hundreds_of_groups_over_gloo(tmp_path):
    """Two ranks of one process, which connect by sockets all the same."""
    count, failures = 250 * TIMES, []
    store = dist.HashStore()

    def rank(mine, first, last):
        try:
            for i in range(first, last):
                group = dist.ProcessGroupGloo(dist.PrefixStore(str(i), store), mine, 2)
                t = torch.ones(2)
                group.allreduce([t], dist.AllreduceOptions()).wait()
                assert t[0] == 2
                group.shutdown()
        except BaseException as failure:
            failures.append(failure)

    def both(first, last):
        threads = [threading.Thread(target=rank, args=(r, first, last)) for r in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        assert not failures

    before = held(tmp_path)
    both(0, 50)
    flat = resident()
    both(50, count)
    settle(tmp_path, before)
    assert resident() - flat < 6 << 20


def steady(size, step, count):
    """step() over and over on `size` threads: RSS and live tensors grow no more once it has warmed up."""
    found = []

    def rank():
        run = step()
        for _ in range(count // 4):
            run()
        dist.barrier()
        if dist.get_rank() == 0:
            found.append((resident(), *live()))
        dist.barrier()
        for _ in range(count):
            run()
        dist.barrier()
        if dist.get_rank() == 0:
            found.append((resident(), *live()))
        dist.barrier()

    _threads.run(rank, size, timeout=120)
    (memory, tensors, things), (memory_then, tensors_then, things_then) = found
    assert tensors_then <= tensors, f"{tensors} tensors, then {tensors_then}"
    assert things_then - things < 100, f"{things} objects, then {things_then}"
    assert memory_then - memory < 3 << 20, f"{memory_then - memory} bytes more after {count} times"


def collectives():
    size, rank = dist.get_world_size(), dist.get_rank()
    t, parts = torch.ones(64), [torch.ones(64) for _ in range(size)]
    whole, columns = torch.empty(64 * size), torch.ones(8, 8).t()

    def run():
        dist.all_reduce(t.fill_(1))
        dist.all_reduce(columns, dist.ReduceOp.MAX)
        dist.broadcast(t, 0)
        dist.all_gather(parts, t)
        dist.all_gather_into_tensor(whole, t)
        dist.reduce_scatter_tensor(t, whole)
        dist.all_to_all(parts, [p.clone() for p in parts])
        dist.all_reduce(t.fill_(1), async_op=True).wait()
        dist.all_reduce(t, async_op=True).get_future().wait()
        dist.all_gather_object([None] * size, rank)
        if rank == 0:
            dist.send(t, 1)
        elif rank == 1:
            dist.recv(t, 0)

    return run


def failing():
    """Arguments that are refused."""
    t, kept = torch.ones(4), []

    def run():
        for call in (
            lambda: dist.all_reduce(t.expand(3, 4)),
            lambda: dist.all_gather([t], t),
            lambda: dist.broadcast(t, 7),
            lambda: dist.all_to_all_single(t, t, [9]),
            lambda: dist.all_reduce("x"),
        ):
            try:
                call()
            except (TypeError, ValueError):
                continue
            kept.append(call)
        assert not kept

    return run


def training():
    torch.manual_seed(0)
    module = torch.nn.Sequential(
        torch.nn.Linear(8, 16), torch.nn.BatchNorm1d(16), torch.nn.ReLU(), torch.nn.Linear(16, 4)
    )
    model = DistributedDataParallel(module)
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.randn(6, 8)

    def run():
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()

    return run


def layouts():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    x = torch.arange(24.0).reshape(6, 4)

    def run():
        d = distribute_tensor(x, mesh, [Shard(0)])
        e = d.redistribute(placements=[Shard(1)]).redistribute(placements=[Replicate()])
        assert torch.equal((e @ e.t()).to_local(), x @ x.t())
        assert (d.sum().placements == (Partial(),)) and d.sum().full_tensor() == 276

    return run


@pytest.mark.parametrize(("step", "count"), [(collectives, 100), (failing, 300), (training, 80), (layouts, 40)])
def test_memory_stays(step, count):
    steady(2, step, count * TIMES)


def test_works_and_futures_that_nobody_waits_for():
    def step():
        t = torch.ones(16)

        def run():
            works = [dist.all_reduce(t.clone(), async_op=True) for _ in range(3)]
            works[-1].wait()
            dist.irecv(torch.empty(1), 1 - dist.get_rank(), tag=7)  # given up at once
            del works

        return run

    steady(2, step, 200 * TIMES)
