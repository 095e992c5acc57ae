"""What torch.cuda has in PyTorch and this build has not: each raises RuntimeError by its name, and in a build without CUDA
what anything does there. docs/differences.md has the reasons."""

from __future__ import annotations

import contextlib
from typing import Any

import torch
from torch._no_device import Refuses, classes, pluggable_allocator

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.types import Device


def _refuse(name, what):
    torch.cuda._lazy_init()
    raise RuntimeError(f"torch.cuda.{name}: this torch is built without {what}")


def _check_build(name):
    if not torch.cuda._is_compiled():
        raise RuntimeError(f"torch.cuda.{name} requires CUDA support, and this torch is built without")


class Lacks:
    """An answer, as torch._no_device has them: that of functions of torch.cuda.`module`, which has not `what`."""

    note = " AssertionError without CUDA, RuntimeError with it."

    def __init__(self, module, what):
        self.module, self.what = module, what

    def __call__(self, name):
        _refuse(f"{self.module}.{name}", self.what)


_GRAPHS, _POOLS, _COUNTERS = "graphs", "pools of memory", "counters of pinned memory"
_LACKED = {"CUDAGraph": _GRAPHS, "GreenContext": "green contexts", "MemPool": _POOLS, "graph": _GRAPHS}


def _refuse_class(name):
    _check_build(name)
    _refuse(name, _LACKED[name])


CLASSES = classes(
    "torch.cuda",
    {
        "CUDAGraph(keep_graph=False)": "Work on a GPU that was recorded once and is replayed as a whole.",
        "GreenContext()": "A part of a GPU's multiprocessors.",
        "MemPool(allocator=None, use_on_oom=False, no_split=False)": "A pool of GPU memory of its own.",
        "graph(cuda_graph, pool=None, stream=None, capture_error_mode='global', enable_annotations=False, "
        "check_input_liveness=False)": "The context in which work is recorded into a graph.",
    },
    Refuses(_refuse_class, "RuntimeError here."),
)
CLASSES["CUDAPluggableAllocator"] = pluggable_allocator(
    "torch.cuda", "CUDAPluggableAllocator", Lacks("memory", "allocators of others")
)
CLASSES["GreenContext"].create = staticmethod(lambda **parts: _refuse_class("GreenContext"))


@contextlib.contextmanager
def caching_allocator_disabled():
    """The context in which memory comes from the driver directly. Raises here."""
    _refuse("caching_allocator_disabled", "another allocator than the caching one")
    yield


def caching_allocator_enable(value: bool = True) -> None:
    """Whether GPU memory comes from the caching allocator: always, so that False raises here."""
    if not value:
        _refuse("caching_allocator_enable(False)", "another allocator than the caching one")


def change_current_allocator(allocator) -> None:
    """Takes GPU memory from another allocator. Raises here."""
    _refuse("change_current_allocator", "allocators of others")


def cudart():
    """The CUDA runtime's functions. Raises here."""
    _refuse("cudart", "the CUDA runtime's functions in Python")


def current_solver_handle():
    """The cuSOLVER handle of the current stream. Raises here."""
    _refuse("current_solver_handle", "cuSOLVER")


def get_sync_debug_mode() -> int:
    """What `set_sync_debug_mode` has set. Raises here."""
    _refuse("get_sync_debug_mode", "watching for waits")


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """What to do when an operation waits for the GPU: nothing, warn or raise. Raises here."""
    _refuse("set_sync_debug_mode", "watching for waits")


def graph_pool_handle():
    """A name for memory that several graphs share. Raises here."""
    _check_build("graph_pool_handle")
    _refuse("graph_pool_handle", _GRAPHS)


def make_graphed_callables(
    callables,
    sample_args: tuple[Tensor, ...] | tuple[tuple[Tensor, ...], ...],
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool=None,
):
    """Functions that replay a graph of what the given ones do. Raises here."""
    _refuse("make_graphed_callables", _GRAPHS)


def host_memory_stats() -> dict[str, Any]:
    """Counters of pinned memory, {str: int}: empty without CUDA, where there is none. Raises in a build with it."""
    return host_memory_stats_as_nested_dict()


def host_memory_stats_as_nested_dict() -> dict[str, Any]:
    """The same as dicts of dicts."""
    if torch.cuda._is_compiled():
        _refuse("host_memory_stats", _COUNTERS)
    return {}


def reset_accumulated_host_memory_stats() -> None:
    """Sets those of what came and went to 0. Raises here."""
    _refuse("reset_accumulated_host_memory_stats", _COUNTERS)


def reset_peak_host_memory_stats() -> None:
    """Starts their maxima anew. Raises here."""
    _refuse("reset_peak_host_memory_stats", _COUNTERS)


@contextlib.contextmanager
def use_mem_pool(pool, device: Device = None):
    """The context in which memory comes from a pool. Raises here."""
    _refuse("use_mem_pool", _POOLS)
    yield


FUNCTIONS = {
    name: value
    for name, value in globals().items()
    if not name.startswith("_") and name != "Lacks" and getattr(value, "__module__", None) == __name__
}
for _function in FUNCTIONS.values():
    _function.__module__ = "torch.cuda"
ALL = CLASSES | FUNCTIONS
del _function
