"""Agents that know their numbers meet at agent 0's address."""

from __future__ import annotations

import datetime

from torch._absent import rest_of
from torch.distributed.elastic.rendezvous.api import (
    RendezvousHandler,
    RendezvousInfo,
    RendezvousParameters,
    RendezvousStoreInfo,
)
from torch.distributed.elastic.rendezvous.utils import parse_rendezvous_endpoint

__all__ = ["StaticTCPRendezvous", "create_rdzv_handler"]

_PORT = 29500


class StaticTCPRendezvous(RendezvousHandler):
    """Agent `rank` of `world_size`; agent 0 serves the store, at master_addr and master_port. timeout: in seconds."""

    def __init__(self, master_addr: str, master_port: int, rank: int, world_size: int, run_id: str, timeout: int):
        self.master_addr, self.master_port, self.rank, self.world_size = master_addr, master_port, rank, world_size
        self.run_id, self.timeout, self._store = run_id, datetime.timedelta(seconds=timeout), None

    def get_backend(self) -> str:
        """static"""
        return "static"

    @property
    def use_agent_store(self) -> bool:
        """Workers use this very store."""
        return True

    def next_rendezvous(self) -> RendezvousInfo:
        """The store. DistNetworkError: nobody serves it in time, or the port is in use."""
        from torch.distributed import PrefixStore, TCPStore

        if self._store is None:
            self._store = TCPStore(
                self.master_addr, self.master_port, self.world_size, self.rank == 0, self.timeout, multi_tenant=True
            )
        info = RendezvousStoreInfo(self.master_addr, self._store.port)
        return RendezvousInfo(PrefixStore(self.run_id, self._store), self.rank, self.world_size, info)

    def is_closed(self):
        """Never."""
        return False

    def set_closed(self):
        """Nothing: agents are known beforehand."""

    def num_nodes_waiting(self):
        """None."""
        return 0

    def get_run_id(self) -> str:
        """The run's name."""
        return self.run_id

    def shutdown(self) -> bool:
        """Nothing is to be let go of before the store is."""
        return True


def create_rdzv_handler(params: RendezvousParameters) -> RendezvousHandler:
    """The handler of parameters with a rank, and of machines of one number. ValueError: they lack something."""
    rank = params.get_as_int("rank")
    if rank is None:
        raise ValueError("a static rendezvous needs the machine's number: rank")
    if params.min_nodes != params.max_nodes:
        raise ValueError(f"machines that know their numbers are not {params.min_nodes} to {params.max_nodes}")
    if not 0 <= rank < params.max_nodes:
        raise ValueError(f"a machine's number is 0 to {params.max_nodes - 1}, not {rank}")
    host, port = parse_rendezvous_endpoint(params.endpoint, _PORT)
    return StaticTCPRendezvous(host, port, rank, params.max_nodes, params.run_id, params.get_as_int("timeout", 900))


__getattr__, __dir__ = rest_of(__name__)
