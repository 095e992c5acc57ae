"""What an agent is: workers, how they are to run, and the loop that meets others, starts, watches and starts anew."""

from __future__ import annotations

import abc
import dataclasses
import enum
import json
import logging
import os
import signal
import socket
import time

from torch._absent import rest_of
from torch.distributed.elastic import events
from torch.distributed.elastic.multiprocessing import SignalException
from torch.distributed.elastic.multiprocessing.errors import ProcessFailure
from torch.distributed.elastic.rendezvous.api import RendezvousGracefulExitError, RendezvousHandler
from torch.distributed.elastic.utils import store as by_store

__all__ = ["ElasticAgent", "RunResult", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"]

logger = logging.getLogger(__name__)


class WorkerState(str, enum.Enum):  # noqa: UP042 - str() names the class, as torch's does
    """What workers do: they are all in the same state."""

    UNKNOWN = "UNKNOWN"
    INIT = "INIT"
    HEALTHY = "HEALTHY"
    UNHEALTHY = "UNHEALTHY"
    STOPPED = "STOPPED"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"

    @staticmethod
    def is_running(state: WorkerState) -> bool:
        """Whether they run, well or not."""
        return state in (WorkerState.HEALTHY, WorkerState.UNHEALTHY)


@dataclasses.dataclass
class WorkerSpec:
    """How workers are to run: as many as local_world_size of the role, each `entrypoint`, a function or a program's path,
    with `args`. rdzv_handler: where machines meet. max_restarts: how often all are started anew when one fails."""

    role: str
    local_world_size: int
    rdzv_handler: RendezvousHandler
    fn: object = None  # the function, by its older name
    entrypoint: object = None
    args: tuple = ()
    max_restarts: int = 3
    monitor_interval: float = 0.1
    master_port: int | None = None
    master_addr: str | None = None
    local_addr: str | None = None
    event_log_handler: str = "null"
    numa_options: object = None
    duplicate_stdout_filters: list[str] | None = None
    duplicate_stderr_filters: list[str] | None = None
    virtual_local_rank: bool = False

    def __post_init__(self):
        if self.local_world_size < 1:
            raise AssertionError(f"a machine has 1 worker or more, not {self.local_world_size}")
        if self.monitor_interval <= 0:
            raise AssertionError(f"monitor_interval is more than 0 s, not {self.monitor_interval}")
        self.entrypoint = self.entrypoint or self.fn
        if self.entrypoint is None:
            raise AssertionError("workers run something: entrypoint is not given")

    def get_entrypoint_name(self):
        """The function's name, or the program's file."""
        if isinstance(self.entrypoint, str):
            return os.path.basename(self.entrypoint)
        return self.entrypoint.__qualname__


class Worker:
    """A process: `id` (of the system), and its places: on the machine, in the world, in its role."""

    __slots__ = ["global_rank", "id", "local_rank", "role_rank", "role_world_size", "world_size"]

    def __init__(
        self,
        local_rank: int,
        global_rank: int = -1,
        role_rank: int = -1,
        world_size: int = -1,
        role_world_size: int = -1,
    ):
        self.id, self.local_rank, self.global_rank = None, local_rank, global_rank
        self.role_rank, self.world_size, self.role_world_size = role_rank, world_size, role_world_size

    def __repr__(self):
        return f"Worker(local_rank={self.local_rank}, global_rank={self.global_rank}, world_size={self.world_size})"


class WorkerGroup:
    """The workers of a machine, and the machine's place among those that take part."""

    __slots__ = ["group_rank", "group_world_size", "master_addr", "master_port", "spec", "state", "store", "workers"]

    def __init__(self, spec: WorkerSpec):
        self.spec, self.workers = spec, [Worker(local) for local in range(spec.local_world_size)]
        self.store = self.group_rank = self.group_world_size = self.master_addr = self.master_port = None
        self.state = WorkerState.INIT


@dataclasses.dataclass
class RunResult:
    """How workers ended: the state, what each returned, and what failed, by global rank."""

    state: WorkerState
    return_values: dict = dataclasses.field(default_factory=dict)
    failures: dict[int, ProcessFailure] = dataclasses.field(default_factory=dict)

    def is_failed(self) -> bool:
        """Whether they failed."""
        return self.state is WorkerState.FAILED


class ElasticAgent(abc.ABC):
    """Runs workers of one or more roles."""

    @abc.abstractmethod
    def run(self, role: str = "default") -> RunResult:
        """Runs a role's workers to their end."""

    @abc.abstractmethod
    def get_worker_group(self, role: str = "default") -> WorkerGroup:
        """The workers of a role."""


class SimpleElasticAgent(ElasticAgent):
    """An agent of one role. Who derives from it says how workers start (_start_workers), stop (_stop_workers), how they are
    (_monitor_workers), and what goes with the agent (_shutdown)."""

    def __init__(self, spec: WorkerSpec, exit_barrier_timeout: float = 300, shutdown_timeout: int = 30):
        self._worker_group = WorkerGroup(spec)
        self._remaining_restarts = spec.max_restarts
        self._exit_barrier_timeout, self._shutdown_timeout = exit_barrier_timeout, shutdown_timeout
        self._total_execution_time, self._started, self._store = 0, 0.0, None

    @abc.abstractmethod
    def _start_workers(self, worker_group: WorkerGroup) -> dict[int, object]:
        """Starts them; their ids, by local rank."""

    @abc.abstractmethod
    def _stop_workers(self, worker_group: WorkerGroup) -> None:
        """Ends those that run."""

    @abc.abstractmethod
    def _monitor_workers(self, worker_group: WorkerGroup) -> RunResult:
        """How they are."""

    @abc.abstractmethod
    def _shutdown(self, death_sig: signal.Signals = signal.SIGTERM) -> None:
        """Ends those that run, and lets go of all else."""

    def get_worker_group(self, role: str = "default") -> WorkerGroup:
        """The workers."""
        return self._worker_group

    def _rendezvous(self, worker_group: WorkerGroup) -> None:
        """Meets the other machines, and gives workers their places."""
        spec = worker_group.spec
        info = spec.rdzv_handler.next_rendezvous()
        self._store = worker_group.store = info.store
        worker_group.group_rank, worker_group.group_world_size = info.rank, info.world_size
        address = info.bootstrap_store_info
        worker_group.master_addr = spec.master_addr or address.master_addr
        worker_group.master_port = spec.master_port or address.master_port
        mine = json.dumps([spec.role, spec.local_world_size]).encode()
        prefix = f"torchelastic/roles {self._remaining_restarts}/"
        told = [json.loads(text) for text in by_store.synchronize(info.store, mine, info.rank, info.world_size, prefix)]
        before = sum(size for _, size in told[: info.rank])
        role_before = sum(size for role, size in told[: info.rank] if role == spec.role)
        world, role_world = sum(n for _, n in told), sum(n for role, n in told if role == spec.role)
        worker_group.workers = [
            Worker(local, before + local, role_before + local, world, role_world)
            for local in range(spec.local_world_size)
        ]

    def _initialize_workers(self, worker_group: WorkerGroup) -> None:
        self._rendezvous(worker_group)
        for local, pid in self._start_workers(worker_group).items():
            worker_group.workers[local].id = pid
        worker_group.state = WorkerState.HEALTHY

    def _restart_workers(self, worker_group: WorkerGroup) -> None:
        self._stop_workers(worker_group)
        worker_group.state = WorkerState.STOPPED
        self._initialize_workers(worker_group)

    def run(self, role: str = "default") -> RunResult:
        """Runs the workers until all have ended well, or one has failed and no restart is left.

        SignalException: this process was told to end. No worker is left behind, whatever is raised.
        """
        self._started = time.monotonic()
        death = signal.SIGTERM
        try:
            result = self._invoke_run(role)
            self._record(self.get_event_failed() if result.is_failed() else self.get_event_succeeded())
            return result
        except RendezvousGracefulExitError as told:
            logger.info("this machine does not take part: %s", told)
            return RunResult(WorkerState.STOPPED)
        except SignalException as told:
            death = told.sigval
            raise
        finally:
            self._shutdown(death)
            self._total_execution_time = int(time.monotonic() - self._started)

    def _invoke_run(self, role: str = "default") -> RunResult:
        group, spec = self._worker_group, self._worker_group.spec
        self._initialize_workers(group)
        while True:
            time.sleep(spec.monitor_interval)
            result = self._monitor_workers(group)
            group.state = result.state
            if result.state is WorkerState.SUCCEEDED:
                self._exit_barrier()
                return result
            if result.state in (WorkerState.FAILED, WorkerState.UNHEALTHY):
                if self._remaining_restarts <= 0:
                    self._stop_workers(group)
                    group.state = WorkerState.FAILED
                    return result
                self._remaining_restarts -= 1
                self._restart_workers(group)
            elif result.state is not WorkerState.HEALTHY:
                raise RuntimeError(f"workers of role {spec.role} are in the state {result.state.name}")
            elif spec.rdzv_handler.num_nodes_waiting() > 0:
                self._restart_workers(group)  # others have come, or begin anew

    def _exit_barrier(self):
        """Who serves the store waits for the others."""
        group = self._worker_group
        try:
            by_store.barrier(self._store, group.group_world_size, "torchelastic/exit", self._exit_barrier_timeout)
        except RuntimeError as error:
            logger.warning("not all agents have come to the end: %s", error)

    def _record(self, event):
        events.record(event, self._worker_group.spec.event_log_handler)

    def _event(self, state):
        group, spec = self._worker_group, self._worker_group.spec
        return events.Event(
            f"torchelastic.worker.status.{state.name}",
            events.EventSource.AGENT,
            int(time.time() * 1000),
            {
                "run_id": spec.rdzv_handler.get_run_id(),
                "group_rank": group.group_rank,
                "group_world_size": group.group_world_size,
                "role": spec.role,
                "hostname": socket.gethostname(),
                "state": state.name,
                "agent_restarts": spec.max_restarts - self._remaining_restarts,
                "rdzv_backend": spec.rdzv_handler.get_backend(),
                "total_run_time": int(time.monotonic() - self._started),
            },
        )

    def get_event_failed(self) -> events.Event:
        """That workers failed."""
        return self._event(WorkerState.FAILED)

    def get_event_succeeded(self) -> events.Event:
        """That they ended well."""
        return self._event(WorkerState.SUCCEEDED)


__getattr__, __dir__ = rest_of(__name__)
