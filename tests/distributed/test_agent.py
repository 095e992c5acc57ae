"""Agents and rendezvous of torch.distributed.elastic: how machines meet, what workers get, restarts."""

import os
import shutil
import signal
import threading
import time

import pytest
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed.elastic import rendezvous
from torch.distributed.elastic.agent.server import WorkerSpec, WorkerState
from torch.distributed.elastic.agent.server.local_elastic_agent import LocalElasticAgent
from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs
from torch.distributed.elastic.rendezvous._c10d import StoreRendezvous
from torch.distributed.elastic.rendezvous.registry import get_rendezvous_handler
from torch.distributed.elastic.rendezvous.utils import parse_rendezvous_endpoint
from torch.distributed.elastic.utils.distributed import get_free_port


def together(*functions):
    """What functions return, or raise, each in a thread."""
    found = [None] * len(functions)

    def run(i):
        try:
            found[i] = functions[i]()
        except Exception as error:
            found[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


def parameters(backend, endpoint, least, most, **more):
    return rendezvous.RendezvousParameters(backend, endpoint, "run", least, most, local_addr="127.0.0.1", **more)


# ---- machines ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text, found",
    [
        (None, ("localhost", 7)),
        ("  ", ("localhost", 7)),
        ("host", ("host", 7)),
        ("host:12", ("host", 12)),
        ("[::1]:12", ("::1", 12)),
        ("[::1]", ("::1", 7)),
        ("::1", ("::1", 7)),
        ("host:x", None),
        ("host:70000", None),
        (":12", None),
        ("a b:12", None),
    ],
)
def test_endpoints(text, found):
    if found is None:
        with pytest.raises(ValueError, match="address|port"):
            parse_rendezvous_endpoint(text, 7)
    else:
        assert parse_rendezvous_endpoint(text, 7) == found


def test_parameters():
    asked = parameters("b", "", 1, 2, yes="True", no="n", number="3", text="x")
    assert asked.get_as_bool("yes") is True and asked.get_as_bool("no") is False and asked.get_as_bool("none") is None
    assert asked.get_as_int("number") == 3 and asked.get_as_int("none", 4) == 4 and asked.get("text") == "x"
    for wrong in (
        lambda: asked.get_as_bool("text"),
        lambda: asked.get_as_int("text"),
        lambda: parameters("b", "", 2, 1),
    ):
        with pytest.raises(ValueError, match="x|2 to 1"):
            wrong()
    registry = rendezvous.RendezvousHandlerRegistry()
    registry.register("c10d", lambda params: StoreRendezvous(dist.HashStore(), "run", 1, 1))
    assert registry.create_handler(parameters("c10d", "", 1, 1)).get_backend() == "c10d"
    with pytest.raises(ValueError, match="already"):
        registry.register("c10d", print)
    with pytest.raises(ValueError, match="no rendezvous handler for b; there are: c10d"):
        registry.create_handler(asked)


@pytest.mark.parametrize("backend", ["static", "c10d"])
def test_machines_meet(backend):
    endpoint, handlers = f"127.0.0.1:{get_free_port()}", []

    def comes(rank):
        handler = get_rendezvous_handler(parameters(backend, endpoint, 2, 2, rank=rank, timeout=20, join_timeout=20))
        handlers.append(handler)  # who serves stays
        info = handler.next_rendezvous()
        info.store.set(f"from {info.rank}", str(info.rank))
        other = info.store.get(f"from {1 - info.rank}")
        address = info.bootstrap_store_info
        return info.rank, info.world_size, int(other), (address.master_addr, address.master_port)

    found = together(lambda: comes(0), lambda: comes(1))
    assert sorted(answer[:3] for answer in found) == [(0, 2, 1), (1, 2, 0)] and found[0][3] == found[1][3], found
    with pytest.raises(ValueError, match="number|0 to 1"):
        get_rendezvous_handler(parameters("static", endpoint, 2, 2, rank=5))


