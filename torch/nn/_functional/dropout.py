"""Dropout: random zeros while a model is trained, with the stream of torch's own generator."""

import math
import warnings

import torch
from torch.nn._functional._protocol import overridable


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _noise(input, p, features):
    """Zeros with probability p and ones: for every element, or for every channel (dimensions 0 and 1)."""
    if not features:
        return torch.empty_like(input).bernoulli_(1 - p)
    if input.dim() < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return input.new_empty([*input.shape[:2], *[1] * (input.dim() - 2)]).bernoulli_(1 - p)


def _dropped(input, p, training, inplace, features=False):
    if p == 0 or not training or input.numel() == 0:
        return input
    noise = torch.zeros_like(input) if p == 1 else _noise(input, p, features).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


# What selu() tends to for small inputs, negated: the value that dropped elements take.
_SATURATION = 1.7580993408473766


def _alpha_dropped(input, p, training, inplace, features=False):
    if p == 0 or not training or input.numel() == 0:
        return input
    if p == 1:
        return input.mul_(0) if inplace else input * 0
    noise = _noise(input, p, features)
    # mean and variance stay what they are
    scale = 1 / math.sqrt((_SATURATION**2 * p + 1) * (1 - p))
    shift = (noise - 1).mul_(_SATURATION * scale).add_(_SATURATION * scale * p)
    noise.mul_(scale)
    return input.mul_(noise).add_(shift) if inplace else input * noise + shift


@overridable
def dropout(input, p=0.5, training=True, inplace=False):
    """Zeros elements with probability p and multiplies the others by 1 / (1 - p); the input itself unless `training`.
    ValueError for a p outside [0, 1]."""
    _check_probability(p)
    return _dropped(input, p, training, inplace)


@overridable
def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps the mean and variance of what selu() returns."""
    _check_probability(p)
    return _alpha_dropped(input, p, training, inplace)


@overridable
def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """alpha_dropout() of whole channels. RuntimeError for inputs of fewer than two dimensions."""
    _check_probability(p)
    return _alpha_dropped(input, p, training, inplace, features=True)


@overridable
def dropout1d(input, p=0.5, training=True, inplace=False):
    """Zeros whole channels of (N, C, L) or (C, L). RuntimeError for other shapes."""
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input: it takes (N, C, L) or (C, L)"
        )
    return _channels_dropped(input, p, training, inplace, input.dim() == 3)


def _channels_dropped(input, p, training, inplace, is_batched):
    if is_batched:
        return _dropped(input, p, training, inplace, features=True)
    if inplace:
        _dropped(input.unsqueeze(0), p, training, True, features=True)
        return input
    return _dropped(input.unsqueeze(0), p, training, False, features=True).squeeze(0)


@overridable
def dropout2d(input, p=0.5, training=True, inplace=False):
    """Zeros whole channels of (N, C, H, W). Warns of other shapes than that and (N, C, L)."""
    _check_probability(p)
    if input.dim() not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {input.dim()}-D input to dropout2d, which is deprecated: it takes (N, C, H, W)",
            stacklevel=3,
        )
    if input.dim() == 3:
        warnings.warn(
            "dropout2d: Received a 3-D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired: "
            "dropout1d says so without this warning",
            stacklevel=3,
        )
    return _dropped(input, p, training, inplace, features=True)


@overridable
def dropout3d(input, p=0.5, training=True, inplace=False):
    """Zeros whole channels of (N, C, D, H, W) or (C, D, H, W). Warns of other shapes."""
    _check_probability(p)
    if input.dim() not in (4, 5):
        warnings.warn(
            f"dropout3d: Received a {input.dim()}-D input to dropout3d, which is deprecated: it takes (N, C, D, H, W) or "
            "(C, D, H, W)",
            stacklevel=3,
        )
    return _channels_dropped(input, p, training, inplace, input.dim() == 5)
