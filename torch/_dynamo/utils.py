"""What programs ask of the compiler's workshop."""

import collections

from torch._absent import rest_of

counters = collections.defaultdict(collections.Counter)  # of what has been compiled: nothing


def is_compile_supported(device_type):
    """Whether the compiler could compile for a device: there is none."""
    return False


def is_torchdynamo_compiling():
    """Whether the caller is being compiled."""
    return False


__getattr__, __dir__ = rest_of(__name__)
