"""Normalisation, composed of means and variances. Half types are computed in float32."""

import torch
from torch.nn._functional._protocol import compute_dtype, overridable


def _standardized(input, dims, eps):
    """(input - mean) / sqrt(variance + eps) over some dimensions, in the dtype of computation."""
    input = input.to(compute_dtype(input))
    variance, mean = torch.var_mean(input, dims, correction=0, keepdim=True)
    return (input - mean) * torch.rsqrt(variance + eps)


def _affine(input, weight, bias):
    if weight is not None:
        input = input * weight
    return input if bias is None else input + bias


def _check_shape(input, normalized_shape, weight, bias, star):
    shape = list(normalized_shape)
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            f"normalized_shape = {shape}"
        )
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and list(given.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape {list(given.shape)} and "
                f"normalized_shape = {shape}"
            )
    if list(input.shape[-len(shape) :]) != shape or input.dim() < len(shape):
        listed = ", ".join(map(str, shape))
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape [*{star}{listed}], but got input of size"
            f"{list(input.shape)}"
        )
    return tuple(range(-len(shape), 0))


@overridable
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Mean 0 and variance 1 over the last dimensions, which `normalized_shape` lists, times weight plus bias of that
    shape. RuntimeError for other shapes."""
    if isinstance(normalized_shape, int):
        raise TypeError("layer_norm(): argument 'normalized_shape' (position 2) must be tuple of ints, not int")
    dims = _check_shape(input, normalized_shape, weight, bias, ", ")
    return _affine(_standardized(input, dims, eps), weight, bias).to(input.dtype)


@overridable
def rms_norm(input, normalized_shape, weight=None, eps=None):
    """input / sqrt(mean(input²) + eps) over the last dimensions, which `normalized_shape` lists, times a weight of that
    shape. eps None: the dtype's. RuntimeError for other shapes."""
    if isinstance(normalized_shape, int):
        raise TypeError("rms_norm(): argument 'normalized_shape' (position 2) must be tuple of ints, not int")
    dims = _check_shape(input, normalized_shape, weight, None, "")
    values = input.to(compute_dtype(input))
    eps = torch.finfo(values.dtype).eps if eps is None else eps
    values = values * torch.rsqrt((values * values).mean(dims, keepdim=True) + eps)
    return _affine(values, weight, None).to(input.dtype)


def _check_values_per_channel(input, values, size):
    if values == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


@overridable
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Mean 0 and variance 1 over each of num_groups groups of channels of (N, C, …), times weight (C) plus bias (C).
    RuntimeError for sizes that do not fit."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    batch, channels = input.shape[:2]
    merged = [batch * channels // num_groups, num_groups, *input.shape[2:]]
    _check_values_per_channel(input, merged[0] * _count(merged[2:]), merged)
    if channels % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and (given.dim() != 1 or given.numel() != channels):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
                f"{list(given.shape)} and input of shape {list(input.shape)}"
            )
    grouped = input.reshape(batch, num_groups, -1)
    result = _standardized(grouped, (2,), eps).view(input.shape)
    return _affine(result, _channels(weight, input), _channels(bias, input)).to(input.dtype)


def _count(sizes):
    count = 1
    for size in sizes:
        count *= size
    return count


def _channels(values, input):
    """Values of channels, in a shape that broadcasts with the input's."""
    return None if values is None else values.view([1, -1, *[1] * (input.dim() - 2)])


def _check_elements(channels, **given):
    for name, values in given.items():
        if values is not None and values.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {values.numel()}")


@overridable
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Mean 0 and variance 1 over all dimensions of (N, C, …) but the channels', times weight (C) plus bias (C).

    training: with the input's statistics, which the running ones (C) approach by the share `momentum`, in place; otherwise
    with the running ones. ValueError if there is one value per channel alone, RuntimeError for sizes that do not fit.
    """
    if input.dim() < 2:
        raise RuntimeError(f"batch_norm(): expected an input with at least 2 dimensions, got {input.dim()}")
    count = input.size(0) * _count(input.shape[2:])
    if training:
        _check_values_per_channel(input, count, input.size())
    channels = input.size(1)
    if not training:
        for name, values in (("running_mean", running_mean), ("running_var", running_var)):
            if values is None:
                raise RuntimeError(f"{name} must be defined in evaluation mode")
    _check_elements(channels, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    values = input.to(compute_dtype(input))
    if training:
        dims = (0, *range(2, input.dim()))
        variance, mean = torch.var_mean(values, dims, correction=0, keepdim=True)
        with torch.no_grad():
            if running_mean is not None:
                running_mean.mul_(1 - momentum).add_(mean.detach().view(-1), alpha=momentum)
            if running_var is not None:
                unbiased = variance.detach().view(-1) * (count / (count - 1) if count else 1)
                running_var.mul_(1 - momentum).add_(unbiased, alpha=momentum)
    else:
        mean, variance = _channels(running_mean, input), _channels(running_var, input)
    result = (values - mean) * torch.rsqrt(variance + eps)
    return _affine(result, _channels(weight, input), _channels(bias, input)).to(input.dtype)


@overridable
def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """batch_norm() of every sample of (N, C, …) by itself. use_input_stats: with the input's statistics, whose mean over
    the samples the running ones approach; otherwise with the running ones."""
    if use_input_stats and _count(input.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    batch, channels = input.shape[:2]

    def repeated(values):
        return None if values is None else values.repeat(batch)

    means, variances = repeated(running_mean), repeated(running_var)
    result = batch_norm(
        input.reshape(1, batch * channels, *input.shape[2:]),
        means,
        variances,
        repeated(weight),
        repeated(bias),
        use_input_stats,
        momentum,
        eps,
    )
    if use_input_stats:
        with torch.no_grad():
            for running, all_of_them in ((running_mean, means), (running_var, variances)):
                if running is not None:
                    running.copy_(all_of_them.view(batch, channels).mean(0))
    return result.view(input.shape)


@overridable
def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """input / (k + alpha * mean of the squares of `size` neighbouring channels)^beta, for (N, C, L…). ValueError for fewer
    dimensions."""
    if input.dim() < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.dim()} dimensions)")
    if input.numel() == 0:
        return input
    spatial = [0, 0] * (input.dim() - 2)
    squares = torch.constant_pad_nd(input * input, [*spatial, size // 2, (size - 1) // 2])
    mean = squares.unfold(1, size, 1).mean(-1)
    return input / (mean * alpha + k) ** beta
