"""Starts the processes of this machine, watches them, and starts them anew when one fails: what torchrun does.

Machines meet at a store (Meeting). Rank 0's machine serves another one for the processes, which find it by MASTER_ADDR and
MASTER_PORT. A machine whose process fails says so in the store; all then end theirs and meet again, until no restart is
left. No process outlives this one: they end with it, whatever ends it.
"""

from __future__ import annotations

import ctypes
import dataclasses
import datetime
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

PR_SET_PDEATHSIG = 1


@dataclasses.dataclass
class Plan:
    """What is to be run, and how."""

    command: list[str]
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
    log_folder: str = ""
    redirects: dict[int, int] = dataclasses.field(default_factory=dict)  # local rank: 1 stdout, 2 stderr, 3 both
    shown: set[int] | None = None  # local ranks whose output is shown


class Interrupted(Exception):
    """A signal that was sent to this process."""

    def __init__(self, number):
        super().__init__(f"received {signal.Signals(number).name}")
        self.number = number


class Failed(Exception):
    """Processes failed, and no restart is left."""

    def __init__(self, failures):
        super().__init__(table(failures))
        self.failures = failures


@dataclasses.dataclass
class Failure:
    """How a process ended."""

    rank: int
    local_rank: int
    host: str
    pid: int
    exit_code: int
    when: float
    message: str = ""
    trace: str = ""

    @property
    def ended(self):
        """In words: an exit code, or a signal's name."""
        if self.exit_code >= 0:
            return f"exit code {self.exit_code}"
        try:
            return f"killed by {signal.Signals(-self.exit_code).name}"
        except ValueError:
            return f"killed by signal {-self.exit_code}"


