"""The inverse gamma distribution."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.gamma import Gamma
from torch.distributions.transformed_distribution import TransformedDistribution
from torch.distributions.transforms import PowerTransform

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["InverseGamma"]


class InverseGamma(TransformedDistribution):
    """1 / x of a gamma deviate x.

    Args:
        concentration (Tensor or number): x's shape, positive
        rate (Tensor or number): x's rate, positive
    """

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}  # noqa: RUF012
    support = constraints.positive
    has_rsample = True

    def __init__(self, concentration: Tensor | float, rate: Tensor | float, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        inverse = PowerTransform(base.rate.new_tensor(-1.0))
        super().__init__(base, inverse, validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return super().expand(batch_shape, self._get_checked_instance(InverseGamma, _instance))

    @property
    def concentration(self) -> Tensor:
        """The shape."""
        return self.base_dist.concentration

    @property
    def rate(self) -> Tensor:
        """The scale of 1 / x."""
        return self.base_dist.rate

    @property
    def mean(self) -> Tensor:
        return torch.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self) -> Tensor:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        result = self.rate.square() / ((self.concentration - 1).square() * (self.concentration - 2))
        return torch.where(self.concentration > 2, result, math.inf)

    def entropy(self) -> Tensor:
        concentration = self.concentration
        of_shape = concentration.lgamma() - (1 + concentration) * concentration.digamma()
        return concentration + self.rate.log() + of_shape
