"""Images sampled at any places, and grids of affine maps."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import torch
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def _warn_default(name):
    warnings.warn(
        f"Default {name} behavior has changed to align_corners=False since 1.3.0: say which one is meant",
        stacklevel=4,
    )


@overridable
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """The grid for grid_sample() of affine maps: theta (N, 2, 3) and size (N, C, H, W) give (N, H, W, 2), theta (N, 3, 4)
    and size (N, C, D, H, W) give (N, D, H, W, 3). ValueError and NotImplementedError for others."""
    if align_corners is None:
        _warn_default("affine_grid")
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    dims = len(size) - 2
    if dims not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {size}."
        )
    if theta.dim() != 3 or theta.shape[1:] != (dims, dims + 1):
        raise ValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size {size}. Got "
            f"{theta.shape}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return torch.affine_grid_generator(theta, size, align_corners)


@overridable
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """The elements of an image at the places of a grid: input (N, C, H, W) and grid (N, h, w, 2) give (N, C, h, w), with a
    depth likewise. A place is (x, y[, z]), -1 and 1 being the borders, or the corners' centres if align_corners.

    mode: "bilinear", "nearest" or "bicubic"; padding_mode, for places outside: "zeros", "border" or "reflection". ValueError
    and RuntimeError for others and for shapes that do not fit.
    """
    if mode not in _MODES:
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in _PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if align_corners is None:
        _warn_default("grid_sample")
        align_corners = False
    return torch.grid_sampler(input, grid, _MODES[mode], _PADDINGS[padding_mode], align_corners)
