"""The binomial distribution."""

from __future__ import annotations

import torch
from torch.distributions import constraints
from torch.distributions._odds import Odds
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, one_of_two

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["Binomial"]


class Binomial(Odds, Distribution):
    """How many of `total_count` trials succeed.

    Args:
        total_count (Tensor or int): of trials
        probs (Tensor or number): the probability of a success
        logits (Tensor or number): log (p / (1 - p)) instead. ValueError unless exactly one is given.
    """

    arg_constraints = {  # noqa: RUF012
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True

    def __init__(
        self,
        total_count: Tensor | int = 1,
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

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n, logits = self.total_count, self.logits
        # log (1 + exp(logits)), in the order of the terms in which neither overflows
        log_one = logits.clamp(min=0) + torch.log1p(torch.exp(-torch.abs(logits)))
        ways = torch.lgamma(n + 1) - torch.lgamma(value + 1) - torch.lgamma(n - value + 1)
        return value * logits + ways - n * log_one

    def _one_count(self, what):
        most = int(self.total_count.max())
        if not self.total_count.min() == most:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{what}`.")
        return most

    def entropy(self) -> Tensor:
        self._one_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        most = self._one_count("enumerate_support")
        values = torch.arange(1 + most, dtype=self._param.dtype, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values
