"""What happens to a group when one of its processes dies, forks, leaves early or never comes."""

import datetime
import os
import random
import re
import time

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def steps():
    """Works until somebody is lost; says then what it was told, and when."""
    print("begun", flush=True)
    rank, size = dist.get_rank(), dist.get_world_size()
    begin = time.monotonic()
    try:
        while time.monotonic() - begin < 60:
            begin_of_step = time.monotonic()
            work = dist.all_reduce(torch.ones(20_000), async_op=True)
            t = torch.full((50,), float(rank))
            dist.all_reduce(t)
            assert t[0] == size * (size - 1) / 2
            dist.broadcast(torch.ones(3), src=1)
            dist.all_gather([torch.empty(r) for r in range(size)], torch.ones(rank))
            dist.all_to_all_single(torch.empty(size, 10), torch.ones(size, 10))
            work.wait()
    except dist.DistBackendError as error:
        print(f"after {time.monotonic() - begin_of_step:.2f}s: {error}", flush=True)
        with pytest.raises(dist.DistBackendError, match="cannot be used any more"):
            dist.all_reduce(torch.ones(1))
        os._exit(0)
    raise AssertionError("nobody was lost")


def kill_one(size, victim, delay, timeout=4.0):
    with ranks.Ranks(steps, size, timeout=timeout) as started:
        for process in started.processes:
            assert "begun" in process.stdout.readline()
        time.sleep(delay)
        started.processes[victim].kill()
        found = started.finish(limit=30)
    for rank, (status, said) in enumerate(found):
        if rank == victim:
            continue
        assert status == 0, (victim, delay, rank, said)
        seconds, text = re.search(r"after ([\d.]+)s: (.*)", said, re.DOTALL).groups()
        assert float(seconds) < timeout + 2.5, said
        assert re.search(rf"(all_\w+|broadcast).* on rank {rank} of {size}", text), said
        assert re.findall(r"lost: rank (\d+)", text) == [str(victim)], said


@pytest.mark.parametrize("victim", [0, 2])
def test_a_rank_that_is_killed_is_named_by_all_others(victim):
    kill_one(3, victim, random.Random(victim).random() * 0.3)


def forked():
    rank, size = dist.get_rank(), dist.get_world_size()
    begun = dist.irecv(torch.empty(1), (rank + 1) % size)
    child = os.fork()
    if not child:
        status = 1
        try:
            with pytest.raises(RuntimeError, match="forked"):
                dist.all_reduce(torch.ones(1))
            with pytest.raises(RuntimeError, match="forked"):
                begun.wait()
            dist.destroy_process_group()  # which is the parent's: nothing happens to it
            path = f"{os.environ['TMPDIR']}/of children"
            limit = datetime.timedelta(seconds=10)
            dist.init_process_group("gloo", init_method=f"file://{path}", rank=rank, world_size=size, timeout=limit)
            t = torch.ones(2)
            dist.all_reduce(t)
            assert t[0] == size
            dist.barrier()
            dist.destroy_process_group()
            status = 0
        finally:
            os._exit(status)
    t = torch.ones(1000)
    dist.all_reduce(t)
    assert (t == size).all()
    assert os.waitpid(child, 0)[1] == 0
    dist.send(torch.ones(1), (rank - 1) % size)
    begun.wait()
    dist.all_reduce(t)
    assert (t == size * size).all()


def test_a_forked_child_joins_groups_of_its_own(tmp_path):
    ranks.run(forked, 2, environment={"TMPDIR": str(tmp_path)})


def forked_and_ends():
    if not os.fork():
        raise SystemExit(0)  # by Python's way out, with all its destructors
    os.wait()
    t = torch.ones(1)
    dist.all_reduce(t)
    assert t == dist.get_world_size()


def test_a_forked_child_ends_without_a_trace():
    ranks.run(forked_and_ends, 2)


def descriptors():
    return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))


