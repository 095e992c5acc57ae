"""Elements in other places: sliding blocks as columns and back, channels and pixels shuffled."""

import torch
from torch.nn._functional._protocol import overridable


def _pair(value):
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * 2 if len(value) == 1 else value


def _check_blocks(kernel, dilation, padding, stride):
    for name, (height, width) in (("kernel size", kernel), ("dilation", dilation), ("stride", stride)):
        if height <= 0 or width <= 0:
            word = name.removesuffix(" size")
            raise RuntimeError(
                f"{name} should be greater than zero, but got {word}_height: {height} {word}_width: {width}"
            )
    if padding[0] < 0 or padding[1] < 0:
        raise RuntimeError(
            f"padding should be non-negative, but got padding_height: {padding[0]} padding_width: {padding[1]}"
        )


def _block_counts(size, kernel, dilation, padding, stride):
    """How many blocks fit in each dimension."""
    return tuple((size[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) // stride[d] + 1 for d in range(2))


def _places(kernel, counts, dilation, stride, width, device):
    """Index in a padded image of every element of every block: (kh, kw, blocks in height, in width), flat."""
    rows, columns = (
        torch.arange(kernel[d], device=device).unsqueeze(1) * dilation[d]
        + torch.arange(counts[d], device=device) * stride[d]
        for d in range(2)
    )
    return (rows[:, None, :, None] * width + columns[None, :, None, :]).reshape(-1)


@overridable
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The sliding blocks of an image as columns: (N, C, H, W) or (C, H, W) to (N, C·kh·kw, blocks). RuntimeError if none
    fits."""
    kernel, dilation, padding, stride = map(_pair, (kernel_size, dilation, padding, stride))
    _check_blocks(kernel, dilation, padding, stride)
    if input.dim() not in (3, 4):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but "
            f"got: {list(input.shape)}"
        )
    images = input if input.dim() == 4 else input.unsqueeze(0)
    counts = _block_counts(images.shape[2:], kernel, dilation, padding, stride)
    if min(counts) < 1:
        raise RuntimeError(
            f"Given input with spatial size {tuple(images.shape[2:])}, kernel_size={kernel}, dilation={dilation}, "
            f"padding={padding}, calculated shape of the array of sliding blocks as {counts}, but its components must be "
            "at least one."
        )
    padded = torch.constant_pad_nd(images, [padding[1], padding[1], padding[0], padding[0]])
    index = _places(kernel, counts, dilation, stride, padded.size(3), input.device)
    batch, channels = images.shape[:2]
    result = padded.reshape(batch, channels, -1).index_select(2, index)
    result = result.view(batch, channels * kernel[0] * kernel[1], counts[0] * counts[1])
    return result if input.dim() == 4 else result.squeeze(0)


@overridable
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The sum of sliding blocks at their places in an image of output_size: (N, C·kh·kw, blocks), or without N, to
    (N, C, H, W). RuntimeError for sizes that do not fit."""
    size, kernel, dilation, padding, stride = map(_pair, (output_size, kernel_size, dilation, padding, stride))
    _check_blocks(kernel, dilation, padding, stride)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, "
            f"but got: {list(input.shape)}"
        )
    columns = input if input.dim() == 3 else input.unsqueeze(0)
    area = kernel[0] * kernel[1]
    if columns.size(1) % area:
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={columns.size(1)} and kernel_size={kernel}."
        )
    counts = _block_counts(size, kernel, dilation, padding, stride)
    given = f"Given output_size={size}, kernel_size={kernel}, dilation={dilation}, padding={padding}, stride={stride}, "
    if min(counts) < 1:
        raise RuntimeError(
            f"{given}calculated shape of the array of sliding blocks as {counts}, but its components must be at least one."
        )
    if columns.size(2) != counts[0] * counts[1]:
        raise RuntimeError(
            f"{given}expected size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{counts[0]} * {counts[1]} = {counts[0] * counts[1]}, but got input.size(2)={columns.size(2)}."
        )
    batch, channels = columns.size(0), columns.size(1) // area
    height, width = size[0] + 2 * padding[0], size[1] + 2 * padding[1]
    index = _places(kernel, counts, dilation, stride, width, input.device)
    zeros = torch.zeros(batch, channels, height * width, dtype=input.dtype, device=input.device)
    image = zeros.index_add(2, index, columns.reshape(batch, channels, -1)).view(batch, channels, height, width)
    image = image[:, :, padding[0] : padding[0] + size[0], padding[1] : padding[1] + size[1]].contiguous()
    return image if input.dim() == 3 else image.squeeze(0)


def _at_least_3(name, input):
    if input.dim() < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {input.dim()} dimension(s)"
        )


@overridable
def pixel_shuffle(input, upscale_factor):
    """(…, C·r², H, W) to (…, C, H·r, W·r) for the factor r. RuntimeError if the channels do not divide."""
    _at_least_3("pixel_shuffle", input)
    r = upscale_factor
    if r <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *before, channels, height, width = input.shape
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
            f"input.size(-3)={channels} is not divisible by {r * r}"
        )
    parts = input.reshape(-1, channels // (r * r), r, r, height, width).permute(0, 1, 4, 2, 5, 3)
    return parts.reshape([*before, channels // (r * r), height * r, width * r])


@overridable
def pixel_unshuffle(input, downscale_factor):
    """(…, C, H·r, W·r) to (…, C·r², H, W) for the factor r. RuntimeError if height or width do not divide."""
    _at_least_3("pixel_unshuffle", input)
    r = downscale_factor
    if r <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *before, channels, height, width = input.shape
    for name, dim, size in (("height", -2, height), ("width", -1, width)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({dim})={size} is not "
                f"divisible by {r}"
            )
    parts = input.reshape(-1, channels, height // r, r, width // r, r).permute(0, 1, 3, 5, 2, 4)
    return parts.reshape([*before, channels * r * r, height // r, width // r])


@overridable
def channel_shuffle(input, groups):
    """(N, C, …) with the channels of `groups` groups in turn: the first of each, the second of each, … RuntimeError if C
    does not divide."""
    if input.dim() < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(input.shape)}")
    batch, channels = input.shape[:2]
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if channels % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {channels} channels and {groups} groups."
        )
    return input.reshape(batch, groups, channels // groups, -1).transpose(1, 2).reshape(input.shape)


native_channel_shuffle = channel_shuffle
