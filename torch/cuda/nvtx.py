"""Marks for NVIDIA's profilers. Without a profiler they do nothing; in a build without CUDA each raises RuntimeError."""

from __future__ import annotations

import contextlib

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]


def _native():
    """torch._nvtx, at the first mark."""
    try:
        import torch._nvtx
    except ImportError as error:
        raise RuntimeError(f"NVTX functions not installed: this torch is built without CUDA ({error})") from None
    return torch._nvtx


def mark(msg):
    """A mark at this moment, with a text."""
    return _native().mark(msg)


def range_push(msg):
    """Begins a range of the thread, with a text. Returns how many ranges are around it; -2 without a profiler."""
    return _native().range_push(msg)


def range_pop():
    """Ends the innermost range of the thread. Returns how many are around it; -2 without a profiler."""
    return _native().range_pop()


def range_start(msg) -> int:
    """Begins a range that may end in another thread, and returns its number."""
    return _native().range_start(msg)


def range_end(range_id) -> None:
    """Ends the range of that number."""
    _native().range_end(range_id)


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    """The context of a range, and a decorator. The text is msg.format(*args, **kwargs)."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
