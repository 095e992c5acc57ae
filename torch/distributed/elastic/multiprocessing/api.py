"""Processes of one machine: started, watched and ended together, each with an environment and files of its own."""

from __future__ import annotations

import abc
import ctypes
import dataclasses
import enum
import multiprocessing
import os
import pathlib
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

from torch._absent import rest_of
from torch.distributed.elastic.multiprocessing.errors import ProcessFailure, record

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


class SignalException(Exception):  # noqa: N818 - torch's name
    """A signal, `sigval`, that was sent to the process."""

    def __init__(self, msg: str, sigval: signal.Signals) -> None:
        super().__init__(msg)
        self.sigval = sigval


class Std(enum.IntFlag):
    """The streams of a process."""

    NONE, OUT, ERR, ALL = 0, 1, 2, 3

    @classmethod
    def from_str(cls, vm: str) -> Std | dict[int, Std]:
        """Of a command line: "0" to "3" for all processes, or "RANK:WHAT,…" for some. ValueError: it is neither."""
        try:
            if ":" not in vm:
                return cls._checked(vm)
            return {int(rank): cls._checked(what) for rank, what in (pair.split(":") for pair in vm.split(","))}
        except ValueError:
            raise ValueError(f"streams are 0 to 3, or RANK:WHAT,…, not {vm!r}") from None

    @classmethod
    def _checked(cls, text):
        if not 0 <= int(text) <= 3:
            raise ValueError(text)
        return cls(int(text))


def to_map(val_or_map, local_world_size: int) -> dict[int, Std]:
    """{local rank: streams} of one value for all, or of what is given of some (others: none)."""
    if isinstance(val_or_map, int):
        return dict.fromkeys(range(local_world_size), Std(val_or_map))
    return {rank: Std(val_or_map.get(rank, Std.NONE)) for rank in range(local_world_size)}


@dataclasses.dataclass
class LogsDest:
    """Where the output of processes goes, by local rank: a path, or "" for where this process's goes. tee_…: what is
    shown here as well."""

    stdouts: dict[int, str] = dataclasses.field(default_factory=dict)
    stderrs: dict[int, str] = dataclasses.field(default_factory=dict)
    tee_stdouts: dict[int, str] = dataclasses.field(default_factory=dict)
    tee_stderrs: dict[int, str] = dataclasses.field(default_factory=dict)
    error_files: dict[int, str] = dataclasses.field(default_factory=dict)
    filtered_stdout: str = ""
    filtered_stderr: str = ""


class LogsSpecs(abc.ABC):
    """What is to be done with the output of processes: reify() says where it goes."""

    def __init__(
        self,
        log_dir: str | None = None,
        redirects: Std | dict[int, Std] = Std.NONE,
        tee: Std | dict[int, Std] = Std.NONE,
        local_ranks_filter: set[int] | None = None,
    ) -> None:
        self._root_log_dir, self._redirects, self._tee = log_dir, redirects, tee
        self._local_ranks_filter = local_ranks_filter

    @abc.abstractmethod
    def reify(self, envs: dict[int, dict[str, str]]) -> LogsDest:
        """Of processes with these environments."""

    @property
    @abc.abstractmethod
    def root_log_dir(self) -> str:
        """The folder of all files."""


class DefaultLogsSpecs(LogsSpecs):
    """Files LOG_DIR/RUN_…/attempt_N/LOCAL_RANK/{stdout.log, stderr.log, error.json}; without `log_dir` in a new
    temporary folder."""

    _run_log_dir = None

    @property
    def root_log_dir(self) -> str:
        return str(self._root_log_dir)

    def _make_log_dir(self, log_dir: str | None, rdzv_run_id: str) -> str:
        base = log_dir or tempfile.mkdtemp(prefix="torchelastic_")
        os.makedirs(base, exist_ok=True)
        self._root_log_dir = base
        return tempfile.mkdtemp(prefix=f"{rdzv_run_id}_".replace("/", "_"), dir=base)

    def reify(self, envs: dict[int, dict[str, str]]) -> LogsDest:
        first = next(iter(envs.values()), {})
        if self._run_log_dir is None:
            self._run_log_dir = self._make_log_dir(self._root_log_dir, first.get("TORCHELASTIC_RUN_ID", "run"))
        attempt = f"attempt_{first.get('TORCHELASTIC_RESTART_COUNT', '0')}"
        redirects, tee = (to_map(self._redirects, len(envs)), to_map(self._tee, len(envs)))
        made = LogsDest()
        for local in envs:
            folder = pathlib.Path(self._run_log_dir, attempt, str(local))
            folder.mkdir(parents=True, exist_ok=True)
            shown = not self._local_ranks_filter or local in self._local_ranks_filter
            made.error_files[local] = str(folder / "error.json")
            for bit, name, files, tees in (
                (Std.OUT, "stdout", made.stdouts, made.tee_stdouts),
                (Std.ERR, "stderr", made.stderrs, made.tee_stderrs),
            ):
                kept = (redirects[local] | tee[local]) & bit
                files[local] = str(folder / f"{name}.log") if kept else "" if shown else os.devnull
                if tee[local] & bit and shown:
                    tees[local] = files[local]
        return made


