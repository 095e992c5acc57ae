"""torch.xpu, Intel's GPUs: this torch has no library for them. Questions answer so; what needs a device raises
AssertionError."""

from torch._device_module import device_index, refusing, refusing_class, without_devices


def _refuse(name=None):
    raise AssertionError("Torch not compiled with XPU enabled")


def _is_compiled():
    """Whether this torch was built for these devices."""
    return False


def is_available():
    """Whether there is such a device to compute on."""
    return False


def device_count():
    """The number of such devices, 0."""
    return 0


globals().update(without_devices(__name__, _refuse))


def set_rng_state(new_state, device="xpu"):
    """Sets the state of a device's generator; no effect where there is none."""


class device:  # noqa: N801 - torch's name
    """The context in which a device, an index or torch.device, is the current one. A negative index: no change."""

    def __init__(self, device):
        self.idx = device_index(device, "xpu")

    def __enter__(self):
        if self.idx >= 0:
            raise NotImplementedError(f"xpu:{self.idx} cannot become the current device: there is no XPU support")

    def __exit__(self, *error):
        return False


class device_of(device):  # noqa: N801 - torch's name
    """The same for the device of a tensor or storage; none for one on the CPU."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if getattr(obj, "is_xpu", False) else -1)


def _refuse_class(name):
    raise RuntimeError(f"torch.xpu.{name} requires XPU support, which this torch does not have")


Stream = refusing_class(__name__, "Stream", "A queue of work on a device. RuntimeError here.", _refuse_class)
Event = refusing_class(__name__, "Event", "A mark in a stream. RuntimeError here.", _refuse_class)

_NEEDS_A_DEVICE = {
    "can_device_access_peer(device, peer)": "Whether one device reads another's memory directly.",
    "current_device()": "The index of the current device.",
    "current_stream(device=None)": "The current Stream of a device.",
    "get_device_capability(device=None)": "What a device can do, a dict.",
    "get_device_name(device=None)": "A device's name.",
    "get_device_properties(device=None)": "A device's name, memory and so on, as attributes.",
    "get_rng_state(device='xpu')": "The state of a device's generator, a uint8 tensor.",
    "init()": "Prepares the process for such devices.",
    "initial_seed()": "The seed of the current device's generator.",
    "mem_get_info(device=None)": "(free bytes, all bytes) of a device.",
    "reset_accumulated_memory_stats(device=None)": "Sets counters of what was allocated and freed to 0.",
    "reset_peak_memory_stats(device=None)": "Starts all maxima anew.",
    "set_device(device)": "Makes a device the current one.",
    "synchronize(device=None)": "Waits until all work on a device is done.",
}
globals().update(
    refusing(__name__, {name: f"{doc} AssertionError here." for name, doc in _NEEDS_A_DEVICE.items()}, _refuse)
)
