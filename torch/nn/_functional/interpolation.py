"""Images of other sizes: every dimension by itself, an element of the result being a weighted sum of a few of the input."""

import math
import warnings

import torch
from torch.nn._functional._protocol import compute_dtype, overridable

_DIMS = {"nearest": None, "nearest-exact": None, "area": None, "linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
_ALIGNABLE = ("linear", "bilinear", "bicubic", "trilinear")


def _source_positions(size, length, scale, align_corners, device):
    """Where the `length` elements of a result lie among `size` of the input; `scale` is the factor that was given."""
    index = torch.arange(length, dtype=torch.float64, device=device)
    if align_corners:
        return index * ((size - 1) / (length - 1)) if length > 1 else index * 0
    step = 1 / scale if scale is not None and scale > 0 else size / length
    return (index + 0.5) * step - 0.5


def _nearest(size, length, scale, exact, device):
    index = torch.arange(length, dtype=torch.float64, device=device)
    step = 1 / scale if scale is not None and scale > 0 else size / length
    if exact:
        index = index + 0.5
    # in float32, as the boundaries between two elements have always been computed
    return (index.float() * step).floor().long().clamp(max=size - 1)


def _linear_taps(position, size):
    position = position.clamp(min=0)
    first = position.floor().long().clamp(max=size - 1)
    share = position - first
    return [(first, 1 - share), ((first + 1).clamp(max=size - 1), share)]


def _cubic_weight(distance, a):
    """Keys' kernel: the share of an element at that distance."""
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((distance - 5) * distance + 8) * distance * a - 4 * a
    return torch.where(distance <= 1, near, torch.where(distance < 2, far, 0))


def _cubic_taps(position, size):
    first = position.floor()
    return [
        ((first.long() + k).clamp(0, size - 1), _cubic_weight((position - first - k).abs(), -0.75))
        for k in range(-1, 3)
    ]


def _antialiased_taps(size, length, scale, align_corners, cubic, device):
    """The same when the result is smaller: the kernel is as wide as the step."""
    if align_corners:
        step = (size - 1) / (length - 1) if length > 1 else 0.0
    else:
        step = 1 / scale if scale is not None and scale > 0 else size / length
    wide = max(step, 1.0)
    support = (2 if cubic else 1) * wide
    centre = (torch.arange(length, dtype=torch.float64, device=device) + 0.5) * step
    first = (centre - support + 0.5).floor().clamp(min=0).long()
    last = (centre + support + 0.5).floor().clamp(max=size).long()
    taps = []
    for k in range(int((last - first).max())):
        place = first + k
        distance = ((place - centre + 0.5) / wide).abs()
        weight = _cubic_weight(distance, -0.5) if cubic else (1 - distance).clamp(min=0)
        taps.append((place.clamp(max=size - 1), weight.masked_fill(place >= last, 0)))
    total = sum(weight for _, weight in taps)
    return [(place, weight / total) for place, weight in taps]


def _resampled(input, dim, taps):
    shape = [-1 if d == dim else 1 for d in range(input.dim())]
    return sum(input.index_select(dim, place) * weight.to(input.dtype).view(shape) for place, weight in taps)


def _output_size(input, size, scale_factor, recompute_scale_factor):
    """(the sizes of the result, the scale of every dimension or None)"""
    dims = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if recompute_scale_factor:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        if isinstance(size, (tuple, list, torch.Size)):
            if len(size) != dims:
                raise ValueError(
                    f"Input and output must have the same number of spatial dimensions, but got input with spatial "
                    f"dimensions of {list(input.shape[2:])} and output size of {list(size)}: the input is (N, C, d…) and "
                    "size is d…"
                )
            return list(size), [None] * dims
        return [size] * dims, [None] * dims
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if isinstance(scale_factor, (tuple, list)):
        if len(scale_factor) != dims:
            raise ValueError(
                f"Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(input.shape[2:])} and scale_factor of shape {list(scale_factor)}: the input is "
                "(N, C, d…) and scale_factor has one number for each d"
            )
        scales = [float(s) for s in scale_factor]
    else:
        scales = [float(scale_factor)] * dims
    sizes = [math.floor(n * s) for n, s in zip(input.shape[2:], scales)]
    return sizes, [None] * dims if recompute_scale_factor else scales


@overridable
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """An input (N, C, d…) of another size: `size`, a number or one for every d, or scale_factor times its own.

    mode: "nearest", "nearest-exact", "linear" (one d), "bilinear" and "bicubic" (two), "trilinear" (three). align_corners:
    the corners' centres stay where they are, not the borders. antialias: for "bilinear" and "bicubic", where the result is
    smaller. ValueError and NotImplementedError for what does not fit; "area" needs adaptive pooling, which is not built yet.
    """
    if mode not in _DIMS:
        raise NotImplementedError(
            "Input Error: Only 3D, 4D and 5D input Tensors supported (got "
            f"{input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact (got "
            f"{mode})"
        )
    if mode not in _ALIGNABLE:
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
            )
    elif align_corners is None:
        align_corners = False
    sizes, scales = _output_size(input, size, scale_factor, recompute_scale_factor)
    if antialias and not (mode in ("bilinear", "bicubic") and input.dim() == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input"
        )
    if mode == "area":
        raise NotImplementedError('interpolate(mode="area"): adaptive average pooling is not built yet')
    if input.dim() not in (3, 4, 5) or _DIMS[mode] not in (None, input.dim()):
        if input.dim() in (3, 4, 5):
            raise NotImplementedError(f"Got {input.dim()}D input, but {mode} mode needs {_DIMS[mode]}D input")
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the modes: nearest | linear | "
            f"bilinear | bicubic | trilinear | area | nearest-exact (got {mode})"
        )
    if min(sizes) <= 0 or min(input.shape[2:]) <= 0:
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input {tuple(input.shape[2:])} output {tuple(sizes)}"
        )
    if mode.startswith("nearest"):
        result = input
        for d, (length, scale) in enumerate(zip(sizes, scales)):
            index = _nearest(input.size(2 + d), length, scale, mode == "nearest-exact", input.device)
            result = result.index_select(2 + d, index)
        return result
    result = input.to(compute_dtype(input))
    for d, (length, scale) in enumerate(zip(sizes, scales)):
        size_here = input.size(2 + d)
        if antialias:
            taps = _antialiased_taps(size_here, length, scale, align_corners, mode == "bicubic", input.device)
        else:
            position = _source_positions(size_here, length, scale, align_corners, input.device)
            taps = (_cubic_taps if mode == "bicubic" else _linear_taps)(position, size_here)
        result = _resampled(result, 2 + d, taps)
    return result.to(input.dtype)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate(), by its name of 2017."""
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate(mode="nearest")."""
    warnings.warn(
        "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2
    )
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate(mode="bilinear", align_corners=True)."""
    warnings.warn(
        "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2
    )
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


for _function in (upsample, upsample_nearest, upsample_bilinear):
    _function.__module__ = "torch.nn.functional"
