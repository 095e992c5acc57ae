"""Workers that die, programs that are stopped: no wait without end, and nothing is left behind."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import datasets
import pytest
import torch
from torch.utils.data import DataLoader, Dataset

HERE = pathlib.Path(__file__).parent


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def gone(pid):
    """Whether a process has ended; one that its parent has not asked about yet has."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def all_gone(pids, seconds):
    deadline = time.monotonic() + seconds
    while not all(gone(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def pids_of(iterator):
    return [process.pid for process in iterator._workers]


@pytest.mark.parametrize("how", ["SIGKILL", "SIGSEGV", "SIGTERM", "exit"])
def test_a_worker_that_dies_raises_here(how):
    it = iter(DataLoader(datasets.Faulty(how), batch_size=None, num_workers=2, prefetch_factor=1))
    pids = pids_of(it)
    start = time.monotonic()
    with pytest.raises(RuntimeError, match=rf"DataLoader worker \(pid\(s\) {pids[0]}.*\) exited unexpectedly"):
        list(it)
    assert time.monotonic() - start < 5
    del it
    assert all_gone(pids, 10)


def test_a_worker_that_is_killed_from_outside():
    it = iter(DataLoader(datasets.Numbers(10**9), batch_size=None, num_workers=2))
    pids = pids_of(it)
    next(it)
    os.kill(pids[1], signal.SIGKILL)
    start = time.monotonic()
    with pytest.raises(RuntimeError, match="exited unexpectedly|killed by signal"):
        while True:
            next(it)
    assert time.monotonic() - start < 5
    del it
    assert all_gone(pids, 10)


def test_a_pass_that_is_left_stops_its_workers():
    for _ in range(5):
        it = iter(DataLoader(datasets.Squares(10_000, width=20_000), num_workers=2))
        pids = pids_of(it)
        next(it)
        del it
        assert all_gone(pids, 5)


def test_a_finished_pass_stops_its_workers():
    it = iter(DataLoader(range(3), num_workers=2))
    assert len(list(it)) == 3
    assert all_gone(pids_of(it), 5)


def test_a_thousand_starts_and_stops():
    """As many as 12 seconds allow. No hang, no descriptor, no process stays."""
    list(DataLoader(range(2), num_workers=1))
    before = descriptors()
    deadline = time.monotonic() + 12
    done = 0
    while done < 1000 and time.monotonic() < deadline:
        it = iter(DataLoader(range(4), batch_size=None, num_workers=1 + done % 2))
        if done % 3:
            assert next(it) == 0
        if done % 3 == 2:
            assert list(it) == [1, 2, 3]
        pids = pids_of(it)
        del it
        done += 1
    assert done >= 50
    assert all_gone(pids, 5)
    assert descriptors() <= before + 1


class Blocks(Dataset):
    def __len__(self):
        return 300

    def __getitem__(self, i):
        return torch.full((16_384,), float(i))


def test_many_large_batches_kept():
    """64 KiB each, all alive: not one descriptor each (ulimit -n is often 1024)."""
    before = descriptors()
    batches = list(DataLoader(Blocks(), batch_size=None, num_workers=2))
    assert [int(b[-1]) for b in batches] == list(range(300))
    if getattr(torch.version, "th", None) and sys.version_info >= (3, 13):  # PyTorch keeps one for each
        assert descriptors() < before + 20


# ---- whole programs

PROGRAM = """
import os, signal, sys, time
sys.path.insert(0, {here!r})
import datasets, torch
from torch.utils.data import DataLoader
if __name__ == "__main__":
    it = iter(DataLoader(datasets.Numbers(10**9), batch_size=None, num_workers=2, {options}))
    next(it)
    print(*[process.pid for process in it._workers], flush=True)
    {then}
"""


def program(then, options="", **how):
    """A program that has begun a pass and then does `then`: (the Popen, the pids of its workers)."""
    text = PROGRAM.format(here=str(HERE), options=options, then=then)
    process = subprocess.Popen(
        [sys.executable, "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/tmp",
        env=ENVIRONMENT,
        **how,
    )
    return process, [int(pid) for pid in process.stdout.readline().split()]


ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
FOR_EVER = "for _ in it: pass"


@pytest.mark.parametrize("options", ["", "persistent_workers=True", "multiprocessing_context='forkserver'"])
def test_ctrl_c(options):
    """SIGINT goes to the whole group, as from a terminal."""
    process, pids = program(FOR_EVER, options, start_new_session=True)
    assert len(pids) == 2
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT and "KeyboardInterrupt" in errors
    assert all_gone(pids, 5)


def test_ctrl_c_in_the_parent_alone():
    process, pids = program(FOR_EVER)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT and all_gone(pids, 5)


@pytest.mark.parametrize("then", [FOR_EVER, "time.sleep(60)"])
@pytest.mark.parametrize("options", ["", "multiprocessing_context='spawn'"])
def test_workers_end_with_a_parent_that_is_killed(then, options):
    process, pids = program(then, options)
    process.kill()
    process.communicate(timeout=20)
    assert all_gone(pids, 10)


@pytest.mark.parametrize("then", ["pass", "sys.exit(0)", "keep = it; keep.itself = keep"])
def test_a_program_that_ends_in_the_midst_of_a_pass(then):
    process, pids = program(then)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0 and errors == ""
    assert len(pids) == 2 and all_gone(pids, 5)


def test_a_fork_of_the_parent_leaves_the_pass_alone():
    it = iter(DataLoader(range(40), batch_size=None, num_workers=2))
    assert next(it) == 0
    pid = os.fork()
    if pid == 0:
        try:
            del it  # the copy goes; the workers are not its own
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert list(it) == list(range(1, 40))


def test_a_fork_that_lives_on_does_not_keep_workers_alive():
    process, pids = program(
        "pid = os.fork()\n    if pid == 0: time.sleep(30); os._exit(0)\n    print(pid, flush=True); time.sleep(60)"
    )
    child = int(process.stdout.readline())
    process.kill()
    try:
        assert all_gone(pids, 10)
    finally:
        os.kill(child, signal.SIGKILL)
        process.communicate()
