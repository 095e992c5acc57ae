"""Random correlation matrices, by their Cholesky factors."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.beta import Beta
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, tiny

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices whose density is proportional to det^(concentration - 1) (Lewandowski,
    Kurowicka and Joe, "Generating random correlation matrices based on vines and extended onion method", 2009).

    Args:
        dim (int): rows and columns. ValueError below 2.
        concentration (Tensor or number): 1: all matrices are equally likely; above: those near the identity are likelier
    """

    arg_constraints = {"concentration": constraints.positive}  # noqa: RUF012
    support = constraints.corr_cholesky

    def __init__(self, dim: int, concentration: Tensor | float = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        # Of the square of a row's length without the diagonal: a vector of i numbers in row i
        options = {"dtype": self.concentration.dtype, "device": self.concentration.device}
        row = torch.arange(-1, dim - 1, **options).clamp(min=0)
        marginal = self.concentration.unsqueeze(-1) + 0.5 * (dim - 2)
        self._beta = Beta(0.5 * row + 0.5, marginal - 0.5 * row, validate_args=False)
        super().__init__(self.concentration.size(), torch.Size((dim, dim)), validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        new = self._expand_parameters(_instance, batch_shape, "concentration")
        new.dim = self.dim
        new._beta = self._beta.expand(torch.Size(batch_shape) + (self.dim,))
        return new

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        """Row by row: a random direction, a length, and what is left to 1 on the diagonal."""
        with torch.no_grad():
            length = self._beta.sample(sample_shape).unsqueeze(-1)
            shape = self._extended_shape(sample_shape)
            direction = torch.randn(shape, dtype=length.dtype, device=length.device).tril(-1)
            direction = direction / direction.norm(dim=-1, keepdim=True)
            direction[..., 0, :] = 0.0  # the first row is its diagonal alone
            factor = torch.sqrt(length) * direction
            left = torch.clamp(1 - torch.sum(factor**2, dim=-1), min=tiny(factor.dtype)).sqrt()
            return factor + torch.diag_embed(left)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        # The diagonal's i-th element to the power 2 (concentration - 1), times dim - i for the factor's own density
        order = self.dim - torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + order
        unnormalized = torch.sum(order * value.diagonal(dim1=-1, dim2=-2)[..., 1:].log(), dim=-1)
        n = self.dim - 1
        alpha = self.concentration + 0.5 * n
        normalizer = 0.5 * n * math.log(math.pi) + torch.mvlgamma(alpha - 0.5, n) - torch.lgamma(alpha) * n
        return unnormalized - normalizer
