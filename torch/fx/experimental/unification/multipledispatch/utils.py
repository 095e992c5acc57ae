"""Orders of signatures."""

from collections import OrderedDict

__all__ = ["expand_tuples", "groupby", "raises", "reverse_dict", "typename"]


def raises(err, lamda):
    """Whether the function raises this."""
    try:
        lamda()
    except err:
        return True
    return False


def expand_tuples(L):  # noqa: N803 - torch's name
    """[(a, b), c] as [(a, c), (b, c)]."""
    if not L:
        return [()]
    rest = expand_tuples(L[1:])
    first = L[0] if isinstance(L[0], tuple) else (L[0],)
    return [(item, *other) for other in rest for item in first]


def _toposort(edges):
    """The nodes of {node: those that come after it} in an order. ValueError where there is none."""
    before = reverse_dict(edges)
    before = OrderedDict((k, set(v)) for k, v in before.items())
    ready = OrderedDict.fromkeys(node for node in edges if node not in before)
    order = []
    while ready:
        node, _ = ready.popitem()
        order.append(node)
        for later in edges.get(node, ()):
            before[later].discard(node)
            if not before[later]:
                ready[later] = None
    if any(before.get(node) for node in edges):
        raise ValueError("Input has cycles")
    return order


def reverse_dict(d):
    """{a: (b, c)} as {b: (a,), c: (a,)}."""
    made = OrderedDict()
    for key, values in d.items():
        for value in values:
            made[value] = made.get(value, ()) + (key,)
    return made


def groupby(func, seq):
    """{func(element): [elements]}"""
    made = OrderedDict()
    for item in seq:
        made.setdefault(func(item), []).append(item)
    return made


def typename(type):  # noqa: A002 - torch's name
    """The name of a type, or of several in brackets."""
    try:
        return type.__name__
    except AttributeError:
        return typename(*type) if len(type) == 1 else f"({', '.join(map(typename, type))})"
