"""NNPACK, convolutions for processors of 2016. THNN's own kernels do its work."""

from torch.backends._settings import Setting, has_settings

_module = has_settings(__name__, {"enabled": Setting(True, bool)})


def is_available():
    """Whether this build has NNPACK."""
    return False


def set_flags(_enabled):
    """Sets whether it may be used, a bool; returns the value before in a tuple."""
    return _module._set(enabled=_enabled)


def flags(enabled=False):
    """A context in which it may or may not be used."""
    return _module._changed(enabled=enabled)