def table(failures):
    """What failed, first things first, with the first one's traceback."""
    failures = sorted(failures, key=lambda failure: failure.when)
    lines = [f"{len(failures)} of the processes failed. The first:"]
    for number, failure in enumerate(failures):
        when = datetime.datetime.fromtimestamp(failure.when).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        if number == 1:
            lines.append("Then:")
        lines.append(
            f"  rank {failure.rank} (local rank {failure.local_rank}, pid {failure.pid} on {failure.host}): {failure.ended} "
            f"at {when}"
        )
        if number == 0:
            if failure.trace:
                lines += ["    " + line for line in failure.trace.rstrip().splitlines()]
            elif failure.message:
                lines.append(f"    {failure.message}")
            else:
                lines.append("    no traceback: torch.distributed.elastic.multiprocessing.errors.record writes one down")
    return "\n".join(lines)


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
            raise RuntimeError(f"{machines} machines had come when this one did; at most {plan.most_machines} take part")
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

    def report(self, number, failures):
        """Tells the others that processes of this machine failed."""
        said = [dataclasses.asdict(failure) for failure in failures]
        self.store.append(self.key(number, "failures"), "".join(json.dumps(each) + "\n" for each in said))

    def reported(self, number):
        """What machines have told."""
        key = self.key(number, "failures")
        if not self.store.check([key]):
            return []
        return [Failure(**json.loads(line)) for line in self.store.get(key).decode().splitlines()]

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
def _ends_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Workers:
    """The processes of this machine in one round."""

    def __init__(self, plan, place, restart, folder):
        self.plan, self.place, self.folder = plan, place, folder
        self.files = []
        self.processes = [self._start(local, restart) for local in range(plan.processes)]

    def _start(self, local, restart):
        plan, place = self.plan, self.place
        rank = place.first_rank + local
        environment = os.environ | {
            "RANK": str(rank),
            "LOCAL_RANK": str(local),
            "WORLD_SIZE": str(place.world_size),
            "LOCAL_WORLD_SIZE": str(plan.processes),
            "GROUP_RANK": str(place.machine),
            "GROUP_WORLD_SIZE": str(place.machines),
            "ROLE_RANK": str(rank),
            "ROLE_WORLD_SIZE": str(place.world_size),
            "ROLE_NAME": plan.role,
            "MASTER_ADDR": place.address,
            "MASTER_PORT": str(place.port),
            "TORCHELASTIC_RESTART_COUNT": str(restart),
            "TORCHELASTIC_MAX_RESTARTS": str(plan.max_restarts),
            "TORCHELASTIC_RUN_ID": plan.run_id,
            "TORCHELASTIC_USE_AGENT_STORE": "True",
            "TORCHELASTIC_ERROR_FILE": str(self._error_file(local)),
        }
        if plan.processes > 1:
            environment.setdefault("OMP_NUM_THREADS", "1")  # else they would fight for the cores
        self._error_file(local).unlink(missing_ok=True)
        streams = self._streams(local)
        return subprocess.Popen(
            plan.command, env=environment, stdout=streams[0], stderr=streams[1], preexec_fn=_ends_with_parent
        )

    def _error_file(self, local):
        return pathlib.Path(self.folder, f"error_{local}.json")

    def _streams(self, local):
        where = self.plan.redirects.get(local, self.plan.redirects.get(-1, 0))
        hidden = self.plan.shown is not None and local not in self.plan.shown
        streams = []
        for bit, name in ((1, "stdout"), (2, "stderr")):
            if where & bit:
                folder = pathlib.Path(self.plan.log_folder, f"{self.plan.run_id}", f"attempt_{self.place.round}", str(local))
                folder.mkdir(parents=True, exist_ok=True)
                self.files.append(open(folder / f"{name}.log", "w"))  # noqa: SIM115 - closed with the workers
                streams.append(self.files[-1])
            else:
                streams.append(subprocess.DEVNULL if hidden else None)
        return streams

    def failures(self):
        """Those that have ended, and not well."""
        found = []
        for local, process in enumerate(self.processes):
            code = process.poll()
            if code:
                failure = Failure(
                    self.place.first_rank + local, local, socket.gethostname(), process.pid, code, time.time()
                )
                self._tell_more(failure)
                found.append(failure)
        return found

    def _tell_more(self, failure):
        try:
            said = json.loads(self._error_file(failure.local_rank).read_text())["message"]
        except (OSError, ValueError, KeyError):
            return
        if isinstance(said, dict):
            failure.message = str(said.get("message", ""))
            more = said.get("extraInfo", {})
            failure.trace = str(more.get("py_callstack", ""))
            failure.when = float(more.get("timestamp") or failure.when)
        else:
            failure.message = str(said)

    def sleep(self, seconds):
        """So long, or until one of them ends: so it is known which was the first."""
        running = [os.pidfd_open(process.pid) for process in self.processes if process.poll() is None]
        try:
            poll = select.poll()
            for fd in running:
                poll.register(fd, select.POLLIN)
            poll.poll(seconds * 1000)
        finally:
            for fd in running:
                os.close(fd)

    def all_done(self):
        return all(process.poll() == 0 for process in self.processes)

    def end(self, number=signal.SIGTERM):
        """Sends a signal to all that run; after the plan's patience SIGKILL."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(number)
        end = time.monotonic() + self.plan.patience
        for process in self.processes:
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for file in self.files:
            file.close()


# ---- all of it ---------------------------------------------------------------------------------------------
def launch(plan):
    """Runs the plan. Failed: processes failed, and no restart is left. Interrupted: this process was told to end."""

    def interrupted(number, _frame):
        raise Interrupted(number)

    before = {number: signal.signal(number, interrupted) for number in plan.signals}
    workers = None
    try:
        meeting = Meeting(plan)
        with tempfile.TemporaryDirectory(prefix="torchrun-") as folder:
            restart = 0
            while True:
                place = meeting.join(restart)
                workers = Workers(plan, place, restart, folder)
                failures = _watch(plan, meeting, place, workers)
                if not failures:
                    meeting.leave(place)
                    return
                workers.end()
                if restart == plan.max_restarts:
                    meeting.leave(place)
                    raise Failed(failures)
                restart += 1
                sys.stderr.write(
                    f"torchrun: {table(failures)}\ntorchrun: starting again, restart {restart} of {plan.max_restarts}\n"
                )
    except Interrupted as interruption:
        if workers is not None:
            workers.end(interruption.number)
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if workers is not None:
            workers.end()


def _watch(plan, meeting, place, workers):
    """Until all have ended well (no failures), or one of any machine has failed (what is known of it)."""
    told = False
    while True:
        if failures := workers.failures():
            meeting.report(place.round, failures)
        if (failures or place.machines > 1) and (told := meeting.reported(place.round)):
            return told
        if workers.all_done() and _others_done(meeting, place):
            return []
        workers.sleep(plan.interval)


def _others_done(meeting, place):
    if place.machines == 1:
        return True
    key = meeting.key(place.round, f"machine {place.machine} done")
    if not meeting.store.check([key]):
        meeting.store.set(key, "")
    return meeting.store.check([meeting.key(place.round, f"machine {m} done") for m in range(place.machines)])
