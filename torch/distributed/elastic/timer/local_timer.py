"""Timers of processes that one process has started: a queue of multiprocessing between them."""

from __future__ import annotations

import os
import queue
import signal
import time

from torch._absent import rest_of
from torch.distributed.elastic.timer.api import RequestQueue, TimerClient, TimerRequest, TimerServer, send_signal

__all__ = ["LocalTimerClient", "LocalTimerServer", "MultiprocessingRequestQueue"]


class LocalTimerClient(TimerClient):
    """A worker's side; it is known by its process id."""

    def __init__(self, mp_queue):
        super().__init__()
        self._mp_queue = mp_queue

    def acquire(self, scope_id, expiration_time):
        """Begins a timer."""
        self._mp_queue.put(TimerRequest(os.getpid(), scope_id, expiration_time))

    def release(self, scope_id):
        """Lets go of it."""
        self._mp_queue.put(TimerRequest(os.getpid(), scope_id, -1))


class MultiprocessingRequestQueue(RequestQueue):
    """A queue of multiprocessing."""

    def __init__(self, mp_queue):
        super().__init__()
        self._mp_queue = mp_queue

    def size(self) -> int:
        """How many requests wait."""
        return self._mp_queue.qsize()

    def get(self, size, timeout: float) -> list[TimerRequest]:
        """Up to `size` requests that come within `timeout` seconds."""
        requests, end = [], time.monotonic() + timeout
        while len(requests) < size:
            try:
                requests.append(self._mp_queue.get(timeout=max(0, end - time.monotonic())))
            except queue.Empty:
                break
        return requests


class LocalTimerServer(TimerServer):
    """Ends processes of this machine, by SIGKILL, whose timers are over.

    queue = multiprocessing.get_context("spawn").Queue()
    server = timer.LocalTimerServer(queue, max_interval=1)
    server.start()
    # in each process: timer.configure(timer.LocalTimerClient(queue))
    """

    def __init__(self, mp_queue, max_interval: float = 60, daemon: bool = True):
        super().__init__(MultiprocessingRequestQueue(mp_queue), max_interval, daemon)
        self._timers = {}  # by worker and scope

    def register_timers(self, timer_requests: list[TimerRequest]) -> None:
        """Takes requests."""
        for request in timer_requests:
            if request.expiration_time < 0:
                self._timers.pop((request.worker_id, request.scope_id), None)
            else:
                self._timers[request.worker_id, request.scope_id] = request

    def clear_timers(self, worker_ids: set[int]) -> None:
        """Forgets all timers of workers."""
        self._timers = {key: timer for key, timer in self._timers.items() if key[0] not in worker_ids}

    def get_expired_timers(self, deadline: float) -> dict:
        """Timers that are over at `deadline`, by worker."""
        over = {}
        for timer in self._timers.values():
            if timer.expiration_time <= deadline:
                over.setdefault(timer.worker_id, []).append(timer)
        return over

    def _reap_worker(self, worker_id: int) -> bool:
        return send_signal(worker_id, signal.SIGKILL)


__getattr__, __dir__ = rest_of(__name__)
