"""Losses whose target is a class, several classes, or a probability for each."""

from __future__ import annotations

import torch
from torch import _nn
from torch.nn._functional._protocol import overridable
from torch.nn._functional.activation import logsigmoid
from torch.nn._reduction import CODES, reduced, resolve

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


@overridable
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """-weight[target] * input[target], the negative log likelihood of classes.

    input: log-probabilities (N, C), (N, C, d…) or (C); target: classes (N), (N, d…) or (), int64 or uint8; weight: (C).
    The mean is divided by the weights of the targets. Targets equal to ignore_index count nothing; IndexError for others
    outside [0, C), ValueError and RuntimeError for shapes that do not fit.
    """
    return _nn.nll_loss_nd(input, target, weight, CODES[resolve(size_average, reduce, reduction)], ignore_index)


@overridable
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """nll_loss() of log_softmax(input).

    input: any numbers (N, C), (N, C, d…) or (C). target: classes as nll_loss() takes them, or probabilities of the input's
    shape. weight: (C). label_smoothing: that share of a target's probability goes to all classes alike; RuntimeError
    outside [0, 1].
    """
    reduction = CODES[resolve(size_average, reduce, reduction)]
    return _nn.cross_entropy_loss(input, target, weight, reduction, ignore_index, label_smoothing)


# ---- margins -----------------------------------------------------------------------------------------------
@overridable
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The sum over all wrong classes i of max(0, margin - input[target] + input[i])^p * weight[target], divided by their
    number C. input: (N, C) or (C); target: classes (N) or (); p: 1 or 2; weight: (C)."""
    reduction = CODES[resolve(size_average, reduce, reduction)]
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return _nn.multi_margin_loss(input, target, int(p), margin, weight, reduction)


@overridable
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """The sum of max(0, 1 - input[t] + input[i]) over all classes t of a row of the target and all others i, divided by
    the number C of classes. Input and target: (N, C) or (C); a row of the target ends before its first -1. RuntimeError
    for other shapes and classes."""
    return _nn.multilabel_margin_loss(input, target, CODES[resolve(size_average, reduce, reduction)])


@overridable
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """binary_cross_entropy_with_logits(), times `weight`, its mean over the last dimension."""
    reduction = resolve(size_average, reduce, reduction)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return reduced(loss.sum(input.dim() - 1) / input.size(-1), reduction)


@overridable
def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options=None,
) -> Tensor:
    """cross_entropy(linear(input, linear_weight, linear_bias), target, …) with the classes in the last dimension of the
    product: input (…, F), linear_weight (C, F), target (…). With options, a LinearCrossEntropyOptions, of a matrix: some
    rows at a time."""
    ignored = -100 if ignore_index is None else ignore_index

    def loss_of(input, target, reduction):
        logits = torch.nn.functional.linear(input, linear_weight, linear_bias)
        if logits.dim() > 2 and target.dim() == logits.dim() - 1:
            logits = logits.movedim(-1, 1)
        return cross_entropy(
            logits,
            target,
            weight=weight,
            reduction=reduction,
            ignore_index=ignored,
            label_smoothing=label_smoothing,
        )

    if options is None:
        return loss_of(input, target, reduction)
    from torch.nn.modules.linear_cross_entropy_options import LinearCrossEntropyOptions, chunked

    if not isinstance(options, LinearCrossEntropyOptions):
        raise TypeError(f"options must be a LinearCrossEntropyOptions or None, not {type(options).__name__}")
    if input.dim() != 2 or linear_weight.dim() != 2 or input.size(0) == 0 or reduction not in ("mean", "sum", "none"):
        return loss_of(input, target, reduction)
    return chunked(loss_of, input, target, linear_weight.size(0), reduction, weight, ignored, options)
