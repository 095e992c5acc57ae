"""torch.distributed.elastic for programs that start processes themselves: events, numbers, timers, small things."""

import datetime
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import torch.distributed as dist
from torch.distributed.elastic import events, metrics, timer
from torch.distributed.elastic.utils import data, macros

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


# ---- events and numbers ------------------------------------------------------------------------------------
def test_events_are_lines():
    event = events.Event("epoch", events.EventSource.WORKER, 5, {"loss": 0.5, "last": True, "note": None})
    assert json.loads(str(event)) == {
        "name": "epoch", "source": "WORKER", "timestamp": 5, "metadata": {"loss": 0.5, "last": True, "note": None}
    }  # fmt: skip
    assert events.Event.deserialize(event.serialize()) == event and events.Event.deserialize(event) is event
    met = events.RdzvEvent("join", "run", "came", "host", 7, events.NodeState.RUNNING, rank=1)
    assert events.RdzvEvent.deserialize(met.serialize()) == met
    with pytest.raises(ValueError, match="NOBODY"):
        events.Event.deserialize('{"name": "x", "source": "NOBODY"}')


def test_events_go_where_they_are_told(capfd):
    program = "from torch.distributed.elastic import events as e; e.record(e.Event('a', e.EventSource.AGENT), {!r})"
    said = [
        subprocess.run([sys.executable, "-c", program.format(to)], capture_output=True, text=True, timeout=60).stderr
        for to in ("console", "null")
    ]
    assert json.loads(said[0])["source"] == "AGENT" and said[1] == ""
    with pytest.raises(KeyError, match="nowhere"):
        events.record(events.Event("a", events.EventSource.AGENT), "nowhere")


class Kept(metrics.MetricHandler):
    def __init__(self):
        self.found = []

    def emit(self, metric_data):
        self.found.append((metric_data.group_name, metric_data.name, metric_data.value))


def test_numbers_go_to_their_group(capsys):
    kept, others = Kept(), Kept()
    metrics.configure(kept, "mine")
    metrics.configure(others)
    try:
        metrics.put_metric("n", 3, "mine")
        metrics.publish_metric("theirs", "m", 4)

        @metrics.prof(group="mine")
        def divide(a, b):
            return a / b

        assert divide(6, 3) == 2
        with pytest.raises(ZeroDivisionError):
            divide(1, 0)
        module = __name__.rpartition(".")[2]
        names = [name for _, name, _ in kept.found]
        ends = ["success", "duration.ms", "failure", "duration.ms"]
        start = f"{metrics.api._get_metric_name(divide.__wrapped__)}."
        assert names == ["n", *(start + end for end in ends)] and start.endswith("divide.") and module
        assert others.found == [("theirs", "m", 4)]
        metrics.configure(metrics.ConsoleMetricHandler())
        metrics.put_metric("shown", 1)
        assert "[torchelastic]: shown=1" in capsys.readouterr().out
    finally:
        metrics.configure(metrics.NullMetricHandler())
        metrics.configure(metrics.NullMetricHandler(), "mine")


# ---- timers ------------------------------------------------------------------------------------------------
def hangs(queue, seconds):
    timer.configure(timer.LocalTimerClient(queue))
    with timer.expires(after=60):
        pass
    with timer.expires(after=0.1, scope="a block"):
        time.sleep(seconds)


def test_a_process_that_hangs_is_ended():
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    server = timer.LocalTimerServer(queue, max_interval=0.05)
    server.start()
    stuck, fine = (context.Process(target=hangs, args=(queue, seconds)) for seconds in (60, 0))
    try:
        for process in (stuck, fine):
            process.start()
        for process in (stuck, fine):
            process.join(20)
        assert (stuck.exitcode, fine.exitcode) == (-signal.SIGKILL, 0)
    finally:
        server.stop()
        for process in (stuck, fine):
            process.kill()
        queue.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "timers"]


CLIENT = """
import signal, sys, time
from torch.distributed.elastic import timer
client = timer.FileTimerClient(sys.argv[1], signal.SIGTERM)
for _ in range(100):
    with timer.expires(after=60, client=client):
        pass
with timer.expires(after=0.2, scope="stuck", client=client):
    time.sleep(60)
"""


