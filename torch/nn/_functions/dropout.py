"""Dropout of elements and of planes: (input, p=0.5, train=False, inplace=False)."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _planes(input, p=0.5, train=False, inplace=False):
    return (F.dropout3d if input.dim() == 5 else F.dropout2d)(input, p, train, inplace)


functions = {
    "Dropout": lambda input, p=0.5, train=False, inplace=False: F.dropout(input, p, train, inplace),
    "FeatureDropout": _planes,
    "AlphaDropout": lambda input, p=0.5, train=False, inplace=False: F.alpha_dropout(input, p, train, inplace),
}
globals().update(classes(__name__, functions))
