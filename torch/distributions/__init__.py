"""Probability distributions over tensors: samples, densities, entropies, divergences.

A distribution has a ``batch_shape`` (that of its parameters: independent distributions) and an ``event_shape`` (that of
one draw). ``sample`` and ``rsample`` return sample_shape + batch_shape + event_shape; gradients flow through ``rsample``.
``log_prob`` of a value that broadcasts with batch_shape + event_shape has the batch's shape.

There are Bernoulli, Categorical, Normal, Uniform and MultivariateNormal, and Independent, which turns dimensions of a
batch into dimensions of an event.
"""

from torch.distributions import constraints, kl, utils
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.independent import Independent
from torch.distributions.kl import kl_divergence, register_kl
from torch.distributions.multivariate_normal import MultivariateNormal
from torch.distributions.normal import Normal
from torch.distributions.uniform import Uniform

__all__ = [
    "Bernoulli",
    "Categorical",
    "Distribution",
    "ExponentialFamily",
    "Independent",
    "MultivariateNormal",
    "Normal",
    "Uniform",
    "kl_divergence",
    "register_kl",
]
