"""Agents that meet at a store, round by round: who comes while a round is under way waits for the next one."""

from __future__ import annotations

import datetime
import time

from torch.distributed.elastic.rendezvous.api import (
    RendezvousClosedError,
    RendezvousConnectionError,
    RendezvousHandler,
    RendezvousInfo,
    RendezvousParameters,
    RendezvousStoreInfo,
    RendezvousTimeoutError,
)
from torch.distributed.elastic.rendezvous.utils import parse_rendezvous_endpoint

_PORT, _PAUSE = 29400, 0.02


class StoreRendezvous(RendezvousHandler):
    """The first to come decides: when all have, or enough have and the last call has passed. Numbers are in order of coming."""

    def __init__(self, store, run_id, least, most, join_timeout=600.0, last_call=30.0, local_addr=None):
        from torch.distributed import PrefixStore

        self._store, self._run_id, self._least, self._most = (
            PrefixStore(f"rendezvous {run_id}", store),
            run_id,
            least,
            most,
        )
        self._join_timeout, self._last_call, self._local_addr = join_timeout, last_call, local_addr
        self._round = -1

    def get_backend(self) -> str:
        """c10d"""
        return "c10d"

    def get_run_id(self) -> str:
        """The run's name."""
        return self._run_id

    def is_closed(self) -> bool:
        """Whether somebody has closed it."""
        return self._store.check(["closed"])

    def set_closed(self):
        """Closes it for all."""
        self._store.set("closed", "")

    def num_nodes_waiting(self) -> int:
        """How many have come to the round after this agent's."""
        return self._store.add(f"round {self._round + 1}/came", 0)

    def shutdown(self) -> bool:
        """Closes it."""
        self.set_closed()
        return True

    def next_rendezvous(self) -> RendezvousInfo:
        """See RendezvousHandler: this agent's place in the next round that takes it."""
        from torch.distributed import PrefixStore

        end = time.monotonic() + self._join_timeout
        while True:
            self._round = max(self._round + 1, self._store.add("round", 0))
            name = f"round {self._round}"
            place = self._store.add(f"{name}/came", 1) - 1
            machines = self._settled(name, place, end)
            if place < machines:
                break
        if place == 0:  # who comes now comes to the next round
            self._store.add("round", self._round + 1 - self._store.add("round", 0))
        store = PrefixStore(name, self._store)
        info = RendezvousStoreInfo.build(place, store, self._local_addr)
        return RendezvousInfo(store, place, machines, info)

    def _settled(self, name, place, end):
        """How many take part in a round, once that is known."""
        settled, came, called = f"{name}/machines", f"{name}/came", None
        while not self._store.check([settled]):
            if self.is_closed():
                raise RendezvousClosedError(f"the rendezvous of run {self._run_id} is closed")
            count, now = self._store.add(came, 0), time.monotonic()
            if place == 0 and count >= self._least:
                called = called or now
                if count >= self._most or now - called >= self._last_call:
                    self._store.set(settled, str(min(count, self._most)))
            if now > end:
                raise RendezvousTimeoutError(
                    f"{count} of at least {self._least} machines have come within {self._join_timeout:g} s"
                )
            time.sleep(_PAUSE)
        return int(self._store.get(settled))


def create_handler(params: RendezvousParameters) -> RendezvousHandler:
    """At the store of an endpoint, which one of the agents there serves. is_host: whether this one does; whoever can, where
    that is not said. RendezvousConnectionError: it cannot be reached."""
    from torch.distributed import DistError, TCPStore

    host, port = parse_rendezvous_endpoint(params.endpoint, _PORT)
    timeout = datetime.timedelta(seconds=params.get_as_int("read_timeout", 60))
    is_host = params.get_as_bool("is_host")
    store, failure = None, None
    for serves in (True, False) if is_host is None else (is_host,):
        try:
            store = TCPStore(host, port, is_master=serves, timeout=timeout, wait_for_workers=False)
            break
        except DistError as error:
            failure = error
    if store is None:
        raise RendezvousConnectionError(f"the store at {host}:{port} cannot be reached: {failure}") from failure
    return StoreRendezvous(
        store,
        params.run_id,
        params.min_nodes,
        params.max_nodes,
        params.get_as_int("join_timeout", 600),
        params.get_as_int("last_call_timeout", 30),
        params.local_addr,
    )
