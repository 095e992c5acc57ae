"""Zeros like a tensor, or written into it."""

import torch
from torch.autograd._functions._made import classes

globals().update(classes(__name__, {"Zero": lambda i, inplace=False: i.zero_() if inplace else torch.zeros_like(i)}))
