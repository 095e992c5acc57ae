"""How much is logged."""

import os

from torch._absent import rest_of

__all__ = ["get_log_level"]


def get_log_level() -> str:
    """The environment's LOGLEVEL; "WARNING" without."""
    return os.environ.get("LOGLEVEL", "WARNING")


__getattr__, __dir__ = rest_of(__name__)
