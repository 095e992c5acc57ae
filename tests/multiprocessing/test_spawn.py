"""spawn and start_processes: what they wait for, what they raise."""

import inspect
import os
import pickle
import signal
import time

import pytest
import torch
import torch.multiprocessing as mp
import workers
from torch.multiprocessing import ProcessContext, ProcessExitedException, ProcessRaisedException


def test_success(strategy):
    queue, tensor = mp.get_context("spawn").SimpleQueue(), torch.zeros(2)
    assert mp.spawn(workers.succeed, args=(queue, tensor), nprocs=2) is None
    got = dict(queue.get() for _ in range(2))
    assert set(got) == {0, 1} and len({os.getpid(), *got.values()}) == 3
    assert tensor.tolist() == [1, 2]


def test_without_join():
    queue, tensor = mp.get_context("fork").SimpleQueue(), torch.zeros(2).share_memory_()
    context = mp.start_processes(workers.succeed, (queue, tensor), nprocs=2, join=False, start_method="fork")
    assert type(context) is ProcessContext and len(context.processes) == 2
    pids = context.pids()
    assert dict(queue.get() for _ in range(2)) == dict(enumerate(pids))
    while not context.join(timeout=5):
        pass
    assert context.join() and [process.exitcode for process in context.processes] == [0, 0]
    assert mp.spawn(workers.succeed, nprocs=0) is None


def test_a_timeout():
    context = mp.start_processes(time.sleep, nprocs=2, join=False, start_method="fork")  # for 0 and 1 seconds
    assert context.join(timeout=0.3) is False
    assert context.join(timeout=0.05) is False
    while not context.join():
        pass


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_an_exception(method):
    begin = time.monotonic()
    with pytest.raises(ProcessRaisedException) as error:
        mp.start_processes(workers.fail, (1,), nprocs=2, start_method=method)
    e = error.value
    assert e.msg == str(e) and e.error_index == 1 and e.error_pid > 0
    assert e.msg.startswith(
        "\n\n-- Process 1 terminated with the following error:\nTraceback (most recent call last):\n"
    )
    assert e.msg.endswith("ValueError: no luck in 1\n") and "in fail" in e.msg
    assert time.monotonic() - begin < 20


def test_an_exit_and_a_signal():
    with pytest.raises(ProcessExitedException, match="^process 0 terminated with exit code 3$") as error:
        mp.start_processes(workers.leave, (3,), nprocs=2, start_method="fork")
    assert error.value.exit_code == 3 and error.value.signal_name is None and error.value.error_index == 0
    with pytest.raises(ProcessExitedException, match="^process 0 terminated with signal SIGKILL$") as error:
        mp.start_processes(workers.die, nprocs=2, start_method="fork")
    assert error.value.exit_code == -9 and error.value.signal_name == "SIGKILL"
    assert mp.start_processes(workers.leave, (0,), nprocs=1, start_method="fork") is None
    assert mp.start_processes(workers.interrupted, nprocs=1, start_method="fork") is None


def test_those_that_do_not_end(tmp_path):
    context = mp.start_processes(workers.stay, (str(tmp_path / "there"),), nprocs=2, join=False, start_method="fork")
    with pytest.raises(ProcessExitedException):
        context.join(grace_period=0.2)
    assert context.processes[1].exitcode == -signal.SIGKILL


def test_errors_go_through_pickles():
    exited = ProcessExitedException("text", error_index=1, error_pid=2, exit_code=-9, signal_name="SIGKILL")
    again = pickle.loads(pickle.dumps(exited))
    assert (again.error_index, again.error_pid, again.exit_code) == (1, 2, -9)
    raised = pickle.loads(pickle.dumps(ProcessRaisedException("text", 1, 2)))
    assert (raised.msg, raised.error_index, raised.error_pid) == ("text", 1, 2)


def test_names():
    with pytest.warns(FutureWarning, match="This method only supports start_method=spawn"):
        mp.spawn(workers.leave, (0,), nprocs=1, start_method="fork")
    with pytest.raises(ValueError, match="cannot find context for 'threads'"):
        mp.start_processes(workers.leave, (0,), start_method="threads")
    assert issubclass(mp.SpawnContext, ProcessContext) and mp.ENV_VAR_PARALLEL_START == "TORCH_MP_PARALLEL_START"
    parameters = inspect.signature(mp.spawn).parameters
    assert {name: p.default for name, p in parameters.items() if name != "fn"} == {
        "args": (), "nprocs": 1, "join": True, "daemon": False, "start_method": "spawn"}  # fmt: skip


def test_side_by_side(monkeypatch):
    monkeypatch.setenv(mp.ENV_VAR_PARALLEL_START, "1")
    queue, tensor = mp.get_context("spawn").SimpleQueue(), torch.zeros(2)
    mp.spawn(workers.succeed, args=(queue, tensor), nprocs=2)
    assert tensor.tolist() == [1, 2]
