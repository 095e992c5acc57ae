"""Bernoulli draws made continuous."""

from __future__ import annotations

import torch
from torch.distributions import constraints
from torch.distributions._odds import Odds
from torch.distributions.distribution import Distribution
from torch.distributions.transformed_distribution import TransformedDistribution
from torch.distributions.transforms import SigmoidTransform
from torch.distributions.utils import broadcast_all, clamp_probs, one_of_two

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import Number, _size


__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(Odds, Distribution):
    """The logit of RelaxedBernoulli's draws (Maddison, Mnih and Teh, 2017).

    Args:
        temperature (Tensor): how far draws are from 0 and 1
        probs (Tensor or number): in (0, 1)
        logits (Tensor or number): log (p / (1 - p)) instead. ValueError unless exactly one is given.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}  # noqa: RUF012
    support = constraints.real

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        name, given = one_of_two(probs, logits)
        (self._param,) = broadcast_all(given)
        setattr(self, name, self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = self._expand_odds(_instance, batch_shape)
        new.temperature = self.temperature
        return new

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(torch.rand(shape, dtype=probs.dtype, device=probs.device))
        return (torch.logit(u) + torch.logit(probs)) / self.temperature

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        away = logits - value.mul(self.temperature)
        return self.temperature.log() + away - 2 * away.exp().log1p()


class RelaxedBernoulli(TransformedDistribution):
    """Draws of (0, 1) that are near 0 or 1 at low temperatures, and have gradients (Jang, Gu and Poole, 2017).

    Args:
        temperature (Tensor): how far draws are from 0 and 1
        probs (Tensor or number): in (0, 1)
        logits (Tensor or number): log (p / (1 - p)) instead. ValueError unless exactly one is given.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}  # noqa: RUF012
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return super().expand(batch_shape, self._get_checked_instance(RelaxedBernoulli, _instance))

    @property
    def temperature(self) -> Tensor:
        """How far draws are from 0 and 1."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """log (p / (1 - p))."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """The probability of 1."""
        return self.base_dist.probs
