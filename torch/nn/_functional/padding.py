"""Padding: a border of a constant, or of the input's own elements."""

from torch import _nn
from torch.nn._functional._protocol import overridable


@overridable
def pad(input, pad, mode="constant", value=None):
    """Adds elements at both ends of dimensions.

    pad: (before, after) of the last dimension, then of the one before, …; negative ones take elements away. mode: "constant"
    (`value`, 0), "reflect", "replicate" (the last element) or "circular"; other modes than "constant" pad the last 1, 2 or 3
    dimensions of an input that has one or two more. RuntimeError and NotImplementedError for others.
    """
    return _nn.pad(input, pad, mode, value)
