"""OpenMP, which runs work on several cores."""


def is_available():
    """Whether this build has OpenMP: it always does."""
    return True
