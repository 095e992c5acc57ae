"""Modules that keep less for backward: they compute their activations again (checkpoint_wrapper), or keep them in the CPU's
memory (offload_wrapper). Their parameters have the names of the module within."""

from __future__ import annotations

import enum
from functools import partial

import torch
from torch import nn
from torch._absent import rest_of
from torch.autograd.graph import save_on_cpu
from torch.utils.checkpoint import checkpoint as torch_utils_checkpoint

__all__ = [
    "ActivationWrapper",
    "CheckpointImpl",
    "CheckpointWrapper",
    "OffloadWrapper",
    "apply_activation_checkpointing",
    "checkpoint_wrapper",
    "offload_wrapper",
]

_CHECKPOINT_WRAPPED_MODULE = "_checkpoint_wrapped_module"
_CHECKPOINT_PREFIX = _CHECKPOINT_WRAPPED_MODULE + "."


class CheckpointImpl(enum.Enum):
    """How: by torch.utils.checkpoint with use_reentrant or without."""

    REENTRANT = enum.auto()
    NO_REENTRANT = enum.auto()


class ActivationWrapper(nn.Module):
    """A module around another one, of which state_dict() and named_parameters() know nothing."""

    def __init__(self, mod):
        super().__init__()
        self._checkpoint_wrapped_module = mod
        self._register_state_dict_hook(self._post_state_dict_hook)
        self._register_load_state_dict_pre_hook(self._pre_load_state_dict_hook)

    def forward(self, *args, **kwargs):
        """What a class derived from this one does."""
        raise NotImplementedError(
            f"{type(self).__name__} has no forward(): CheckpointWrapper and OffloadWrapper have one"
        )

    def __getattr__(self, name: str):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__(_CHECKPOINT_WRAPPED_MODULE), name)

    def __getitem__(self, key: int):
        return self._checkpoint_wrapped_module[key]

    def named_parameters(self, *args, **kwargs):
        """Of the module within, by its own names."""
        for name, parameter in super().named_parameters(*args, **kwargs):
            yield name.replace(_CHECKPOINT_PREFIX, ""), parameter

    @staticmethod
    def _post_state_dict_hook(module, state_dict, prefix, *args):
        inner = prefix + _CHECKPOINT_PREFIX
        for key in [key for key in state_dict if key.startswith(inner)]:
            state_dict[prefix + key.removeprefix(inner)] = state_dict.pop(key)
        return state_dict

    @staticmethod
    def _pre_load_state_dict_hook(state_dict, prefix, *args):
        for key in [key for key in state_dict if key.startswith(prefix)]:
            state_dict[prefix + _CHECKPOINT_PREFIX + key.removeprefix(prefix)] = state_dict.pop(key)


class OffloadWrapper(ActivationWrapper):
    """What the module keeps for backward lies in the CPU's memory."""

    def forward(self, *args, **kwargs):
        """The module's."""
        with save_on_cpu(pin_memory=torch.cuda.is_available()):
            return self._checkpoint_wrapped_module(*args, **kwargs)


class CheckpointWrapper(ActivationWrapper):
    """The module's activations are computed again in backward. checkpoint_fn: in the place of torch.utils.checkpoint, with
    checkpoint_fn_kwargs."""

    def __init__(
        self,
        mod,
        checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
        checkpoint_fn=None,
        **checkpoint_fn_kwargs,
    ):
        super().__init__(mod)
        self.checkpoint_impl = checkpoint_impl
        if checkpoint_fn is None:
            checkpoint_fn = partial(torch_utils_checkpoint, use_reentrant=checkpoint_impl is CheckpointImpl.REENTRANT)
        self.checkpoint_fn = partial(checkpoint_fn, **checkpoint_fn_kwargs) if checkpoint_fn_kwargs else checkpoint_fn

    def forward(self, *args, **kwargs):
        """The module's, computed again in backward."""
        if self.checkpoint_impl is not CheckpointImpl.REENTRANT or not kwargs:
            return self.checkpoint_fn(self._checkpoint_wrapped_module, *args, **kwargs)
        # Reentrant checkpoints have positional arguments alone.
        names = tuple(kwargs)

        def forward(*inputs):
            at = len(inputs) - len(names)
            return self._checkpoint_wrapped_module(*inputs[:at], **dict(zip(names, inputs[at:])))

        return self.checkpoint_fn(forward, *args, *kwargs.values())


def offload_wrapper(module: nn.Module) -> nn.Module:
    """OffloadWrapper(module)."""
    return OffloadWrapper(module)


def checkpoint_wrapper(
    module: nn.Module,
    checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
    checkpoint_fn=None,
    **checkpoint_fn_kwargs,
) -> nn.Module:
    """CheckpointWrapper(module, …)."""
    return CheckpointWrapper(module, checkpoint_impl, checkpoint_fn, **checkpoint_fn_kwargs)


def apply_activation_checkpointing(
    model, checkpoint_wrapper_fn=checkpoint_wrapper, check_fn=lambda _: True, auto_wrap_policy=None
):
    """Puts checkpoint_wrapper_fn(module) in the place of each module within `model` for which check_fn(module) is true.

    auto_wrap_policy(module=…, recurse=False, nonwrapped_numel=0) in the place of check_fn: a policy of
    torch.distributed.fsdp.wrap.
    """
    if auto_wrap_policy is not None:

        def check_fn(module):
            return auto_wrap_policy(module=module, recurse=False, nonwrapped_numel=0)

    _wrap_children(model, checkpoint_wrapper_fn, check_fn, {})


def _wrap_children(module, wrap, check, made):
    """`made`: by module, since one may be there twice."""
    for name, child in list(module.named_children()):
        _wrap_children(child, wrap, check, made)
        if child not in made and not isinstance(child, ActivationWrapper) and check(child):
            made[child] = wrap(child)
        if child in made:
            setattr(module, name, made[child])


__getattr__, __dir__ = rest_of(__name__)
