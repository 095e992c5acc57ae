"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from torch.distributions import constraints
from torch.distributions._odds import Odds
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.utils import broadcast_all, clamp_probs, one_of_two

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import Number, _size


__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(Odds, ExponentialFamily):
    """Numbers of [0, 1] with a density proportional to p^x (1 - p)^(1 - x) (Loaiza-Ganem and Cunningham, 2019).

    Args:
        probs (Tensor or number): p
        logits (Tensor or number): log (p / (1 - p)) instead. ValueError unless exactly one is given.
        lims (pair of numbers): around 0.5; between them series stand in for formulas that cancel there
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}  # noqa: RUF012
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        name, given = one_of_two(probs, logits)
        (given,) = broadcast_all(given)
        if name == "probs":
            if validate_args is not None and not self.arg_constraints["probs"].check(given).all():
                raise ValueError("The parameter probs has invalid values")
            given = clamp_probs(given)
        self._param = given
        setattr(self, name, given)
        self._lims = lims
        super().__init__(given.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        new = self._expand_odds(_instance, batch_shape)
        new._lims = self._lims
        return new

    def _split(self):
        """Where the formulas hold; probabilities that they can take; by how much probabilities are off 0.5."""
        outside = (self.probs <= self._lims[0]) | (self.probs > self._lims[1])
        return outside, torch.where(outside, self.probs, self._lims[0]), self.probs - 0.5

    def _cont_bern_log_norm(self):
        """log of what p^x (1 - p)^(1 - x) is divided by its integral."""
        outside, p, off = self._split()
        below, above = torch.where(p <= 0.5, p, 0.0), torch.where(p >= 0.5, p, 1.0)
        numerator = torch.log(torch.abs(torch.log1p(-p) - torch.log(p)))
        denominator = torch.where(p <= 0.5, torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0))
        square = off.pow(2)
        return torch.where(
            outside, numerator - denominator, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * square) * square
        )

    @property
    def mean(self) -> Tensor:
        outside, p, off = self._split()
        mean = p / (2.0 * p - 1.0) + 1.0 / (torch.log1p(-p) - torch.log(p))
        return torch.where(outside, mean, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * off.pow(2)) * off)

    @property
    def stddev(self) -> Tensor:
        return torch.sqrt(self.variance)

    @property
    def variance(self) -> Tensor:
        outside, p, off = self._split()
        variance = p * (p - 1.0) / (1.0 - 2.0 * p).pow(2) + 1.0 / (torch.log1p(-p) - torch.log(p)).pow(2)
        square = off.pow(2)
        return torch.where(outside, variance, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * square) * square)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        u = torch.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype, device=self.probs.device)
        return self.icdf(u)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        cross_entropy = F.binary_cross_entropy_with_logits(logits, value, reduction="none")
        return -cross_entropy + self._cont_bern_log_norm()

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        outside, p, _ = self._split()
        formula = (torch.pow(p, value) * torch.pow(1.0 - p, 1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        inside = torch.where(outside, formula, value)
        return torch.where(value <= 0.0, 0.0, torch.where(value >= 1.0, 1.0, inside))

    def icdf(self, value: Tensor) -> Tensor:
        outside, p, _ = self._split()
        zero = torch.log1p(-p)
        formula = (torch.log1p(-p + value * (2.0 * p - 1.0)) - zero) / (torch.log(p) - zero)
        return torch.where(outside, formula, value)

    def entropy(self) -> Tensor:
        zero, one = torch.log1p(-self.probs), torch.log(self.probs)
        return self.mean * (zero - one) - self._cont_bern_log_norm() - zero

    @property
    def _natural_params(self):
        return (self.logits,)

    def _log_normalizer(self, x):
        outside = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        safe = torch.where(outside, x, self._lims[0] - 0.5)
        formula = torch.log(torch.abs(torch.special.expm1(safe))) - torch.log(torch.abs(safe))
        return torch.where(outside, formula, 0.5 * x + x.pow(2) / 24.0 - x.pow(4) / 2880.0)
