"""torch.mps, Apple's GPUs: this torch has no library for them. Questions answer so; what needs a device raises
RuntimeError."""

from torch._device_module import refusing, refusing_class


def _refuse(name):
    raise RuntimeError(f"cannot execute torch.mps.{name}() without MPS backend, which this torch does not have")


def is_available():
    """Whether there is such a device to compute on."""
    return False


def device_count():
    """The number of such devices, 0."""
    return 0


def manual_seed(seed):
    """Seeds the device's generator with an int; no effect here."""
    int(seed)


Event = refusing_class(__name__, "Event", "A mark in the stream of work. RuntimeError here.", _refuse)

_NEEDS_A_DEVICE = {
    "compile_shader(source)": "Functions of a program in Metal's language.",
    "current_allocated_memory()": "Bytes that tensors take.",
    "driver_allocated_memory()": "Bytes that Metal's driver has given to this process.",
    "empty_cache()": "Gives memory that is kept for later tensors back to the driver.",
    "get_rng_state(device='mps')": "The state of the device's generator, a uint8 tensor.",
    "recommended_max_memory()": "The number of bytes that the driver advises not to exceed.",
    "seed()": "Seeds the device's generator from the system.",
    "set_per_process_memory_fraction(fraction)": "Limits the share of memory that this process may take.",
    "set_rng_state(new_state, device='mps')": "Sets the state of the device's generator.",
    "synchronize()": "Waits until all work on the device is done.",
}
globals().update(
    refusing(__name__, {name: f"{doc} RuntimeError here." for name, doc in _NEEDS_A_DEVICE.items()}, _refuse)
)
