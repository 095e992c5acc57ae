"""Calls of functions in other processes: this torch has none."""

from torch._absent import rest_of


def is_available():
    """Whether this torch was built with it: no."""
    return False


__getattr__, __dir__ = rest_of(__name__)
