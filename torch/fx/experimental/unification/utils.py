"""What unification uses."""

from torch.fx.experimental.unification.multipledispatch.utils import _toposort, raises, reverse_dict  # noqa: F401

__all__ = ["freeze", "hashable", "raises", "reverse_dict", "transitive_get", "xfail"]


def hashable(x):
    """Whether it has a hash."""
    try:
        hash(x)
    except TypeError:
        return False
    return True


def transitive_get(key, d):
    """What `key` stands for in the end: d[d[key]] and so on."""
    if hashable(key):
        while key in d:
            key = d[key]
            if not hashable(key):
                break
    return key


def xfail(func):
    """Runs the function, which must raise."""
    try:
        func()
    except Exception:  # noqa: BLE001 - any will do
        return
    raise Exception("XFailed test passed")  # noqa: TRY002


def freeze(d):
    """The value as one that has a hash."""
    if isinstance(d, dict):
        return frozenset((key, freeze(value)) for key, value in d.items())
    if isinstance(d, set):
        return frozenset(map(freeze, d))
    if isinstance(d, (tuple, list)):
        return tuple(map(freeze, d))
    return d
