"""torch.accelerator: the device beside the CPU, of whatever kind: CUDA's, where this torch is built for it. In a build
without one, questions answer so and what needs it raises RuntimeError."""

from __future__ import annotations

import torch
from torch._device_module import device_index as _index
from torch._no_device import Refuses as _Refuses, classes as _classes


def _refuse(name):
    raise RuntimeError(f"torch.accelerator.{name}: Cannot access accelerator device when none is available.")


def is_available() -> bool:
    """Whether there is an accelerator to compute on."""
    return current_accelerator(check_available=True) is not None


def device_count() -> int:
    """The number of accelerators."""
    return torch.cuda.device_count()


def current_accelerator(check_available: bool = False) -> torch.device | None:
    """The kind of accelerator that this torch was built for, a torch.device without index; None: for none.
    With `check_available` also None where there is none in the machine."""
    there = torch.cuda.is_available() if check_available else torch.cuda._is_compiled()
    return torch.device("cuda") if there else None


def _need(name):
    if not torch.cuda._is_compiled():
        _refuse(name)


class device_index:  # noqa: N801 - torch's name
    """The context in which the accelerator of that index is the current one; None: no change."""

    def __init__(self, device: int | None, /) -> None:
        self.idx = device
        self._context = None

    def __enter__(self) -> None:
        if self.idx is not None:
            _need(f"device_index({self.idx})")
            self._context = torch.cuda.device(self.idx)
            self._context.__enter__()

    def __exit__(self, *error) -> None:
        if self._context is not None:
            self._context.__exit__(*error)
        return False


def _refuse_graph(name):
    _need(name)
    raise RuntimeError(f"torch.accelerator.{name}: this torch is built without graphs")


globals().update(
    _classes(
        __name__,
        {
            "Graph(keep_graph=False, *, pool=None, capture_error_mode='default')": "Work that was recorded once and is replayed."
        },
        _Refuses(_refuse_graph, "RuntimeError here."),
    )
)


def set_device_index(device, /) -> None:
    """Makes the device of that index the current one."""
    _need("set_device_index")
    torch.cuda.set_device(device if isinstance(device, int) else _index(device, "cuda"))


def set_stream(stream: torch.Stream) -> None:
    """Makes a stream the current one."""
    if not isinstance(stream, (torch.Stream, torch.cuda.Stream)):
        raise TypeError(f"torch.accelerator.set_stream expects a stream, but got {type(stream).__name__}")
    _need("set_stream")
    torch.cuda.set_stream(stream)


def get_device_capability(device=None, /):
    """What a device can do: {"supported_dtypes": a set}."""
    _need("get_device_capability")
    torch.cuda._index_of(device)
    return {"supported_dtypes": {dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)}}


def current_device_index() -> int:
    """The index of the current device."""
    _need("current_device_index")
    return torch.cuda.current_device()


def current_stream(device=None, /) -> torch.Stream:
    """The current stream of a device."""
    _need("current_stream")
    return torch.cuda.current_stream(device)


def synchronize(device=None, /) -> None:
    """Waits until all work on a device is done."""
    _need("synchronize")
    torch.cuda.synchronize(device)


current_device_idx = current_device_index  # by its older name
set_device_idx = set_device_index

from torch.accelerator import graphs as graphs, memory as memory  # noqa: E402
from torch.accelerator.memory import (  # noqa: E402
    empty_cache as empty_cache,
    empty_host_cache as empty_host_cache,
    get_memory_info as get_memory_info,
    max_memory_allocated as max_memory_allocated,
    max_memory_reserved as max_memory_reserved,
    memory_allocated as memory_allocated,
    memory_reserved as memory_reserved,
    memory_stats as memory_stats,
    reset_accumulated_memory_stats as reset_accumulated_memory_stats,
    reset_peak_memory_stats as reset_peak_memory_stats,
)
