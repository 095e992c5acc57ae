"""Bilinear maps."""

from torch.nn._functions.linear import Bilinear as Bilinear
