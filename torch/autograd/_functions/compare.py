"""Comparisons, without gradients."""

from torch.autograd._functions._made import classes, methods

globals().update(classes(__name__, methods("Eq eq Ne ne Gt gt Ge ge Lt lt Le le")))
