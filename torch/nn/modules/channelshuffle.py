"""Channels of groups in turn."""

from torch import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module

__all__ = [
    "ChannelShuffle",
]


class ChannelShuffle(Module):
    """F.channel_shuffle() of (N, C, …) with `groups` groups."""

    __constants__ = ["groups"]
    groups: int

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"
