"""KleidiAI, Arm's kernels."""


def is_available():
    """Whether this build has KleidiAI."""
    return False