def many_groups(count):
    dist.all_reduce(torch.ones(1))
    before = descriptors()
    kept = []
    for i in range(count):
        group = dist.new_group()
        t = torch.ones(3)
        work = dist.all_reduce(t, group=group, async_op=True)
        work.wait()
        assert t[0] == dist.get_world_size()
        dist.destroy_process_group(group)
        if i % 2:
            kept.append((group, work))  # what somebody holds keeps nothing open
    dist.barrier()
    for _ in range(100):
        if descriptors() == before:
            break
        time.sleep(0.05)
    assert descriptors() == before


def test_groups_leave_nothing_behind():
    ranks.run(many_groups, 2, 50)


def after_the_end():
    rank = dist.get_rank()
    group = dist.new_group()
    dist.barrier()  # both are in it before one leaves
    pending = dist.irecv(torch.empty(1), 1 - rank)
    group.shutdown()
    with pytest.raises(RuntimeError, match="shut down"):
        group.allreduce([torch.ones(1)])
    with pytest.raises(RuntimeError, match="shut down"):
        group.send([torch.ones(1)], 1 - rank, 0)
    dist.isend(torch.ones(1), 1 - rank).wait()
    dist.barrier()
    whole = dist.group.WORLD
    dist.destroy_process_group()
    with pytest.raises(ValueError, match="not been initialized"):
        dist.all_reduce(torch.ones(1))
    with pytest.raises(RuntimeError, match="shut down"):
        whole.allreduce([torch.ones(1)])
    del whole, group
    try:
        pending.wait(datetime.timedelta(seconds=2))  # the message was there already, or its sender has left
    except dist.DistBackendError as error:
        assert "recv of float32 [1] from rank" in str(error)


def test_a_group_that_was_left():
    ranks.run(after_the_end, 2)


def aborted():
    import threading

    if dist.get_rank() == 0:
        works = [dist.irecv(torch.empty(1)), dist.all_reduce(torch.ones(2), async_op=True)]
        threading.Timer(0.3, dist.group.WORLD.abort).start()
        begin = time.monotonic()
        for work in works:
            with pytest.raises(dist.DistBackendError, match="aborted"):
                work.wait()
        assert time.monotonic() - begin < 3
        with pytest.raises(dist.DistBackendError, match="aborted"):
            dist.barrier()
    else:
        time.sleep(1)
        with pytest.raises(dist.DistBackendError, match=r"all_reduce \(SUM\) of float32 \[2\] on rank 1"):
            dist.all_reduce(torch.ones(2))
    dist.destroy_process_group()


def test_abort_ends_what_waits():
    ranks.run(aborted, 2, timeout=20.0)


def different():
    """Ranks that mean different things end by the timeout, none of them in the other's memory."""
    rank = dist.get_rank()
    wants = [
        lambda: dist.all_reduce(torch.ones(3 + rank)),
        lambda: dist.all_reduce(torch.ones(70_000 + rank)),
        lambda: dist.broadcast(torch.ones(3 + 5 * rank), 0),
        lambda: dist.broadcast(torch.ones(3, dtype=[torch.float32, torch.int32][rank]), 0),
        lambda: dist.all_gather([torch.ones(2 + rank)] * 2, torch.ones(2 + rank)),
        lambda: dist.all_to_all_single(torch.ones(2 + 2 * rank), torch.ones(2 + 2 * rank)),
        lambda: dist.reduce_scatter_tensor(torch.ones(1 + rank), torch.ones(2 + 2 * rank)),
        lambda: dist.reduce(torch.ones(8 - rank), 0),
        lambda: dist.barrier() if rank else dist.all_reduce(torch.ones(1)),
        lambda: dist.send(torch.ones(8), 1) if rank == 0 else dist.recv(torch.ones(4), 0),
    ]
    for i, want in enumerate(wants):
        pair = dist.new_group()
        pair.set_timeout(datetime.timedelta(milliseconds=300))  # for what is said in it, not for connecting
        whole = dist.group.WORLD
        dist.group.WORLD, here = pair, whole
        try:
            with pytest.raises(dist.DistBackendError, match=f" on rank {rank} of 2"):
                want()
                time.sleep(0.7)  # a sender may be done
                dist.barrier()
        finally:
            dist.group.WORLD = here
        dist.destroy_process_group(pair)
        t = torch.ones(1)
        dist.all_reduce(t)
        assert t == 2, i


