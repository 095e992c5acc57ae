"""The half-normal distribution."""

from __future__ import annotations

import math

from torch.distributions._half import _Half
from torch.distributions.normal import Normal

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["HalfNormal"]


class HalfNormal(_Half):
    """|x| of a normal deviate x with mean 0 and standard deviation `scale`. ValueError unless that is positive."""

    _whole = Normal

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return super().expand(batch_shape, self._get_checked_instance(HalfNormal, _instance))

    @property
    def mean(self) -> Tensor:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2) * (1 - 2 / math.pi)
