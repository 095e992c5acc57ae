"""Operators for programs that become ONNX files."""

import torch


def shape_as_tensor(x):
    """The sizes as an int64 tensor."""
    return torch._shape_as_tensor(x)


def reshape_from_tensor_shape(x, shape):
    """`x` in the shape that an int64 tensor holds."""
    return x.reshape(shape.tolist())
