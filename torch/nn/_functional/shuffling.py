"""Elements in other places: sliding blocks as columns and back, channels and pixels shuffled."""

import torch
from torch import _nn
from torch.nn._functional._protocol import overridable


def _pair(value):
    return (value, value) if isinstance(value, int) else value


@overridable
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The sliding blocks of an image as columns: (N, C, H, W) or (C, H, W) to (N, C·kh·kw, blocks). RuntimeError if none
    fits."""
    return _nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


@overridable
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The sum of sliding blocks at their places in an image of output_size: (N, C·kh·kw, blocks), or without N, to
    (N, C, H, W). RuntimeError for sizes that do not fit."""
    return _nn.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


pixel_shuffle = torch.pixel_shuffle
pixel_unshuffle = torch.pixel_unshuffle
channel_shuffle = torch.channel_shuffle
native_channel_shuffle = torch.native_channel_shuffle
