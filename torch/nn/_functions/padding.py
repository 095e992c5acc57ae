"""Padding by a constant: (input, pad, value=0)."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _constant(input, pad, value=0):
    return F.pad(input, tuple(pad), "constant", value)


globals().update(classes(__name__, {"ConstantPadNd": _constant, "ConstantPad2d": _constant}))
