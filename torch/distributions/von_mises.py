"""The von Mises distribution."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, lazy_property

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["VonMises"]


class VonMises(Distribution):
    """Angles around `loc`: density proportional to exp(concentration cos(x - loc)). Draws are in [-π, π).

    Args:
        loc (Tensor or number): the likeliest angle
        concentration (Tensor or number): positive
    """

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}  # noqa: RUF012
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Tensor, concentration: Tensor, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_parameters(_instance, batch_shape, "loc", "concentration")

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        # log I0(k) is log i0e(k) + k
        away = torch.cos(value - self.loc) - 1
        return self.concentration * away - math.log(2 * math.pi) - torch.special.i0e(self.concentration).log()

    @lazy_property
    def _proposal_r(self):
        """Of the wrapped Cauchy distribution that is drawn from, in double."""
        k = self.concentration.double()
        tau = 1 + (1 + 4 * k**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * k)
        exact = (1 + rho**2) / (2 * rho)
        return torch.where(k < 1e-5, 1 / k + k, exact)  # by its series, where rho loses its digits

    @torch.no_grad()
    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        """By rejection (Best and Fisher, "Efficient simulation of the von Mises distribution", 1979), in double."""
        shape = self._extended_shape(sample_shape)
        k, r = (x.expand(shape).reshape(-1) for x in (self.concentration.double(), self._proposal_r))
        drawn = torch.empty_like(k)
        left = torch.arange(k.numel(), device=k.device)
        while left.numel():
            u1, u2, u3 = torch.rand((3, left.numel()), dtype=k.dtype, device=k.device)
            z = torch.cos(math.pi * u1)
            f = (1 + r * z) / (r + z)
            c = k * (r - f)
            accept = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
            angle = (u3 - 0.5).sign() * f.clamp(-1, 1).acos()
            drawn[left[accept]] = angle[accept]
            left, k, r = left[~accept], k[~accept], r[~accept]
        angle = drawn.view(shape) + math.pi + self.loc
        return (angle % (2 * math.pi) - math.pi).to(self.loc.dtype)

    @property
    def mean(self) -> Tensor:
        """The circular mean."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        """The circular variance, 1 - I1 / I0."""
        return 1 - torch.special.i1e(self.concentration) / torch.special.i0e(self.concentration)
