"""Handlers of a rendezvous by name: "static" and "c10d", and what others have registered."""

from __future__ import annotations

from torch._absent import rest_of
from torch.distributed.elastic.rendezvous import _c10d, static_tcp_rendezvous
from torch.distributed.elastic.rendezvous.api import (
    RendezvousHandler,
    RendezvousParameters,
    rendezvous_handler_registry as handler_registry,
)

__all__ = ["get_rendezvous_handler"]

handler_registry.register("static", static_tcp_rendezvous.create_rdzv_handler)
handler_registry.register("c10d", _c10d.create_handler)


def get_rendezvous_handler(params: RendezvousParameters) -> RendezvousHandler:
    """The handler that parameters ask for. ValueError: there is none of that name."""
    return handler_registry.create_handler(params)


__getattr__, __dir__ = rest_of(__name__)
