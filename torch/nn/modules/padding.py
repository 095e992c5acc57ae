"""Padding as modules. `padding` is one number for all ends, or (before, after) of the last dimension, of the one before, …"""

from torch.nn import functional as F
from torch.nn.modules.module import Module

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _Pad(Module):
    __constants__ = ["padding"]
    _dims = 1
    _mode = "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * (2 * self._dims) if isinstance(padding, int) else tuple(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ConstantPad(_Pad):
    __constants__ = ["padding", "value"]

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPad):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


class _ReflectionPad(_Pad):
    _mode = "reflect"


class _ReplicationPad(_Pad):
    _mode = "replicate"


class _CircularPad(_Pad):
    _mode = "circular"

    def forward(self, input):
        if input.dim() not in (self._dims + 1, self._dims + 2):
            raise ValueError(f"expected {self._dims + 1}D or {self._dims + 2}D input (got {input.dim()}D input)")
        return super().forward(input)


class ConstantPad1d(_ConstantPad):
    """Pads the last dimension with `value`."""


class ConstantPad2d(_ConstantPad):
    """Pads the last two dimensions with `value`."""

    _dims = 2


class ConstantPad3d(_ConstantPad):
    """Pads the last three dimensions with `value`."""

    _dims = 3


class ZeroPad1d(_ZeroPad):
    """Pads the last dimension with zeros."""


class ZeroPad2d(_ZeroPad):
    """Pads the last two dimensions with zeros."""

    _dims = 2


class ZeroPad3d(_ZeroPad):
    """Pads the last three dimensions with zeros."""

    _dims = 3


class ReflectionPad1d(_ReflectionPad):
    """Pads (N, C, W) or (C, W), reflected at its ends."""


class ReflectionPad2d(_ReflectionPad):
    """Pads (N, C, H, W) or (C, H, W), reflected at its borders."""

    _dims = 2


class ReflectionPad3d(_ReflectionPad):
    """Pads (N, C, D, H, W) or (C, D, H, W), reflected at its borders."""

    _dims = 3


class ReplicationPad1d(_ReplicationPad):
    """Pads (N, C, W) or (C, W) with the elements at its ends."""


class ReplicationPad2d(_ReplicationPad):
    """Pads (N, C, H, W) or (C, H, W) with the elements at its borders."""

    _dims = 2


class ReplicationPad3d(_ReplicationPad):
    """Pads (N, C, D, H, W) or (C, D, H, W) with the elements at its borders."""

    _dims = 3


class CircularPad1d(_CircularPad):
    """Pads (N, C, W) or (C, W) with the elements at the other end."""


class CircularPad2d(_CircularPad):
    """Pads (N, C, H, W) or (C, H, W) with the elements at the other border."""

    _dims = 2


class CircularPad3d(_CircularPad):
    """Pads (N, C, D, H, W) or (C, D, H, W) with the elements at the other border."""

    _dims = 3
