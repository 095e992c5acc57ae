"""Random numbers on GPUs: each has a generator of its own. Seeds that are given before the first use of a device are kept
for it."""

from __future__ import annotations

from collections.abc import Iterable

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "get_rng_state",
    "get_rng_state_all",
    "set_rng_state",
    "set_rng_state_all",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "initial_seed",
]


def _generator(device=None):
    index = torch.cuda._index_of(device)
    return torch.cuda.default_generators[index]


def get_rng_state(device: int | str | torch.device = "cuda") -> Tensor:
    """The state of a GPU's generator, a uint8 tensor on the CPU."""
    return _generator(device).get_state()


def get_rng_state_all() -> list[Tensor]:
    """The states of all devices' generators: a list of uint8 tensors."""
    return [get_rng_state(i) for i in range(torch.cuda.device_count())]


def set_rng_state(new_state: Tensor, device: int | str | torch.device = "cuda") -> None:
    """Sets the state of a device's generator, as `get_rng_state` has given it; at the first use of a device, if that is
    yet to come, and never where there is none."""
    state = new_state.clone() if isinstance(new_state, torch.Tensor) else new_state
    torch.cuda._lazy_call(lambda: _generator(device).set_state(state), seeds=True)


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Sets the states of the generators, one for each device."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


def manual_seed(seed: int) -> None:
    """Seeds the current device's generator with an int; at the first use of a device, if that is yet to come."""
    seed = int(seed)
    torch.cuda._lazy_call(lambda: _generator().manual_seed(seed), seeds=True)


def _seed_all(seed):
    for generator in torch.cuda.default_generators:
        generator.manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Seeds the generators of all devices with an int; at the first use of a device, if that is yet to come."""
    seed = int(seed)
    torch.cuda._lazy_call(lambda: _seed_all(seed), seeds_all=True)


def seed() -> None:
    """Seeds the current device's generator from the system."""
    torch.cuda._lazy_call(lambda: _generator().seed(), seeds=True)


def _seed_all_from_system():
    generators = torch.cuda.default_generators
    if generators:
        _seed_all(generators[0].seed())


def seed_all() -> None:
    """Seeds the generators of all devices from the system, with one seed."""
    torch.cuda._lazy_call(_seed_all_from_system, seeds_all=True)


def initial_seed() -> int:
    """The seed of the current GPU's generator."""
    return _generator().initial_seed()
