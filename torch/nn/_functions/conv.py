"""Convolutions: ConvNd(stride, padding, dilation, transposed, output_padding, groups)(input, weight, bias)."""

import torch
from torch.autograd._functions._made import classes


def _convolution(input, weight, *rest):
    bias = rest[0] if len(rest) == 7 else None
    return torch.convolution(input, weight, bias, *rest[-6:])


globals().update(classes(__name__, {"ConvNd": _convolution}))
