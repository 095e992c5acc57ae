"""The half-Cauchy distribution."""

import math

import torch
from torch.distributions._half import _Half
from torch.distributions.cauchy import Cauchy

__all__ = ["HalfCauchy"]


class HalfCauchy(_Half):
    """|x| of a Cauchy deviate x around 0, of width `scale`. ValueError unless that is positive."""

    _whole = Cauchy

    def expand(self, batch_shape, _instance=None):
        return super().expand(batch_shape, self._get_checked_instance(HalfCauchy, _instance))

    @property
    def mean(self):
        """Infinite."""
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, device=self.scale.device)

    @property
    def variance(self):
        return self.base_dist.variance

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)  # before a number becomes a tensor
        return super().log_prob(torch.as_tensor(value, dtype=self.scale.dtype, device=self.scale.device))
