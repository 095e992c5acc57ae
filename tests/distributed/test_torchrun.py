"""torchrun and torch.distributed.elastic, with real processes."""

import json
import math
import os
import signal
import socket
import subprocess
import sys
import time

import pytest
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, Std, start_processes  # noqa: E402
from torch.distributed.elastic.multiprocessing.errors import (  # noqa: E402
    ChildFailedError,
    ErrorHandler,
    ProcessFailure,
    record,
)
from torch.distributed.launcher import LaunchConfig, elastic_launch  # noqa: E402

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}


def begin(tmp_path, script, *options):
    """torchrun, under way; the script's arguments begin with the test's folder."""
    path = tmp_path / "script.py"
    path.write_text(script)
    command = [sys.executable, "-m", "torch.distributed.run", *options, str(path), str(tmp_path)]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(tmp_path, script, *options):
    process = begin(tmp_path, script, *options)
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        pytest.fail(f"torchrun has not come to an end\n{out}\n{err}")
    return process.returncode, out, err


TRAINING = """
import datetime, os, pathlib, signal, sys, torch, torch.distributed as dist
folder = pathlib.Path(sys.argv[1])
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=30))
rank, checkpoint = dist.get_rank(), folder / "checkpoint"
torch.manual_seed(0)
w, step = torch.zeros(4), 0
x, y = torch.randn(16, 4), torch.randn(16)
if checkpoint.exists():
    w, step = torch.load(checkpoint)
while step < 12:
    mine = slice(rank, None, dist.get_world_size())
    left = x[mine] @ w - y[mine]
    gradient, loss = x[mine].t() @ left, left.square().sum()
    dist.all_reduce(gradient)
    dist.all_reduce(loss)
    w = w - 0.02 * gradient
    step += 1
    if rank == 0:
        with open(folder / "losses", "a") as file:
            file.write(f"{step} {loss.item()!r}\\n")
        torch.save((w, step), checkpoint)
    dist.barrier()
    if step == 5 and rank == 1 and IS_KILLED and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        os.kill(os.getpid(), signal.SIGKILL)
dist.destroy_process_group()
"""


def test_after_a_kill_the_loss_curve_goes_on(tmp_path):
    curves = []
    for kill in (False, True):
        folder = tmp_path / str(kill)
        folder.mkdir()
        script = TRAINING.replace("IS_KILLED", str(kill))
        code, _, err = run(folder, script, "--nproc-per-node", "2", "--max-restarts", "1")
        assert code == 0, err
        assert ("killed by SIGKILL" in err and "restart 1 of 1" in err) == kill, err
        curves.append(dict(line.split() for line in (folder / "losses").read_text().splitlines()))
    assert curves[0] == curves[1] and len(curves[0]) == 12


FAILING = """
import os, time
from torch.distributed.elastic.multiprocessing.errors import record
@record
def main():
    if os.environ["RANK"] == "1":
        raise KeyError("the cause")
    time.sleep(60)
main()
"""


def test_what_failed_first_is_told_with_its_traceback(tmp_path):
    start = time.monotonic()
    code, _, err = run(tmp_path, FAILING, "--nproc-per-node=2")
    told = err[err.index("torchrun: ") :]
    assert code == 1 and "rank 1 (local rank 1" in told and "exit code 1" in told
    assert "KeyError: 'the cause'" in told and "script.py" in told and "rank 0" not in told
    assert time.monotonic() - start < 25


WAITING = """
import os, pathlib, signal, sys, time
folder, rank = pathlib.Path(sys.argv[1]), os.environ["RANK"]
def told(number, frame):
    (folder / f"told{rank}").write_text(str(number))
    sys.exit(0)
if STUBBORN:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
else:
    signal.signal(signal.SIGTERM, told)
(folder / f"pid{rank}.new").write_text(str(os.getpid()))
os.rename(folder / f"pid{rank}.new", folder / f"pid{rank}")
time.sleep(60)
"""


