"""Marks for Intel's VTune, which this torch is built without: is_available() says so, the others raise."""

from contextlib import contextmanager

__all__ = ["is_available", "mark", "range", "range_pop", "range_push"]


def is_available():
    """Whether marks can be made."""
    return False


def _absent():
    raise RuntimeError("ITT functions not installed. Are you sure you have a ITT build? (This torch has none.)")


def range_push(msg):
    """Raises RuntimeError."""
    _absent()


def range_pop():
    """Raises RuntimeError."""
    _absent()


def mark(msg):
    """Raises RuntimeError."""
    _absent()


@contextmanager
def range(msg, *args, **kwargs):  # noqa: A001 - torch's name
    """Raises RuntimeError when it is entered."""
    range_push(msg.format(*args, **kwargs))
    yield
