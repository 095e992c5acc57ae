"""Mixtures of distributions of one type."""

from __future__ import annotations

import torch
from torch.distributions import constraints
from torch.distributions.categorical import Categorical
from torch.distributions.constraints import MixtureSameFamilyConstraint
from torch.distributions.distribution import Distribution

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A draw of one of the distributions in the last dimension of a batch, chosen at random.

    Args:
        mixture_distribution (Categorical): which one is chosen; its batch is () or the components', but for their last
            dimension
        component_distribution (Distribution): (…, K) of them. ValueError for other types and shapes.

    Example::

        >>> from torch.distributions import Categorical, MixtureSameFamily, Normal
        >>> which = Categorical(torch.tensor([0.5, 0.5]))
        >>> MixtureSameFamily(which, Normal(torch.tensor([-1.0, 1.0]), torch.ones(2))).mean
        tensor(0.)
    """

    arg_constraints: dict = {}  # noqa: RUF012
    has_rsample = False

    def __init__(
        self, mixture_distribution: Categorical, component_distribution: Distribution, validate_args: bool | None = None
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        mixture_batch, batch_shape = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        for a, b in zip(reversed(mixture_batch), reversed(batch_shape)):
            if a != 1 and b != 1 and a != b:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({mixture_batch}) is not compatible with "
                    f"`component_distribution.batch_shape`({batch_shape})"
                )
        chosen, there = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if chosen != there:
            raise ValueError(
                f"`mixture_distribution component` ({chosen}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({there})"
            )
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        self._num_component = chosen
        event_shape = component_distribution.event_shape
        self._event_ndims = len(event_shape)
        super().__init__(batch_shape=batch_shape, event_shape=event_shape, validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        batch_shape = torch.Size(batch_shape)
        return self._expanded(
            _instance,
            batch_shape,
            self._event_shape,
            _component_distribution=self._component_distribution.expand(batch_shape + (self._num_component,)),
            _mixture_distribution=self._mixture_distribution.expand(batch_shape),
            _num_component=self._num_component,
            _event_ndims=self._event_ndims,
        )

    @constraints.dependent_property
    def support(self):
        return MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Categorical:
        """Which component is chosen."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The components."""
        return self._component_distribution

    def _weights(self):
        """The components' probabilities, in the shape of their means."""
        probs = self._mixture_distribution.probs
        return probs.reshape(probs.shape + (1,) * self._event_ndims)

    def _averaged(self, values):
        return torch.sum(self._weights() * values, dim=-1 - self._event_ndims)

    @property
    def mean(self) -> Tensor:
        return self._averaged(self._component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        """The mean of the components' variances plus the variance of their means."""
        components = self._component_distribution
        away = (components.mean - self._pad(self.mean)).pow(2.0)
        return self._averaged(components.variance) + self._averaged(away)

    def _pad(self, x):
        return x.unsqueeze(-1 - self._event_ndims)

    def cdf(self, x) -> Tensor:
        return torch.sum(self._component_distribution.cdf(self._pad(x)) * self._mixture_distribution.probs, dim=-1)

    def log_prob(self, x) -> Tensor:
        if self._validate_args:
            self._validate_sample(x)
        of_components = self._component_distribution.log_prob(self._pad(x))
        of_choice = torch.log_softmax(self._mixture_distribution.logits, dim=-1)
        return torch.logsumexp(of_components + of_choice, dim=-1)

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        sample_shape = torch.Size(sample_shape)
        with torch.no_grad():
            mixture = self._mixture_distribution
            if mixture.batch_shape != self._batch_shape:  # each element of the batch chooses for itself
                mixture = mixture.expand(self._batch_shape)
            batch = sample_shape + self._batch_shape
            chosen = mixture.sample(sample_shape).reshape(batch + (1,) * (self._event_ndims + 1))
            drawn = self._component_distribution.sample(sample_shape)
            return drawn.gather(len(batch), chosen.expand(batch + (1,) + self._event_shape)).squeeze(len(batch))

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
