"""Normalisation. Half types are computed in float32."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import _nn
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


@overridable
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over the last dimensions, which `normalized_shape` lists, times weight plus bias of that
    shape. RuntimeError for other shapes."""
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, False)


@overridable
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """input / sqrt(mean(input²) + eps) over the last dimensions, which `normalized_shape` lists, times a weight of that
    shape. eps None: the dtype's. RuntimeError for other shapes."""
    return torch.rms_norm(input, normalized_shape, weight, eps)


def _check_values_per_channel(values, size):
    if values == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


@overridable
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Mean 0 and variance 1 over each of num_groups groups of channels of (N, C, …), times weight (C) plus bias (C).
    RuntimeError for sizes that do not fit, ValueError for groups of one number in all."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    batch, channels, *sizes = input.shape
    merged = [batch * channels // num_groups, num_groups, *sizes]
    _check_values_per_channel(merged[0] * math.prod(sizes), merged)
    return torch.group_norm(input, num_groups, weight, bias, eps, False)


@overridable
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over all dimensions of (N, C, …) but the channels', times weight (C) plus bias (C).

    training: with the input's statistics, which the running ones (C) approach by the share `momentum`, in place; otherwise
    with the running ones. ValueError if there is one value per channel alone, RuntimeError for sizes that do not fit.
    """
    if training:
        size = input.shape
        _check_values_per_channel(size[0] * math.prod(size[2:]) if size else 0, size)
    return torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)


@overridable
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """batch_norm() of every sample of (N, C, …) by itself. use_input_stats: with the input's statistics, whose mean over
    the samples the running ones approach; otherwise with the running ones. ValueError if there is one value per channel
    alone, RuntimeError for sizes that do not fit."""
    if use_input_stats and math.prod(input.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    return torch.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)


@overridable
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """input / (k + alpha * mean of the squares of `size` neighbouring channels)^beta, for (N, C, L…). ValueError for fewer
    dimensions."""
    if input.dim() < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.dim()} dimensions)")
    return _nn.local_response_norm(input, size, alpha, beta, k)
