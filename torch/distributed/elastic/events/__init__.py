"""Events of a run: record(Event(...), destination) writes one down.

from torch.distributed.elastic import events

events.record(events.Event("epoch done", events.EventSource.WORKER, metadata={"epoch": 3}), "console")
"""

from __future__ import annotations

import inspect
import logging
import os
import socket
import traceback

from torch._absent import rest_of
from torch.distributed.elastic.events.api import Event, EventSource, NodeState, RdzvEvent
from torch.distributed.elastic.events.handlers import get_logging_handler

__all__ = [
    "Event",
    "EventSource",
    "NodeState",
    "RdzvEvent",
    "construct_and_record_rdzv_event",
    "get_logging_handler",
    "record",
    "record_rdzv_event",
]

_loggers: dict[str, logging.Logger] = {}


def _get_or_create_logger(destination: str = "null") -> logging.Logger:
    """The logger that writes to a destination: get_logging_handler() knows which there are."""
    if destination not in _loggers:
        logger = logging.getLogger(f"torchelastic-events-{destination}")
        logger.setLevel(os.environ.get("LOGLEVEL", "INFO"))
        logger.propagate = False  # the destination alone
        logger.addHandler(get_logging_handler(destination))
        _loggers[destination] = logger
    return _loggers[destination]


def record(event: Event, destination: str = "null") -> None:
    """Writes an event to a destination, as a line of JSON. KeyError: there is no such destination."""
    _get_or_create_logger(destination).info(event.serialize())


def record_rdzv_event(event: RdzvEvent) -> None:
    """Writes an event of machines that meet to the destination "dynamic_rendezvous"."""
    _get_or_create_logger("dynamic_rendezvous").info(event.serialize())


def construct_and_record_rdzv_event(
    run_id: str,
    message: str,
    node_state: NodeState,
    name: str = "",
    hostname: str = "",
    pid: int | None = None,
    master_endpoint: str = "",
    local_id: int | None = None,
    rank: int | None = None,
) -> None:
    """Makes and writes one, unless the destination is nowhere. name: the caller's, where none is given; a failure's
    traceback goes with it."""
    if isinstance(get_logging_handler("dynamic_rendezvous"), logging.NullHandler):
        return
    if not name:
        caller = inspect.stack()[1]
        name = f"{caller.filename}:{caller.function}"
    record_rdzv_event(
        RdzvEvent(
            name=name,
            run_id=run_id,
            message=message,
            hostname=hostname or socket.getfqdn(),
            pid=os.getpid() if pid is None else pid,
            node_state=node_state,
            master_endpoint=master_endpoint,
            rank=rank,
            local_id=local_id,
            error_trace=traceback.format_exc() if node_state is NodeState.FAILED else "",
        )
    )


__getattr__, __dir__ = rest_of(__name__)
