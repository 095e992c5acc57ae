"""The Dirichlet distribution."""

from __future__ import annotations

import torch
from torch.distributions import constraints
from torch.distributions.exp_family import ExponentialFamily

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["Dirichlet"]


class Dirichlet(ExponentialFamily):
    """Points of a simplex: density proportional to the product of x_i^(concentration_i - 1).

    Args:
        concentration (Tensor): (…, n), positive. ValueError for a tensor without dimensions.
    """

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}  # noqa: RUF012
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_parameters(_instance, batch_shape, "concentration")

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        return torch._sample_dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        concentration = self.concentration
        of_value = torch.xlogy(concentration - 1.0, value).sum(-1)
        return of_value + torch.lgamma(concentration.sum(-1)) - torch.lgamma(concentration).sum(-1)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        corner = torch.zeros_like(mode)
        corner[..., 0] = 1.0  # the density is infinite at every corner; PyTorch gives the first
        return torch.where((self.concentration < 1).all(-1, True), corner, mode)

    @property
    def variance(self) -> Tensor:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def entropy(self) -> Tensor:
        n, concentration = self.concentration.size(-1), self.concentration
        total = concentration.sum(-1)
        normalizer = torch.lgamma(concentration).sum(-1) - torch.lgamma(total)
        away = ((concentration - 1.0) * torch.digamma(concentration)).sum(-1)
        return normalizer - (n - total) * torch.digamma(total) - away

    @property
    def _natural_params(self):
        return (self.concentration,)

    def _log_normalizer(self, x):
        return x.lgamma().sum(-1) - torch.lgamma(x.sum(-1))
