"""Starts the processes of this machine, watches them, and starts them anew when one fails: what torchrun does.

Machines meet at a store (Meeting). Rank 0's machine serves another one for the processes, which find it by MASTER_ADDR and
MASTER_PORT. A machine whose process fails says so in the store; all then end theirs and meet again, until no restart is
left. No process outlives this one: they end with it, whatever ends it.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import signal
import socket
import string
import sys
import tempfile
import threading
import time

from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, LogsSpecs, SignalException, start_processes
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError, ProcessFailure


@dataclasses.dataclass
class Plan:
    """What is to be run, and how."""

    entrypoint: object  # a program's path, or a function
    arguments: tuple = ()
    name: str = ""  # of the program, for people
    start_method: str = "spawn"
    processes: int = 1  # of each machine
    least_machines: int = 1
    most_machines: int = 1
    endpoint: str = ""
    run_id: str = "none"
    static_rank: int | None = None  # of this machine, where it is given
    local_address: str = ""
    max_restarts: int = 0
    interval: float = 0.1  # between looks at the processes, in seconds
    patience: float = 30  # until SIGKILL follows SIGTERM
    join_timeout: float = 600  # for machines to come
    last_call: float = 5  # once enough have come, for more to come
    role: str = "default"
    signals: tuple[int, ...] = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
    logs: LogsSpecs | None = None
    line_prefix: str = ""


# ---- machines ----------------------------------------------------------------------------------------------
@dataclasses.dataclass
class Place:
    """This machine's among those of a round."""

    round: int
    machine: int
    machines: int
    first_rank: int
    world_size: int
    address: str
    port: int
    served: object = None  # the store, where it is this machine that serves it


def free_address(plan):
    """What others reach this machine by."""
    if plan.local_address:
        return plan.local_address
    if plan.most_machines == 1:
        return "127.0.0.1"
    return socket.getfqdn()


class Meeting:
    """A store at which machines meet, round by round."""

    def __init__(self, plan):
        from torch.distributed import DistNetworkError, PrefixStore, TCPStore

        self.plan = plan
        timeout = datetime.timedelta(seconds=plan.join_timeout)
        host, _, port = plan.endpoint.rpartition(":")
        if not host:
            host, port = plan.endpoint or "127.0.0.1", "0" if plan.most_machines == 1 else "29400"
        port = int(port)
        self.server = None
        if plan.static_rank in (None, 0):
            # Whoever has the address serves there; of several processes that have it, the first.
            try:
                self.server = TCPStore(host, port, is_master=True, timeout=timeout, wait_for_workers=False)
                port = self.server.port
            except DistNetworkError:
                if plan.static_rank == 0 or plan.most_machines == 1:
                    raise
        store = self.server or TCPStore(host, port, is_master=False, timeout=timeout, wait_for_workers=False)
        self.store = PrefixStore(f"run {plan.run_id}", store)

    def key(self, number, what):
        return f"round {number}/{what}"

    def join(self, number):
        """Comes to a round. Returns this machine's Place once it is known who takes part."""
        from torch.distributed import TCPStore

        plan, store = self.plan, self.store
        order = store.add(self.key(number, "came"), 1) - 1
        machine = order if plan.static_rank is None else plan.static_rank
        store.set(self.key(number, f"machine {machine}"), str(plan.processes))
        self._wait_for_machines(number, order)
        machines = int(store.get(self.key(number, "machines")))
        if machine >= machines:
            raise RuntimeError(
                f"{machines} machines had come when this one did; at most {plan.most_machines} take part"
            )
        sizes = [int(n) for n in store.multi_get([self.key(number, f"machine {m}") for m in range(machines)])]
        served = None
        if machine == 0:
            served = TCPStore(
                free_address(plan), 0, is_master=True, wait_for_workers=False,
                timeout=datetime.timedelta(seconds=plan.join_timeout),
            )  # fmt: skip
            store.set(self.key(number, "address"), json.dumps([served.host, served.port]))
        address, port = json.loads(store.get(self.key(number, "address")))
        return Place(number, machine, machines, sum(sizes[:machine]), sum(sizes), address, port, served)

    def _wait_for_machines(self, number, order):
        """Until the number of machines is settled: when all have come, or enough have and the last call has passed."""
        plan, store = self.plan, self.store
        came, settled = self.key(number, "came"), self.key(number, "machines")
        end = time.monotonic() + plan.join_timeout
        if order + 1 == plan.most_machines:
            store.compare_set(settled, "", str(plan.most_machines))
        while not store.check([settled]):
            count = store.add(came, 0)
            if order == 0 and count >= plan.least_machines and plan.least_machines < plan.most_machines:
                time.sleep(plan.last_call)
                store.compare_set(settled, "", str(min(store.add(came, 0), plan.most_machines)))
            if time.monotonic() > end:
                raise TimeoutError(
                    f"{count} of at least {plan.least_machines} machines have come within {plan.join_timeout:g} s"
                )
            time.sleep(0.05)

    def report(self, place, failures):
        """Tells the others that processes of this machine failed."""
        said = ""
        for local, failure in failures.items():
            told = {"rank": place.first_rank + local, "host": socket.gethostname(), "time": failure.time}
            told |= dataclasses.asdict(failure) | {"trace": failure.trace}
            said += json.dumps(told) + "\n"
        self.store.append(self.key(place.round, "failures"), said)

    def reported(self, number):
        """What machines have told: failures, by rank."""
        key = self.key(number, "failures")
        if not self.store.check([key]):
            return {}
        found = {}
        for line in self.store.get(key).decode().splitlines():
            told = json.loads(line)
            failure = ProcessFailure(told["local_rank"], told["pid"], told["exitcode"], "")
            for name in ("host", "time", "timestamp", "trace", "message", "error_file", "error_file_data"):
                setattr(failure, name, told[name])
            found[told["rank"]] = failure
        return found

    def leave(self, place):
        """Done, and waits for the others: who serves stays until they have left."""
        left = self.store.add(self.key(place.round, "left"), 1)
        if self.server is None:
            return
        end = time.monotonic() + self.plan.patience
        while left < place.machines and time.monotonic() < end:
            time.sleep(0.05)
            left = self.store.add(self.key(place.round, "left"), 0)


