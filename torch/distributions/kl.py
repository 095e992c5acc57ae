"""Kullback-Leibler divergences: one function for each pair of types, found by the nearest pair of their bases."""

from __future__ import annotations

import functools
import warnings

from torch.distributions.distribution import Distribution

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


__all__ = ["kl_divergence", "register_kl"]

_REGISTRY = {}  # {(type of p, type of q): function}
_KL_REGISTRY = _REGISTRY  # as libraries know it


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


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The expectation under `p` of log p - log q, of the batch's shape. NotImplementedError for pairs that nobody has
    registered."""
    function = _function_for(type(p), type(q))
    if function is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type {q.__class__.__name__}"
        )
    return function(p, q)


# Those that there are register themselves.
from torch.distributions import _kl_alike, _kl_between, _kl_vectors  # noqa: E402, F401
