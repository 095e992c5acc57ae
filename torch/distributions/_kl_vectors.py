"""Divergences of normal vectors."""

import torch
from torch.distributions.kl import register_kl
from torch.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    batch_lowrank_mahalanobis,
)
from torch.distributions.multivariate_normal import MultivariateNormal, batch_mahalanobis
from torch.distributions.utils import sum_rightmost


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl_multivariatenormal_multivariatenormal(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event shapes cannot be computed"
        )
    n = p.event_shape[0]
    of_p, of_q = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    batch = torch.broadcast_shapes(of_p.shape[:-2], of_q.shape[:-2])
    ratio = torch.linalg.solve_triangular(of_q.expand(batch + (n, n)), of_p.expand(batch + (n, n)), upper=False)
    away = batch_mahalanobis(of_q, q.loc - p.loc)
    return q._half_log_det() - p._half_log_det() + 0.5 * (sum_rightmost(ratio.pow(2), 2) + away - n)


def _squares(matrix):
    return sum_rightmost(matrix.pow(2), 2)


def _of_one_length(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two (Low Rank) Multivariate Normals with different event shapes cannot be computed"
        )
    return p.event_shape[0]


def _to_lowrank(p, q, p_log_det, factors, diagonal):
    """For q = N(m, W Wᵀ + D) and p's covariance, the sum of A Aᵀ for A in `factors`, and of a diagonal one. By Woodbury's
    identity the trace of q's inverse times that has two parts, of which the second is subtracted."""
    n = _of_one_length(p, q)
    w, d = q._covariance_parts()
    scaled = torch.linalg.solve_triangular(q._capacitance_tril, w.mT / d.unsqueeze(-2), upper=False)
    trace = sum(_squares(f / d.sqrt().unsqueeze(-1)) - _squares(scaled @ f) for f in factors)
    if diagonal is not None:
        trace = trace + (diagonal / d).sum(-1) - _squares(scaled * diagonal.sqrt().unsqueeze(-2))
    away = batch_lowrank_mahalanobis(w, d, q.loc - p.loc, q._capacitance_tril)
    return 0.5 * (q._log_det() - p_log_det + away + trace - n)


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _kl_lowrankmultivariatenormal_lowrankmultivariatenormal(p, q):
    w, d = p._covariance_parts()
    return _to_lowrank(p, q, p._log_det(), [w], d)


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _kl_multivariatenormal_lowrankmultivariatenormal(p, q):
    return _to_lowrank(p, q, 2 * p._half_log_det(), [p._unbroadcasted_scale_tril], None)


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _kl_lowrankmultivariatenormal_multivariatenormal(p, q):
    n = _of_one_length(p, q)
    factor = q._unbroadcasted_scale_tril
    w, d = p._covariance_parts()
    solved = [torch.linalg.solve_triangular(factor, a, upper=False) for a in (w, d.sqrt().diag_embed())]
    away = batch_mahalanobis(factor, q.loc - p.loc)
    return q._half_log_det() + 0.5 * (_squares(solved[0]) + _squares(solved[1]) + away - p._log_det() - n)
