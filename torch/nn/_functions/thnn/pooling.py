"""Pooling. Those that take largest elements give (output, indices)."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _largest(function):
    def apply(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
        return function(input, kernel_size, stride, padding, dilation, ceil_mode, True)

    return apply


def _adaptive(function):
    return lambda input, output_size: function(input, output_size, True)


def _unpool(function):
    def apply(input, indices, output_size, stride=1, padding=0):
        """The indices alone say where elements go; the kernel is one that makes any output size fit."""
        size = tuple(output_size)
        kernel = [max(1, out - (own - 1)) for out, own in zip(size, input.size()[-len(size) :])]
        return function(input, indices, kernel, 1, 0, size)

    return apply


def _fractional(input, kh, kw, output_size=None, output_ratio=None, _random_samples=None):
    samples = {"return_indices": True, "_random_samples": _random_samples}
    return F.fractional_max_pool2d(input, (kh, kw), output_size, output_ratio, **samples)


globals().update(
    classes(
        __name__,
        {
            **{f"MaxPool{n}d": _largest(getattr(F, f"max_pool{n}d")) for n in (1, 2, 3)},
            **{f"AvgPool{n}d": getattr(F, f"avg_pool{n}d") for n in (2, 3)},
            **{f"AdaptiveMaxPool{n}d": _adaptive(getattr(F, f"adaptive_max_pool{n}d")) for n in (1, 2, 3)},
            **{f"AdaptiveAvgPool{n}d": getattr(F, f"adaptive_avg_pool{n}d") for n in (1, 2, 3)},
            **{f"MaxUnpool{n}d": _unpool(getattr(F, f"max_unpool{n}d")) for n in (2, 3)},
            "FractionalMaxPool2d": _fractional,
        },
    )
)
