"""Fisher's and Snedecor's F-distribution."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.gamma import Gamma
from torch.distributions.utils import broadcast_all, tiny

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["FisherSnedecor"]


class FisherSnedecor(Distribution):
    """The ratio of two chi-squared deviates, each over its degrees of freedom, `df1` and `df2`."""

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}  # noqa: RUF012
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1: Tensor | float, df2: Tensor | float, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1, validate_args=False)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2, validate_args=False)
        super().__init__(self.df1.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        new = self._expand_parameters(_instance, batch_shape, "df1", "df2")
        new._gamma1, new._gamma2 = self._gamma1.expand(batch_shape), self._gamma2.expand(batch_shape)
        return new

    @property
    def mean(self) -> Tensor:
        """NaN up to df2 = 2, where there is none."""
        return torch.where(self.df2 > 2, self.df2 / (self.df2 - 2), math.nan)

    @property
    def mode(self) -> Tensor:
        """NaN up to df1 = 2: the density falls from 0 on."""
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return torch.where(self.df1 > 2, mode, math.nan)

    @property
    def variance(self) -> Tensor:
        """NaN up to df2 = 4, where there is none."""
        a, b = self.df1, self.df2
        result = 2 * b.pow(2) * (a + b - 2) / (a * (b - 2).pow(2) * (b - 4))
        return torch.where(b > 4, result, math.nan)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        above, below = self._gamma1.rsample(sample_shape), self._gamma2.rsample(sample_shape)
        value = above / below
        value.detach().clamp_(min=tiny(value.dtype))
        return value

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        a, b = self.df1 * 0.5, self.df2 * 0.5
        ratio = self.df1 / self.df2
        normalizer = (a + b).lgamma() - a.lgamma() - b.lgamma()
        of_value = (a - 1) * torch.log(value) - (a + b) * torch.log1p(ratio * value)
        return normalizer + a * ratio.log() + of_value