def test_ranks_that_differ_end_by_the_timeout():
    ranks.run(different, 2)


def join_late(rank, size, path, delay):
    limit = datetime.timedelta(seconds=2)
    if rank == size - 1:
        time.sleep(delay)
    try:
        dist.init_process_group("gloo", init_method=f"file://{path}", rank=rank, world_size=size, timeout=limit)
    except RuntimeError as error:
        assert "ranks that have come" in str(error), error
        assert f"missing: {size - 1}" in str(error) or rank == size - 1, error
        print("refused", flush=True)
        os._exit(0)
    t = torch.ones(1)
    dist.all_reduce(t)
    assert t == size


@pytest.mark.parametrize("delay", [0.8, 3.5])
def test_a_rank_that_is_late(tmp_path, delay):
    said = ranks.run(join_late, 3, f"{tmp_path}/store", delay, alone=True)
    assert ["refused" in text for text in said] == [delay > 2] * 3


def say_another_size(rank, size, path):
    limit = datetime.timedelta(seconds=2)
    store = dist.FileStore(path, -1)
    with pytest.raises((ValueError, RuntimeError), match=rf"has {size + rank} ranks|come: {rank}"):
        dist.init_process_group("gloo", store=store, rank=rank, world_size=size + rank, timeout=limit)


def test_ranks_that_say_another_world_size(tmp_path):
    ranks.run(say_another_size, 2, f"{tmp_path}/store", alone=True)


def come_twice(rank, size, path):
    """Processes 0 and 1 are both rank 0, of two."""
    limit = datetime.timedelta(seconds=2)
    time.sleep(0.4 * rank)
    with pytest.raises(
        dist.DistStoreError, match="missing: 1" if rank == 0 else "missing: 1; rank 0 has joined 2 times"
    ):
        store = dist.FileStore(path, -1)
        dist.init_process_group("gloo", store=store, rank=0, world_size=2, timeout=limit)


def test_a_rank_that_comes_twice(tmp_path):
    ranks.run(come_twice, 2, f"{tmp_path}/store", alone=True)


def join_again():
    store = dist.group.WORLD.get_group_store()
    rank, size = dist.get_rank(), dist.get_world_size()
    for _ in range(3):
        dist.destroy_process_group()
        dist.init_process_group("gloo", store=store, rank=rank, world_size=size)
        t = torch.ones(1)
        dist.all_reduce(t)
        assert t == size


def test_a_world_is_joined_again_by_the_same_store():
    # It leaves as soon as it has joined, while others still connect among themselves.
    ranks.run(join_again, 3)


def without_the_store(rank, size, port):
    """Rank 0 serves the store, and dies; the others have connections among themselves and go on until they fail."""
    limit = datetime.timedelta(seconds=3)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=size, timeout=limit)
    dist.barrier()
    if rank == 0:
        os._exit(9)
    begin = time.monotonic()
    with pytest.raises(dist.DistBackendError, match=r"the store does not answer.*lost: rank 0"):
        dist.all_reduce(torch.ones(1))
    with pytest.raises(dist.DistNetworkError, match=f"127.0.0.1, {port}"):
        dist.group.WORLD.get_group_store().get("a")
    assert time.monotonic() - begin < 12
    os._exit(0)


def test_a_store_that_dies():
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ranks.Ranks(without_the_store, 3, port, alone=True) as started:
        found = started.finish(limit=40)
    assert [status for status, _ in found] == [9, 0, 0], found
