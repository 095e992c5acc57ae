"""Attention's fast path, by which a trained layer skips what only learning needs."""

_fastpath = True


def get_fastpath_enabled():
    """Whether it may be taken."""
    return _fastpath


def set_fastpath_enabled(value):
    """Whether it may be taken: a bool."""
    global _fastpath
    _fastpath = value
