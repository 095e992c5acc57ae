"""Averages of models, and the schedule that goes with them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any, Literal

import torch
from torch.nn import Module
from torch.optim.lr_scheduler import LRScheduler
from torch.optim.lr_scheduler._base import (
    _format_param,
    _public_state,
    _warn_get_lr_called_within_step,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import Optimizer

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay=0.999):
    """A function for `multi_avg_fn` of :class:`AveragedModel`: exponential moving averages.

    Raises ValueError for a `decay` that is not in [0, 1].
    """
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for ema, current in zip(ema_param_list, current_param_list):
            if ema.is_floating_point() or ema.is_complex():
                ema.lerp_(current, 1 - decay)
            else:
                ema.copy_(ema * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    """A function for `multi_avg_fn` of :class:`AveragedModel`: the mean of all models so far."""

    @torch.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        for averaged, current in zip(averaged_param_list, current_param_list):
            if averaged.is_floating_point() or averaged.is_complex():
                averaged.lerp_(current, float(1 / (num_averaged + 1)))
            else:
                averaged.copy_(averaged + (current - averaged) / (num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay=0.999):
    """A function for `avg_fn` of :class:`AveragedModel`: exponential moving averages.

    Raises ValueError for a `decay` that is not in [0, 1].
    """
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """A function for `avg_fn` of :class:`AveragedModel`: the mean of all models so far."""

    @torch.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model, in ``module``, whose parameters are averages of the model's.

    Args:
        model (Module): is copied
        device (torch.device, optional): where the averages lie
        avg_fn (callable, optional): from an average, a parameter and the number of averaged models so far (a tensor)
            to the new average; default: the mean
        multi_avg_fn (callable, optional): the same in place, for lists of averages and parameters
        use_buffers (bool): average buffers too; else they are copied

    Raises AssertionError where both functions are given.
    """

    def __init__(
        self,
        model: Module,
        device: int | torch.device | None = None,
        avg_fn: Callable[[Tensor, Tensor, Tensor | int], Tensor] | None = None,
        multi_avg_fn=None,
        use_buffers=False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        """What the averaged model computes."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the parameters of `model` into the averages; the first time they are copied."""

        def tensors(module):
            return itertools.chain(module.parameters(), module.buffers()) if self.use_buffers else module.parameters()

        averages = [x.detach() for x in tensors(self.module)]
        currents = [x.detach().to(average.device) for average, x in zip(averages, tensors(model))]
        if self.n_averaged == 0:
            for average, current in zip(averages, currents):
                average.copy_(current)
        elif self.multi_avg_fn is not None:
            for own, others in self._by_kind(averages, currents):
                self.multi_avg_fn(own, others, self.n_averaged.to(own[0].device))
        else:
            function = self.avg_fn or get_swa_avg_fn()
            for average, current in zip(averages, currents):
                average.copy_(function(average, current, self.n_averaged.to(average.device)))
        if not self.use_buffers:
            for own, other in zip(self.module.buffers(), model.buffers()):
                own.detach().copy_(other.detach().to(own.device))
        self.n_averaged += 1

    @staticmethod
    def _by_kind(averages, currents):
        """Both lists in parts of one device and dtype."""
        kinds = {}
        for average, current in zip(averages, currents):
            own, others = kinds.setdefault((average.device, average.dtype), ([], []))
            own.append(average)
            others.append(current)
        return kinds.values()


@torch.no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: int | torch.device | None = None) -> None:
    """Compute the running statistics of a model's batch normalisation anew, by one pass over the data.

    Args:
        loader (iterable): batches: tensors, or lists and tuples whose first element is the input
        model (Module): is left in the mode (training or not) that it was in
        device (torch.device, optional): where inputs are to be moved
    """
    normalisations = {
        module: module.momentum
        for module in model.modules()
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm)
    }
    if not normalisations:
        return
    was_training = model.training
    model.train()
    for module in normalisations:
        module.reset_running_stats()
        module.momentum = None  # the mean of all batches
    for batch in loader:
        if isinstance(batch, (list, tuple)):
            batch = batch[0]
        if device is not None:
            batch = batch.to(device)
        model(batch)
    for module, momentum in normalisations.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From each group's rate to `swa_lr` within `anneal_epochs` epochs; then it stays.

    Args:
        optimizer (Optimizer)
        swa_lr (float, or a list of one for each group)
        anneal_epochs (int): default: 10
        anneal_strategy (str): "cos" or "linear"
        last_epoch (int): default: -1

    Raises ValueError for an unknown strategy, and for a number of epochs that is negative or no integer.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float,
        anneal_epochs=10,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        last_epoch=-1,
    ) -> None:
        for lr, group in zip(_format_param("swa_lr", optimizer, swa_lr), optimizer.param_groups):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t):
        """How far towards `swa_lr` the rates are at the part `t` of the way."""
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self):
        """The rates of the next epoch, from those that the groups have."""
        _warn_get_lr_called_within_step(self)
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = (
            self.anneal_func(max(0, min(1, epoch / max(1, self.anneal_epochs)))) for epoch in (step - 1, step)
        )
        rates = []
        for group in self.optimizer.param_groups:
            goal = group["swa_lr"]
            # The rate that the schedule started from, going by where it is now.
            first = goal if before == 1 else (group["lr"] - before * goal) / (1 - before)
            rates.append(goal * now + first * (1 - now))
        return rates

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimiser, as a dictionary."""
        return _public_state(self)
