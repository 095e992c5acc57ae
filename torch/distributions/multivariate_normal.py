"""The normal distribution of vectors."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import _standard_normal, lazy_property

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["MultivariateNormal"]


def batch_mahalanobis(scale_tril, difference):
    """|L⁻¹ d|². scale_tril: (…, n, n), difference: (…, n), which broadcast; result (…)."""
    solved = torch.linalg.solve_triangular(scale_tril, difference.unsqueeze(-1), upper=False)
    return solved.squeeze(-1).pow(2).sum(-1)


def precision_to_scale_tril(precision):
    """The Cholesky factor of the inverse of a matrix, without inverting it.

    P with rows and columns reversed is L Lᵀ. So P = U Uᵀ with U, L reversed, upper triangular, and the inverse of P is
    F Fᵀ with F the inverse of Uᵀ, lower triangular.
    """
    reversed_factor = torch.linalg.cholesky(torch.flip(precision, (-2, -1)))
    transposed = torch.flip(reversed_factor, (-2, -1)).transpose(-2, -1)
    identity = torch.eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return torch.linalg.solve_triangular(transposed, identity, upper=False)


def _batch_mv(matrix, vector):
    """Products of matrices and vectors, which broadcast."""
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


_batch_mahalanobis, _precision_to_scale_tril = batch_mahalanobis, precision_to_scale_tril  # as libraries know them


def _matrix(name, given, loc):
    """The matrix and the mean, expanded to one batch."""
    if given.dim() < 2:
        word = "scale_tril matrix" if name == "scale_tril" else name
        raise ValueError(f"{word} must be at least two-dimensional, with optional leading batch dimensions")
    batch = torch.broadcast_shapes(given.shape[:-2], loc.shape[:-1])
    return given.expand(batch + (-1, -1)), batch


class MultivariateNormal(Distribution):
    """Vectors of n numbers with the mean `loc` (…, n) and one of: `covariance_matrix` (…, n, n), its inverse
    `precision_matrix`, or `scale_tril`, the lower triangular factor L of the covariance L Lᵀ, which is the cheapest.

    ValueError for other numbers of matrices or too few dimensions.
    """

    arg_constraints = {  # noqa: RUF012
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = given
        expanded, batch_shape = _matrix(name, matrix, loc)
        setattr(self, name, expanded)
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = scale_tril
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = torch.linalg.cholesky(covariance_matrix)
        else:
            self._unbroadcasted_scale_tril = precision_to_scale_tril(precision_matrix)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        batch_shape = torch.Size(batch_shape)
        names = ("covariance_matrix", "scale_tril", "precision_matrix")
        matrix_shape = batch_shape + self.event_shape + self.event_shape
        kept = {n: self.__dict__[n].expand(matrix_shape) for n in names if n in self.__dict__}
        kept["_unbroadcasted_scale_tril"] = self._unbroadcasted_scale_tril
        loc = self.loc.expand(batch_shape + self.event_shape)
        return self._expanded(_instance, batch_shape, self.event_shape, loc=loc, **kept)

    def _of_batch(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

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

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn = _standard_normal(shape, self.loc.dtype, self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, drawn)

    def _half_log_det(self):
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        away = batch_mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + away) - self._half_log_det()

    def entropy(self) -> Tensor:
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return entropy.expand(self._batch_shape)
