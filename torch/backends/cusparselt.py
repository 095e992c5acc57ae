"""cuSPARSELt, NVIDIA's products of half-empty matrices."""


def is_available():
    """Whether this build has cuSPARSELt."""
    return False


def version():
    """Its version as a number, None without it."""
    return None


def get_max_alg_id():
    """The largest number of an algorithm, None without cuSPARSELt."""
    return None
