"""The seed and state of the process's own random numbers."""

import contextlib

from torch._C import default_generator

__all__ = [
    "set_rng_state",
    "get_rng_state",
    "manual_seed",
    "seed",
    "initial_seed",
    "fork_rng",
    "thread_safe_generator",
]


def manual_seed(seed):
    """Start the stream of `seed` (an int of 64 bits; negative ones count from the end). Returns the generator."""
    return default_generator.manual_seed(int(seed))


def seed():
    """Start a stream that nobody can foresee, and return its seed."""
    return default_generator.seed()


def initial_seed():
    """The seed of the current stream."""
    return default_generator.initial_seed()


def get_rng_state():
    """Seed and position in the stream, as a uint8 tensor."""
    return default_generator.get_state()


def set_rng_state(new_state):
    """Go on from where get_rng_state() was called."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type=None):
    """A context after which the random numbers go on as if it had not been.

    `devices` are those of accelerators, of which this build has none: it must be empty or None.
    """
    if not enabled:
        yield
        return
    if devices is not None and len(devices := list(devices)):
        raise RuntimeError(f"{_caller}: {_devices_kw}={devices}, but this torch has no device besides the CPU")
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


def thread_safe_generator():
    """The generator of the worker that loads data, and None in other processes. There are no such workers here."""
    return None
