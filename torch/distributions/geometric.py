"""The geometric distribution."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from torch.distributions import constraints
from torch.distributions._odds import Odds
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, one_of_two, tiny

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import Number, _size


__all__ = ["Geometric"]


class Geometric(Odds, Distribution):
    """How many trials fail before the first success: 0, 1, …

    Args:
        probs (Tensor or number): the probability of a success, in (0, 1]
        logits (Tensor or number): log (p / (1 - p)) instead. ValueError unless exactly one is given.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}  # noqa: RUF012
    support = constraints.nonnegative_integer

    def __init__(
        self,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, given = one_of_two(probs, logits)
        (self._param,) = broadcast_all(given)
        setattr(self, name, self._param)
        super().__init__(self._param.size(), validate_args=validate_args)
        if self._validate_args and name == "probs" and not (self.probs > 0).all():
            wrong = self.probs[~(self.probs > 0)]
            raise ValueError(
                f"Expected parameter probs ({type(self.probs).__name__} of shape {tuple(self.probs.shape)}) of "
                f"distribution {self!r} to be positive but found invalid values:\n{wrong}"
            )

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return self._expand_odds(_instance, batch_shape)

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return torch.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            u = self.probs.new_empty(shape).uniform_().clamp_(min=tiny(self.probs.dtype))
            return (u.log() / (-self.probs.expand(shape)).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        failure = torch.where((probs == 1) & (value == 0), 0.0, probs)  # 0 · log 0 is 0
        return value * (-failure).log1p() + probs.log()

    def entropy(self) -> Tensor:
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs
