"""Weights of convolutions in another memory format."""

from __future__ import annotations

import torch

__all__ = [
    "convert_conv2d_weight_memory_format",
    "convert_conv3d_weight_memory_format",
]


def _convert(module, memory_format, names):
    kinds = tuple(getattr(torch.nn, name) for name in names)
    if isinstance(module, kinds):
        module.weight.data = module.weight.detach().clone(memory_format=memory_format)
    for child in module.children():
        _convert(child, memory_format, names)
    return module


def convert_conv2d_weight_memory_format(module, memory_format: torch.memory_format):
    """Converts the weights of all Conv2d and ConvTranspose2d in a module; returns it."""
    return _convert(module, memory_format, ("Conv2d", "ConvTranspose2d"))


def convert_conv3d_weight_memory_format(module, memory_format: torch.memory_format):
    """Converts the weights of all Conv3d and ConvTranspose3d in a module; returns it."""
    return _convert(module, memory_format, ("Conv3d", "ConvTranspose3d"))
