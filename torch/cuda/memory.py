"""Memory of GPUs: what torch's caching allocator holds, in PyTorch's words. Without a device all counters are 0."""

from __future__ import annotations

from typing import Any

import torch
from torch.cuda import _absent, _nvml

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.types import Device

__all__ = [
    "CUDAPluggableAllocator",
    "MemPool",
    "caching_allocator_alloc",
    "caching_allocator_delete",
    "caching_allocator_disabled",
    "caching_allocator_enable",
    "change_current_allocator",
    "empty_cache",
    "get_allocator_backend",
    "get_per_process_memory_fraction",
    "host_memory_stats",
    "host_memory_stats_as_nested_dict",
    "list_gpu_processes",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_snapshot",
    "memory_stats",
    "memory_stats_as_nested_dict",
    "memory_summary",
    "reset_accumulated_host_memory_stats",
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_host_memory_stats",
    "reset_peak_memory_stats",
    "set_per_process_memory_fraction",
    "use_mem_pool",
]

list_gpu_processes = _nvml.list_gpu_processes
globals().update({name: value for name, value in _absent.ALL.items() if name in __all__})


# ---- counters ----------------------------------------------------------------------------------------------
def memory_stats_as_nested_dict(device: Device = None) -> dict[str, Any]:
    """Counters of the allocator as dicts: {"allocated_bytes": {"all": {"current": …, "peak": …, "allocated": …,
    "freed": …}, "small_pool": …, "large_pool": …}, …, "num_ooms": …}. Empty before the first use of a device."""
    if not torch.cuda.is_initialized():
        return {}
    return torch.cuda._native().memory_stats(torch.cuda._index_of(device))


def memory_stats(device: Device = None) -> dict[str, Any]:
    """The same flat: {"allocated_bytes.all.current": …}, sorted by key."""
    flat = {}

    def walk(prefix, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{prefix}.{key}" if prefix else key, inner)
        else:
            flat[prefix] = value

    walk("", memory_stats_as_nested_dict(device))
    return dict(sorted(flat.items()))


def _bytes(kind, which, device):
    return memory_stats_as_nested_dict(device).get(kind, {}).get("all", {}).get(which, 0)


def memory_allocated(device: Device = None) -> int:
    """Bytes that tensors take on a device."""
    return _bytes("allocated_bytes", "current", device)


def max_memory_allocated(device: Device = None) -> int:
    """The most that `memory_allocated` has been."""
    return _bytes("allocated_bytes", "peak", device)


def memory_reserved(device: Device = None) -> int:
    """Bytes that torch holds on a device, in use or kept for later."""
    return _bytes("reserved_bytes", "current", device)


def max_memory_reserved(device: Device = None) -> int:
    """The most that `memory_reserved` has been."""
    return _bytes("reserved_bytes", "peak", device)


def memory_cached(device: Device = None) -> int:
    """`memory_reserved` by its name of 2018."""
    return memory_reserved(device)


def max_memory_cached(device: Device = None) -> int:
    """`max_memory_reserved` by its name of 2018."""
    return max_memory_reserved(device)


def reset_peak_memory_stats(device: Device = None) -> None:
    """Starts all maxima anew."""
    index = torch.cuda._index_of(device)
    torch.cuda._native().reset_peak_memory(index)


def reset_accumulated_memory_stats(device: Device = None) -> None:
    """Sets counters of what was allocated and freed to 0."""
    index = torch.cuda._index_of(device)
    torch.cuda._native().reset_accumulated_memory(index)


def reset_max_memory_allocated(device: Device = None) -> None:
    """Starts all maxima anew, by a name of 2018."""
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: Device = None) -> None:
    """Starts all maxima anew, by a name of 2018."""
    reset_peak_memory_stats(device)


# ---- what is there -----------------------------------------------------------------------------------------
def empty_cache() -> None:
    """Gives memory that is kept for later tensors back to the driver."""
    if torch.cuda.is_initialized():
        torch.cuda._native().empty_cache()


def mem_get_info(device: Device = None) -> tuple[int, int]:
    """(free bytes, all bytes) of a GPU, as its driver counts."""
    index = torch.cuda._index_of(device)
    return torch.cuda._native().memory_info(index)


