"""Timers that end a process which does not come out of a block in time: with expires(after=60): …"""

from __future__ import annotations

import abc
import contextlib
import logging
import os
import threading
import time
from inspect import getframeinfo, stack

from torch._absent import rest_of

__all__ = ["RequestQueue", "TimerClient", "TimerRequest", "TimerServer", "configure", "expires"]

logger = logging.getLogger(__name__)


def send_signal(pid, signal):
    """Whether the process has got the signal, or has ended by itself."""
    try:
        os.kill(pid, signal)
    except ProcessLookupError:
        pass
    except OSError:
        return False
    return True


class TimerRequest:
    """A worker's word: a timer, `scope_id`, begins, and is over at `expiration_time` (of time.time()); a negative time: it
    is let go."""

    __slots__ = ["expiration_time", "scope_id", "worker_id"]

    def __init__(self, worker_id, scope_id: str, expiration_time: float):
        self.worker_id, self.scope_id, self.expiration_time = worker_id, scope_id, expiration_time

    def __eq__(self, other):
        if not isinstance(other, TimerRequest):
            return False
        return all(getattr(self, name) == getattr(other, name) for name in TimerRequest.__slots__)

    __hash__ = None  # as of any mutable value

    def __repr__(self):
        return f"{type(self).__name__}({self.worker_id!r}, {self.scope_id!r}, {self.expiration_time!r})"


class TimerClient(abc.ABC):
    """A worker's side: it asks for timers, and lets go of them."""

    @abc.abstractmethod
    def acquire(self, scope_id: str, expiration_time: float) -> None:
        """Begins a timer that is over at a time of time.time()."""

    @abc.abstractmethod
    def release(self, scope_id: str):
        """Lets go of it."""


class RequestQueue(abc.ABC):
    """By which requests come to the server."""

    @abc.abstractmethod
    def size(self) -> int:
        """How many wait, or a guess."""

    @abc.abstractmethod
    def get(self, size: int, timeout: float) -> list[TimerRequest]:
        """As many as `size`, and no more; waits up to `timeout` seconds for the first."""


class TimerServer(abc.ABC):
    """Looks at timers every `max_interval` seconds, or when something comes, and ends workers whose timers are over."""

    def __init__(self, request_queue: RequestQueue, max_interval: float, daemon: bool = True):
        self._request_queue, self._max_interval, self._daemon = request_queue, max_interval, daemon
        self._watchdog_thread, self._stop_signaled = None, False

    @abc.abstractmethod
    def register_timers(self, timer_requests: list[TimerRequest]) -> None:
        """Takes requests."""

    @abc.abstractmethod
    def clear_timers(self, worker_ids: set) -> None:
        """Forgets all timers of workers."""

    @abc.abstractmethod
    def get_expired_timers(self, deadline: float) -> dict[str, list[TimerRequest]]:
        """Timers that are over at `deadline`, by worker."""

    @abc.abstractmethod
    def _reap_worker(self, worker_id) -> bool:
        """Ends a worker; whether it is gone."""

    def start(self) -> None:
        """Begins to look, in a thread."""
        self._stop_signaled = False
        self._watchdog_thread = threading.Thread(target=self._watchdog_loop, daemon=self._daemon, name="timers")
        self._watchdog_thread.start()

    def stop(self) -> None:
        """Ends the thread, and waits for it: no worker is ended afterwards."""
        self._stop_signaled = True
        if self._watchdog_thread is not None:
            self._watchdog_thread.join(self._max_interval + 1)
            self._watchdog_thread = None

    def _watchdog_loop(self):
        while not self._stop_signaled:
            try:
                self._run_watchdog()
            except Exception:
                logger.exception("timers could not be looked at")  # the next time they may

    def _run_watchdog(self):
        waiting = max(1, self._request_queue.size())
        self.register_timers(self._request_queue.get(waiting, self._max_interval))
        now = time.time()
        gone = set()
        for worker, over in self.get_expired_timers(now).items():
            names = ", ".join(f"{timer.scope_id} since {now - timer.expiration_time:.1f} s" for timer in over)
            logger.info("timers of worker %s are over, it is ended: %s", worker, names)
            if self._reap_worker(worker):
                gone.add(worker)
            else:
                logger.error("worker %s could not be ended; it is tried again", worker)
        self.clear_timers(gone)


_timer_client: TimerClient | None = None


def configure(timer_client: TimerClient):
    """Sets the client of expires()."""
    global _timer_client
    _timer_client = timer_client


@contextlib.contextmanager
def expires(after: float, scope: str | None = None, client: TimerClient | None = None):
    """In a `with`: the process is ended unless it comes out within `after` seconds.

    scope: the timer's name; without one, file and line. client: in the place of configure()'s. RuntimeError: there is none.
    """
    client = client or _timer_client
    if client is None:
        raise RuntimeError("torch.distributed.elastic.timer.configure() has not been called, and no client is given")
    if scope is None:
        caller = getframeinfo(stack()[2][0])  # behind this function and contextlib
        scope = f"{caller.filename}#{caller.lineno}"
    client.acquire(scope, time.time() + after)
    try:
        yield
    finally:
        client.release(scope)


__getattr__, __dir__ = rest_of(__name__)
