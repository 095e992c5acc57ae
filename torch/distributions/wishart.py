"""Wishart's distribution."""

from __future__ import annotations

import math
import numbers
import warnings

import torch
from torch.distributions import constraints
from torch.distributions.chi2 import Chi2
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.multivariate_normal import precision_to_scale_tril
from torch.distributions.utils import lazy_property

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import Number, _size


__all__ = ["Wishart"]

_log_2 = math.log(2)


def _mvdigamma(x, p):
    """The derivative of log Γ_p(x)."""
    return torch.digamma(x.unsqueeze(-1) - torch.arange(p, dtype=x.dtype, device=x.device) / 2).sum(-1)


class Wishart(ExponentialFamily):
    """Scatter matrices: sums of `df` products x xᵀ of normal vectors x of n numbers.

    Args:
        df (Tensor or number): degrees of freedom, more than n - 1, not necessarily whole
        covariance_matrix, precision_matrix, scale_tril (Tensor): (…, n, n), one of them: x's covariance, its inverse or its
            lower triangular factor. AssertionError for more or fewer, ValueError for too few dimensions or too small `df`.
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self):
        """The least df depends on n."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Tensor | Number,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        matrices = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
        if len(given) != 1:
            raise AssertionError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = given
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        if isinstance(df, numbers.Number):
            batch_shape = torch.Size(matrix.shape[:-2])
            self.df = torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        else:
            batch_shape = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        event_shape = matrix.shape[-2:]
        n = event_shape[-1]
        if self.df.le(n - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        if self.df.lt(n).any():
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = matrix
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = torch.linalg.cholesky(matrix)
        else:
            self._unbroadcasted_scale_tril = precision_to_scale_tril(matrix)
        self._dist_chi2 = self._chi2_of_diagonal()

    def _chi2_of_diagonal(self):
        """Of the diagonal of Bartlett's triangular factor."""
        steps = torch.arange(self._event_shape[-1], dtype=self.df.dtype, device=self.df.device)
        return Chi2((self.df.unsqueeze(-1) - steps).expand(self._batch_shape + (-1,)), validate_args=False)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        batch_shape = torch.Size(batch_shape)
        names = ("covariance_matrix", "scale_tril", "precision_matrix")
        kept = {name: self._of_batch(self.__dict__[name], batch_shape) for name in names if name in self.__dict__}
        kept["_unbroadcasted_scale_tril"] = self._of_batch(self._unbroadcasted_scale_tril, batch_shape)
        new = self._expanded(_instance, batch_shape, self.event_shape, df=self.df.expand(batch_shape), **kept)
        new._dist_chi2 = new._chi2_of_diagonal()
        return new

    def _of_batch(self, matrix, batch_shape=None):
        return matrix.expand((self._batch_shape if batch_shape is None else batch_shape) + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower triangular factor of the covariance."""
        return self._of_batch(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        factor = self._unbroadcasted_scale_tril
        return self._of_batch(factor @ factor.mT)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        return self._of_batch(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    def _matrixwise(self, numbers):
        """One for each matrix, in the matrices' shape."""
        return numbers.expand(self._batch_shape)[..., None, None]

    @property
    def mean(self) -> Tensor:
        return self._matrixwise(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        """NaN up to df = n + 1, where there is none."""
        factor = self.df - self._event_shape[-1] - 1
        return self._matrixwise(torch.where(factor <= 0, math.nan, factor)) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        squares = covariance.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self._matrixwise(self.df) * squares

    def _bartlett_sampling(self, sample_shape=torch.Size()):
        """L A Aᵀ Lᵀ with A lower triangular: roots of chi-squared deviates on the diagonal, normal ones below."""
        n = self._event_shape[-1]
        diagonal = self._dist_chi2.rsample(sample_shape).sqrt()
        diagonal = diagonal.clamp(min=torch.finfo(diagonal.dtype).eps)
        normal = torch.randn(diagonal.shape[:-1] + (n, n), dtype=diagonal.dtype, device=diagonal.device)
        factor = self._unbroadcasted_scale_tril @ (normal.tril(-1) + diagonal.diag_embed())
        return factor @ factor.mT

    def rsample(self, sample_shape: _size = torch.Size(), max_try_correction=None) -> Tensor:
        """Draws, with gradients. Singular ones are drawn anew, up to `max_try_correction` times (10), with a warning."""
        sample_shape = torch.Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        good = self.support.check(sample)
        if good.all():
            return sample
        warnings.warn("Singular sample detected.", stacklevel=2)
        for _ in range(10 if max_try_correction is None else max_try_correction):
            again = self._bartlett_sampling(sample_shape)
            sample = torch.where(good[..., None, None], sample, again)
            good = good | self.support.check(again)
            if good.all():
                break
        return sample

    def _half_log_det(self):
        """log det L, and n log 2 / 2"""
        of_factor = self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return self._event_shape[-1] * _log_2 / 2 + of_factor

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        df, n = self.df, self._event_shape[-1]
        of_value = (df - n - 1) / 2 * torch.linalg.slogdet(value).logabsdet
        solved = torch.cholesky_solve(value, self._unbroadcasted_scale_tril)
        trace = solved.diagonal(dim1=-2, dim2=-1).sum(dim=-1)
        return of_value - df * self._half_log_det() - torch.mvlgamma(df / 2, p=n) - trace / 2

    def entropy(self) -> Tensor:
        df, n = self.df, self._event_shape[-1]
        of_df = torch.mvlgamma(df / 2, p=n) - (df - n - 1) / 2 * _mvdigamma(df / 2, n) + df * n / 2
        return (n + 1) * self._half_log_det() + of_df

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        n = self._event_shape[-1]
        half = y + (n + 1) / 2
        return half * (-torch.linalg.slogdet(-2 * x).logabsdet + _log_2 * n) + torch.mvlgamma(half, p=n)
