"""torch.accelerator: the device beside the CPU, of whatever kind. In a build without one, questions answer so and what
needs it raises RuntimeError."""

from torch._device_module import refusing, refusing_class


def _refuse(name):
    raise RuntimeError(f"torch.accelerator.{name}: Cannot access accelerator device when none is available.")


def is_available():
    """Whether there is an accelerator to compute on."""
    return current_accelerator(check_available=True) is not None


def device_count():
    """The number of accelerators."""
    return 0


def current_accelerator(check_available=False):
    """The kind of accelerator that this torch was built for, a torch.device without index; None: for none.
    With `check_available` also None where there is none in the machine."""
    return None


class device_index:  # noqa: N801 - torch's name
    """The context in which the accelerator of that index is the current one; None: no change."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        if self.idx is not None:
            _refuse(f"device_index({self.idx})")

    def __exit__(self, *error):
        return False


Graph = refusing_class(__name__, "Graph", "Work that was recorded once and is replayed. RuntimeError here.", _refuse)

_NEEDS_A_DEVICE = {
    "current_device_idx": "`current_device_index` by its older name.",
    "current_device_index": "The index of the current device.",
    "current_stream": "The current stream of a device.",
    "empty_cache": "Gives memory that is kept for later tensors back to the driver.",
    "empty_host_cache": "The same for memory of the host that devices read.",
    "get_device_capability": "What a device can do, a dict.",
    "get_memory_info": "(free bytes, all bytes) of a device.",
    "max_memory_allocated": "The most that `memory_allocated` has been.",
    "max_memory_reserved": "The most that `memory_reserved` has been.",
    "memory_allocated": "Bytes that tensors take on a device.",
    "memory_reserved": "Bytes that torch holds on a device, in use or kept for later.",
    "memory_stats": "Counters of the allocator, {str: int}.",
    "reset_accumulated_memory_stats": "Sets counters of what was allocated and freed to 0.",
    "reset_peak_memory_stats": "Starts all maxima anew.",
    "set_device_idx": "`set_device_index` by its older name.",
    "set_device_index": "Makes the device of that index the current one.",
    "set_stream": "Makes a stream the current one.",
    "synchronize": "Waits until all work on a device is done.",
}
globals().update(
    refusing(__name__, {name: f"{doc} RuntimeError here." for name, doc in _NEEDS_A_DEVICE.items()}, _refuse)
)
