"""Pixels from channels and back."""

from torch import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module

__all__ = [
    "PixelShuffle",
    "PixelUnshuffle",
]


class PixelShuffle(Module):
    """F.pixel_shuffle(): (…, C·r², H, W) to (…, C, H·r, W·r)."""

    __constants__ = ["upscale_factor"]
    upscale_factor: int

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """F.pixel_unshuffle(): (…, C, H·r, W·r) to (…, C·r², H, W)."""

    __constants__ = ["downscale_factor"]
    downscale_factor: int

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"
