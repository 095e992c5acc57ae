"""The negative binomial distribution."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from torch.distributions import constraints
from torch.distributions._odds import Odds
from torch.distributions.distribution import Distribution
from torch.distributions.gamma import Gamma
from torch.distributions.utils import broadcast_all, lazy_property, one_of_two

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["NegativeBinomial"]


class NegativeBinomial(Odds, Distribution):
    """How many trials succeed before `total_count` of them have failed.

    Args:
        total_count (Tensor or number): of failures, not negative; it need not be whole
        probs (Tensor or number): the probability of a success, in [0, 1)
        logits (Tensor or number): log (p / (1 - p)) instead. ValueError unless exactly one is given.
    """

    arg_constraints = {  # noqa: RUF012
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Tensor | float,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, given = one_of_two(probs, logits)
        self.total_count, self._param = broadcast_all(total_count, given)
        self.total_count = self.total_count.type_as(self._param)
        setattr(self, name, self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_odds(_instance, batch_shape, "total_count")

    @property
    def mean(self) -> Tensor:
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / torch.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self):
        """Of the rate of a Poisson distribution."""
        return Gamma(concentration=self.total_count, rate=torch.exp(-self.logits), validate_args=False)

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        with torch.no_grad():
            return torch.poisson(self._gamma.sample(sample_shape=sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        unnormalized = n * F.logsigmoid(-self.logits) + value * F.logsigmoid(self.logits)
        ways = torch.lgamma(n + value) - torch.lgamma(1.0 + value) - torch.lgamma(n)
        return unnormalized + ways.masked_fill(n + value == 0.0, 0.0)
