"""Padding as modules. `padding` is one number for all ends, or (before, after) of the last dimension, of the one before, …"""

from torch import Tensor
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


class _ConstantPadNd(_Pad):
    __constants__ = ["padding", "value"]
    value: float

    def __init__(self, padding, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad:
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


class _ReflectionPadNd(_Pad):
    _mode = "reflect"


class _ReplicationPadNd(_Pad):
    _mode = "replicate"


class _CircularPadNd(_Pad):
    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (self._dims + 1, self._dims + 2):
            raise ValueError(f"expected {self._dims + 1}D or {self._dims + 2}D input (got {input.dim()}D input)")
        return super().forward(input)


class ConstantPad1d(_ConstantPadNd):
    """Pads the last dimension with `value`."""

    padding: tuple[int, int]


class ConstantPad2d(_ConstantPadNd):
    """Pads the last two dimensions with `value`."""

    _dims = 2
    padding: tuple[int, int, int, int]


class ConstantPad3d(_ConstantPadNd):
    """Pads the last three dimensions with `value`."""

    _dims = 3
    padding: tuple[int, int, int, int, int, int]


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """Pads the last dimension with zeros."""

    padding: tuple[int, int]


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """Pads the last two dimensions with zeros."""

    padding: tuple[int, int, int, int]


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """Pads the last three dimensions with zeros."""

    padding: tuple[int, int, int, int, int, int]


class ReflectionPad1d(_ReflectionPadNd):
    """Pads (N, C, W) or (C, W), reflected at its ends."""

    padding: tuple[int, int]


class ReflectionPad2d(_ReflectionPadNd):
    """Pads (N, C, H, W) or (C, H, W), reflected at its borders."""

    _dims = 2
    padding: tuple[int, int, int, int]


class ReflectionPad3d(_ReflectionPadNd):
    """Pads (N, C, D, H, W) or (C, D, H, W), reflected at its borders."""

    _dims = 3
    padding: tuple[int, int, int, int, int, int]


class ReplicationPad1d(_ReplicationPadNd):
    """Pads (N, C, W) or (C, W) with the elements at its ends."""

    padding: tuple[int, int]


class ReplicationPad2d(_ReplicationPadNd):
    """Pads (N, C, H, W) or (C, H, W) with the elements at its borders."""

    _dims = 2
    padding: tuple[int, int, int, int]


class ReplicationPad3d(_ReplicationPadNd):
    """Pads (N, C, D, H, W) or (C, D, H, W) with the elements at its borders."""

    _dims = 3
    padding: tuple[int, int, int, int, int, int]


class CircularPad1d(_CircularPadNd):
    """Pads (N, C, W) or (C, W) with the elements at the other end."""

    padding: tuple[int, int]


class CircularPad2d(_CircularPadNd):
    """Pads (N, C, H, W) or (C, H, W) with the elements at the other border."""

    _dims = 2
    padding: tuple[int, int, int, int]


class CircularPad3d(_CircularPadNd):
    """Pads (N, C, D, H, W) or (C, D, H, W) with the elements at the other border."""

    _dims = 3
    padding: tuple[int, int, int, int, int, int]
