"""Draws of 0 and 1."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from torch.distributions import constraints
from torch.distributions._odds import Odds
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.utils import broadcast_all, one_of_two

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import Number, _size


__all__ = ["Bernoulli"]

_nan = float("nan")


class Bernoulli(Odds, ExponentialFamily):
    """1 with probability `probs`, else 0.

    Args:
        probs (Tensor or number): in [0, 1]
        logits (Tensor or number): log (p / (1 - p)) instead. ValueError unless exactly one is given.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}  # noqa: RUF012
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, given = one_of_two(probs, logits)
        (self._param,) = broadcast_all(given if torch.is_tensor(given) else float(given))
        setattr(self, name, self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_odds(_instance, batch_shape)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        mode = (self.probs >= 0.5).to(self.probs)
        return mode.masked_fill(self.probs == 0.5, _nan)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        with torch.no_grad():  # torch.bernoulli's numbers, without its look at the probabilities
            probs = self.probs
            u = torch.rand(self._extended_shape(sample_shape), dtype=probs.dtype, device=probs.device)
            return (u < probs).to(probs.dtype)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = torch.arange(2, dtype=self._param.dtype, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values

    @property
    def _natural_params(self):
        return (torch.logit(self.probs),)

    def _log_normalizer(self, x):
        return torch.log1p(torch.exp(x))
