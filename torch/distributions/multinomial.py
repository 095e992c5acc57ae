"""The multinomial distribution."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.binomial import Binomial
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["Multinomial"]


class Multinomial(Distribution):
    """How often each of K categories comes in `total_count` draws.

    Args:
        total_count (int): of draws; NotImplementedError for tensors
        probs (Tensor): (…, K), not negative; divided by their sum
        logits (Tensor): (…, K), logarithms of probabilities, up to a constant, instead
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}  # noqa: RUF012

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        batch_shape, event_shape = self._categorical.batch_shape, self._categorical.param_shape[-1:]
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        batch_shape = torch.Size(batch_shape)
        categorical = self._categorical.expand(batch_shape)
        parts = {"total_count": self.total_count, "_binomial": self._binomial, "_categorical": categorical}
        return self._expanded(_instance, batch_shape, self.event_shape, **parts)

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def logits(self) -> Tensor:
        """Logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self._categorical.probs

    @property
    def param_shape(self) -> torch.Size:
        """Shape of the parameter, (…, K)."""
        return self._categorical.param_shape

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            rows = self.probs.reshape(-1, shape[-1])
            times = math.prod(shape[: len(shape) - len(self._batch_shape) - 1])
            drawn = torch.multinomial(rows, times * self.total_count, True).view(-1, times, self.total_count)
            counts = rows.new_zeros(len(rows), times, shape[-1])
            counts.scatter_add_(-1, drawn, counts.new_ones(()).expand(drawn.shape))
            return counts.transpose(0, 1).reshape(shape)

    def entropy(self) -> Tensor:
        n = torch.tensor(self.total_count)
        of_draws = n * self._categorical.entropy() - torch.lgamma(n + 1)
        # The expectation of log k! for each category
        support = self._binomial.enumerate_support(expand=False)[1:]
        probs = torch.exp(self._binomial.log_prob(support))
        return of_draws + (probs * torch.lgamma(support + 1)).sum([0, -1])

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -float("inf")), 0)  # 0 · log 0 is 0
        ways = torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1)
        return ways + (logits * value).sum(-1)
