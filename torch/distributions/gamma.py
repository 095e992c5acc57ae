"""The gamma distribution."""

from __future__ import annotations

import torch
from torch.distributions import constraints
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.utils import broadcast_all, tiny

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["Gamma"]


def _standard_gamma(concentration):
    """Draws of scale 1, with gradients."""
    return torch._standard_gamma(concentration)


class Gamma(ExponentialFamily):
    """Sums of waiting times: density rate^concentration x^(concentration - 1) exp(-rate x) / Γ(concentration).

    Args:
        concentration (Tensor or number): the shape, positive
        rate (Tensor or number): 1 / scale, positive
    """

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}  # noqa: RUF012
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, concentration: Tensor | float, rate: Tensor | float, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_parameters(_instance, batch_shape, "concentration", "rate")

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        value = _standard_gamma(self.concentration.expand(shape)) / self.rate
        value.detach().clamp_(min=tiny(value.dtype))  # never 0, whose logarithm is infinite
        return value

    def log_prob(self, value: Tensor) -> Tensor:
        value = torch.as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        if self._validate_args:
            self._validate_sample(value)
        of_value = torch.xlogy(self.concentration - 1, value) - self.rate * value
        return torch.xlogy(self.concentration, self.rate) + of_value - torch.lgamma(self.concentration)

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return torch.special.gammainc(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        concentration = self.concentration
        of_shape = torch.lgamma(concentration) + (1.0 - concentration) * torch.digamma(concentration)
        return concentration - torch.log(self.rate) + of_shape

    @property
    def _natural_params(self):
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x, y):
        return torch.lgamma(x + 1) + (x + 1) * torch.log(-y.reciprocal())