@dataclasses.dataclass
class RunProcsResult:
    """How processes ended: what each returned, or what failed, by local rank."""

    return_values: dict = dataclasses.field(default_factory=dict)
    failures: dict[int, ProcessFailure] = dataclasses.field(default_factory=dict)
    stdouts: dict[int, str] = dataclasses.field(default_factory=dict)
    stderrs: dict[int, str] = dataclasses.field(default_factory=dict)

    def is_failed(self) -> bool:
        """Whether one failed."""
        return bool(self.failures)


class _Tail:
    """Shows what is written to files, line by line, behind a prefix."""

    def __init__(self, files, prefixes, stream):
        self.files, self.prefixes, self.stream = files, prefixes, stream
        self.at, self.over = dict.fromkeys(files, 0), threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True, name="tail") if files else None
        if self.thread:
            self.thread.start()

    def _run(self):
        while not self.over.wait(0.05):
            self._show()
        self._show(last=True)

    def _show(self, last=False):
        for local, path in self.files.items():
            try:
                with open(path, "rb") as file:
                    file.seek(self.at[local])
                    data = file.read()
            except OSError:
                continue
            whole = len(data) if last else data.rfind(b"\n") + 1
            self.at[local] += whole
            for line in data[:whole].decode(errors="replace").splitlines():
                self.stream.write(f"{self.prefixes.get(local, f'[{local}]:')}{line}\n")
        self.stream.flush()

    def stop(self):
        self.over.set()
        if self.thread:
            self.thread.join()


