"""The generalised Pareto distribution."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """Tails: with z = (x - loc) / scale the probability of more than x is (1 + concentration z)^(-1 / concentration), and
    exp(-z) where concentration is 0.

    Args:
        loc (Tensor or number): the least value
        scale (Tensor or number): positive
        concentration (Tensor or number): how heavy the tail is; negative: it ends
    """

    arg_constraints = {  # noqa: RUF012
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    def __init__(self, loc, scale, concentration, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_parameters(_instance, batch_shape, "loc", "scale", "concentration")

    def _split(self):
        """Where the tail is exponential, and concentrations to divide by."""
        exponential = self.concentration.abs() <= 1e-8
        return exponential, torch.where(exponential, 1.0, self.concentration)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        u = torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        return self.icdf(u)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        exponential, concentration = self._split()
        power = 1 / concentration + 1
        other = torch.where(power == 0, 0.0, power * torch.log1p(concentration * z))
        return -self.scale.log() - torch.where(exponential, z, other)

    def log_survival_function(self, value):
        """log P(X > value)"""
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        exponential, concentration = self._split()
        return -torch.where(exponential, z, torch.log1p(concentration * z) / concentration)

    def log_cdf(self, value):
        """log P(X <= value)"""
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return torch.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        exponential, concentration = self._split()
        log = torch.log1p(-value)
        other = torch.expm1(-concentration * log) / concentration
        return self.loc + self.scale * torch.where(exponential, -log, other)

    @property
    def mean(self) -> Tensor:
        """NaN from the concentration 1 on, where there is none."""
        below = self.concentration < 1
        concentration = torch.where(below, self.concentration, 0.5)
        return torch.where(below, self.loc + self.scale / (1 - concentration), math.nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        """NaN from the concentration 0.5 on, where there is none."""
        below = self.concentration < 0.5
        concentration = torch.where(below, self.concentration, 0.25)
        result = self.scale**2 / ((1 - concentration) ** 2 * (1 - 2 * concentration))
        return torch.where(below, result, math.nan)

    def entropy(self) -> Tensor:
        return torch.broadcast_to(torch.log(self.scale) + self.concentration + 1, self._batch_shape)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, torch.where(self.concentration < 0, end, math.inf))
