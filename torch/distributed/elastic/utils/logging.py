"""Loggers that heed LOGLEVEL."""

from __future__ import annotations

import inspect
import logging

from torch._absent import rest_of
from torch.distributed.elastic.utils.log_level import get_log_level

__all__ = ["get_logger"]


def get_logger(name: str | None = None) -> logging.Logger:
    """A logger of this name, or of the module that asks, which logs what the environment's LOGLEVEL says."""
    if name is None:
        caller = inspect.currentframe().f_back
        name = caller.f_globals.get("__name__", "torch.distributed.elastic")
    logger = logging.getLogger(name)
    logger.setLevel(get_log_level())
    return logger


__getattr__, __dir__ = rest_of(__name__)
