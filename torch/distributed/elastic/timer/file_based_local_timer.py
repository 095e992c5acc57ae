"""Timers of processes of one machine that share a named pipe: each asks for its end by a signal of its choice."""

from __future__ import annotations

import json
import logging
import os
import select
import signal as signals
import threading
import time

from torch._absent import rest_of
from torch.distributed.elastic.timer.api import TimerClient, TimerRequest, send_signal

__all__ = ["FileTimerClient", "FileTimerRequest", "FileTimerServer"]

logger = logging.getLogger(__name__)
_LONGEST = select.PIPE_BUF  # what is not longer comes through a pipe in one piece


class FileTimerRequest(TimerRequest):
    """A TimerRequest as a line of JSON: of a process id, and with the signal that ends the process; 0: none does."""

    __slots__ = ["signal", "version"]

    def __init__(self, worker_pid: int, scope_id: str, expiration_time: float, signal: int = 0) -> None:
        super().__init__(worker_pid, scope_id, expiration_time)
        self.version, self.signal = 1, int(signal)

    def __eq__(self, other):
        return isinstance(other, FileTimerRequest) and self.to_json() == other.to_json()

    __hash__ = None

    @property
    def worker_pid(self) -> int:
        """The process id."""
        return self.worker_id

    def to_json(self) -> str:
        """The line, without its end."""
        return json.dumps(
            {
                "version": self.version,
                "pid": self.worker_pid,
                "scope_id": self.scope_id,
                "expiration_time": self.expiration_time,
                "signal": self.signal,
            }
        )


class FileTimerClient(TimerClient):
    """A worker's side: it writes to the pipe that a FileTimerServer reads. signal: what ends this process."""

    def __init__(self, file_path: str, signal=signals.SIGKILL) -> None:
        super().__init__()
        self._file_path, self.signal = file_path, signal

    def _send_request(self, request: FileTimerRequest) -> None:
        line = (request.to_json() + "\n").encode()
        if len(line) > _LONGEST:
            raise ValueError(f"a timer's name may not be so long: {len(line)} bytes, of at most {_LONGEST}")
        try:
            pipe = os.open(self._file_path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            raise BrokenPipeError(f"no FileTimerServer reads {self._file_path}: {error.strerror}") from None
        try:
            os.write(pipe, line)
        finally:
            os.close(pipe)

    def acquire(self, scope_id: str, expiration_time: float) -> None:
        """Begins a timer. BrokenPipeError: nobody reads the pipe."""
        self._send_request(FileTimerRequest(os.getpid(), scope_id, expiration_time, self.signal))

    def release(self, scope_id: str) -> None:
        """Lets go of it. BrokenPipeError: nobody reads the pipe."""
        self._send_request(FileTimerRequest(os.getpid(), scope_id, -1))


class FileTimerServer:
    """Reads a named pipe, which it makes, and ends processes whose timers are over.

    log_event(what, request): called when it begins ("watchdog started"), when something comes and when a process is ended.
    """

    def __init__(
        self, file_path: str, run_id: str, max_interval: float = 10, daemon: bool = True, log_event=None
    ) -> None:
        self._file_path, self._run_id, self._max_interval, self._daemon = file_path, run_id, max_interval, daemon
        self._log_event = log_event or (lambda what, request: None)
        self._timers, self._rest, self._last_progress_time = {}, b"", int(time.time())
        self._over, self._thread, self._pipe = threading.Event(), None, None
        if os.path.exists(file_path):
            os.remove(file_path)
        os.mkfifo(file_path)

    def start(self) -> None:
        """Begins to read, in a thread; processes can ask for timers once this returns."""
        # Also for writing: so the pipe does not end when a client leaves.
        self._pipe = os.open(self._file_path, os.O_RDWR | os.O_NONBLOCK)
        self._over.clear()
        self._thread = threading.Thread(target=self._loop, daemon=self._daemon, name="timers")
        self._thread.start()
        self._log_event("watchdog started", None)

    def stop(self) -> None:
        """Ends the thread, waits for it, and removes the pipe."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(self._max_interval + 1)
            self._thread = None
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
        if os.path.exists(self._file_path):
            os.remove(self._file_path)
        self._log_event("watchdog stopped", None)

    def run_once(self) -> None:
        """Looks once, here: what has come, and what is over."""
        opened = self._pipe is None
        if opened:
            self._pipe = os.open(self._file_path, os.O_RDWR | os.O_NONBLOCK)
        try:
            self._look(0)
        finally:
            if opened:
                os.close(self._pipe)
                self._pipe = None

    @staticmethod
    def is_process_running(pid: int):
        """Whether there is such a process."""
        try:
            os.kill(pid, 0)
        except OSError:
            return False
        return True

    def get_last_progress_time(self) -> int:
        """When timers were last looked at and none was over, in seconds; now, while there are no timers."""
        return int(time.time()) if not self._timers else self._last_progress_time

    def _loop(self):
        while not self._over.is_set():
            try:
                self._look(min(self._max_interval, 0.5))  # stop() does not wait longer
            except Exception:
                logger.exception("timers of run %s could not be looked at", self._run_id)

    def _look(self, wait):
        if select.select([self._pipe], [], [], wait)[0]:
            self.register_timers(self._read())
        now = time.time()
        over = self.get_expired_timers(now)
        if not over:
            self._last_progress_time = int(now)
        gone = {pid for pid, timers in over.items() if self._reap(pid, timers)}
        gone |= {pid for pid, _ in self._timers if not self.is_process_running(pid)}
        self.clear_timers(gone)

    def _read(self):
        *lines, self._rest = (self._rest + os.read(self._pipe, 1 << 20)).split(b"\n")
        found = []
        for line in lines:
            try:
                said = json.loads(line)
                request = FileTimerRequest(said["pid"], said["scope_id"], said["expiration_time"], said["signal"])
            except (ValueError, KeyError, TypeError):
                logger.error("run %s: this is no request of a timer: %r", self._run_id, line[:200])  # noqa: TRY400
            else:
                found.append(request)
        return found

    def _reap(self, pid, timers):
        # The signal of the timer that was over first.
        first = min(timers, key=lambda timer: timer.expiration_time)
        logger.info("timer %s of process %s is over: it gets signal %s", first.scope_id, pid, first.signal)
        self._log_event("kill worker process", first)
        return not first.signal or send_signal(pid, first.signal)

    def register_timers(self, timer_requests: list[FileTimerRequest]) -> None:
        """Takes requests."""
        for request in timer_requests:
            key = request.worker_pid, request.scope_id
            if request.expiration_time < 0:
                self._timers.pop(key, None)
            else:
                self._log_event("set timer", request)
                self._timers[key] = request

    def clear_timers(self, worker_pids: set[int]) -> None:
        """Forgets all timers of processes."""
        self._timers = {key: timer for key, timer in self._timers.items() if key[0] not in worker_pids}

    def get_expired_timers(self, deadline: float) -> dict[int, list[FileTimerRequest]]:
        """Timers that are over at `deadline`, by process id."""
        over = {}
        for timer in self._timers.values():
            if timer.expiration_time <= deadline:
                over.setdefault(timer.worker_pid, []).append(timer)
        return over


__getattr__, __dir__ = rest_of(__name__)
