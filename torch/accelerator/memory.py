"""Memory of the accelerator, of whatever kind; RuntimeError in a build without one."""

from __future__ import annotations

import torch
from torch.accelerator import _need

__all__ = [
    "empty_cache",
    "empty_host_cache",
    "get_memory_info",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
]


def empty_cache() -> None:
    """Gives memory that is kept for later tensors back to the driver."""
    _need("empty_cache")
    torch.cuda.empty_cache()


def empty_host_cache() -> None:
    """The same for memory of the host that devices read."""
    _need("empty_host_cache")
    raise RuntimeError("torch.accelerator.empty_host_cache: this torch keeps pinned memory for as long as it runs")


def _of_device(name, of, doc):
    def function(device_index=None, /):
        _need(name)
        return getattr(torch.cuda, of)(device_index)

    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = __name__, doc
    return function


for _name, _of, _doc in (
    ("get_memory_info", "mem_get_info", "(free bytes, all bytes) of a device."),
    ("max_memory_allocated", "max_memory_allocated", "The most that `memory_allocated` has been."),
    ("max_memory_reserved", "max_memory_reserved", "The most that `memory_reserved` has been."),
    ("memory_allocated", "memory_allocated", "Bytes that tensors take on a device."),
    ("memory_reserved", "memory_reserved", "Bytes that torch holds on a device, in use or kept for later."),
    ("memory_stats", "memory_stats", "Counters of the allocator, {str: int}."),
    (
        "reset_accumulated_memory_stats",
        "reset_accumulated_memory_stats",
        "Sets counters of what was allocated and freed to 0.",
    ),
    ("reset_peak_memory_stats", "reset_peak_memory_stats", "Starts all maxima anew."),
):
    globals()[_name] = _of_device(_name, _of, _doc)
del _name, _of, _doc
