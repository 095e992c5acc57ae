"""Sizes that a compiler does not know yet: there are none here, so each question about one has its plain answer."""

from torch._absent import rest_of


def guard_or_false(a):
    """Whether the condition holds, known as it is."""
    return bool(a)


def guard_or_true(a):
    """Whether the condition holds, known as it is."""
    return bool(a)


guard_bool = guard_size_oblivious = guard_or_false


def guard_int(a):
    """The number as an int."""
    return int(a)


def guard_float(a):
    """The number as a float."""
    return float(a)


def statically_known_true(x):
    """Whether the condition holds, known as it is."""
    return bool(x)


def definitely_true(a):
    """Whether the condition holds, known as it is."""
    return bool(a)


def definitely_false(a):
    """Whether the condition does not hold, known as it is."""
    return not a


def hint_int(a, fallback=None):
    """The number as an int."""
    return int(a)


def is_concrete_int(a):
    """Whether it is a number that is known."""
    return isinstance(a, int)


def has_free_symbols(val):
    """Whether a size in it is unknown: no."""
    return False


has_free_unbacked_symbols = has_free_symbols


def free_symbols(val):
    """The unknown sizes in it: none."""
    return set()


free_unbacked_symbols = free_symbols


def sym_eq(x, y):
    """Whether two numbers, or lists of numbers, are equal."""
    return x == y


def constrain_range(a, *, min, max=None):  # noqa: A002 - torch's names
    """RuntimeError unless `a` lies between `min` and `max`."""
    if a < min or max is not None and a > max:
        raise ValueError(f"Invalid value {a} for range [{min}:{max}]")


__getattr__, __dir__ = rest_of(__name__)
