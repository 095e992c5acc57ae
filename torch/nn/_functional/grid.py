"""Images sampled at any places: grids of affine maps, and the samples, composed of gathers."""

import itertools
import warnings

import torch
from torch.nn._functional._protocol import overridable
from torch.nn._functional.interpolation import _cubic_weight


def _warn_default(name):
    warnings.warn(
        f"Default {name} behavior has changed to align_corners=False since 1.3.0: say which one is meant",
        stacklevel=4,
    )


def _base(length, align_corners, like):
    """Centres of `length` elements between -1 and 1."""
    if length <= 1:
        return like.new_zeros(length)
    line = torch.linspace(-1, 1, length, dtype=like.dtype, device=like.device)
    return line if align_corners else line * ((length - 1) / length)


@overridable
def affine_grid(theta, size, align_corners=None):
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
            f"Got size {torch.Size(size)}"
        )
    if theta.dim() != 3 or theta.shape[1:] != (dims, dims + 1):
        raise ValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size {size}. Got "
            f"{theta.shape}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {torch.Size(size)}")
    axes = torch.meshgrid(*[_base(n, align_corners, theta) for n in size[2:]], indexing="ij")
    points = torch.stack([*reversed(axes), torch.ones_like(axes[0])], -1).view(1, -1, dims + 1)
    return (points.expand(theta.size(0), -1, -1) @ theta.transpose(1, 2)).view([theta.size(0), *size[2:], dims])


def _unnormalized(place, size, align_corners):
    return (place + 1) * ((size - 1) / 2) if align_corners else ((place + 1) * size - 1) / 2


def _reflected(place, low, high):
    """Reflected at two borders, which are halves of elements apart."""
    if low == high:
        return torch.zeros_like(place)
    start, span = low / 2, (high - low) / 2
    place = (place - start).abs()
    extra = place.remainder(span)
    flips = (place / span).floor()
    return torch.where(flips.remainder(2) == 0, extra + start, span - extra + start)


def _inside(place, size, padding_mode, align_corners):
    """The place, moved into the image unless padding is zeros."""
    if padding_mode == "reflection":
        place = _reflected(place, 0, 2 * (size - 1)) if align_corners else _reflected(place, -1, 2 * size - 1)
    return place.clamp(0, size - 1) if padding_mode != "zeros" else place


def _values(flat, sizes, index):
    """The elements at integer places, one tensor per dimension; zeros outside. flat: (N, C, elements)."""
    place, valid = 0, True
    for size, i in zip(sizes, index):
        valid = valid & (i >= 0) & (i < size)
        place = place * size + i.clamp(0, size - 1).long()
    batch = flat.size(0)
    found = flat.gather(2, place.reshape(batch, 1, -1).expand(-1, flat.size(1), -1))
    return found * valid.reshape(batch, 1, -1).to(flat.dtype)


def _bicubic(flat, sizes, places, padding_mode, align_corners):
    floors = [place.detach().floor() for place in places]
    weights = [
        [_cubic_weight((place - floor - k).abs(), -0.75) for k in range(-1, 3)] for place, floor in zip(places, floors)
    ]
    result = 0
    for taps in itertools.product(range(4), repeat=len(sizes)):
        index = [
            _inside(floor + (tap - 1), size, padding_mode, align_corners)
            for floor, tap, size in zip(floors, taps, sizes)
        ]
        weight = 1
        for tap, of_dim in zip(taps, weights):
            weight = weight * of_dim[tap]
        result = result + _values(flat, sizes, index) * weight.reshape(flat.size(0), 1, -1)
    return result


def _bilinear(flat, sizes, places):
    floors = [place.detach().floor() for place in places]
    shares = [place - floor for place, floor in zip(places, floors)]
    result = 0
    for corner in itertools.product((0, 1), repeat=len(sizes)):
        weight = 1
        for share, upper in zip(shares, corner):
            weight = weight * (share if upper else 1 - share)
        index = [floor + upper for floor, upper in zip(floors, corner)]
        result = result + _values(flat, sizes, index) * weight.reshape(flat.size(0), 1, -1)
    return result


def _check_sampling(input, grid, mode, padding_mode):
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if input.dim() not in (4, 5) or grid.dim() != input.dim():
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes "
            f"{list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if input.size(0) != grid.size(0):
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if grid.size(-1) != input.dim() - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {input.dim() - 2} in last dimension, but got grid with sizes "
            f"{list(grid.shape)}"
        )
    if mode == "bicubic" and input.dim() != 4:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


@overridable
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """The elements of an image at the places of a grid: input (N, C, H, W) and grid (N, h, w, 2) give (N, C, h, w), with a
    depth likewise. A place is (x, y[, z]), -1 and 1 being the borders, or the corners' centres if align_corners.

    mode: "bilinear", "nearest" or "bicubic"; padding_mode, for places outside: "zeros", "border" or "reflection". ValueError
    and RuntimeError for others and for shapes that do not fit.
    """
    if align_corners is None:
        _warn_default("grid_sample")
        align_corners = False
    _check_sampling(input, grid, mode, padding_mode)
    sizes = input.shape[2:]
    places = [_unnormalized(p, size, align_corners) for p, size in zip(reversed(grid.unbind(-1)), sizes)]
    flat = input.reshape(input.size(0), input.size(1), -1)
    if mode == "bicubic":
        result = _bicubic(flat, sizes, places, padding_mode, align_corners)
    else:
        places = [_inside(p, size, padding_mode, align_corners) for p, size in zip(places, sizes)]
        if mode == "bilinear":
            result = _bilinear(flat, sizes, places)
        else:
            places = [p.round() for p in places]
            result = _values(flat, sizes, places)
            if grid.requires_grad:  # a gradient, of zeros, as round() has
                result = result * (1 + sum(p - p.detach() for p in places)).reshape(result.size(0), 1, -1)
    return result.view([*input.shape[:2], *grid.shape[1:-1]])
