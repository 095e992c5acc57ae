"""Process groups over MPI: the collective operations of all groups, and what is MPI's own."""

import ctypes
import datetime
import os
import pathlib
import subprocess
import sys
import time

import mpi_ranks
import pytest
import test_collectives as collectives
import torch
import torch.distributed as dist
from test_collectives import full

if not dist.is_available() or not dist.is_mpi_available():
    pytest.skip("this torch was built without MPI", allow_module_level=True)
if not mpi_ranks.available():
    pytest.skip("there is no mpirun", allow_module_level=True)


# ---- the operations ----------------------------------------------------------------------------------------
def everything():
    collectives.of_tensors()
    collectives.without_waiting()


def three():
    everything()
    collectives.of_objects()
    collectives.messages()
    every_reduction()
    more_than_a_piece()


def four():
    subgroups()
    collectives.of_tensors()


def every_reduction():
    """Of every dtype, against THD's own over gloo: the same bits, where the order does not matter."""
    rank, size = dist.get_rank(), dist.get_world_size()
    other = dist.new_group(backend="gloo")
    assert dist.get_backend(other) == "gloo" and dist.get_backend() == "mpi"
    names = (
        "uint8 int8 int16 int32 int64 uint16 uint32 uint64 bool float16 bfloat16 float32 float64 complex64 complex128"
    )
    operations = [
        getattr(dist.ReduceOp, name) for name in ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR")
    ]
    compared = refused = 0
    for name in names.split():
        dtype = getattr(torch, name)
        mine = ((torch.arange(12).reshape(3, 4) * 7 + rank * 5) % 4 + 1).to(dtype).t()  # small: sums are exact
        for op in operations:
            a, b = mine.clone(), mine.clone()
            try:
                dist.all_reduce(b, op, group=other)
            except (ValueError, RuntimeError) as error:
                with pytest.raises(type(error)) as ours:
                    dist.all_reduce(a, op)
                assert str(ours.value) == str(error) and torch.equal(a, mine)
                refused += 1
                continue
            dist.all_reduce(a, op)
            assert torch.equal(a, b), (name, op, a, b)
            root = mine.clone()
            dist.reduce(root, size - 1, op)
            assert torch.equal(root, b if rank == size - 1 else mine), (name, op)
            part, want = torch.empty(2, 4, dtype=dtype), torch.empty(2, 4, dtype=dtype)
            rows = mine.contiguous().flatten()[:8].repeat(size).reshape(2 * size, 4)
            dist.reduce_scatter_tensor(part, rows, op)
            dist.reduce_scatter_tensor(want, rows, op, group=other)
            assert torch.equal(part, want), (name, op)
            compared += 1
    assert compared > 70 and refused > 15, (compared, refused)
    nan = torch.tensor([1.0, float("nan"), 3.0]) if rank == 1 else torch.tensor([float("nan"), 2.0, -0.0])
    dist.all_reduce(nan, dist.ReduceOp.MIN)
    assert nan[:2].isnan().all() and nan[2] == 0