def _ends_with(parent):
    """In a child: it ends when the thread that made it does, whatever ends that."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # which has ended in between
        os._exit(1)


class PContext(abc.ABC):
    """Processes that have been started together; see start_processes()."""

    def __init__(
        self,
        name: str,
        entrypoint,
        args: dict[int, tuple],
        envs: dict[int, dict[str, str]],
        logs_specs: LogsSpecs,
        log_line_prefixes: dict[int, str] | None = None,
        duplicate_stdout_filters: list[str] | None = None,
        duplicate_stderr_filters: list[str] | None = None,
    ):
        if set(args) != set(range(len(args))) or set(envs) != set(args):
            raise RuntimeError(
                f"local ranks are 0 to n - 1, for args and envs alike, not {sorted(args)} and {sorted(envs)}"
            )
        self.name, self.entrypoint, self.args, self.envs = name, entrypoint, args, envs
        self.nprocs = len(args)
        self._destination = logs_specs.reify(envs)
        self.error_files = self._destination.error_files
        self._prefixes = log_line_prefixes or {local: f"[{name}{local}]:" for local in envs}
        self._processes, self._tails, self._hurry = {}, [], False

    def start(self) -> None:
        """Starts them. When one cannot be started, none is left."""
        to = self._destination
        self._tails = [
            _Tail(to.tee_stdouts, self._prefixes, sys.stdout), _Tail(to.tee_stderrs, self._prefixes, sys.stderr)
        ]  # fmt: skip
        try:
            for local in range(self.nprocs):
                pathlib.Path(self.error_files[local]).unlink(missing_ok=True)
                environment = self.envs[local] | {"TORCHELASTIC_ERROR_FILE": self.error_files[local]}
                self._processes[local] = self._begin(local, environment, to.stdouts[local], to.stderrs[local])
        except BaseException:
            self.close(signal.SIGKILL)
            raise

    @abc.abstractmethod
    def _begin(self, local, environment, stdout, stderr):
        """Starts one: an object with pid, poll(), send_signal() and kill(), as of subprocess.Popen."""

    def _returned(self, local):
        return None

    def ended(self) -> RunProcsResult | None:
        """How they ended, if all ended well or one did not; None: they run."""
        codes = {local: process.poll() for local, process in self._processes.items()}
        result = RunProcsResult(stdouts=self._destination.stdouts, stderrs=self._destination.stderrs)
        for local, code in codes.items():
            if code:
                result.failures[local] = ProcessFailure(
                    local, self._processes[local].pid, code, self.error_files[local]
                )
        if not result.failures and any(code is None for code in codes.values()):
            return None
        if not result.failures:
            result.return_values = {local: self._returned(local) for local in codes}
        return result

    def sleep(self, seconds):
        """So long, or until one of them ends: so it is known which was the first."""
        running = [os.pidfd_open(process.pid) for process in self._processes.values() if process.poll() is None]
        try:
            poll = select.poll()
            for fd in running:
                poll.register(fd, select.POLLIN)
            poll.poll(seconds * 1000)
        finally:
            for fd in running:
                os.close(fd)

    def wait(self, timeout: float = -1, period: float = 1) -> RunProcsResult | None:
        """Waits until all have ended well, or one has not: the others are ended then. None: the timeout passed first."""
        end = time.monotonic() + timeout if timeout >= 0 else float("inf")
        while (result := self.ended()) is None:
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.sleep(min(period, left))
        self.close()
        return result

    def pids(self) -> dict[int, int]:
        """By local rank."""
        return {local: process.pid for local, process in self._processes.items()}

    def close(self, death_sig: signal.Signals | None = None, timeout: float = 30) -> None:
        """Ends those that run: by a signal, SIGTERM; by SIGKILL when the timeout, in seconds, has passed."""
        for process in self._processes.values():
            if process.poll() is None:
                process.send_signal(death_sig or signal.SIGTERM)
        end = time.monotonic() + timeout
        for process in self._processes.values():
            while process.poll() is None:
                if self._hurry or time.monotonic() > end:
                    process.kill()
                time.sleep(0.005)
        for tail in self._tails:
            tail.stop()
        self._tails = []

    def hurry(self):
        """Of a close() under way: SIGKILL at once."""
        self._hurry = True


class SubprocessContext(PContext):
    """Processes that run a program: `entrypoint`, with the arguments of each."""

    def _begin(self, local, environment, stdout, stderr):
        files = [open(path, "ab") if path else None for path in (stdout, stderr)]  # noqa: SIM115
        parent = os.getpid()
        try:
            return subprocess.Popen(
                [self.entrypoint, *map(str, self.args[local])], env=os.environ | environment,
                stdout=files[0], stderr=files[1], preexec_fn=lambda: _ends_with(parent),
            )  # fmt: skip
        finally:
            for file in filter(None, files):
                file.close()


class _Called:
    """A process of multiprocessing that looks like one of subprocess."""

    def __init__(self, context, *args):
        self.process = context.Process(target=_call, args=args)
        self.process.start()
        self.pid = self.process.pid

    def poll(self):
        return self.process.exitcode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.process.kill()


def _call(parent, function, args, environment, stdout, stderr, result):
    """What a process does that runs a function."""
    _ends_with(parent)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)  # not what the parent made of them, where this is its fork
    os.environ.update(environment)
    for number, path in ((1, stdout), (2, stderr)):
        if path:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(file, number)
            os.close(file)
    returned = record(function)(*args)
    with open(result, "wb") as file:
        pickle.dump(returned, file)


class MultiprocessContext(PContext):
    """Processes that run a function; what each returns is in the result."""

    def __init__(self, name, entrypoint, args, envs, start_method, logs_specs, log_line_prefixes=None, *_unused):
        super().__init__(name, entrypoint, args, envs, logs_specs, log_line_prefixes)
        self.start_method = start_method

    def _result_file(self, local):
        return f"{self.error_files[local]}.returned"

    def _begin(self, local, environment, stdout, stderr):
        context = multiprocessing.get_context(self.start_method)
        return _Called(
            context,
            os.getpid(),
            self.entrypoint,
            self.args[local],
            environment,
            stdout,
            stderr,
            self._result_file(local),
        )

    def _returned(self, local):
        with open(self._result_file(local), "rb") as file:
            return pickle.load(file)


__getattr__, __dir__ = rest_of(__name__)
