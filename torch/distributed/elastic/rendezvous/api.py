"""How agents meet: handlers of a rendezvous, what they are asked for with, and what they answer."""

from __future__ import annotations

import abc
import dataclasses
import socket
from collections.abc import Callable
from typing import ClassVar

from torch._absent import rest_of
from torch.distributed.elastic.utils.distributed import get_free_port

__all__ = [
    "RendezvousClosedError",
    "RendezvousConnectionError",
    "RendezvousError",
    "RendezvousGracefulExitError",
    "RendezvousHandler",
    "RendezvousHandlerCreator",
    "RendezvousHandlerRegistry",
    "RendezvousInfo",
    "RendezvousParameters",
    "RendezvousStateError",
    "RendezvousStoreInfo",
    "RendezvousTimeoutError",
]


class RendezvousError(Exception):
    """A rendezvous that did not come about."""


class RendezvousClosedError(RendezvousError):
    """It is closed: nobody comes any more."""


class RendezvousTimeoutError(RendezvousError):
    """Not enough have come in time."""


class RendezvousConnectionError(RendezvousError):
    """Where agents meet cannot be reached."""


class RendezvousStateError(RendezvousError):
    """What agents wrote down contradicts itself."""


class RendezvousGracefulExitError(RendezvousError):
    """This agent is not of those that take part, and is to leave in peace."""


@dataclasses.dataclass(repr=False)
class RendezvousStoreInfo:
    """The address of a store that workers use: build() agrees upon one."""

    MASTER_ADDR_KEY: ClassVar[str] = "MASTER_ADDR"
    MASTER_PORT_KEY: ClassVar[str] = "MASTER_PORT"
    master_addr: str
    master_port: int

    @staticmethod
    def build(rank: int, store, local_addr: str | None, server_port: int | None = None) -> RendezvousStoreInfo:
        """Rank 0 writes its address, and a free port or server_port, into the store; others read it there."""
        if rank == 0:
            store.set(RendezvousStoreInfo.MASTER_ADDR_KEY, local_addr or socket.getfqdn())
            store.set(RendezvousStoreInfo.MASTER_PORT_KEY, str(server_port or get_free_port()))
        address, port = (
            store.get(key).decode()
            for key in (RendezvousStoreInfo.MASTER_ADDR_KEY, RendezvousStoreInfo.MASTER_PORT_KEY)
        )
        return RendezvousStoreInfo(address, int(port))


class RendezvousInfo:
    """What a rendezvous answers: a store of those who take part, this agent's place among them, and how many they are."""

    def __init__(self, store, rank: int, world_size: int, bootstrap_store_info: RendezvousStoreInfo):
        self._store, self._rank, self._world_size = store, rank, world_size
        self._bootstrap_store_info = bootstrap_store_info

    store = property(lambda self: self._store)
    rank = property(lambda self: self._rank)
    world_size = property(lambda self: self._world_size)
    bootstrap_store_info = property(lambda self: self._bootstrap_store_info)


class RendezvousHandler(abc.ABC):
    """A place where agents meet. Who has one of their own derives from this."""

    @abc.abstractmethod
    def get_backend(self) -> str:
        """Its name."""

    @property
    def use_agent_store(self) -> bool:
        """Whether workers use the store that an agent serves."""
        return False

    @abc.abstractmethod
    def next_rendezvous(self) -> RendezvousInfo:
        """Waits for the others. RendezvousTimeoutError, RendezvousClosedError, RendezvousGracefulExitError: in vain."""

    @abc.abstractmethod
    def is_closed(self) -> bool:
        """Whether nobody comes any more."""

    @abc.abstractmethod
    def set_closed(self):
        """Closes it for all."""

    @abc.abstractmethod
    def num_nodes_waiting(self) -> int:
        """How many wait for the next one: those that have come late."""

    @abc.abstractmethod
    def get_run_id(self) -> str:
        """The run's name."""

    @abc.abstractmethod
    def shutdown(self) -> bool:
        """Lets go of everything; whether that went well."""


class RendezvousParameters:
    """What a handler is made with: a backend's name, where agents meet, of which run, how many; and words of the backend."""

    def __init__(
        self,
        backend: str,
        endpoint: str,
        run_id: str,
        min_nodes: int,
        max_nodes: int,
        local_addr: str | None = None,
        **kwargs,
    ):
        if not backend:
            raise ValueError("a rendezvous has a backend: its name is empty")
        if not 1 <= min_nodes <= max_nodes:
            raise ValueError(f"from 1 machine on take part, not {min_nodes} to {max_nodes}")
        self.backend, self.endpoint, self.run_id = backend, endpoint, run_id
        self.min_nodes, self.max_nodes, self.local_addr, self.config = min_nodes, max_nodes, local_addr, kwargs

    def get(self, key: str, default=None):
        """A word of the backend."""
        return self.config.get(key, default)

    def get_as_bool(self, key: str, default: bool | None = None) -> bool | None:
        """The same as a truth: 1, true, t, yes, y, or 0, false, f, no, n. ValueError: it is none."""
        value = self.get(key, default)
        if value is None or isinstance(value, bool):
            return value
        text = str(value).lower()
        if text in ("1", "true", "t", "yes", "y"):
            return True
        if text in ("0", "false", "f", "no", "n"):
            return False
        raise ValueError(f"the rendezvous parameter {key} is true or false, not {value!r}")

    def get_as_int(self, key: str, default: int | None = None) -> int | None:
        """The same as a number. ValueError: it is none."""
        value = self.get(key, default)
        try:
            return None if value is None else int(value)
        except (TypeError, ValueError):
            raise ValueError(f"the rendezvous parameter {key} is a number, not {value!r}") from None


RendezvousHandlerCreator = Callable[[RendezvousParameters], RendezvousHandler]


class RendezvousHandlerRegistry:
    """Handlers by the name of their backend."""

    def __init__(self):
        self._registry: dict[str, RendezvousHandlerCreator] = {}

    def register(self, backend: str, creator: RendezvousHandlerCreator) -> None:
        """creator(RendezvousParameters) makes a handler of this backend. ValueError: another one does already."""
        if not backend:
            raise ValueError("a rendezvous has a backend: its name is empty")
        if self._registry.get(backend, creator) is not creator:
            raise ValueError(f"there is a rendezvous handler for {backend} already")
        self._registry[backend] = creator

    def create_handler(self, params: RendezvousParameters) -> RendezvousHandler:
        """The handler that these parameters ask for. ValueError: there is none of that name; RuntimeError: it calls itself
        by another one."""
        if params.backend not in self._registry:
            known = ", ".join(sorted(self._registry))
            raise ValueError(f"there is no rendezvous handler for {params.backend}; there are: {known}")
        handler = self._registry[params.backend](params)
        if handler.get_backend() != params.backend:
            raise RuntimeError(f"the handler for {params.backend} calls itself {handler.get_backend()}")
        return handler


rendezvous_handler_registry = RendezvousHandlerRegistry()

__getattr__, __dir__ = rest_of(__name__)
