"""Sizes that a compiler does not know yet: there are none here, so every number is a plain one."""

import math


class SymInt:
    """An int that a compiler does not know yet. There are none: no object is an instance."""

    def __new__(cls, node=None):
        raise NotImplementedError("torch.SymInt: there is no compiler in this torch, and so no unknown size")


class SymFloat:
    """A float that a compiler does not know yet. There are none: no object is an instance."""

    def __new__(cls, node=None):
        raise NotImplementedError("torch.SymFloat: there is no compiler in this torch, and so no unknown number")


class SymBool:
    """A bool that a compiler does not know yet. There are none: no object is an instance."""

    def __new__(cls, node=None):
        raise NotImplementedError("torch.SymBool: there is no compiler in this torch, and so no unknown condition")


def sym_not(a):
    """`not a`."""
    return not a


def sym_float(a):
    """float(a)"""
    return float(a)


def sym_int(a):
    """int(a)"""
    return int(a)


def _of_kind(value, a, b):
    return float(value) if isinstance(a, float) or isinstance(b, float) else value


def sym_max(a, b):
    """The larger number; a float if one of them is."""
    return _of_kind(max(a, b), a, b)


def sym_min(a, b):
    """The smaller number; a float if one of them is."""
    return _of_kind(min(a, b), a, b)


def sym_sum(*args):
    """The sum of the numbers, of a list or one after the other."""
    return sum(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args)


def sym_sqrt(a):
    """The square root of a number."""
    return math.sqrt(a)


def sym_ite(b, t, f):
    """`t` where `b` is True, else `f`: both of one type."""
    if not isinstance(b, bool):
        raise AssertionError(f"sym_ite: expected SymBool or bool, got {type(b)}")
    if type(t) is not type(f):
        raise AssertionError(f"sym_ite: type mismatch: {type(t)} vs {type(f)}")
    return t if b else f
