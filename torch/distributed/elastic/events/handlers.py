"""Where events go: handlers of the module logging, by name."""

from __future__ import annotations

import logging

from torch._absent import rest_of

__all__ = ["get_logging_handler"]

_log_handlers: dict[str, logging.Handler] = {
    "console": logging.StreamHandler(),
    "dynamic_rendezvous": logging.NullHandler(),
    "null": logging.NullHandler(),
}


def get_logging_handler(destination: str = "null") -> logging.Handler:
    """The handler of a name: "console" (stderr), "null" or "dynamic_rendezvous" (nowhere). KeyError: there is none."""
    return _log_handlers[destination]


__getattr__, __dir__ = rest_of(__name__)
