"""MKL, Intel's linear algebra. Here OpenBLAS does its work."""

VERBOSE_OFF, VERBOSE_ON = 0, 1


def is_available():
    """Whether this build has MKL."""
    return False


class verbose:  # noqa: N801 - torch's name
    """A context in which MKL prints what it does: `enable` is VERBOSE_OFF or VERBOSE_ON. Without MKL there is nothing
    to print."""

    def __init__(self, enable):
        self.enable = enable

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False
