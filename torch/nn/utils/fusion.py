"""Batch normalisation of trained models merged into the layer before it."""

from __future__ import annotations

import copy

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn.parameter import Parameter

__all__ = [
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
]


def _check_trained(first, second):
    if first.training or second.training:
        raise AssertionError("Fusion only for eval!")


def _parameter(values, like):
    return torch.nn.Parameter(values.to(like.dtype), like.requires_grad)


def fuse_conv_bn_eval(conv, bn, transpose: bool = False):
    """A copy of a convolution that computes what it and the normalisation after it compute. AssertionError in training."""
    _check_trained(conv, bn)
    fused = copy.deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """(weight, bias) of such a convolution; transpose: of a transposed one."""
    bias = torch.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = torch.ones_like(bn_rm) if bn_w is None else bn_w
    shift = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = scale * torch.rsqrt(bn_rv + bn_eps)
    shape = [1, -1] if transpose else [-1, 1]
    weight = conv_w * scale.reshape(shape + [1] * (conv_w.dim() - 2))
    return _parameter(weight, conv_w), _parameter((bias - bn_rm) * scale + shift, conv_w if conv_b is None else conv_b)


def fuse_linear_bn_eval(linear, bn):
    """A copy of a Linear that computes what it and the normalisation after it compute. AssertionError in training, or if the
    normalisation has neither one feature nor as many as the Linear."""
    _check_trained(linear, bn)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    fused = copy.deepcopy(linear)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor, linear_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor, bn_b: Tensor
) -> tuple[Parameter, Parameter]:
    """(weight, bias) of such a Linear."""
    bias = torch.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * torch.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1)
    return _parameter(weight, linear_w), _parameter(
        (bias - bn_rm) * scale + bn_b, linear_w if linear_b is None else linear_b
    )
