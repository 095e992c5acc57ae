"""Elements in other places: sliding blocks as columns and back, channels and pixels shuffled."""

from __future__ import annotations

import torch
from torch import _nn
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


def _pair(value):
    return (value, value) if isinstance(value, int) else value


@overridable
def unfold(
    input: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    dilation: int | list[int] | tuple[int, ...] = 1,
    padding: int | list[int] | tuple[int, ...] = 0,
    stride: int | list[int] | tuple[int, ...] = 1,
) -> Tensor:
    """The sliding blocks of an image as columns: (N, C, H, W) or (C, H, W) to (N, C·kh·kw, blocks). RuntimeError if none
    fits."""
    return _nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


@overridable
def fold(
    input: Tensor,
    output_size: int | list[int] | tuple[int, ...],
    kernel_size: int | list[int] | tuple[int, ...],
    dilation: int | list[int] | tuple[int, ...] = 1,
    padding: int | list[int] | tuple[int, ...] = 0,
    stride: int | list[int] | tuple[int, ...] = 1,
) -> Tensor:
    """The sum of sliding blocks at their places in an image of output_size: (N, C·kh·kw, blocks), or without N, to
    (N, C, H, W). RuntimeError for sizes that do not fit."""
    return _nn.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


pixel_shuffle = torch.pixel_shuffle
pixel_unshuffle = torch.pixel_unshuffle
channel_shuffle = torch.channel_shuffle
native_channel_shuffle = torch.native_channel_shuffle