def more_than_a_piece():
    """What does not fit into the memory of one step."""
    rank, size = dist.get_rank(), dist.get_world_size()
    n = 700_001  # 2.7 MB, and no multiple of anything
    index = torch.arange(n)
    t = (index % 1000 + rank).float()
    dist.all_reduce(t)
    assert torch.equal(t, (index % 1000 * size + size * (size - 1) // 2).float())
    t = (index * (rank + 1)).clone()
    dist.broadcast(t, 1)
    assert torch.equal(t, index * 2)
    parts = [torch.empty(n + r, dtype=torch.int32) for r in range(size)]  # of several lengths
    dist.all_gather(parts, torch.arange(n + rank, dtype=torch.int32) + rank)
    assert all(torch.equal(part, torch.arange(n + r, dtype=torch.int32) + r) for r, part in enumerate(parts))
    gathered = [torch.empty(n) for _ in range(size)] if rank == 2 else None
    dist.gather(index.float() + rank, gathered, dst=2)
    assert rank != 2 or all(torch.equal(part, index.float() + r) for r, part in enumerate(gathered))
    mine = torch.empty(n)
    dist.scatter(mine, [index.float() * r for r in range(size)] if rank == 0 else None, src=0)
    assert torch.equal(mine, index.float() * rank)
    dist.reduce_scatter(mine, [index.float() + r + rank for r in range(size)])
    assert torch.equal(mine, index.float() * size + rank * size + size * (size - 1) // 2)
    rows = [torch.full((n * (r + rank) // 4,), 10 * rank + r) for r in range(size)]
    received = [torch.empty(n * (r + rank) // 4, dtype=torch.int64) for r in range(size)]
    dist.all_to_all(received, rows)
    assert all((part == 10 * r + rank).all() for r, part in enumerate(received))
    there, here = (rank + 1) % size, (rank - 1) % size
    big = torch.empty(n)
    work = dist.irecv(big, here)
    dist.send(full(rank, n), there)
    work.wait()
    assert (big == here).all()


def subgroups():
    rank = dist.get_rank()
    pair = dist.new_group([1, 3])
    if rank in (1, 3):
        t = full(rank, 1)
        dist.all_reduce(t, group=pair)
        assert t.item() == 4 and dist.get_backend(pair) == "mpi"
        dist.broadcast(t, src=3, group=pair)
    part = dist.split_group(split_ranks=[[0, 2], [3, 1]])  # in an order of its own
    gathered = [torch.empty(1) for _ in range(2)]
    dist.all_gather(gathered, full(rank, 1), group=part)
    assert [int(t) for t in gathered] == ([0, 2] if rank % 2 == 0 else [3, 1])
    dist.destroy_process_group(part)
    # Operations of two groups at once, from threads of theirs.
    tensors = [full(rank + i, 1000) for i in range(40)]
    works = [
        dist.all_reduce(t, group=[None, pair][i % 2], async_op=True)
        for i, t in enumerate(tensors)
        if i % 2 == 0 or rank in (1, 3)
    ]
    for work in works:
        work.wait()
    assert (tensors[2] == 6 + 4 * 2).all() and (rank not in (1, 3) or (tensors[3] == 4 + 2 * 3).all())


@pytest.mark.parametrize(("function", "size"), [(everything, 1), (everything, 2), (three, 3), (four, 4)])
def test_operations(function, size):
    mpi_ranks.run(function, size)


# ---- joining ---------------------------------------------------------------------------------------------
def ways_to_join():
    """MPI says who is who; other words are warned of, and stores and URLs may be given."""
    assert "libmpi" not in pathlib.Path("/proc/self/maps").read_text(), "import torch loads MPI"
    assert dist.is_backend_available("mpi")
    dist.init_process_group("mpi")
    rank, size = dist.get_rank(), dist.get_world_size()
    assert (rank, size) == (int(os.environ["OMPI_COMM_WORLD_RANK"]), 2)
    assert "libmpi" in pathlib.Path("/proc/self/maps").read_text()
    t = torch.ones(1)
    dist.all_reduce(t)
    dist.monitored_barrier()
    dist.destroy_process_group()
    with pytest.warns(UserWarning, match=rf"{rank} of 2: rank=7 and world_size=9"):
        dist.init_process_group("mpi", rank=7, world_size=9)
    assert dist.get_rank() == rank
    dist.all_reduce(t)
    dist.destroy_process_group()
    dist.init_process_group("cpu:mpi", init_method=f"file://{os.environ['TMPDIR']}/store")
    dist.all_reduce(t)
    assert t.item() == 8
    dist.destroy_process_group()
    for _ in range(10):  # communicators are given back
        dist.init_process_group("mpi")
        dist.all_reduce(t)
        dist.destroy_process_group()


def test_ways_to_join():
    mpi_ranks.run(ways_to_join, 2, alone=True)


def test_without_mpirun_a_process_is_alone():
    code = "import torch, torch.distributed as d; d.init_process_group('mpi'); t = torch.ones(2); d.all_reduce(t); "
    code += "assert d.get_world_size() == 1 and t.tolist() == [1, 1]; d.destroy_process_group(); print('alone')"
    environment = os.environ | mpi_ranks.SETTINGS | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment)
    assert run.returncode == 0 and "alone" in run.stdout, run.stderr


def leave_together():
    """The end of a process in which MPI has an operation under way: it would wait for it. With the first that ends so
    mpirun ends the others."""
    pathlib.Path(os.environ["TMPDIR"], f"told-{dist.get_rank()}").touch()
    print("told", flush=True)
    for _ in range(500):
        if len(list(pathlib.Path(os.environ["TMPDIR"]).glob("told-*"))) == dist.get_world_size():
            break
        time.sleep(0.02)
    time.sleep(0.3)
    os._exit(0)


def started_by_somebody_else(level):
    """As mpi4py does, with another level of threads; its end is theirs, too."""
    from torch import _distributed_mpi  # noqa: F401 - it brings MPI, and does not start it

    maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
    mpi = ctypes.CDLL(next(line.split()[-1] for line in maps if "libmpi.so" in line))
    given = ctypes.c_int(-1)
    mpi.MPI_Init_thread(None, None, level, ctypes.byref(given))
    assert given.value == level
    if level == 1:
        with pytest.raises(RuntimeError, match=r"MPI_THREAD_FUNNELED.*needs MPI_THREAD_MULTIPLE"):
            dist.init_process_group("mpi")
    else:
        dist.init_process_group("mpi")
        assert _distributed_mpi.thread_level() == "MPI_THREAD_SERIALIZED"
        everything()
        dist.barrier()
        if dist.get_rank() == 0:
            dist.destroy_process_group()
    assert mpi.MPI_Finalize() == 0
    if dist.is_initialized():
        with pytest.raises(dist.DistBackendError, match="MPI has ended"):
            dist.barrier()
        dist.destroy_process_group()
    with pytest.raises(RuntimeError, match="MPI has ended"):
        dist.init_process_group("mpi")


@pytest.mark.parametrize("level", [1, 2])
def test_threads_as_somebody_else_has_asked_for(level):
    mpi_ranks.run(started_by_somebody_else, 2, level, alone=True)


# ---- what goes wrong -------------------------------------------------------------------------------------
def somebody_does_not_come():
    rank = dist.get_rank()
    dist.group.WORLD.set_timeout(datetime.timedelta(milliseconds=1000))
    begin = time.monotonic()
    if rank == 0:
        sub = dist.new_group([0, 2])
        text = r"all_reduce \(SUM\) of float32 \[3\] on rank 0 of 3 in group '0' failed \(timeout 1000ms\): timed out"
        text += ".*; lost: rank 2"
        with pytest.raises(dist.DistBackendError, match=text):
            dist.all_reduce(torch.ones(3))
        assert 0.9 < time.monotonic() - begin < 15
        with pytest.raises(dist.DistBackendError, match="cannot be used any more"):
            dist.barrier()
        ok = full(1, 1)
        dist.all_reduce(ok, group=sub)  # other groups are not touched
        assert ok.item() == 2
    elif rank == 1:
        dist.new_group([0, 2])
        with pytest.raises(dist.DistBackendError, match="on rank 1 of 3"):
            dist.all_reduce(torch.ones(3))
    else:
        sub = dist.new_group([0, 2])
        time.sleep(3)
        dist.all_reduce(full(1, 1), group=sub)
    leave_together()


def test_who_does_not_come_is_waited_for_until_the_timeout():
    said = mpi_ranks.start(somebody_does_not_come, 3)[1]
    assert said.count("told") == 3, said


def messages_that_fail():
    rank = dist.get_rank()
    with pytest.raises(ValueError, match="tag"):
        dist.send(torch.ones(1), 1 - rank, tag=-5)
    if rank == 0:
        dist.send(torch.ones(2), 1)
    else:
        with pytest.raises(
            dist.DistBackendError,
            match=r"recv of float32 \[3\] from rank 0 on rank 1 of 2.*rank 0 sent 8 bytes, where this rank expects 12",
        ):
            dist.recv(torch.ones(3), 0)
    leave_together()


def test_messages_that_do_not_fit():
    said = mpi_ranks.start(messages_that_fail, 2)[1]
    assert said.count("told") == 2, said


def nobody_sends():
    """A message that nobody waits for any more is not received; the next one is."""
    rank = dist.get_rank()
    if rank == 1:
        work = dist.irecv(torch.zeros(2), 0, tag=5)
        del work
        dist.barrier()
        t = torch.zeros(2)
        dist.recv(t, 0, tag=5)
        assert t.tolist() == [3, 3]
    else:
        dist.barrier()
        dist.isend(torch.full((2,), 3.0), 1, tag=5)  # nobody waits for that, and it arrives
    dist.barrier()


def test_messages_that_nobody_waits_for():
    mpi_ranks.run(nobody_sends, 2)


def one_raises():
    dist.barrier()
    if dist.get_rank() == 1:
        raise RuntimeError("this rank's own trouble")
    dist.all_reduce(torch.ones(1))


def test_an_exception_of_one_rank_ends_all_at_once():
    begin = time.monotonic()
    status, said = mpi_ranks.start(one_raises, 2, timeout=60)
    assert status not in (0, None) and "this rank's own trouble" in said, said
    assert time.monotonic() - begin < 30


def disagreement():
    dist.set_debug_level(dist.DebugLevel.DETAIL)
    works = [dist.all_reduce(full(1, 3), async_op=True) for _ in range(10)]
    for work in works:
        work.wait()
    with pytest.raises(dist.DistBackendError, match=r"do not agree.*\[3\] \(rank 0\).*\[4\] \(rank 1\)"):
        dist.all_reduce(full(1, 3 + dist.get_rank()))
    dist.destroy_process_group()


def test_ranks_that_disagree_are_told():
    mpi_ranks.run(disagreement, 2)


def too_late():
    """A group of somebody who does not come: an error that names him, and nothing hangs."""
    short = datetime.timedelta(seconds=1)
    if dist.get_rank() == 0:
        with pytest.raises(dist.DistBackendError, match="ranks that have come: 0; missing: 1"):
            dist.new_group([0, 1], timeout=short)
    dist.barrier()


def test_a_group_that_does_not_come_together():
    mpi_ranks.run(too_late, 2)