# ---- processes ---------------------------------------------------------------------------------------------
def environments(plan, place, restart):
    """What the processes of this machine find in theirs, by local rank."""
    common = {
        "WORLD_SIZE": str(place.world_size),
        "LOCAL_WORLD_SIZE": str(plan.processes),
        "GROUP_RANK": str(place.machine),
        "GROUP_WORLD_SIZE": str(place.machines),
        "ROLE_WORLD_SIZE": str(place.world_size),
        "ROLE_NAME": plan.role,
        "MASTER_ADDR": place.address,
        "MASTER_PORT": str(place.port),
        "TORCHELASTIC_RESTART_COUNT": str(restart),
        "TORCHELASTIC_MAX_RESTARTS": str(plan.max_restarts),
        "TORCHELASTIC_RUN_ID": plan.run_id,
        "TORCHELASTIC_USE_AGENT_STORE": "True",
    }
    if plan.processes > 1 and "OMP_NUM_THREADS" not in os.environ:
        common["OMP_NUM_THREADS"] = "1"  # else they would fight for the cores
    ranks = [place.first_rank + local for local in range(plan.processes)]
    return {
        local: common | {"LOCAL_RANK": str(local), "RANK": str(rank), "ROLE_RANK": str(rank)}
        for local, rank in enumerate(ranks)
    }


def prefixes(plan, envs):
    """What stands before lines that are shown and kept."""
    template = string.Template(plan.line_prefix or "[${role_name}${local_rank}]:")
    return {
        local: template.safe_substitute(role_name=plan.role, local_rank=local, rank=env["RANK"])
        for local, env in envs.items()
    }


def start(plan, place, restart):
    """Starts them."""
    envs = environments(plan, place, restart)
    arguments = dict.fromkeys(envs, tuple(plan.arguments))
    return start_processes(
        plan.role, plan.entrypoint, arguments, envs, plan.logs, prefixes(plan, envs), plan.start_method
    )


# ---- all of it ---------------------------------------------------------------------------------------------
class _Signals:
    """Makes the first signal that comes an exception, and of the second one haste."""

    def __init__(self, numbers):
        # Python lets the main thread alone say what signals do.
        self.numbers = numbers if threading.current_thread() is threading.main_thread() else ()
        self.context, self.came = None, False

    def __enter__(self):
        self.before = {number: signal.signal(number, self._arrived) for number in self.numbers}
        return self

    def _arrived(self, number, _frame):
        if self.came:
            if self.context is not None:
                self.context.hurry()
            return
        self.came = True
        raise SignalException(f"received {signal.Signals(number).name}", signal.Signals(number))

    def __exit__(self, *error):
        for number, handler in self.before.items():
            signal.signal(number, handler)


def launch(plan):
    """Runs the plan. Returns what its function returned, by rank.

    ChildFailedError: processes failed, and no restart is left. SignalException: this process was told to end. No process is
    left behind.
    """
    with _Signals(plan.signals) as signals, tempfile.TemporaryDirectory(prefix="torchrun-") as folder:
        if plan.logs is None:
            plan.logs = DefaultLogsSpecs(folder)
        meeting = Meeting(plan)
        death = signal.SIGTERM
        for restart in range(plan.max_restarts + 1):
            try:
                place = meeting.join(restart)
                signals.context = context = start(plan, place, restart)
                returned, failures = _watch(plan, meeting, place, context)
            except SignalException as told:
                death = told.sigval
                raise
            finally:
                if signals.context is not None:
                    signals.context.close(death, plan.patience)
            if not failures:
                meeting.leave(place)
                return returned
            error = ChildFailedError(plan.name, failures)
            if restart == plan.max_restarts:
                meeting.leave(place)
                raise error
            sys.stderr.write(
                f"torchrun: {error}\ntorchrun: starting again, restart {restart + 1} of {plan.max_restarts}\n"
            )


def _watch(plan, meeting, place, context):
    """Until all have ended well, or one of any machine has failed: (what they returned, what failed), by rank."""
    while True:
        result = context.ended()
        if result is not None and result.is_failed():
            meeting.report(place, result.failures)
        if (result is not None and result.is_failed()) or place.machines > 1:
            if told := meeting.reported(place.round):
                return {}, told
        if result is not None and _others_done(meeting, place):
            return {place.first_rank + local: value for local, value in result.return_values.items()}, {}
        if result is None:
            context.sleep(plan.interval)
        else:
            time.sleep(min(plan.interval, 0.1))


def _others_done(meeting, place):
    if place.machines == 1:
        return True
    key = meeting.key(place.round, f"machine {place.machine} done")
    if not meeting.store.check([key]):
        meeting.store.set(key, "")
    return meeting.store.check([meeting.key(place.round, f"machine {m} done") for m in range(place.machines)])
