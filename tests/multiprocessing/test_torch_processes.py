"""Tensors between processes: queues, pipes, pools; what a killed process leaves; forks."""

import os
import pathlib
import signal
import subprocess
import sys
import threading

import pytest
import torch
import torch.multiprocessing as mp
import workers
from segments import segments, soon

OURS = hasattr(torch._C, "_storage_filename")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_shared_both_ways(strategy, method):
    context = mp.get_context(method)
    inbox, done = context.Queue(), context.Queue()
    worker = context.Process(target=workers.double, args=(inbox, done))
    worker.start()
    base = torch.arange(6.0)
    inbox.put([base, base[3:], base.view(2, 3).t()])
    inbox.put(base[1])
    same, again, types, grads = done.get(timeout=30)
    assert same == [True] * 3 and again and types == ["Tensor"] * 3 and grads == [False] * 3
    worker.join()
    assert worker.exitcode == 0
    assert base.tolist() == [0, 4, 8, 24, 32, 40] and base.is_shared()


def test_back_is_the_same_storage(strategy):
    inbox, outbox = mp.Queue(), mp.Queue()
    worker = mp.Process(target=workers.echo, args=(inbox, outbox))
    worker.start()
    tensor = torch.ones(4)
    for _ in range(3):
        inbox.put(tensor)
        back = outbox.get(timeout=30)
        assert back.data_ptr() == tensor.data_ptr()
        assert back.untyped_storage()._cdata == tensor.untyped_storage()._cdata or not OURS
    inbox.put(None)
    worker.join()
    assert worker.exitcode == 0


def test_many(strategy):
    inbox, outbox = mp.Queue(), mp.Queue()
    worker = mp.Process(target=workers.echo, args=(inbox, outbox))
    worker.start()
    before = len(os.listdir("/proc/self/fd"))
    for i in range(200):
        inbox.put({"index": i, "data": torch.full((100,), i), "empty": torch.empty(0)})
    for i in range(200):
        item = outbox.get(timeout=30)
        assert item["index"] == i and item["data"].eq(i).all() and item["empty"].numel() == 0
    del item
    inbox.put(None)
    worker.join()
    assert soon(lambda: len(os.listdir("/proc/self/fd")) <= before + 4)


def test_pools(strategy):
    from torch.multiprocessing.pool import Pool

    tensors = [torch.full((3,), float(i)) for i in range(6)]
    for kind in (mp.Pool, Pool):
        with kind(2) as pool:
            results = pool.map(workers.add, tensors)
            assert [r.tolist() for r in results] == [t.tolist() for t in tensors]
    assert [t[0].item() for t in tensors] == [i + 2 for i in range(6)]


def test_queues_and_pipes(strategy):
    from torch.multiprocessing.queue import ConnectionWrapper, Queue, SimpleQueue

    tensor = torch.ones(2)
    one, other = mp.Pipe()
    one.send(tensor)
    assert other.recv().data_ptr() == tensor.data_ptr()
    ConnectionWrapper(one).send([tensor])
    assert ConnectionWrapper(other).recv()[0].data_ptr() == tensor.data_ptr()
    for queue in (mp.SimpleQueue(), SimpleQueue(), Queue(ctx=mp.get_context()), mp.JoinableQueue()):
        queue.put(tensor)
        assert queue.get().data_ptr() == tensor.data_ptr()
    assert set(mp.__all__) > {"Queue", "Pool", "Process", "Lock", "get_context", "set_sharing_strategy"}


def test_arguments_of_spawned_processes(strategy):
    """They travel in another way: the process that is started inherits descriptors."""
    tensor = torch.zeros(3)
    process = mp.get_context("spawn").Process(target=workers.add, args=(tensor, 4))
    process.start()
    process.join()
    assert process.exitcode == 0 and tensor.tolist() == [4, 4, 4]


