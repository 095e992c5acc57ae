"""Images of other sizes: what torch.nn.functional checks before operators do the work."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import torch
from torch import _nn
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

# By mode and the input's dimensions.
_BY_SIZE = {
    ("nearest", 3): _nn.upsample_nearest1d,
    ("nearest", 4): _nn.upsample_nearest2d,
    ("nearest", 5): _nn.upsample_nearest3d,
    ("nearest-exact", 3): _nn._upsample_nearest_exact1d,
    ("nearest-exact", 4): _nn._upsample_nearest_exact2d,
    ("nearest-exact", 5): _nn._upsample_nearest_exact3d,
}
_ALIGNABLE = {
    ("linear", 3): _nn.upsample_linear1d,
    ("bilinear", 4): _nn.upsample_bilinear2d,
    ("bicubic", 4): _nn.upsample_bicubic2d,
    ("trilinear", 5): _nn.upsample_trilinear3d,
}
_ANTIALIASED = {
    "bilinear": _nn._upsample_bilinear2d_aa,
    "bicubic": _nn._upsample_bicubic2d_aa,
    "lanczos": _nn._upsample_lanczos2d_aa,
}
_AREA = {3: torch.adaptive_avg_pool1d, 4: _nn.adaptive_avg_pool2d, 5: _nn.adaptive_avg_pool3d}
_DIMS = {"linear": 3, "bilinear": 4, "trilinear": 5}  # what a mode needs, where the message says so
_MODES = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"


def _per_dimension(input, value, name, shown):
    """A list of one entry per spatial dimension."""
    dims = input.dim() - 2
    if not isinstance(value, (tuple, list)):
        return [value] * dims
    if len(value) != dims:
        raise ValueError(
            f"Input and {name} must have the same number of spatial dimensions, but got input with spatial dimensions of "
            f"{list(input.shape[2:])} and {shown} {value}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
            f"{'output size in (o1, o2, ...,oK)' if name == 'output' else 'scale_factor in (s1, s2, ...,sK)'} format."
        )
    return value


def _targets(input, size, scale_factor, recompute_scale_factor):
    """The sizes of the result, or the factors by which they are had: one of both is None."""
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        sizes = _per_dimension(input, size, "output", "output size of")
        if isinstance(size, (tuple, list)) and any(not hasattr(n, "__index__") for n in sizes):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with "
                f"types {[type(n) for n in sizes]}"
            )
        if recompute_scale_factor:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        return sizes, None
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    return None, _per_dimension(input, scale_factor, "scale_factor", "scale_factor of shape")


@overridable
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """An input (N, C, d…) of another size: `size`, a number or one for every d, or scale_factor times its own.

    mode: "nearest", "nearest-exact", "area" (averages), "linear" (one d), "bilinear", "bicubic", "lanczos" (two),
    "trilinear" (three). align_corners: the corners' centres stay where they are, not the borders. antialias: for "bilinear"
    and "bicubic", where the result is smaller; always for "lanczos". ValueError and NotImplementedError for what does not
    fit.
    """
    if mode in ("linear", "bilinear", "bicubic", "trilinear", "lanczos"):
        align_corners = bool(align_corners)
    elif align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    sizes, factors = _targets(input, size, scale_factor, recompute_scale_factor)
    if factors is not None and (recompute_scale_factor or mode == "area"):
        sizes, factors = [int(float(n) * factor // 1) for n, factor in zip(input.shape[2:], factors)], None
    dims = input.dim()
    if antialias and not (mode in _ANTIALIASED and dims == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    if mode == "lanczos" and align_corners:
        raise ValueError("Lanczos mode does not support align_corners=True")
    if mode == "area" and dims in (3, 4, 5):
        return _AREA[dims](input, sizes)
    if antialias:
        return _ANTIALIASED[mode](input, sizes, align_corners, factors)
    if by_size := _BY_SIZE.get((mode, dims)):
        return by_size(input, sizes, factors)
    if alignable := _ALIGNABLE.get((mode, dims)):
        return alignable(input, sizes, align_corners, factors)
    if mode in _DIMS and dims in (3, 4, 5):
        raise NotImplementedError(f"Got {dims}D input, but {mode} mode needs {_DIMS[mode]}D input")
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {dims}D) for the modes: {_MODES} (got {mode})"
    )


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
