"""Ranks that are threads of this process, for tests of what is computed, not of who talks to whom: run(function, size) takes
milliseconds, where processes take a second.

    from torch.distributed import _threads

    def ranks():
        t = torch.full((2,), float(dist.get_rank()))
        dist.all_reduce(t)
        return t

    assert all(t.tolist() == [6, 6] for t in _threads.run(ranks, 4))

Each thread has a default group and groups of its own, of the backend "threaded"; with backend="cpu:threaded,cuda:nccl" also
of NCCL, each on a GPU of its own. What else a process has one of, threads
share: generators of random numbers, the debug level, the environment.
"""

from __future__ import annotations

import datetime
import threading
import time

from torch import _distributed as _thd
from torch.distributed._groups import ProcessGroupThreaded
from torch.distributed._world import Backend, destroy_process_group, init_process_group, world

__all__ = ["run"]

Backend.register_backend("threaded", ProcessGroupThreaded, devices="cpu")


class _Rank(threading.Thread):
    def __init__(self, rank, size, store, timeout, backend, function, args, kwargs):
        super().__init__(name=f"rank {rank} of {size}", daemon=True)
        self.rank, self.joins = (
            rank,
            {
                "store": store,
                "rank": rank,
                "world_size": size,
                "timeout": timeout,
            },
        )
        self.backend = backend
        self.function, self.args, self.kwargs = function, args, kwargs
        self.group = self.result = self.failure = self.failed_at = None

    def run(self):
        world.enter()
        try:
            init_process_group(self.backend, **self.joins)
            self.group = world.default
            self.result = self.function(*self.args, **self.kwargs)
        except BaseException as failure:
            self.failure, self.failed_at = failure, time.monotonic()
            if self.group is not None:
                self.group.abort()  # the others wait no longer
        finally:
            if world.default is not None:
                destroy_process_group()
            world.leave()


def run(function, size: int, *args, timeout: float = 30, backend: str = "threaded", **kwargs) -> list:
    """Calls function(*args, **kwargs) on `size` threads, each a rank of a default group; returns what each returned, by rank.

    Raises what the rank raised that failed first, with a note of who it was; the group is aborted then, so others that
    wait end, too. `timeout`: seconds that operations wait for other ranks. TimeoutError: ranks have not come to an end in
    twice that.
    """
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    store = _thd.HashStore()
    store.set_timeout(datetime.timedelta(seconds=timeout))
    wait = datetime.timedelta(seconds=timeout)
    ranks = [_Rank(rank, size, store, wait, backend, function, args, kwargs) for rank in range(size)]
    for rank in ranks:
        rank.start()
    end = time.monotonic() + 2 * timeout
    for rank in ranks:
        rank.join(max(0, end - time.monotonic()))
    failed = sorted((rank for rank in ranks if rank.failure is not None), key=lambda rank: rank.failed_at)
    late = [rank for rank in ranks if rank.is_alive()]
    for rank in late:
        if rank.group is not None:
            rank.group.abort()
    if failed:
        failed[0].failure.add_note(f"on rank {failed[0].rank} of {size}")
        raise failed[0].failure
    if late:
        raise TimeoutError(f"not done after {2 * timeout} s: {', '.join(rank.name for rank in late)}")
    return [rank.result for rank in ranks]