def pids(tmp_path, count):
    files = [tmp_path / f"pid{rank}" for rank in range(count)]
    end = time.monotonic() + 30
    while not all(file.exists() for file in files):
        assert time.monotonic() < end
        time.sleep(0.02)
    return [int(file.read_text()) for file in files]


def gone(pid):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("stubborn", [False, True])
def test_a_signal_is_passed_on_and_nobody_is_left(tmp_path, stubborn):
    script = WAITING.replace("STUBBORN", str(stubborn))
    process = begin(tmp_path, script, "--nproc-per-node", "2", "--shutdown-timeout", "1" if stubborn else "30")
    workers = pids(tmp_path, 2)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM and "received SIGTERM" in err
    assert all(gone(pid) for pid in workers)
    if not stubborn:
        assert [(tmp_path / f"told{rank}").read_text() for rank in range(2)] == [str(int(signal.SIGTERM))] * 2


def test_nobody_outlives_torchrun(tmp_path):
    process = begin(tmp_path, WAITING.replace("STUBBORN", "True"), "--nproc-per-node", "2")
    workers = pids(tmp_path, 2)
    process.kill()
    process.communicate(timeout=30)
    assert all(gone(pid) for pid in workers)


TOGETHER = """
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
t = torch.ones(1)
dist.all_reduce(t)
print("rank", dist.get_rank(), "of", int(t), "machine", os.environ["GROUP_RANK"], "local", os.environ["LOCAL_RANK"])
dist.destroy_process_group()
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.mark.parametrize("backend", ["c10d", "static"])
def test_two_machines_meet(tmp_path, backend):
    port, processes = free_port(), []
    for machine in range(2):
        where = (
            ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"127.0.0.1:{port}", "--rdzv-id", "one"]
            if backend == "c10d"
            else ["--node-rank", str(machine), "--master-addr", "127.0.0.1", "--master-port", str(port)]
        )
        folder = tmp_path / str(machine)
        folder.mkdir()
        processes.append(
            begin(folder, TOGETHER, "--nnodes", "2", "--nproc-per-node", "1", "--local-addr", "127.0.0.1", *where)
        )
    said = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    lines = sorted("".join(out for out, _ in said).splitlines())
    assert lines == ["rank 0 of 2 machine 0 local 0", "rank 1 of 2 machine 1 local 0"]


def test_output_goes_where_it_is_sent(tmp_path):
    code, out, err = run(
        tmp_path,
        TOGETHER,
        "--nproc-per-node",
        "2",
        "--log-dir",
        str(tmp_path / "logs"),
        "--tee",
        "0:1",
        "--redirects",
        "1:1",
    )
    assert code == 0, err
    assert out == "[default0]:rank 0 of 2 machine 0 local 0\n"
    files = {path.parent.name: path.read_text() for path in (tmp_path / "logs").rglob("stdout.log")}
    assert files == {str(rank): f"rank {rank} of 2 machine 0 local {rank}\n" for rank in range(2)}
    code, out, _ = run(tmp_path, TOGETHER, "--nproc-per-node", "2", "--local-ranks-filter", "1", "--role", "r")
    assert code == 0 and out == "rank 1 of 2 machine 0 local 1\n"


@pytest.mark.parametrize(
    "options, said",
    [
        (["--nnodes", "0"], "not '0'"),
        (["--nproc-per-node", "some"], "not 'some'"),
        (["--nnodes", "2", "--rdzv-backend", "c10d"], "need an endpoint"),
        (["--nnodes", "1:2", "--rdzv-backend", "static"], "no number for each"),
        (["--nnodes", "2", "--standalone"], "one machine, not 2"),
        (["--nnodes", "2", "--node-rank", "7"], "0 to 1, not 7"),
        (["--redirects", "5"], "not '5'"),
        (["--signals-to-handle", "SIGNOTHING"], "SIGNOTHING"),
        (["--rdzv-backend", "etcd", "--rdzv-endpoint", "127.0.0.1:1"], "not by 'etcd'"),
    ],
)
def test_contradictions_are_refused(options, said, tmp_path):
    code, _, err = run(tmp_path, TOGETHER, *options)
    assert code == 2 and said in err and "Traceback" not in err


def ranked(offset):
    return int(os.environ["RANK"]) + offset


def fails(at):
    if os.environ["RANK"] == str(at):
        raise ZeroDivisionError("of rank 1")
    time.sleep(60)


FORKS = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # that is what is asked for


@FORKS
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_functions_are_launched(method, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    config = LaunchConfig(1, 1, 2, rdzv_backend="c10d", max_restarts=0, start_method=method)
    function = ranked if method == "fork" else math.sqrt
    assert elastic_launch(config, function)(4) == ({0: 4, 1: 5} if method == "fork" else {0: 2.0, 1: 2.0})
    assert not list(tmp_path.iterdir())  # nothing was asked to be kept


@FORKS
def test_a_function_that_fails_is_told_of(tmp_path):
    config = LaunchConfig(
        1, 1, 2, logs_specs=DefaultLogsSpecs(str(tmp_path)), rdzv_backend="c10d", max_restarts=0, start_method="fork"
    )
    with pytest.raises(ChildFailedError, match="ZeroDivisionError: of rank 1") as caught:
        elastic_launch(config, fails)(1)
    rank, failure = caught.value.get_first_failure()
    assert rank == 1 and failure.local_rank == 1 and failure.exitcode == 1 and list(caught.value.failures) == [1]


def test_record_writes_down_what_was_raised(tmp_path, monkeypatch):
    path = tmp_path / "error.json"
    monkeypatch.setenv("TORCHELASTIC_ERROR_FILE", str(path))

    @record
    def main(code):
        if code is None:
            raise OverflowError("too much")
        raise SystemExit(code)

    assert main(0) is None and not path.exists()
    with pytest.raises(SystemExit):
        main(3)
    with pytest.raises(OverflowError):
        main(None)
    said = json.loads(path.read_text())["message"]
    assert said["message"] == "OverflowError: too much" and "in main" in said["extraInfo"]["py_callstack"]
    failure = ProcessFailure(1, 5, -9, str(path))
    assert failure.message == "OverflowError: too much" and failure.signal_name() == "SIGKILL"
    assert failure.timestamp == int(said["extraInfo"]["timestamp"])
    child = ChildFailedError("name", {7: failure, 8: ProcessFailure(0, 6, 1, "nowhere")})
    assert child.get_first_failure() == (7, failure) and "rank 7" in str(child) and "too much" in str(child)

    @record
    def outer():
        raise child

    own = tmp_path / "own.json"
    monkeypatch.setenv("TORCHELASTIC_ERROR_FILE", str(own))
    with pytest.raises(ChildFailedError):
        outer()
    assert json.loads(own.read_text())["message"]["errorCode"] == -9
    ErrorHandler().dump_error_file(str(path), 4)
    assert json.loads(own.read_text())["message"]["errorCode"] == 4


def test_processes_are_started_and_ended(tmp_path):
    logs = DefaultLogsSpecs(str(tmp_path), redirects=Std.OUT)
    context = start_processes("p", sys.executable, {0: ("-c", "print(1)"), 1: ("-c", "print(2)")}, {0: {}, 1: {}}, logs)
    result = context.wait(30, 0.1)
    assert not result.is_failed() and [open(result.stdouts[local]).read() for local in range(2)] == ["1\n", "2\n"]
    context = start_processes("p", "sleep", {0: ("60",)}, {0: {}}, logs)
    assert context.wait(0.1) is None
    context.close()
    assert gone(context.pids()[0]) and context.wait(1).failures[0].signal_name() == "SIGTERM"
    with pytest.raises(FileNotFoundError):
        start_processes("p", str(tmp_path / "nothing"), {0: ()}, {0: {}}, logs)
    with pytest.raises(RuntimeError, match="local ranks"):
        start_processes("p", "sleep", {1: ("1",)}, {1: {}}, logs)
    assert Std.from_str("0:1,1:3") == {0: Std.OUT, 1: Std.ALL}
