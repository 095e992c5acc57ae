"""Losses that compare an input with a target element by element, or pairs of inputs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import torch
from torch import _nn
from torch._tensor_types import scalar_type
from torch.nn._functional._protocol import broadcast_pair, overridable
from torch.nn._reduction import CODES, reduced, resolve

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


def _weighted(loss, weight, reduction):
    """The loss with weights of its elements; its mean is that of the weights."""
    if weight is None:
        return reduced(loss, reduction)
    loss = loss * weight
    return loss.sum() / weight.expand_as(loss).sum() if reduction == "mean" else reduced(loss, reduction)


def _check_weight(input, weight):
    if weight is not None and weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


@overridable
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """(input - target)², times `weight`; the mean is divided by the weights' sum. ValueError if the weights' shape is not
    the input's."""
    pair = broadcast_pair("mse_loss", input, target)
    if weight is None:
        return _nn.mse_loss(*pair, CODES[resolve(size_average, reduce, reduction)])
    _check_weight(input, weight)
    return _weighted(_nn.mse_loss(*pair, 0), weight, resolve(size_average, reduce, reduction))


@overridable
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """|input - target|, times `weight`; as mse_loss()."""
    pair = broadcast_pair("l1_loss", input, target)
    if weight is None:
        return _nn.l1_loss(*pair, CODES[resolve(size_average, reduce, reduction)])
    _check_weight(input, weight)
    return _weighted(_nn.l1_loss(*pair, 0), weight, resolve(size_average, reduce, reduction))


@overridable
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """(input - target)² / (2 beta) where |input - target| < beta, |input - target| - beta / 2 elsewhere. RuntimeError for
    a negative beta."""
    pair = broadcast_pair("smooth_l1_loss", input, target)
    return _nn.smooth_l1_loss(*pair, CODES[resolve(size_average, reduce, reduction)], beta)


@overridable
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """(input - target)² / 2 where |input - target| <= delta, delta * (|input - target| - delta / 2) elsewhere, times
    `weight`. RuntimeError for a delta that is not positive."""
    pair = broadcast_pair("huber_loss", input, target)
    if weight is None:
        return _nn.huber_loss(*pair, CODES[resolve(None, None, reduction)], delta)
    _check_weight(input, weight)
    return reduced(_nn.huber_loss(*pair, 0, delta) * weight, resolve(None, None, reduction))


@overridable
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """-(target * log(input) + (1 - target) * log(1 - input)), times `weight`, which broadcasts. Input and target have the
    same shape and lie between 0 and 1: ValueError, RuntimeError."""
    reduction = CODES[resolve(size_average, reduce, reduction)]
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Please ensure they have the same size."
        )
    if target.dtype != input.dtype and not torch.is_autocast_enabled(input.device.type):
        raise RuntimeError(f"Found dtype {scalar_type(target)} but expected {scalar_type(input)}")
    return _nn.binary_cross_entropy(input, target, weight, reduction)


@overridable
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """binary_cross_entropy(sigmoid(input), target) without overflow; `pos_weight` is the weight of positive targets and
    broadcasts. ValueError if the shapes differ."""
    reduction = CODES[resolve(size_average, reduce, reduction)]
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


@overridable
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """target * (log(target) - input), the pointwise Kullback-Leibler divergence of log-probabilities `input`; log_target:
    the target is a logarithm, too. reduction="batchmean": the sum, divided by the size of dimension 0."""
    if size_average is not None or reduce is not None:
        reduction = resolve(size_average, reduce, reduction)
    elif reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size: 'batchmean' is the "
            "divergence that is defined in mathematics",
            stacklevel=3,
        )
    if reduction != "batchmean":
        return torch.kl_div(input, target, CODES[resolve(None, None, reduction)], log_target=log_target)
    loss = torch.kl_div(input, target, 2, log_target=log_target)
    return loss / input.size(0) if input.dim() else loss


@overridable
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """exp(input) - target * input, or input - target * log(input + eps) unless log_input; full: with Stirling's formula
    for the logarithm of the target's factorial."""
    code = CODES[resolve(size_average, reduce, reduction)]
    return torch.poisson_nll_loss(input, target, log_input, full, eps, code)


@overridable
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor | float, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """(log(var) + (input - target)² / var) / 2, `var` being at least `eps`; full: plus log(2π) / 2. `var` has the input's
    shape, or lacks its last dimension, or has size 1 there; or is a number. ValueError for others and negative ones."""
    if isinstance(var, torch.Tensor):
        if var.size() != input.size():
            if input.size()[:-1] == var.size():
                var = var.unsqueeze(-1)
            elif input.dim() != var.dim() or any(v not in (1, n) for v, n in zip(var.size(), input.size())):
                raise ValueError("var is of incorrect size")
        if bool((var < 0).any()):
            raise ValueError("var has negative entry/entries")
    elif var < 0:
        raise ValueError("var has negative entry/entries")
    else:
        var = var * torch.ones_like(input)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)  # not recorded: var has a gradient below eps, too
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction)


@overridable
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """input where the target is 1, max(0, margin - input) where it is -1."""
    return torch.hinge_embedding_loss(input, target, margin, CODES[resolve(size_average, reduce, reduction)])


@overridable
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin), the target being 1 or -1. RuntimeError if the numbers of dimensions
    differ."""
    code = CODES[resolve(size_average, reduce, reduction)]
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return torch.margin_ranking_loss(input1, input2, target, margin, code)


@overridable
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cos(input1, input2) where the target is 1, max(0, cos(input1, input2) - margin) where it is -1. Inputs N×D with
    a target of N, or D with a target of no dimension: RuntimeError for others."""
    return torch.cosine_embedding_loss(input1, input2, target, margin, CODES[resolve(size_average, reduce, reduction)])


@overridable
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """log(1 + exp(-target * input)), the target being 1 or -1."""
    return _nn.soft_margin_loss(input, target, CODES[resolve(size_average, reduce, reduction)])


@overridable
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin), d being pairwise_distance(); swap: the distance of
    positive and negative is taken if it is the smaller one."""
    code = CODES[resolve(size_average, reduce, reduction)]
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, code)


@overridable
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """triplet_margin_loss() with another distance: a function of two tensors."""
    reduction = resolve(None, None, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.dim() == positive.dim() == negative.dim():
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.dim()}D, positive {positive.dim()}D, and negative {negative.dim()}D inputs"
        )
    distance = torch.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return reduced((margin + near - far).clamp_min(0), reduction)
