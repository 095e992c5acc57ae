"""Gradients of convolutions, for who computes a backward pass by hand."""

import torch
from torch.nn import functional as F
from torch.nn.modules.utils import _ntuple

__all__ = [f"conv{n}d_{what}" for n in (1, 2, 3) for what in ("input", "weight")]


def _of_input(dimensions):
    transposed = getattr(F, f"conv_transpose{dimensions}d")
    several = _ntuple(dimensions)

    def gradient(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
        steps, pads, gaps = several(stride), several(padding), several(dilation)
        sizes = zip(tuple(input_size)[2:], grad_output.shape[2:], weight.shape[2:], steps, pads, gaps)
        # What the last windows have left over.
        rest = [n - ((out - 1) * step - 2 * pad + gap * (k - 1) + 1) for n, out, k, step, pad, gap in sizes]
        return transposed(grad_output, weight, None, steps, pads, rest, groups, gaps)

    gradient.__name__ = gradient.__qualname__ = f"conv{dimensions}d_input"
    gradient.__doc__ = (
        f"The gradient of conv{dimensions}d for an input of shape `input_size`, given that of its result. RuntimeError for "
        "shapes that do not fit."
    )
    return gradient


def _of_weight(dimensions):
    convolution = getattr(F, f"conv{dimensions}d")

    def gradient(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
        recorded = torch.is_grad_enabled() and (input.requires_grad or grad_output.requires_grad)
        weight = grad_output.new_zeros(()).expand(tuple(weight_size)).requires_grad_()
        with torch.enable_grad():
            output = convolution(input, weight, None, stride, padding, dilation, groups)
        return torch.autograd.grad(output, weight, grad_output, create_graph=recorded)[0]

    gradient.__name__ = gradient.__qualname__ = f"conv{dimensions}d_weight"
    gradient.__doc__ = (
        f"The gradient of conv{dimensions}d for a weight of shape `weight_size`, given that of its result. RuntimeError for "
        "shapes that do not fit."
    )
    return gradient


conv1d_input, conv2d_input, conv3d_input = map(_of_input, (1, 2, 3))
conv1d_weight, conv2d_weight, conv3d_weight = map(_of_weight, (1, 2, 3))
