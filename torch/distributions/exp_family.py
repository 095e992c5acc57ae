"""Exponential families: densities exp(t(x)·θ - F(θ) + k(x))."""

from __future__ import annotations

import torch
from torch.distributions.distribution import Distribution

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A distribution with natural parameters θ (``_natural_params``), log-normaliser F (``_log_normalizer``) and the mean
    of k(x) (``_mean_carrier_measure``)."""

    @property
    def _natural_params(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """F(θ) - θ·∇F(θ) - E k(x); the gradient is autograd's (Nielsen and Nock, 2010)."""
        params = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*params)
        gradients = torch.autograd.grad(normalizer.sum(), params, create_graph=True)
        result = normalizer - self._mean_carrier_measure
        for param, gradient in zip(params, gradients):
            result = result - (param * gradient).reshape(self._batch_shape + (-1,)).sum(-1)
        return result
