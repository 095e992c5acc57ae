"""Which of two signatures comes first, and whether that is clear."""

import operator

from torch.fx.experimental.unification.multipledispatch.utils import _toposort, groupby
from torch.fx.experimental.unification.multipledispatch.variadic import isvariadic

__all__ = [
    "AmbiguityWarning",
    "ambiguities",
    "ambiguous",
    "consistent",
    "edge",
    "ordering",
    "super_signature",
    "supercedes",
]


class AmbiguityWarning(Warning):
    """It is not clear which of two signatures counts."""


def supercedes(a, b):
    """Whether `a` says at least as much as `b`."""
    if len(a) < len(b):
        return len(a) == 0 and len(b) == 1 and isvariadic(b[-1])
    if len(a) == len(b):
        return all(map(issubclass, a, b))
    i = j = 0
    while i < len(a) and j < len(b):
        variadic_a, variadic_b = isvariadic(a[i]), isvariadic(b[j])
        if not issubclass(a[i], b[j]) or (variadic_a and not variadic_b):
            return False
        i += not variadic_a or variadic_b
        j += not variadic_b or variadic_a
    return j >= len(b) - 1 and i == len(a) and bool(b) and isvariadic(b[-1])


def consistent(a, b):
    """Whether a call may fit both."""
    if not a:
        return not b or isvariadic(b[0])
    if not b:
        return not a or isvariadic(a[0])
    if len(a) == len(b):
        return all(issubclass(x, y) or issubclass(y, x) for x, y in zip(a, b))
    i = j = 0
    while i < len(a) and j < len(b):
        if not (issubclass(a[i], b[j]) or issubclass(b[j], a[i])):
            return False
        move_a, move_b = not isvariadic(a[i]), not isvariadic(b[j])
        if not move_a and not move_b:
            move_a = move_b = True
        i += move_a
        j += move_b
    left = a[i:] or b[j:]
    return all(isvariadic(kind) for kind in left)


def ambiguous(a, b):
    """Whether a call may fit both, and neither comes first."""
    return consistent(a, b) and not (supercedes(a, b) or supercedes(b, a))


def ambiguities(signatures):
    """The pairs of which neither comes first, and that no third decides."""
    signatures = list(map(tuple, signatures))
    return {
        (a, b)
        for a in signatures
        for b in signatures
        if hash(a) < hash(b) and ambiguous(a, b) and not any(supercedes(c, a) and supercedes(c, b) for c in signatures)
    }


def super_signature(signatures):
    """A signature that would decide between these."""
    length = len(signatures[0])
    if not all(len(s) == length for s in signatures):
        raise AssertionError("signatures must have the same length")
    return [max((type.mro(s[i]) for s in signatures), key=len)[0] for i in range(length)]


def edge(a, b, tie_breaker=hash):
    """Whether `a` is to be tried before `b`."""
    return supercedes(a, b) and (not supercedes(b, a) or tie_breaker(a) > tie_breaker(b))


def ordering(signatures):
    """The signatures in the order in which they are tried."""
    signatures = list(map(tuple, signatures))
    pairs = [(a, b) for a in signatures for b in signatures if edge(a, b)]
    edges = groupby(operator.itemgetter(0), pairs)
    for signature in signatures:
        edges.setdefault(signature, [])
    return _toposort({k: [b for _, b in v] for k, v in edges.items()})
