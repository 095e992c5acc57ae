"""Local response normalisation across planes: (input, size, alpha=1e-4, beta=0.75, k=1)."""

import torch
from torch.autograd._functions._made import classes

globals().update(classes(__name__, {"CrossMapLRN2d": lambda input, *options: torch.nn.CrossMapLRN2d(*options)(input)}))
