"""torch.accelerator: the device beside the CPU, of whatever kind: CUDA's, where this torch is built for it. In a build
without one, questions answer so and what needs it raises RuntimeError."""

import torch
from torch._device_module import device_index as _index
from torch._device_module import refusing_class


def _refuse(name):
    raise RuntimeError(f"torch.accelerator.{name}: Cannot access accelerator device when none is available.")


def is_available():
    """Whether there is an accelerator to compute on."""
    return current_accelerator(check_available=True) is not None


def device_count():
    """The number of accelerators."""
    return torch.cuda.device_count()


def current_accelerator(check_available=False):
    """The kind of accelerator that this torch was built for, a torch.device without index; None: for none.
    With `check_available` also None where there is none in the machine."""
    there = torch.cuda.is_available() if check_available else torch.cuda._is_compiled()
    return torch.device("cuda") if there else None


def _need(name):
    if not torch.cuda._is_compiled():
        _refuse(name)


class device_index:  # noqa: N801 - torch's name
    """The context in which the accelerator of that index is the current one; None: no change."""

    def __init__(self, device):
        self.idx = device
        self._context = None

    def __enter__(self):
        if self.idx is not None:
            _need(f"device_index({self.idx})")
            self._context = torch.cuda.device(self.idx)
            self._context.__enter__()

    def __exit__(self, *error):
        if self._context is not None:
            self._context.__exit__(*error)
        return False


def _refuse_graph(name):
    _need(name)
    raise RuntimeError(f"torch.accelerator.{name}: this torch is built without graphs")


Graph = refusing_class(
    __name__, "Graph", "Work that was recorded once and is replayed. RuntimeError here.", _refuse_graph
)


def set_device_index(device):
    """Makes the device of that index the current one."""
    _need("set_device_index")
    torch.cuda.set_device(device if isinstance(device, int) else _index(device, "cuda"))


def set_stream(stream):
    """Makes a stream the current one."""
    _need("set_stream")
    torch.cuda.set_stream(stream)


def empty_cache():
    """Gives memory that is kept for later tensors back to the driver."""
    _need("empty_cache")
    torch.cuda.empty_cache()


def empty_host_cache():
    """The same for memory of the host that devices read."""
    _need("empty_host_cache")
    raise RuntimeError("torch.accelerator.empty_host_cache: this torch keeps pinned memory for as long as it runs")


def get_device_capability(device=None):
    """What a device can do: {"supported_dtypes": a set}."""
    _need("get_device_capability")
    torch.cuda._index_of(device)
    return {"supported_dtypes": {dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)}}


def _of_device(name, doc, of):
    def function(device=None, /):
        _need(name)
        return getattr(torch.cuda, of)(device)

    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = __name__, doc
    return function


def current_device_index():
    """The index of the current device."""
    _need("current_device_index")
    return torch.cuda.current_device()


for _name, _of, _doc in (
    ("current_stream", "current_stream", "The current stream of a device."),
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
    ("synchronize", "synchronize", "Waits until all work on a device is done."),
):
    globals()[_name] = _of_device(_name, _doc, _of)
del _name, _of, _doc
current_device_idx = current_device_index  # by its older name
set_device_idx = set_device_index