def test_threads_that_send_one_tensor(strategy):
    """All move it; one of them does."""
    queue = mp.Queue()
    for _ in range(20):
        tensor = torch.ones(5000)
        threads = [threading.Thread(target=queue.put, args=(tensor,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        got = [queue.get(timeout=30) for _ in threads]
        for thread in threads:
            thread.join()
        assert {t.data_ptr() for t in got} == {tensor.data_ptr()} and tensor.sum() == 5000


# ---- killed processes --------------------------------------------------------------------------------------
def started(target, *args, method="spawn"):
    """A process with a pipe to it. Spawned: it has a manager of its own, if any."""
    here, there = mp.Pipe()
    process = mp.get_context(method).Process(target=target, args=(there, *args), daemon=True)
    process.start()
    there.close()
    return process, here


def killed(process):
    process.kill()
    process.join()


def of(process):
    """Names of segments that a process has made."""
    return {name for name in segments() if name.startswith(f"torch_{process.pid}_")}


def managers(handle):
    """{id: name} of the manager and the guard that a handle is of: who has the abstract socket of its address."""
    address = "@" + handle.decode().split(":")[0]
    rows = [line.split() for line in pathlib.Path("/proc/net/unix").read_text().splitlines()]
    sockets = {f"socket:[{row[6]}]" for row in rows if row[-1] == address}
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "comm").read_text().strip()
            if name.startswith("torch_shm") and sockets & {os.readlink(file) for file in (folder / "fd").iterdir()}:
                found[int(folder.name)] = name
        except OSError:  # it has ended, or is another user's
            continue
    return found


def both_there(handle):
    return sorted(managers(handle).values()) == ["torch_shm_guard", "torch_shm_manag"]


def test_a_killed_producer(strategy):
    process, here = started(workers.fill_and_wait, strategy, 3)
    tensor = here.recv()
    assert here.recv() == "sent" and tensor.eq(3).all()
    assert bool(of(process)) == (strategy == "file_system")
    killed(process)
    assert tensor.eq(3).all()
    tensor.fill_(4)
    del tensor
    assert soon(lambda: not of(process))


def test_a_killed_producer_with_storages_under_way(strategy):
    process, here = started(workers.fill_and_wait, strategy, 3, 10)
    first = here.recv_bytes()
    assert len(first)
    killed(process)
    assert soon(lambda: not of(process))


def test_a_killed_consumer(strategy):
    process, here = started(workers.take_and_wait, strategy)
    tensor = torch.zeros(1000)
    here.send(tensor)
    assert here.recv() == "received" and tensor.eq(1).all()
    mine = f"torch_{os.getpid()}_"
    killed(process)
    assert tensor.eq(1).all()
    del tensor
    assert soon(lambda: not any(name.startswith(mine) for name in segments()))


@pytest.mark.skipif(not OURS, reason="PyTorch's manager leaves everything")
@pytest.mark.parametrize("victims", [["torch_shm_manag"], ["torch_shm_guard"], ["torch_shm_manag", "torch_shm_guard"]])
def test_a_killed_manager(victims):
    """What it knew is known: segments of a process that is killed later are gone, the others stay."""
    process, here = started(workers.fill_and_wait, "file_system", 3, 2)
    first = here.recv()
    here.recv(), here.recv()
    handle = first.untyped_storage()._share_filename_cpu_()[0]
    for victim in victims:  # one after the other: whoever is killed has been replaced
        assert soon(lambda: both_there(handle))
        pid = next(pid for pid, name in managers(handle).items() if name == victim)
        os.kill(pid, signal.SIGKILL)
        assert soon(lambda pid=pid: both_there(handle) and pid not in managers(handle))
    assert of(process) and first.eq(3).all()
    killed(process)
    del first
    assert soon(lambda: not of(process))


def test_ctrl_c():
    """The manager does not hear it, ends with its clients, and leaves nothing."""
    program = (
        "import os, signal, sys, time, torch, torch.multiprocessing as mp\n"
        "mp.set_sharing_strategy('file_system')\n"
        "x = torch.ones(3).share_memory_()\n"
        "print(os.getpid(), x.untyped_storage()._share_filename_cpu_()[0].decode(), flush=True)\n"
        "time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(torch.__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        process_group=0,
    ) as process:
        pid, handle = process.stdout.readline().split()
        pid = int(pid)
        assert not OURS or soon(lambda: both_there(handle))
        assert any(name.startswith(f"torch_{pid}_") for name in segments())
        os.killpg(process.pid, signal.SIGINT)
        process.wait()
    assert soon(lambda: not any(name.startswith(f"torch_{pid}_") for name in segments()))
    assert not OURS or soon(lambda: not managers(handle))  # they end with their last client


# ---- forks -------------------------------------------------------------------------------------------------
def test_a_fork_after_threads_have_started():
    """OpenMP's and BLAS's threads are not in the child, which computes all the same."""
    if not OURS:
        pytest.skip("PyTorch may hang")
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        expected = workers.matmul(300)
        with mp.get_context("fork").Pool(2) as pool:
            assert pool.map_async(workers.matmul, [300] * 4).get(timeout=30) == [expected] * 4
        assert workers.matmul(300) == expected
    finally:
        torch.set_num_threads(before)


def test_a_fork_shares_what_is_shared(strategy):
    tensor = torch.zeros(3).share_memory_()
    private = torch.zeros(3)
    pid = os.fork()
    if pid == 0:
        tensor.fill_(1)
        private.fill_(1)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert tensor.tolist() == [1, 1, 1] and private.tolist() == [0, 0, 0]


def test_a_child_sends_what_it_inherited(strategy):
    tensor = torch.zeros(3).share_memory_()
    here, there = mp.Pipe()
    process = mp.get_context("fork").Process(target=lambda: (there.send(tensor), there.recv()))
    process.start()
    got = here.recv()
    here.send(None)
    process.join()
    assert process.exitcode == 0 and got.data_ptr() == tensor.data_ptr()


def test_three_processes(strategy):
    """From one to the next to the next; the first has let go of it by then."""
    boxes = [mp.Queue() for _ in range(3)]
    both = [mp.Process(target=workers.echo, args=boxes[i : i + 2]) for i in range(2)]
    for process in both:
        process.start()
    for i in range(5):
        tensor = torch.full((50,), float(i))
        address = tensor.data_ptr()
        boxes[0].put(tensor)
        del tensor
        got = boxes[2].get(timeout=30)
        assert got.eq(i).all() and address
        del got
    boxes[0].put(None)
    both[0].join()
    boxes[1].put(None)
    both[1].join()
    assert [process.exitcode for process in both] == [0, 0]
