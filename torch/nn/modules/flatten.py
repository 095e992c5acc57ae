"""Dimensions merged and split."""

import torch
from torch import Tensor
from torch.nn.modules.module import Module

__all__ = [
    "Flatten",
    "Unflatten",
]


class Flatten(Module):
    """Merges the dimensions start_dim to end_dim; of (N, …) it makes (N, elements)."""

    __constants__ = ["start_dim", "end_dim"]
    start_dim: int
    end_dim: int

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Splits dimension `dim` into those of `unflattened_size`. TypeError for what are no sizes."""

    __constants__ = ["dim", "unflattened_size"]
    dim: int
    unflattened_size: torch.Size | list[int] | tuple[int, ...]

    def __init__(self, dim: int, unflattened_size: torch.Size | list[int] | tuple[int, ...]) -> None:
        super().__init__()
        if not isinstance(dim, int):
            raise TypeError("invalid argument type for dim parameter: torch has no named dimensions")
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
            )
        for i, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    f"unflattened_size must be tuple of ints, but found element of type {type(size).__name__} at pos {i}"
                )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
