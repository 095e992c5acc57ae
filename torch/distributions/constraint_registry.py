"""From a constraint to a transform that makes its values of unconstrained numbers: ``biject_to`` gives a bijection,
``transform_to`` one that may have more parameters than dimensions, for optimisation."""

from __future__ import annotations

import numbers

from torch.distributions import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """{type of a constraint: a function of such a constraint that makes a transform}"""

    def __init__(self) -> None:
        self._registry = {}
        super().__init__()

    def register(self, constraint, factory=None):
        """Registers `factory` for a type of constraints, or for the type of a constraint; without one it is a decorator.
        TypeError for what is no constraint."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        """The transform; NotImplementedError for types that nobody has registered."""
        try:
            factory = self._registry[type(constraint)]
        except KeyError:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints") from None
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _both(constraint):
    """Registers a function for bijections and other transforms alike."""
    return lambda factory: biject_to.register(constraint)(transform_to.register(constraint)(factory))


@_both(constraints.real)
def _to_real(constraint):
    return transforms.identity_transform


def _to_independent(registry, constraint):
    return transforms.IndependentTransform(registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims)


@biject_to.register(constraints.independent)
def _biject_to_independent(constraint):
    return _to_independent(biject_to, constraint)


@transform_to.register(constraints.independent)
def _transform_to_independent(constraint):
    return _to_independent(transform_to, constraint)


@_both(constraints.positive)
@_both(constraints.nonnegative)
def _to_positive(constraint):
    return transforms.ExpTransform()


def _from(loc, scale):
    """Beyond `loc`, in the direction of `scale`."""
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(loc, scale)])


@_both(constraints.greater_than)
@_both(constraints.greater_than_eq)
def _to_greater(constraint):
    return _from(constraint.lower_bound, 1)


@_both(constraints.less_than)
def _to_less(constraint):
    return _from(constraint.upper_bound, -1)


@_both(constraints.interval)
@_both(constraints.half_open_interval)
def _to_interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if all(isinstance(bound, numbers.Number) for bound in (low, high)) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


@biject_to.register(constraints.simplex)
def _biject_to_simplex(constraint):
    return transforms.StickBreakingTransform()


@transform_to.register(constraints.simplex)
def _transform_to_simplex(constraint):
    return transforms.SoftmaxTransform()


@transform_to.register(constraints.lower_cholesky)
def _to_lower_cholesky(constraint):
    return transforms.LowerCholeskyTransform()


@transform_to.register(constraints.positive_definite)
@transform_to.register(constraints.positive_semidefinite)
def _to_positive_definite(constraint):
    return transforms.PositiveDefiniteTransform()


@_both(constraints.corr_cholesky)
def _to_corr_cholesky(constraint):
    return transforms.CorrCholeskyTransform()


def _to_parts(registry, transform, *details):
    def factory(constraint):
        parts = [registry(part) for part in constraint.cseq]
        return transform(parts, *(getattr(constraint, name) for name in details))

    return factory


for _registry in (biject_to, transform_to):
    _registry.register(constraints.cat, _to_parts(_registry, transforms.CatTransform, "dim", "lengths"))
    _registry.register(constraints.stack, _to_parts(_registry, transforms.StackTransform, "dim"))
