"""MIOpen, AMD's kernels for neural networks: a setting that is remembered for when it is there."""

from torch.backends._settings import Setting, has_settings

_module = has_settings(__name__, {"immediate": Setting(False, bool)})


def set_flags(_immediate=None):
    """Sets `immediate`, None meaning no change; returns the value before in a tuple."""
    return _module._set(immediate=_immediate)


def flags(immediate=False):
    """A context in which `immediate` is this."""
    return _module._changed(immediate=immediate)
