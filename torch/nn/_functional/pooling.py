"""Pooling: the greatest element, the average or a norm of each window, and the inverse of max pooling."""

from __future__ import annotations

import torch
from torch import _nn
from torch.nn._functional._protocol import overridable
from torch.nn._functional.activation import relu

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


def _entries(value, n):
    """One number per dimension."""
    if isinstance(value, int):
        return (value,) * n
    value = tuple(value)
    return value * n if len(value) == 1 else value


# ---- max -------------------------------------------------------------------------------------------------


@overridable
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    padding: int | list[int] | tuple[int, ...] = 0,
    dilation: int | list[int] | tuple[int, ...] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """The greatest element of each window of (N, C, L) or (C, L), and where it lies in its channel."""
    return torch.max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


@overridable
def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    padding: int | list[int] | tuple[int, ...] = 0,
    dilation: int | list[int] | tuple[int, ...] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """The greatest element of each window of (N, C, H, W) or (C, H, W), and where it lies in its plane."""
    return _nn.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


@overridable
def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    padding: int | list[int] | tuple[int, ...] = 0,
    dilation: int | list[int] | tuple[int, ...] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """The greatest element of each window of (N, C, D, H, W) or (C, D, H, W), and where it lies in its plane."""
    return _nn.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


@overridable
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest element of each window of (N, C, L) or (C, L), with return_indices also where it lies in its channel.
    Windows begin `stride` apart, by default as much as they are long."""
    if return_indices:
        return max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return torch.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)


@overridable
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest element of each window of (N, C, H, W) or (C, H, W), with return_indices also where it lies in its
    plane. Sizes are numbers, or one per dimension; windows begin `stride` apart, by default as much as they are long."""
    if return_indices:
        return max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return torch.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


@overridable
def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest element of each window of (N, C, D, H, W) or (C, D, H, W), with return_indices also where it lies in
    its plane. Sizes are numbers, or one per dimension."""
    if return_indices:
        return max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return torch.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode)


# ---- the inverse of max pooling ---------------------------------------------------------------------------


def _unpooled_size(input, kernel_size, stride, padding, output_size):
    """The planes' size: as pooling would have had it at least, or output_size, if pooling could have come from it."""
    n = len(kernel_size)
    least = [(size - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d, size in enumerate(input.shape[-n:])]
    if output_size is None:
        return least
    given = list(output_size)
    if len(given) == n + 2:
        given = given[2:]
    if len(given) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a length of '{len(given)}'"
        )
    for d, size in enumerate(given):
        if not least[d] - stride[d] < size < least[d] + stride[d]:
            raise ValueError(
                f'invalid output_size "{given}" (dim {d} must be between {least[d] - stride[d]} and '
                f"{least[d] + stride[d]})"
            )
    return given


def _unpool_arguments(input, n, kernel_size, stride, padding, output_size):
    kernel = _entries(kernel_size, n)
    steps = kernel if stride is None else _entries(stride, n)
    pad = _entries(padding, n)
    return _unpooled_size(input, kernel, steps, pad, output_size), steps, pad


@overridable
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    padding: int | list[int] | tuple[int, ...] = 0,
    output_size: int | list[int] | tuple[int, ...] | None = None,
) -> Tensor:
    """What max_pool1d() was given, as far as its result and `indices` tell: zeros elsewhere. `output_size`: where several
    sizes are possible."""
    size, _, _ = _unpool_arguments(input, 1, kernel_size, stride, padding, output_size)
    return _nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), [*size, 1]).squeeze(-1)


@overridable
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    padding: int | list[int] | tuple[int, ...] = 0,
    output_size: int | list[int] | tuple[int, ...] | None = None,
) -> Tensor:
    """What max_pool2d() was given, as far as its result and `indices` tell: zeros elsewhere. `output_size`: where several
    sizes are possible."""
    size, _, _ = _unpool_arguments(input, 2, kernel_size, stride, padding, output_size)
    return _nn.max_unpool2d(input, indices, size)


@overridable
def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    padding: int | list[int] | tuple[int, ...] = 0,
    output_size: int | list[int] | tuple[int, ...] | None = None,
) -> Tensor:
    """What max_pool3d() was given, as far as its result and `indices` tell: zeros elsewhere. `output_size`: where several
    sizes are possible."""
    size, steps, pad = _unpool_arguments(input, 3, kernel_size, stride, padding, output_size)
    return _nn.max_unpool3d(input, indices, size, steps, pad)


# ---- norms -------------------------------------------------------------------------------------------------


def _norms(average, norm_type, count):
    """From averages of powers. A sum of zeros has the gradient 0, which relu's gives it."""
    return (average.sign() * relu(average.abs()) * count).pow(1.0 / norm_type)


@overridable
def lp_pool1d(
    input: Tensor,
    norm_type: int | float,
    kernel_size: int,
    stride: int | list[int] | tuple[int, ...] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(Σ x^p)^(1/p) over each window of (N, C, L) or (C, L), p being norm_type."""
    average = torch.avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _norms(average, norm_type, _entries(kernel_size, 1)[0])


@overridable
def lp_pool2d(
    input: Tensor,
    norm_type: int | float,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(Σ x^p)^(1/p) over each window of (N, C, H, W) or (C, H, W), p being norm_type."""
    height, width = _entries(kernel_size, 2)
    return _norms(_nn.avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode), norm_type, height * width)


