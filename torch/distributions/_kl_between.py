"""Divergences of distributions of different types: the expectation of the second one's log-density under the first, less
the first one's entropy. Where the first one's values leave the second's support they are infinite."""

import math

import torch
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.beta import Beta
from torch.distributions.binomial import Binomial
from torch.distributions.continuous_bernoulli import ContinuousBernoulli
from torch.distributions.exponential import Exponential
from torch.distributions.gamma import Gamma
from torch.distributions.gumbel import Gumbel
from torch.distributions.kl import register_kl
from torch.distributions.laplace import Laplace
from torch.distributions.normal import Normal
from torch.distributions.pareto import Pareto
from torch.distributions.poisson import Poisson
from torch.distributions.uniform import Uniform
from torch.distributions.utils import euler_constant


def _of_both(types_p, types_q):
    """Registers one function for all pairs."""

    def decorator(function):
        for p in types_p:
            for q in types_q:
                register_kl(p, q)(function)
        return function

    return decorator


@_of_both([Exponential, Gamma], [Beta, ContinuousBernoulli, Pareto, Uniform])
@_of_both([Gumbel, Laplace, Normal], [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform])
@_of_both([Beta, ContinuousBernoulli], [Pareto])
@_of_both([Pareto], [Beta, ContinuousBernoulli, Uniform])
@_of_both([Poisson], [Bernoulli, Binomial])
def _kl_infinity(p, q):
    return torch.full_like(p.mean, math.inf)


# ---- expectations under p that the formulas below need -----------------------------------------------------------


def _integral_of_log(x):
    """x log x - x"""
    return torch.xlogy(x, x) - x


def _mean_log(p):
    """E log x"""
    if isinstance(p, Beta):
        return torch.digamma(p.concentration1) - torch.digamma(p.concentration1 + p.concentration0)
    if isinstance(p, Exponential):
        return -euler_constant - p.rate.log()
    if isinstance(p, Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    return (_integral_of_log(p.high) - _integral_of_log(p.low)) / (p.high - p.low)  # Uniform


def _mean_exp(p, t):
    """E exp(-t x)"""
    if isinstance(p, Exponential):
        return p.rate / (p.rate + t)
    if isinstance(p, Gamma):
        return torch.exp(-p.concentration * torch.log1p(t / p.rate))
    if isinstance(p, Normal):
        return torch.exp(t * (0.5 * t * p.scale.pow(2) - p.loc))
    return (torch.exp(-t * p.low) - torch.exp(-t * p.high)) / (t * (p.high - p.low))  # Uniform


# ---- by the second type ------------------------------------------------------------------------------------------


@_of_both([Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace, Pareto], [Normal])
def _kl_normal(p, q):
    square = q.scale.pow(2)
    away = p.variance + (p.mean - q.loc).pow(2)
    return -p.entropy() + 0.5 * (2 * math.pi * square).log() + 0.5 * away / square


@_of_both([Beta, ContinuousBernoulli, Gamma, Pareto, Uniform], [Exponential])
def _kl_exponential(p, q):
    result = -p.entropy() - q.rate.log() + q.rate * p.mean
    return torch.where(p.low < 0, math.inf, result) if isinstance(p, Uniform) else result


@_of_both([Beta, Exponential, Pareto, Uniform], [Gamma])
def _kl_gamma(p, q):
    normalizer = q.concentration.lgamma() - q.concentration * q.rate.log()
    result = -p.entropy() + normalizer - (q.concentration - 1) * _mean_log(p) + q.rate * p.mean
    return torch.where(p.low < 0, math.inf, result) if isinstance(p, Uniform) else result


@_of_both([Exponential, Gamma, Normal, Uniform], [Gumbel])
def _kl_gumbel(p, q):
    inverse = q.scale.reciprocal()
    away = (p.mean - q.loc) * inverse
    return -p.entropy() + q.scale.log() + away + torch.exp(q.loc * inverse) * _mean_exp(p, inverse)


@_of_both([Beta, ContinuousBernoulli], [Uniform])
def _kl_uniform(p, q):
    result = -p.entropy() + (q.high - q.low).log()
    return torch.where((q.low > 0) | (q.high < 1), math.inf, result)


@_of_both([Beta, Uniform], [ContinuousBernoulli])
def _kl_continuous_bernoulli(p, q):
    result = -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q._cont_bern_log_norm()
    return torch.where((p.low < 0) | (p.high > 1), math.inf, result) if isinstance(p, Uniform) else result


@register_kl(Uniform, Beta)
def _kl_uniform_beta(p, q):
    a, b = q.concentration1, q.concentration0
    normalizer = a.lgamma() + b.lgamma() - (a + b).lgamma()
    of_rest = (_integral_of_log(1 - p.low) - _integral_of_log(1 - p.high)) / (p.high - p.low)  # E log(1 - x)
    result = -p.entropy() + normalizer - (a - 1) * _mean_log(p) - (b - 1) * of_rest
    return torch.where((p.low < 0) | (p.high > 1), math.inf, result)


@register_kl(Uniform, Normal)
def _kl_uniform_normal(p, q):
    width = p.high - p.low
    narrow = (math.sqrt(math.pi * 2) * q.scale / width).log()
    away = width.pow(2) / 12 + ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return narrow + 0.5 * away / q.scale.pow(2)


@register_kl(Uniform, Pareto)
def _kl_uniform_pareto(p, q):
    of_value = (q.alpha + 1) * _mean_log(p)
    result = -p.entropy() - (q.alpha * q.scale.pow(q.alpha)).log() + of_value
    return torch.where(p.low < q.scale, math.inf, result)


@register_kl(Bernoulli, Poisson)
def _kl_bernoulli_poisson(p, q):
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Normal, Laplace)
def _kl_normal_laplace(p, q):
    away = p.loc - q.loc
    ratio = away / p.scale
    density = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * ratio.pow(2))
    mean = density + away * torch.erf(math.sqrt(0.5) * ratio)  # E |x - q.loc|
    return -p.entropy() + (2 * q.scale).log() + mean / q.scale