def get_allocator_backend() -> str:
    """The allocator's name: "native"."""
    torch.cuda._lazy_init()
    return "native"


def memory_snapshot(mempool_id=None, include_traces=True):
    """What every block of GPU memory holds: a list of dicts, one for each segment that the driver has given, with its
    blocks. Who allocated them is not recorded, so `include_traces` changes nothing."""
    if mempool_id is not None and tuple(mempool_id) != (0, 0):
        raise RuntimeError("memory_snapshot: this torch has no pools of memory")
    segments = torch.cuda._ready().memory_snapshot()
    for segment in segments:
        blocks = segment["blocks"]
        allocated = [b for b in blocks if b["state"] == "active_allocated"]
        segment["allocated_size"] = sum(b["size"] for b in allocated)
        segment["active_size"] = sum(b["size"] for b in blocks if b["state"] != "inactive")
        segment["requested_size"] = sum(b["requested_size"] for b in allocated)
    return segments


_ROWS = (
    ("Allocated memory", "allocated_bytes"),
    ("Active memory", "active_bytes"),
    ("Requested memory", "requested_bytes"),
    ("GPU reserved memory", "reserved_bytes"),
    ("Non-releasable memory", "inactive_split_bytes"),
    ("Allocations", "allocation"),
    ("Active allocs", "active"),
    ("GPU reserved segments", "segment"),
    ("Non-releasable allocs", "inactive_split"),
)


def _size(n):
    """A number of bytes for people."""
    for unit in ("B", "KiB", "MiB"):
        if abs(n) < 10240:
            return f"{n} {unit}"
        n //= 1024
    return f"{n} GiB"


def memory_summary(device: Device = None, abbreviated: bool = False) -> str:
    """The allocator's counters as a table for people: a row per counter, with `abbreviated` without those of the pools
    of small and large blocks."""
    index = torch.cuda._index_of(device)
    stats = memory_stats_as_nested_dict(index)
    kinds = ("current", "peak", "allocated", "freed")
    heads = ("Metric", "Cur Usage", "Peak Usage", "Tot Alloc", "Tot Freed")
    line = "|" + "|".join(f"{{:<{24 if i == 0 else 12}}}" for i in range(len(heads))) + "|"
    rows = [
        f"PyTorch CUDA memory summary, device ID {index}",
        f"CUDA OOMs: {stats['num_ooms']}; cudaMalloc retries: {stats['num_alloc_retries']}",
        line.format(*heads),
    ]
    for title, name in _ROWS:
        show = _size if name.endswith("_bytes") else str
        for pool, label in (("all", title), ("large_pool", "  from large pool"), ("small_pool", "  from small pool")):
            if pool == "all" or not abbreviated:
                rows.append(line.format(label, *(show(stats[name][pool][kind]) for kind in kinds)))
    return "\n".join(rows)


# ---- taking it ---------------------------------------------------------------------------------------------
_fractions = {}


def set_per_process_memory_fraction(fraction, device: Device = None) -> None:
    """Limits the share of a GPU's memory that this process may take: a float from 0 to 1."""
    index = torch.cuda._index_of(device)
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if not 0 <= fraction <= 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    torch.cuda._native().set_memory_fraction(index, fraction)
    _fractions[index] = fraction


def get_per_process_memory_fraction(device: Device = None) -> float:
    """The share of a GPU's memory that this process may take."""
    return _fractions.get(torch.cuda._index_of(device), 1.0)


def caching_allocator_alloc(size, device: Device = None, stream=None):
    """Memory of a GPU, for other libraries: the address of `size` bytes for work on `stream`, a Stream or an int, the
    current one unless it is given."""
    index = torch.cuda._index_of(device)
    if stream is None:
        stream = torch.cuda.current_stream(index)
    if isinstance(stream, torch.cuda.Stream):
        stream = stream.cuda_stream
    if not isinstance(stream, int):
        raise TypeError(f"stream must be a torch.cuda.Stream or an int, not {type(stream).__name__}")
    return torch.cuda._native().malloc(size, stream, index)


def caching_allocator_delete(mem_ptr):
    """Gives back what `caching_allocator_alloc` has given."""
    torch.cuda._ready().free(mem_ptr)
