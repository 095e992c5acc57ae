"""What processes tell each other by a store: values of all, and that all have come."""

from __future__ import annotations

import contextlib
import datetime

from torch._absent import rest_of

__all__ = ["barrier", "get_all", "store_timeout", "synchronize"]


@contextlib.contextmanager
def store_timeout(store, timeout: float):
    """In a `with`: the store waits `timeout` seconds."""
    before = store.timeout
    store.set_timeout(datetime.timedelta(seconds=timeout))
    try:
        yield
    finally:
        store.set_timeout(before)


def get_all(store, rank: int, prefix: str, world_size: int):
    """The values that ranks have under PREFIX0, PREFIX1, …, by rank, when all have read them: rank 0 may then end, and the
    store with it. DistStoreError: not all came in time."""
    values = store.multi_get([f"{prefix}{r}" for r in range(world_size)])
    if store.add(f"{prefix}/read", 1) == world_size:
        store.set(f"{prefix}/all have read", "")
    if rank == 0:  # the others need it no more, and may not wait for what ends with it
        store.wait([f"{prefix}/all have read"])
    return values


def synchronize(store, data: bytes, rank: int, world_size: int, key_prefix: str, timeout: float = 300) -> list[bytes]:
    """Gives each rank's data to all: a list, by rank. DistStoreError: not all came within `timeout` seconds."""
    with store_timeout(store, timeout):
        store.set(f"{key_prefix}{rank}", data)
        return get_all(store, rank, key_prefix, world_size)


def barrier(
    store,
    world_size: int,
    key_prefix: str,
    barrier_timeout: float = 300,
    rank: int | None = None,
    rank_tracing_decoder=None,
    trace_timeout: float = 10,
) -> None:
    """Returns when `world_size` processes have called it; a `key_prefix` is for once.

    DistStoreError: not all have within `barrier_timeout` seconds. Where ranks are given it names those that are missing, by
    rank_tracing_decoder(rank) where that is given.
    """
    from torch.distributed import DistStoreError

    with store_timeout(store, barrier_timeout):
        if rank is not None:
            store.set(f"{key_prefix}{rank}/here", "")
        if store.add(f"{key_prefix}/came", 1) == world_size:
            store.set(f"{key_prefix}/all", "")
        try:
            store.wait([f"{key_prefix}/all"])
        except DistStoreError as error:
            if rank is None:
                raise
            missing = [r for r in range(world_size) if not store.check([f"{key_prefix}{r}/here"])]
            names = [str(rank_tracing_decoder(r)) if rank_tracing_decoder else str(r) for r in missing]
            raise DistStoreError(f"{error}; of {world_size} ranks these have not come: {', '.join(names)}") from None


__getattr__, __dir__ = rest_of(__name__)
