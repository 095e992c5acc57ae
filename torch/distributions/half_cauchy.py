"""The half-Cauchy distribution."""

from __future__ import annotations

import math

import torch
from torch.distributions._half import _Half
from torch.distributions.cauchy import Cauchy

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["HalfCauchy"]


class HalfCauchy(_Half):
    """|x| of a Cauchy deviate x around 0, of width `scale`. ValueError unless that is positive."""

    _whole = Cauchy

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        return super().expand(batch_shape, self._get_checked_instance(HalfCauchy, _instance))

    @property
    def mean(self) -> Tensor:
        """Infinite."""
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, device=self.scale.device)

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)  # before a number becomes a tensor
        return super().log_prob(torch.as_tensor(value, dtype=self.scale.dtype, device=self.scale.device))
