"""Apple's GPUs."""

from torch._device_module import refusing


def _refuse(name):
    raise RuntimeError(
        f"cannot execute torch.backends.mps.{name}() without MPS backend, which this torch does not have"
    )


def is_built():
    """Whether this torch was built for these devices."""
    return False


def is_available():
    """Whether there is such a device to compute on."""
    return False


_NEEDS_A_DEVICE = {
    "get_core_count()": "The device's number of cores.",
    "get_name()": "The device's name.",
    "is_macos13_or_newer(minor=0)": "Whether the system is macOS 13 or newer.",
    "is_macos_or_newer(major, minor)": "Whether the system is this version of macOS or newer.",
}
globals().update(
    refusing(__name__, {name: f"{doc} RuntimeError here." for name, doc in _NEEDS_A_DEVICE.items()}, _refuse)
)