def test_who_comes_late_waits_for_the_next_round():
    store = dist.HashStore()
    one, two, three = (StoreRendezvous(store, "run", 1, 2, 20, 0.1, "127.0.0.1") for _ in range(3))
    assert [one.next_rendezvous().world_size, one.num_nodes_waiting()] == [1, 0]
    late = [None]

    def comes_late():
        late[0] = two.next_rendezvous()

    thread = threading.Thread(target=comes_late)
    thread.start()
    end = time.monotonic() + 20
    while not one.num_nodes_waiting():
        assert time.monotonic() < end
        time.sleep(0.01)
    info = one.next_rendezvous()
    thread.join(20)
    assert sorted((info.rank, late[0].rank)) == [0, 1] and info.world_size == late[0].world_size == 2
    three.set_closed()
    assert one.is_closed()
    with pytest.raises(rendezvous.RendezvousClosedError, match="run is closed"):
        three.next_rendezvous()
    lonely = StoreRendezvous(store, "another run", 2, 2, 0.1)
    with pytest.raises(rendezvous.RendezvousTimeoutError, match="1 of at least 2 machines"):
        lonely.next_rendezvous()


# ---- workers -----------------------------------------------------------------------------------------------
def adds_up(factor):
    import datetime

    import torch

    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=30))
    t = torch.tensor([dist.get_rank() + 1.0]) * factor
    dist.all_reduce(t)
    dist.barrier()
    dist.destroy_process_group()
    return int(os.environ["LOCAL_RANK"]), dist.is_initialized(), t.item()


# Rank 1 is killed at first; the others wait for it. $1: a folder.
FAILS_AT_FIRST = """
if [ $TORCHELASTIC_RESTART_COUNT = 0 ]; then
  if [ $RANK = 1 ]; then kill -9 $$; fi
  exec sleep 60
fi
echo $TORCHELASTIC_RESTART_COUNT >$1/$RANK
"""


def agent(handler, tmp_path, function, *args, workers=1, **more):
    spec = WorkerSpec("trainer", workers, handler, entrypoint=function, args=args, monitor_interval=0.02, **more)
    return LocalElasticAgent(spec, DefaultLogsSpecs(str(tmp_path)), start_method="spawn", exit_barrier_timeout=20)


def test_two_machines_of_workers(tmp_path):
    store = dist.HashStore()
    agents = [
        agent(StoreRendezvous(store, "run", 2, 2, 20, 1, "127.0.0.1"), tmp_path, adds_up, 10, workers=n) for n in (1, 2)
    ]
    found = together(*(each.run for each in agents))
    assert all(result.state is WorkerState.SUCCEEDED and not result.is_failed() for result in found), found
    returned = found[0].return_values | found[1].return_values
    assert sorted(returned) == [0, 1, 2] and all(value[1:] == (False, 60.0) for value in returned.values())
    assert {worker.world_size for each in agents for worker in each.get_worker_group().workers} == {3}
    event = agents[0].get_event_succeeded()
    assert event.metadata["rdzv_backend"] == "c10d" and event.name.endswith("SUCCEEDED")


def test_workers_start_anew(tmp_path):
    (tmp_path / "program").write_text(FAILS_AT_FIRST)
    program = (shutil.which("sh"), str(tmp_path / "program"), str(tmp_path))
    handler = StoreRendezvous(dist.HashStore(), "run", 1, 1, 20, 0, "127.0.0.1")
    result = agent(handler, tmp_path, *program, workers=2, max_restarts=1).run()
    assert result.return_values == {0: None, 1: None}
    assert [(tmp_path / str(rank)).read_text() for rank in range(2)] == ["1\n", "1\n"]
    handler = StoreRendezvous(dist.HashStore(), "run", 1, 1, 20, 0, "127.0.0.1")
    failing = agent(handler, tmp_path, *program, workers=2, max_restarts=0)
    result = failing.run()
    assert result.is_failed() and result.failures[1].exitcode == -signal.SIGKILL
    for worker in failing.get_worker_group().workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker.id, 0)  # none is left


def test_what_workers_need():
    handler = StoreRendezvous(dist.HashStore(), "run", 1, 1)
    for wrong in ({"local_world_size": 0, "entrypoint": print}, {"local_world_size": 1}):
        with pytest.raises(AssertionError, match="1 worker or more|entrypoint"):
            WorkerSpec("r", rdzv_handler=handler, **wrong)
    assert WorkerSpec("r", 1, handler, entrypoint="/bin/true").get_entrypoint_name() == "true"
