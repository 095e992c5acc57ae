"""Kullback-Leibler divergences: one function for each pair of types, found by the nearest pair of their bases."""

import functools
import math
import warnings

import torch
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.independent import Independent
from torch.distributions.multivariate_normal import MultivariateNormal, batch_mahalanobis
from torch.distributions.normal import Normal
from torch.distributions.uniform import Uniform
from torch.distributions.utils import sum_rightmost

__all__ = ["kl_divergence", "register_kl"]

_REGISTRY = {}  # {(type of p, type of q): function}


def register_kl(type_p, type_q):
    """Decorates a function of (p, q): kl_divergence calls it for these types and those derived from them, unless a nearer
    pair is registered. TypeError for types that are no distributions."""
    if not isinstance(type_p, type) and issubclass(type_p, Distribution):
        raise TypeError(f"Expected type_p to be a Distribution subclass but got {type_p}")
    if not isinstance(type_q, type) and issubclass(type_q, Distribution):
        raise TypeError(f"Expected type_q to be a Distribution subclass but got {type_q}")

    def decorator(function):
        _REGISTRY[type_p, type_q] = function
        _function_for.cache_clear()
        return function

    return decorator


@functools.cache
def _function_for(type_p, type_q):
    """The function of the nearest registered pair, the first type deciding; None where there is none."""
    found = [(p, q) for p, q in _REGISTRY if issubclass(type_p, p) and issubclass(type_q, q)]
    if not found:
        return None
    above_p, above_q = type_p.__mro__, type_q.__mro__
    by_p = min(found, key=lambda pair: (above_p.index(pair[0]), above_q.index(pair[1])))
    by_q = min(found, key=lambda pair: (above_q.index(pair[1]), above_p.index(pair[0])))
    if _REGISTRY[by_p] is not _REGISTRY[by_q]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({by_p[0].__name__}, "
            f"{by_q[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _REGISTRY[by_p]


def kl_divergence(p, q):
    """The expectation under `p` of log p - log q, of the batch's shape. NotImplementedError for pairs that nobody has
    registered."""
    function = _function_for(type(p), type(q))
    if function is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type {q.__class__.__name__}"
        )
    return function(p, q)


@register_kl(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(p, q):
    # -log q1 is softplus(-l) and -log q0 is softplus(l) of the logits l
    softplus = torch.nn.functional.softplus
    one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    one = torch.where(
        p.probs == 0, torch.zeros_like(one), torch.where(q.probs == 0, torch.full_like(one, math.inf), one)
    )
    zero = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    zero = torch.where(
        p.probs == 1, torch.zeros_like(zero), torch.where(q.probs == 1, torch.full_like(zero, math.inf), zero)
    )
    return one + zero


@register_kl(Categorical, Categorical)
def _kl_categorical_categorical(p, q):
    terms = p.probs * (p.logits - q.logits)
    terms = torch.where((q.probs == 0).expand_as(terms), math.inf, terms)
    terms = torch.where((p.probs == 0).expand_as(terms), 0, terms)
    return terms.sum(-1)


@register_kl(Normal, Normal)
def _kl_normal_normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    away = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + away - 1 - ratio.log())


@register_kl(Uniform, Uniform)
def _kl_uniform_uniform(p, q):
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return result.masked_fill((q.low > p.low) | (q.high < p.high), math.inf)


@register_kl(Uniform, Normal)
def _kl_uniform_normal(p, q):
    width = p.high - p.low
    narrow = (math.sqrt(math.pi * 2) * q.scale / width).log()
    spread = width.pow(2) / 12
    away = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return narrow + 0.5 * (spread + away) / q.scale.pow(2)


@register_kl(Normal, Uniform)
def _kl_normal_infinity(p, q):
    return torch.full_like(p.loc, math.inf)  # q's density is 0 where p's is not


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


@register_kl(Independent, Independent)
def _kl_independent_independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p, q):
    """The Bregman divergence of the log-normaliser (Nielsen and Nock, 2010)."""
    if type(p) is not type(q):
        raise NotImplementedError(
            f"The cross KL-divergence between different exponential families cannot be computed using Bregman "
            f"divergences: {p.__class__.__name__} and {q.__class__.__name__}"
        )
    of_p = [x.detach().requires_grad_() for x in p._natural_params]
    of_q = q._natural_params
    normalizer = p._log_normalizer(*of_p)
    gradients = torch.autograd.grad(normalizer.sum(), of_p, create_graph=True)
    result = q._log_normalizer(*of_q) - normalizer
    for a, b, gradient in zip(of_p, of_q, gradients):
        result = result - sum_rightmost((b - a) * gradient, len(q.event_shape))
    return result
