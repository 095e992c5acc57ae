"""The half-normal distribution."""

import math

from torch.distributions._half import _Half
from torch.distributions.normal import Normal

__all__ = ["HalfNormal"]


class HalfNormal(_Half):
    """|x| of a normal deviate x with mean 0 and standard deviation `scale`. ValueError unless that is positive."""

    _whole = Normal

    def expand(self, batch_shape, _instance=None):
        return super().expand(batch_shape, self._get_checked_instance(HalfNormal, _instance))

    @property
    def mean(self):
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        return self.scale.pow(2) * (1 - 2 / math.pi)
