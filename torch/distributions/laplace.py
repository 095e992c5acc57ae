"""The Laplace distribution."""

from __future__ import annotations

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, tiny

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["Laplace"]


class Laplace(Distribution):
    """Exponential to both sides of `loc`, with the mean `scale`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}  # noqa: RUF012
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_parameters(_instance, batch_shape, "loc", "scale")

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return 2**0.5 * self.scale

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.pow(2)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape, dtype = self._extended_shape(sample_shape), self.loc.dtype
        u = self.loc.new_empty(shape).uniform_(torch.finfo(dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs().clamp(min=tiny(dtype)))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        away = value - self.loc
        return 0.5 - 0.5 * away.sign() * torch.expm1(-away.abs() / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        side = value - 0.5
        return self.loc - self.scale * side.sign() * torch.log1p(-2 * side.abs())

    def entropy(self) -> Tensor:
        return 1 + torch.log(2 * self.scale)
