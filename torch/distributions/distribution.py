"""The base of all distributions."""

from __future__ import annotations

import warnings

import torch
from torch.distributions import constraints
from torch.distributions.utils import lazy_property

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["Distribution"]


class Distribution:
    """A distribution over tensors of ``event_shape``, for each element of ``batch_shape``.

    Args:
        batch_shape (torch.Size): shape of the parameters
        event_shape (torch.Size): shape of one draw
        validate_args (bool, optional): whether parameters, and values given to log_prob, are looked at and refused with a
            ValueError where they are out of range (default: what set_default_validate_args says; True unless Python runs
            with -O)
    """

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether distributions made from now on look at their arguments, where they do not say. ValueError unless bool."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: torch.Size = torch.Size(),
        event_shape: torch.Size = torch.Size(),
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape = batch_shape
        self._event_shape = event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    def _check_parameters(self):
        try:
            arg_constraints = self.arg_constraints
        except NotImplementedError:
            arg_constraints = {}
            warnings.warn(
                f"{self.__class__} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize "
                "the distribution with `validate_args=False` to turn off validation.",
                stacklevel=4,
            )
        for name, constraint in arg_constraints.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue  # computed from another one, which was looked at
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                    f"{self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        """The distribution with its parameters expanded to another batch_shape; nothing is looked at anew."""
        raise NotImplementedError

    def _expanded(self, instance, batch_shape, event_shape, **parameters):
        """An object of this type with these parameters: what expand() is made of."""
        of = next(cls for cls in type(self).__mro__ if "expand" in vars(cls))
        new = self._get_checked_instance(of, instance)
        for name, value in parameters.items():
            setattr(new, name, value)
        Distribution.__init__(new, torch.Size(batch_shape), event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def _expand_parameters(self, instance, batch_shape, *names):
        """expand() of a type whose parameters all begin with the batch's shape: those of `names` that are there."""
        batch_shape = torch.Size(batch_shape)
        own = len(self._batch_shape)
        there = {name: self.__dict__[name] for name in names if name in self.__dict__}
        kept = {name: value.expand(batch_shape + value.shape[own:]) for name, value in there.items()}
        return self._expanded(instance, batch_shape, self._event_shape, **kept)

    @property
    def batch_shape(self) -> torch.Size:
        """Shape of the parameters."""
        return self._batch_shape

    @property
    def event_shape(self) -> torch.Size:
        """Shape of one draw."""
        return self._event_shape

    @property
    def arg_constraints(self) -> dict[str, constraints.Constraint]:
        """{name of a parameter: the set it must lie in}"""
        raise NotImplementedError

    @property
    def support(self) -> constraints.Constraint | None:
        """The set that draws lie in."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The expectation, batch_shape + event_shape."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most likely value, batch_shape + event_shape."""
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """Of each element, batch_shape + event_shape."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape: _size = torch.Size()) -> Tensor:
        """Draws, sample_shape + batch_shape + event_shape, without a gradient."""
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: _size = torch.Size()) -> Tensor:
        """Draws that gradients flow through to the parameters."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """sample((n,)), with a FutureWarning."""
        warnings.warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning, stacklevel=2)
        return self.sample(torch.Size((n,)))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`, of the batch's shape."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of a draw up to `value`."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The value up to which a draw lies with the probability `value`."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values of a discrete distribution along a new first dimension; expand=False: of size 1 in the batch's."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """In nats, of the batch's shape."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape=torch.Size()):
        """sample_shape + batch_shape + event_shape."""
        if not isinstance(sample_shape, torch.Size):
            sample_shape = torch.Size(sample_shape)
        return torch.Size(sample_shape + self._batch_shape + self._event_shape)

    def _validate_sample(self, value):
        """ValueError unless `value` is a tensor that fits, of values that the distribution can take."""
        if not isinstance(value, torch.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        events = max(0, value.dim() - len(self._event_shape))
        if value.shape[events:] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.size()} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        for i, j in zip(reversed(value.size()), reversed(expected)):
            if i != 1 and j != 1 and i != j:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {value.size()} vs {expected}."
                )
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{self.__class__} does not define `support` to enable sample validation. Please initialize the "
                "distribution with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support "
                f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _get_checked_instance(self, cls, _instance=None):
        """An object to fill, for the expand() of `cls`. NotImplementedError for a subclass whose constructor is its own:
        the fields that it makes are not known here."""
        if _instance is None and type(self).__init__ is not cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also define "
                "a custom .expand() method."
            )
        return self.__new__(type(self)) if _instance is None else _instance

    def __repr__(self) -> str:
        names = [name for name in self.arg_constraints if name in self.__dict__]
        shown = (self.__dict__[name] for name in names)
        text = ", ".join(
            f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in zip(names, shown)
        )
        return f"{self.__class__.__name__}({text})"
