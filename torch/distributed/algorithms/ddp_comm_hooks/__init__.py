"""Communication hooks of DistributedDataParallel: what is sent of a bucket of gradients, in the place of all of it."""

from __future__ import annotations

import enum
from functools import partial

from torch._absent import rest_of

__all__ = ["DDPCommHookType", "register_ddp_comm_hook"]


def _register(place, name, model, state):
    import importlib

    hook = getattr(importlib.import_module(f"torch.distributed.algorithms.ddp_comm_hooks.{place}"), name)
    model.register_comm_hook(state, hook)


def _register_power_sgd(name, matrix_approximation_rank, model, state):
    from torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState

    _register("powerSGD_hook", name, model, PowerSGDState(state, matrix_approximation_rank))


class _Registers:
    """What a member of DDPCommHookType holds: no function, which an enumeration would take for a method."""

    def __init__(self, register, *args):
        self._call = partial(register, *args)

    def __call__(self, model, state):
        self._call(model=model, state=state)


class DDPCommHookType(enum.Enum):
    """Hooks by name; a value is called with model and state, and registers the hook."""

    ALLREDUCE = _Registers(_register, "default_hooks", "allreduce_hook")
    FP16_COMPRESS = _Registers(_register, "default_hooks", "fp16_compress_hook")
    BF16_COMPRESS = _Registers(_register, "default_hooks", "bf16_compress_hook")
    POWER_SGD = _Registers(_register_power_sgd, "powerSGD_hook", 1)
    POWER_SGD_RANK2 = _Registers(_register_power_sgd, "powerSGD_hook", 2)
    BATCHED_POWER_SGD = _Registers(_register_power_sgd, "batched_powerSGD_hook", 1)
    BATCHED_POWER_SGD_RANK2 = _Registers(_register_power_sgd, "batched_powerSGD_hook", 2)
    NOOP = _Registers(_register, "debugging_hooks", "noop_hook")


def register_ddp_comm_hook(comm_hook_type, model, state=None):
    """Registers the hook of a DDPCommHookType with a DistributedDataParallel. state: the group whose ranks take part; None:
    the default one."""
    comm_hook_type.value(model=model, state=state)


__getattr__, __dir__ = rest_of(__name__)