@overridable
def lp_pool3d(
    input: Tensor,
    norm_type: int | float,
    kernel_size: int | list[int] | tuple[int, ...],
    stride: int | list[int] | tuple[int, ...] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(Σ x^p)^(1/p) over each window of (N, C, D, H, W) or (C, D, H, W), p being norm_type."""
    depth, height, width = _entries(kernel_size, 3)
    average = _nn.avg_pool3d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _norms(average, norm_type, depth * height * width)


# ---- adaptive ------------------------------------------------------------------------------------------------


def _given_size(input, output_size):
    """output_size, in which None stands for what the input has."""
    if isinstance(output_size, int):
        return output_size
    if input.dim() <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    sizes = input.shape[-len(output_size) :]
    return [old if new is None else new for new, old in zip(output_size, sizes)]


@overridable
def adaptive_avg_pool2d(input: Tensor, output_size: int | list[int] | tuple[int, ...]) -> Tensor:
    """The averages of windows that share (N, C, H, W) or (C, H, W) out, so that output_size is what comes: a number, or
    one per dimension, of which None is the input's."""
    return _nn.adaptive_avg_pool2d(input, _entries(_given_size(input, output_size), 2))


@overridable
def adaptive_avg_pool3d(input: Tensor, output_size: int | list[int] | tuple[int, ...]) -> Tensor:
    """The averages of windows that share (N, C, D, H, W) or (C, D, H, W) out, so that output_size is what comes: a number,
    or one per dimension, of which None is the input's."""
    return _nn.adaptive_avg_pool3d(input, _entries(_given_size(input, output_size), 3))


@overridable
def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: int | list[int] | tuple[int, ...], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """The greatest elements of windows that share (N, C, L) or (C, L) out, and where they lie in their channels."""
    return torch.adaptive_max_pool1d(input, output_size)


@overridable
def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: int | list[int] | tuple[int, ...], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """The greatest elements of windows that share (N, C, H, W) or (C, H, W) out, and where they lie in their planes."""
    return _nn.adaptive_max_pool2d(input, _entries(_given_size(input, output_size), 2))


@overridable
def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: int | list[int] | tuple[int, ...], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """The greatest elements of windows that share (N, C, D, H, W) or (C, D, H, W) out, and where they lie in their
    planes."""
    return _nn.adaptive_max_pool3d(input, _entries(_given_size(input, output_size), 3))


@overridable
def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The greatest elements of output_size windows that share (N, C, L) or (C, L) out, with return_indices also where they
    lie in their channels."""
    found = adaptive_max_pool1d_with_indices(input, output_size)
    return found if return_indices else found[0]


@overridable
def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The greatest elements of windows that share (N, C, H, W) or (C, H, W) out, with return_indices also where they lie in
    their planes. `output_size`: a number, or one per dimension, of which None is the input's."""
    found = adaptive_max_pool2d_with_indices(input, output_size)
    return found if return_indices else found[0]


@overridable
def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The greatest elements of windows that share (N, C, D, H, W) or (C, D, H, W) out, with return_indices also where they
    lie in their planes. `output_size`: a number, or one per dimension, of which None is the input's."""
    found = adaptive_max_pool3d_with_indices(input, output_size)
    return found if return_indices else found[0]


# ---- fractional ------------------------------------------------------------------------------------------------


def _fractional(n, input, kernel_size, output_size, output_ratio, samples):
    if output_size is None:
        if output_ratio is None:
            raise ValueError(f"fractional_max_pool{n}d requires specifying either an output_size or an output_ratio")
        ratio = (output_ratio,) * n if isinstance(output_ratio, (int, float)) else tuple(output_ratio)
        if len(ratio) != n:
            raise ValueError(f"output_ratio must be one number or {n}, got {output_ratio}")
        output_size = [int(size * part) for size, part in zip(input.shape[-n:], ratio)]
    if samples is None:
        batch = 1 if input.dim() == n + 1 else input.size(0)
        samples = torch.rand(batch, input.size(-n - 1), n, dtype=input.dtype, device=input.device)
    pool = _nn.fractional_max_pool2d if n == 2 else _nn.fractional_max_pool3d
    return pool(input, _entries(kernel_size, n), _entries(output_size, n), samples)


@overridable
def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    output_size: int | list[int] | tuple[int, ...] | None = None,
    output_ratio: float | list[float] | tuple[float, ...] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """What fractional_max_pool2d() gives, and where the elements lie in their planes."""
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


@overridable
def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    output_size: int | list[int] | tuple[int, ...] | None = None,
    output_ratio: float | list[float] | tuple[float, ...] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """What fractional_max_pool3d() gives, and where the elements lie in their planes."""
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


@overridable
def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """The greatest elements of windows at random distances (Graham 2014), so that output_size, or the input's size times
    output_ratio, is what comes. ValueError if neither is given."""
    found = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


@overridable
def fractional_max_pool3d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """The greatest elements of windows at random distances (Graham 2014), so that output_size, or the input's size times
    output_ratio, is what comes. ValueError if neither is given."""
    found = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]
