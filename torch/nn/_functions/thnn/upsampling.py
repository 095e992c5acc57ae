"""Larger images: nearest of (input, scale factor), linear of (input, size, scale factor)."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _nearest(input, scale_factor):
    return F.interpolate(input, scale_factor=scale_factor)


def _linear(mode):
    def apply(input, size, scale_factor=None):
        scale = None if size is not None else scale_factor
        return F.interpolate(input, size, scale, mode, True)

    return apply


_LINEAR = {"Linear1d": "linear", "Bilinear2d": "bilinear", "Trilinear3d": "trilinear"}
globals().update(
    classes(
        __name__,
        {
            **{f"UpsamplingNearest{n}d": _nearest for n in (1, 2, 3)},
            **{f"Upsampling{name}": _linear(mode) for name, mode in _LINEAR.items()},
        },
    )
)
