"""Student's t-distribution."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.chi2 import Chi2
from torch.distributions.distribution import Distribution
from torch.distributions.utils import _standard_normal, broadcast_all

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["StudentT"]


class StudentT(Distribution):
    """loc + scale z / √(c / df) of a normal deviate z and a chi-squared one c of `df` degrees of freedom."""

    arg_constraints = {  # noqa: RUF012
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True

    def __init__(
        self,
        df: Tensor | float,
        loc: Tensor | float = 0.0,
        scale: Tensor | float = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df, validate_args=False)
        super().__init__(self.df.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        new = self._expand_parameters(_instance, batch_shape, "df", "loc", "scale")
        new._chi2 = self._chi2.expand(batch_shape)
        return new

    @property
    def mean(self) -> Tensor:
        """NaN up to one degree of freedom, where there is none."""
        return torch.where(self.df > 1, self.loc, math.nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        """Infinite up to two degrees of freedom, NaN up to one."""
        result = self.scale.pow(2) * self.df / (self.df - 2)
        result = torch.where(self.df > 2, result, math.inf)
        return torch.where(self.df > 1, result, math.nan)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        z = _standard_normal(shape, self.df.dtype, self.df.device)
        return self.loc + self.scale * (z * torch.rsqrt(self._chi2.rsample(sample_shape) / self.df))

    def _log_normalizer_of_one(self):
        """log B(df / 2, 1 / 2) + log √df"""
        half = 0.5 * self.df
        return torch.lgamma(half) - torch.lgamma(half + 0.5) + 0.5 * (self.df.log() + math.log(math.pi))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        power = 0.5 * (self.df + 1.0) * torch.log1p(y**2.0 / self.df)
        return -power - self.scale.log() - self._log_normalizer_of_one()

    def entropy(self) -> Tensor:
        half = 0.5 * self.df
        slope = (half + 0.5) * (torch.digamma(half + 0.5) - torch.digamma(half))
        return self.scale.log() + slope + self._log_normalizer_of_one()
