"""When modules are averaged."""

from __future__ import annotations

import abc
import warnings

from torch.distributed._world import default_group
from torch.distributed.algorithms.model_averaging import utils

__all__ = ["ModelAverager", "PeriodicModelAverager"]


class ModelAverager(abc.ABC):
    """Counts steps, `step`, and makes means in some of them. process_group: whose ranks; None: the default group."""

    def __init__(self, process_group=None):
        self.process_group = default_group() if process_group is None else process_group
        self.step = 0

    @abc.abstractmethod
    def average_parameters(self, params):
        """Called once in each step, with parameters or an optimizer's groups."""


class PeriodicModelAverager(ModelAverager):
    """A mean in each period-th step after the first warmup_steps. ValueError: numbers out of range."""

    def __init__(self, period, warmup_steps=0, process_group=None):
        super().__init__(process_group)
        if warmup_steps < 0:
            raise ValueError(f"warmup_steps must not be negative: {warmup_steps}")
        if period < 1:
            raise ValueError(f"period must be at least 1, not {period}")
        if period == 1:
            warnings.warn("a mean in every step can be had by DistributedDataParallel with less traffic", stacklevel=2)
        self.period, self.warmup_steps = period, warmup_steps

    def average_parameters(self, params):
        """One step: a mean, if it is its turn."""
        if self.step >= self.warmup_steps and (self.step - self.warmup_steps) % self.period == 0:
            utils.average_parameters_or_parameter_groups(params, self.process_group)
        self.step += 1
