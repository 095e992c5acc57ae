"""Normal vectors whose covariance is one of low rank, plus a diagonal one."""

from __future__ import annotations

import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.multivariate_normal import _batch_mv, batch_mahalanobis
from torch.distributions.utils import _standard_normal, lazy_property

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["LowRankMultivariateNormal"]


def add_to_diagonal(matrix):
    """matrix + 1"""
    return matrix + torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)


def batch_capacitance_tril(factor, diagonal):
    """The Cholesky factor of C = 1 + Wᵀ D⁻¹ W, m by m, which stands for the n by n covariance W Wᵀ + D."""
    return torch.linalg.cholesky(add_to_diagonal((factor.mT / diagonal.unsqueeze(-2)) @ factor))


def batch_lowrank_logdet(factor, diagonal, capacitance_tril):
    """log det (W Wᵀ + D) = log det C + log det D."""
    return 2 * capacitance_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1) + diagonal.log().sum(-1)


def batch_lowrank_mahalanobis(factor, diagonal, difference, capacitance_tril):
    """dᵀ (W Wᵀ + D)⁻¹ d, by Woodbury's identity: the inverse is D⁻¹ - D⁻¹ W C⁻¹ Wᵀ D⁻¹."""
    scaled = _batch_mv(factor.mT / diagonal.unsqueeze(-2), difference)
    return (difference.pow(2) / diagonal).sum(-1) - batch_mahalanobis(capacitance_tril, scaled)


class LowRankMultivariateNormal(Distribution):
    """Vectors of n numbers with the covariance W Wᵀ + D: everything costs n m² instead of n³.

    Args:
        loc (Tensor): (…, n), the mean
        cov_factor (Tensor): (…, n, m), W
        cov_diag (Tensor): (…, n), the diagonal of D, positive. ValueError for shapes that do not fit.
    """

    arg_constraints = {  # noqa: RUF012
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            batch_shape = torch.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from error
        self.loc = loc.expand(batch_shape + event_shape)
        self.cov_factor = cov_factor.expand(batch_shape + cov_factor.shape[-2:])
        self.cov_diag = cov_diag.expand(batch_shape + event_shape)
        self._unbroadcasted_cov_factor = cov_factor
        self._unbroadcasted_cov_diag = cov_diag
        self._capacitance_tril = batch_capacitance_tril(cov_factor, cov_diag)
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        new = self._expand_parameters(_instance, batch_shape, "loc", "cov_factor", "cov_diag")
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(new, name, getattr(self, name))
        return new

    def _of_batch(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        """The diagonal of the covariance."""
        variance = self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag
        return variance.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower triangular factor of the covariance."""
        # D^½ times that of 1 + (D^-½ W) (D^-½ W)ᵀ, whose eigenvalues are at least 1
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / root
        return self._of_batch(root * torch.linalg.cholesky(add_to_diagonal(scaled @ scaled.mT)))

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        factor = self._unbroadcasted_cov_factor
        return self._of_batch(factor @ factor.mT + torch.diag_embed(self._unbroadcasted_cov_diag))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        scaled = self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)
        a = torch.linalg.solve_triangular(self._capacitance_tril, scaled, upper=False)
        return self._of_batch(torch.diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - a.mT @ a)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        of_factor = _standard_normal(shape[:-1] + self.cov_factor.shape[-1:], self.loc.dtype, self.loc.device)
        of_diagonal = _standard_normal(shape, self.loc.dtype, self.loc.device)
        moved = _batch_mv(self._unbroadcasted_cov_factor, of_factor)
        return self.loc + moved + self._unbroadcasted_cov_diag.sqrt() * of_diagonal

    def _covariance_parts(self):
        return self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag

    def _log_det(self):
        return batch_lowrank_logdet(*self._covariance_parts(), self._capacitance_tril)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        away = batch_lowrank_mahalanobis(*self._covariance_parts(), value - self.loc, self._capacitance_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + away)

    def entropy(self) -> Tensor:
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return entropy.expand(self._batch_shape)
