"""Convolutions as modules, over one, two and three dimensions, and transposed ones."""

import math
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.modules.utils import _ntuple
from torch.nn.parameter import Parameter, UninitializedParameter

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
]

_MODES = {"zeros", "reflect", "replicate", "circular"}


class _ConvNd(Module):
    """What all of them share: weight (out_channels, in_channels / groups, *kernel_size), of transposed ones (in_channels,
    out_channels / groups, *kernel_size), and bias (out_channels), drawn alike from ±1/√(in_channels / groups · kernel)."""

    __constants__ = [
        *("stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels", "out_channels"),
        "kernel_size",
    ]
    bias: torch.Tensor | None
    in_channels: int
    _reversed_padding_repeated_twice: list[int]
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: str | tuple[int, ...]
    dilation: tuple[int, ...]
    transposed: bool
    output_padding: tuple[int, ...]
    groups: int
    padding_mode: Literal["zeros", "reflect", "replicate", "circular"]
    weight: torch.Tensor
    _dims = 1
    _transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        padding: str | tuple[int, ...],
        dilation: tuple[int, ...],
        output_padding: tuple[int, ...],
        groups: int,
        bias: bool,
        padding_mode: Literal["zeros", "reflect", "replicate", "circular"],
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        each = _ntuple(self._dims)
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in each(stride)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in _MODES:
            raise ValueError(f"padding_mode must be one of {_MODES}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = each(kernel_size)
        self.stride = each(stride)
        self.padding = padding if isinstance(padding, str) else each(padding)
        self.dilation = each(dilation)
        self.transposed = self._transposed
        self.output_padding = each(output_padding)
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._borders()
        channels = (in_channels, out_channels // groups) if self.transposed else (out_channels, in_channels // groups)
        factory = {"device": device, "dtype": dtype}
        self.weight = Parameter(torch.empty((*channels, *self.kernel_size), **factory))
        self.register_parameter("bias", Parameter(torch.empty(out_channels, **factory)) if bias else None)
        self.reset_parameters()

    def _borders(self):
        """The padding as F.pad() takes it: (before, after) of the last dimension first."""
        if self.padding == "valid":
            return [0, 0] * self._dims
        if self.padding == "same":
            totals = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size)]
            pairs = [(total // 2, total - total // 2) for total in totals]
        else:
            pairs = [(p, p) for p in self.padding]
        return [p for pair in reversed(pairs) for p in pair]

    def reset_parameters(self) -> None:
        """Draws the weights again."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        for name, default in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (default,) * self._dims:
                text += f", {name}={value}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")  # pickles of before 1.1


class _Conv(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: str | int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: Literal["zeros", "reflect", "replicate", "circular"] = "zeros",
        device=None,
        dtype=None,
    ) -> None:
        super().__init__(
            *(in_channels, out_channels, kernel_size, stride, padding, dilation, 0, groups, bias, padding_mode),
            *(device, dtype),
        )

    def _conv_forward(self, input, weight, bias):
        convolution = getattr(F, f"conv{self._dims}d")
        if self.padding_mode == "zeros":
            return convolution(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return convolution(padded, weight, bias, self.stride, 0, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class _ConvTransposeNd(_ConvNd):
    _transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, ...] = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int | tuple[int, ...] = 1,
        padding_mode: Literal["zeros", "reflect", "replicate", "circular"] = "zeros",
        device=None,
        dtype=None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            *(in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias),
            *(padding_mode, device, dtype),
        )

    def _output_padding(self, input: Tensor, output_size: list[int] | None) -> list[int]:
        """What makes the result of that size. ValueError if nothing does."""
        if output_size is None:
            return self.output_padding
        dims = self._dims
        sizes = list(output_size)
        if len(sizes) == input.dim():
            sizes = sizes[-dims:]
        if len(sizes) != dims:
            raise ValueError(
                f"ConvTranspose{dims}D: for {input.dim()}D input, output_size must have {dims} or {input.dim()} elements "
                f"(got {len(sizes)})"
            )
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(input.shape[-dims:], self.stride, self.padding, self.dilation, self.kernel_size)
        ]
        most = [low + s - 1 for low, s in zip(least, self.stride)]
        if any(not low <= size <= high for low, size, high in zip(least, sizes, most)):
            raise ValueError(
                f"requested an output size of {sizes}, but valid sizes range from {least} to {most} (for an input of "
                f"{input.size()[-dims:]})"
            )
        return [size - low for size, low in zip(sizes, least)]

    def forward(self, input, output_size=None):
        convolution = getattr(F, f"conv_transpose{self._dims}d")
        return convolution(
            *(input, self.weight, self.bias, self.stride, self.padding),
            *(self._output_padding(input, output_size), self.groups, self.dilation),
        )


class Conv1d(_Conv):
    """F.conv1d() with weights that are learned: (N, in_channels, L) or (in_channels, L) to (N, out_channels, L'). padding: a
    number, "valid" or "same"; padding_mode: "zeros", "reflect", "replicate" or "circular". ValueError for options that do not
    fit."""


class Conv2d(_Conv):
    """F.conv2d() with weights that are learned: (N, in_channels, H, W) or without N to (N, out_channels, H', W'); options as
    Conv1d, numbers or one for each dimension."""

    _dims = 2


class Conv3d(_Conv):
    """F.conv3d() with weights that are learned: (N, in_channels, D, H, W) or without N; options as Conv2d."""

    _dims = 3


class ConvTranspose1d(_ConvTransposeNd):
    """F.conv_transpose1d() with weights that are learned: (N, in_channels, L) or without N. output_padding, or the output_size
    that forward() is given, says which of the possible sizes the result has."""


class ConvTranspose2d(_ConvTransposeNd):
    """F.conv_transpose2d() with weights that are learned; see ConvTranspose1d."""

    _dims = 2


class ConvTranspose3d(_ConvTransposeNd):
    """F.conv_transpose3d() with weights that are learned; see ConvTranspose1d."""

    _dims = 3


# ---- those that take in_channels from their first input --------------------------------------------------------------
class _LazyConvMixin(LazyModuleMixin):
    weight: UninitializedParameter
    bias: UninitializedParameter

    def _make_lazy(self, out_channels, bias, device, dtype):
        if out_channels % self.groups:
            raise ValueError("out_channels must be divisible by groups")
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        """Draws the weights again, once they are there."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        """Gives the weights the shapes for `input`. RuntimeError and ValueError for inputs that do not fit."""
        if not self.has_uninitialized_params():
            return
        if input.dim() not in (self._dims + 1, self._dims + 2):
            raise RuntimeError(
                f"Expected {self._dims + 1}D (unbatched) or {self._dims + 2}D (batched) input to {type(self).__name__}, but "
                f"got input of size: {input.shape}"
            )
        self.in_channels = input.shape[-self._dims - 1]
        if self.in_channels % self.groups:
            raise ValueError("in_channels must be divisible by groups")
        inner, outer = self.in_channels, self.out_channels
        channels = (inner, outer // self.groups) if self.transposed else (outer, inner // self.groups)
        self.weight.materialize((*channels, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyConv(_LazyConvMixin):
    def __init__(
        self,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype)
        self._make_lazy(out_channels, bias, device, dtype)


class _LazyConvTranspose(_LazyConvMixin):
    def __init__(
        self,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__(
            *(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode, device, dtype)
        )
        self._make_lazy(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConv, Conv1d):
    """A Conv1d that takes in_channels from its first input."""

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A Conv2d that takes in_channels from its first input."""

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A Conv3d that takes in_channels from its first input."""

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    """A ConvTranspose1d that takes in_channels from its first input."""

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    """A ConvTranspose2d that takes in_channels from its first input."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    """A ConvTranspose3d that takes in_channels from its first input."""

    cls_to_become = ConvTranspose3d
