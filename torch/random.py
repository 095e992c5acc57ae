"""The seed and state of the process's own random numbers."""

import contextlib
import sys
from collections.abc import Generator as _Generator

from torch._C import default_generator

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    import torch
    from torch import Tensor

__all__ = [
    "set_rng_state",
    "get_rng_state",
    "manual_seed",
    "seed",
    "initial_seed",
    "fork_rng",
    "thread_safe_generator",
]


_for_devices = None  # the seed that torch.cuda takes over when it is imported


def _seed_devices(seed):
    global _for_devices
    _for_devices = seed
    cuda = sys.modules.get("torch.cuda")
    if cuda is not None:
        cuda.manual_seed_all(seed)


def manual_seed(seed: int) -> "torch.Generator":
    """Start the stream of `seed` (an int of 64 bits; negative ones count from the end), on all devices. Returns the
    generator of the CPU."""
    generator = default_generator.manual_seed(int(seed))
    _seed_devices(int(seed))
    return generator


def seed() -> int:
    """Start a stream that nobody can foresee, on all devices, and return its seed."""
    found = default_generator.seed()
    _seed_devices(found)
    return found


def initial_seed() -> int:
    """The seed of the current stream."""
    return default_generator.initial_seed()


def get_rng_state() -> "Tensor":
    """Seed and position in the stream, as a uint8 tensor."""
    return default_generator.get_state()


def set_rng_state(new_state: "Tensor") -> None:
    """Go on from where get_rng_state() was called."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type=None) -> _Generator:
    """A context after which the random numbers go on as if it had not been.

    `devices` are those of accelerators whose numbers go on so, too: None for all of them. RuntimeError if there are
    none and some are named.
    """
    if not enabled:
        yield
        return
    import torch

    if devices is None:
        devices = range(torch.cuda.device_count())
    devices = list(devices)
    if devices and not torch.cuda.is_available():
        raise RuntimeError(f"{_caller}: {_devices_kw}={devices}, but this torch has no device besides the CPU")
    state = get_rng_state()
    others = [(device, torch.cuda.get_rng_state(device)) for device in devices]
    try:
        yield
    finally:
        set_rng_state(state)
        for device, other in others:
            torch.cuda.set_rng_state(other, device)


def thread_safe_generator() -> "torch.Generator | None":
    """The generator of the worker that loads data, and None in other processes. There are no such workers here."""
    return None