def test_a_pipe_of_timers(tmp_path):
    path, seen = tmp_path / "timers", []
    server = timer.FileTimerServer(str(path), "run", 0.05, log_event=lambda what, request: seen.append((what, request)))
    with pytest.raises(BrokenPipeError, match="no FileTimerServer reads"):
        timer.FileTimerClient(str(path)).acquire("early", time.time() + 1)
    server.start()
    process = subprocess.Popen([sys.executable, "-c", CLIENT, str(path)])
    try:
        with open(path, "w") as pipe:
            pipe.write("this is no request\n")
        assert process.wait(30) == -signal.SIGTERM
        until(lambda: not server._timers)
        (killed,) = [request for what, request in seen if what == "kill worker process"]
        assert (killed.scope_id, killed.worker_pid, killed.signal) == ("stuck", process.pid, signal.SIGTERM)
        assert sum(what == "set timer" for what, _ in seen) == 101
        assert abs(server.get_last_progress_time() - time.time()) < 5
    finally:
        process.kill()
        process.wait()
        server.stop()
    assert not path.exists() and not server.is_process_running(process.pid)
    with pytest.raises(ValueError, match="so long"):
        timer.FileTimerClient(str(path)).acquire("x" * 5000, 0)


def test_expires_needs_a_client(monkeypatch):
    monkeypatch.setattr(timer.api, "_timer_client", None)
    with pytest.raises(RuntimeError, match="configure"), timer.expires(after=1):
        pass


# ---- small things ------------------------------------------------------------------------------------------
def test_words_in_arguments(monkeypatch):
    from torch.distributed.elastic.utils import get_env_variable_or_raise

    assert macros.substitute([f"--rank={macros.local_rank}", "${other}", 3], "1") == ["--rank=1", "${other}", 3]
    monkeypatch.delenv("NO_SUCH", raising=False)
    with pytest.raises(ValueError, match="NO_SUCH is not set"):
        get_env_variable_or_raise("NO_SUCH")


@pytest.mark.parametrize("start", [0, 3, 9])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_samplers_begin_in_the_middle(start, size):
    samplers = [data.ElasticDistributedSampler(range(11), size, rank, start) for rank in range(size)]
    found = [list(sampler) for sampler in samplers]
    assert len({len(part) for part in found}) == 1 and all(len(s) == len(p) for s, p in zip(samplers, found))
    assert {i for part in found for i in part} == set(range(start, 11))
    samplers[0].set_epoch(1)
    assert list(samplers[0]) != found[0] or start == 9
    with pytest.raises(ValueError, match="start_index must be 0 to 10, not 11"):
        data.ElasticDistributedSampler(range(11), 1, 0, 11)


def test_epochs_follow_each_other():
    assert list(data.CyclingIterator(4, lambda epoch: iter([epoch] * epoch), 1)) == [1, 2, 2, 3, 3, 3]


def test_what_the_kernel_says():
    from torch.distributed.elastic.utils.process_state import is_uninterruptible_state, read_proc_state

    assert read_proc_state(os.getpid()) in ("R", "S") and read_proc_state(2**22 + 1) is None
    assert is_uninterruptible_state("D") and not is_uninterruptible_state("S") and not is_uninterruptible_state(None)


# ---- stores ------------------------------------------------------------------------------------------------
def together(size, function):
    """function(rank, store) of threads: what each returned or raised."""
    store, found = dist.HashStore(), [None] * size

    def run(rank):
        try:
            found[rank] = function(rank, store)
        except Exception as error:
            found[rank] = error

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return found


def test_all_hear_of_all():
    from torch.distributed.elastic.utils import store as by

    found = together(3, lambda rank, store: by.synchronize(store, f"of {rank}".encode(), rank, 3, "key", 20))
    assert found == [[b"of 0", b"of 1", b"of 2"]] * 3
    found = together(2, lambda rank, store: by.barrier(store, 3, "b", 0.2, rank, lambda r: f"host {r}"))
    assert all(isinstance(error, dist.DistStoreError) for error in found) and "have not come: host 2" in str(found[0])


def test_timeouts_of_stores_come_back():
    from torch.distributed.elastic.utils.store import store_timeout

    store = dist.HashStore()
    before = store.timeout
    with pytest.raises(dist.DistStoreError), store_timeout(store, 0.05):
        store.get("nothing")
    assert store.timeout == before and before > datetime.timedelta(seconds=1)


def test_a_store_at_a_free_port():
    from torch.distributed.elastic.utils.distributed import create_c10d_store

    server = create_c10d_store(True, "127.0.0.1", wait_for_workers=False, timeout=10)
    client = create_c10d_store(False, "127.0.0.1", server.port, wait_for_workers=False, timeout=10)
    client.set("a", "b")
    assert server.get("a") == b"b"
    with pytest.raises(dist.DistNetworkError):
        create_c10d_store(True, "127.0.0.1", server.port, wait_for_workers=False, timeout=10)
    with pytest.raises(ValueError, match="server_port must be given"):
        create_c10d_store(False, "127.0.0.1")
