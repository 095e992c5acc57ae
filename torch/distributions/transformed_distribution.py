"""What transforms make of draws."""

from __future__ import annotations

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.independent import Independent
from torch.distributions.transforms import ComposeTransform, Transform
from torch.distributions.utils import sum_rightmost

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """Draws of `base_distribution`, to which transforms are applied, the first one first.

    Its log_prob is that of what the inverse transforms make of a value, less the logarithms of the Jacobians'
    determinants. ValueError for what is no transform, or for too few dimensions.

    Args:
        base_distribution (Distribution): what is drawn
        transforms (Transform or list of Transform): what is made of it

    Example::

        >>> from torch.distributions import Normal, TransformedDistribution, transforms
        >>> log_normal = TransformedDistribution(Normal(0.0, 1.0), transforms.ExpTransform())
        >>> log_normal.log_prob(torch.tensor(1.0))
        tensor(-0.9189)
    """

    arg_constraints: dict = {}  # noqa: RUF012

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | list[Transform],
        validate_args: bool | None = None,
    ) -> None:
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        elif not all(isinstance(t, Transform) for t in transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = transforms
        shape = base_distribution.batch_shape + base_distribution.event_shape
        base_event_dim = len(base_distribution.event_shape)
        transform = ComposeTransform(transforms)
        domain, codomain = transform.domain.event_dim, transform.codomain.event_dim
        if len(shape) < domain:
            raise ValueError(f"base_distribution needs to have shape with size at least {domain}, but got {shape}.")
        # Parameters of transforms may expand the batch; events of transforms may be made of dimensions of the batch.
        forward_shape = transform.forward_shape(shape)
        expanded = transform.inverse_shape(forward_shape)
        if shape != expanded:
            base_distribution = base_distribution.expand(expanded[: len(expanded) - base_event_dim])
        if domain > base_event_dim:
            base_distribution = Independent(base_distribution, domain - base_event_dim)
        self.base_dist = base_distribution
        event_dim = max(codomain, base_event_dim + codomain - domain)
        if len(forward_shape) < event_dim:
            raise AssertionError(f"forward_shape length {len(forward_shape)} must be >= event_dim {event_dim}")
        cut = len(forward_shape) - event_dim
        super().__init__(forward_shape[:cut], forward_shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        batch_shape = torch.Size(batch_shape)
        shape = batch_shape + self.event_shape
        for t in reversed(self.transforms):
            shape = t.inverse_shape(shape)
        base = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        return self._expanded(_instance, batch_shape, self.event_shape, base_dist=base, transforms=self.transforms)

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    @property
    def has_rsample(self) -> bool:
        return self.base_dist.has_rsample

    def _forward(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        with torch.no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        return self._forward(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        event_dim = len(self.event_shape)
        result = None
        y = value
        for transform in reversed(self.transforms):
            domain, codomain = transform.domain.event_dim, transform.codomain.event_dim
            x = transform.inv(y)
            event_dim += domain - codomain
            term = sum_rightmost(transform.log_abs_det_jacobian(x, y), event_dim - domain)
            result = -term if result is None else result - term
            y = x
        term = sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))
        return term if result is None else result + term

    def _monotone(self, probability):
        """1 - p where the transforms turn the order around."""
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return probability
        return sign * (probability - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotone(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        return self._forward(self.base_dist.icdf(self._monotone(value)))
