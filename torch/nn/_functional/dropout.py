"""Dropout: random zeros while a model is trained, with the stream of torch's own generator."""

from __future__ import annotations

import warnings

import torch
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


@overridable
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeros elements with probability p and multiplies the others by 1 / (1 - p); the input itself unless `training`.
    ValueError for a p outside [0, 1]."""
    _check_probability(p)
    if not training:
        return input
    return torch.dropout_(input, p, True) if inplace else torch.dropout(input, p, True)


@overridable
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that keeps the mean and variance of what selu() returns."""
    _check_probability(p)
    return torch.alpha_dropout_(input, p, training) if inplace else torch.alpha_dropout(input, p, training)


@overridable
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """alpha_dropout() of whole channels. RuntimeError for inputs of fewer than two dimensions."""
    _check_probability(p)
    if inplace:
        return torch.feature_alpha_dropout_(input, p, training)
    return torch.feature_alpha_dropout(input, p, training)


@overridable
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeros whole channels of (N, C, L) or (C, L). RuntimeError for other shapes."""
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input: it takes (N, C, L) or (C, L)"
        )
    return _channels_dropped(input, p, training, inplace, input.dim() == 3)


def _channels_dropped(input, p, training, inplace, is_batched):
    if is_batched:
        return torch.feature_dropout_(input, p, training) if inplace else torch.feature_dropout(input, p, training)
    if inplace:
        torch.feature_dropout_(input.unsqueeze(0), p, training)
        return input
    return torch.feature_dropout(input.unsqueeze(0), p, training).squeeze(0)


@overridable
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
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
    return _channels_dropped(input, p, training, inplace, is_batched=True)


@overridable
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeros whole channels of (N, C, D, H, W) or (C, D, H, W). Warns of other shapes."""
    _check_probability(p)
    if input.dim() not in (4, 5):
        warnings.warn(
            f"dropout3d: Received a {input.dim()}-D input to dropout3d, which is deprecated: it takes (N, C, D, H, W) or "
            "(C, D, H, W)",
            stacklevel=3,
        )
    return _channels_dropped(input, p, training, inplace, input.dim() == 5)
