"""Losses whose target is a class, several classes, or a probability for each."""

import torch
from torch.nn._functional._protocol import overridable
from torch.nn._functional.activation import logsigmoid
from torch.nn._reduction import reduced, resolve


def _sizes(tensor):
    return str(list(tensor.size()))


def _kind(tensor):
    return tensor.type().removeprefix("torch.").removesuffix("Tensor")


def _check_classes(input, target, weight):
    """The shapes of nll_loss(): input (N, C, d…) or (C), target (N, d…) or ()."""
    if input.dim() == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if input.dim() != 1 and (target.dim() == 0 or input.size(0) != target.size(0)):
        got = target.size(0) if target.dim() else 0
        raise ValueError(f"Expected input batch_size ({input.size(0)}) to match target batch_size ({got}).")
    if input.dim() <= 2:
        if target.dim() > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if input.dim() == 1 and target.dim() == 1 and target.size(0) != 1:
            raise RuntimeError(f"size mismatch (got input: {_sizes(input)}, target: {_sizes(target)})")
    elif input.dim() == 4:
        if target.dim() != 3:
            raise RuntimeError(
                f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {target.dim()}"
            )
        if target.size() != input.size()[:1] + input.size()[2:]:
            raise RuntimeError(f"size mismatch (got input: {_sizes(input)} , target: {_sizes(target)}")
    elif target.size() != input.size()[:1] + input.size()[2:]:
        expected = [input.size(0), *input.size()[2:]]
        raise RuntimeError(f"Expected target size {expected}, got {_sizes(target)}")
    if target.dtype not in (torch.int64, torch.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {_kind(target)}")
    classes = input.size(0 if input.dim() == 1 else 1)
    if weight is not None and (weight.dim() != 1 or weight.numel() != classes):
        if input.dim() == 4:
            raise RuntimeError("weight tensor should be defined either for all or no classes")
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {_sizes(weight)}"
        )


def _picked(input, target, ignore_index):
    """(the input's elements at the targets, safe targets, the mask of ignored ones or None). IndexError for targets that
    are no classes."""
    dim = 0 if input.dim() == 1 else 1
    target = target.long()
    classes = input.size(dim)
    safe, ignored = target, None
    in_range = False
    if target.is_cpu and target.numel() and not 0 <= ignore_index < classes:
        in_range = 0 <= int(target.min()) and int(target.max()) < classes  # the usual case: nothing is ignored
    if not in_range:
        ignored = target == ignore_index
        safe = target.masked_fill(ignored, 0)
        for extreme in (int(safe.min()), int(safe.max())) if safe.is_cpu and safe.numel() else ():
            if not 0 <= extreme < classes:
                raise IndexError(f"Target {extreme} is out of bounds.")
    if input.dim() == 1 and target.dim() == 1:
        return input.gather(0, safe), safe, ignored
    return input.gather(dim, safe.unsqueeze(dim)).squeeze(dim), safe, ignored


def _nll(input, target, weight, ignore_index, reduction):
    picked, safe, ignored = _picked(input, target, ignore_index)
    weights = None
    if weight is not None:
        weights = weight.index_select(0, safe.reshape(-1)).view(safe.shape)
        if ignored is not None:
            weights = weights.masked_fill(ignored, 0)
        loss = -picked * weights
        if ignored is not None:
            loss = loss.masked_fill(ignored, 0)
    else:
        loss = -picked if ignored is None else (-picked).masked_fill(ignored, 0)
    if reduction != "mean":
        return (loss.sum() if reduction == "sum" else loss), weights, ignored
    if weights is not None:
        return loss.sum() / weights.sum(), weights, ignored
    return (loss.mean() if ignored is None else loss.sum() / (~ignored).sum().to(loss.dtype)), weights, ignored


@overridable
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """-weight[target] * input[target], the negative log likelihood of classes.

    input: log-probabilities (N, C), (N, C, d…) or (C); target: classes (N), (N, d…) or (), int64 or uint8; weight: (C).
    The mean is divided by the weights of the targets. Targets equal to ignore_index count nothing; IndexError for others
    outside [0, C), ValueError and RuntimeError for shapes that do not fit.
    """
    reduction = resolve(size_average, reduce, reduction)
    _check_classes(input, target, weight)
    return _nll(input, target, weight, ignore_index, reduction)[0]


def _cross_entropy_of_probabilities(input, target, weight, reduction, label_smoothing):
    dim = 0 if input.dim() == 1 else 1
    classes = input.size(dim)
    if weight is not None and (weight.dim() != 1 or weight.numel() != classes):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got weight "
            f"tensor of shape: {_sizes(weight)}"
        )
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    loss = input.log_softmax(dim) * target
    if weight is not None:
        loss = loss * _along(weight, input, dim)
    if reduction == "none":
        return -loss.sum(dim)
    total = -loss.sum()
    return total / (input.numel() / classes) if reduction == "mean" else total


def _along(weight, input, dim):
    return weight.view([-1 if d == dim else 1 for d in range(input.dim())])


@overridable
def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    """nll_loss() of log_softmax(input).

    input: any numbers (N, C), (N, C, d…) or (C). target: classes as nll_loss() takes them, or probabilities of the input's
    shape. weight: (C). label_smoothing: that share of a target's probability goes to all classes alike; RuntimeError
    outside [0, 1].
    """
    reduction = resolve(size_average, reduce, reduction)
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    if input.size() == target.size():
        if not target.is_floating_point():
            raise RuntimeError(f"Expected floating point type for target with class probabilities, got {_kind(target)}")
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _cross_entropy_of_probabilities(input, target, weight, reduction, label_smoothing)
    _check_classes(input, target, weight)
    dim = 0 if input.dim() == 1 else 1
    log_probabilities = input.log_softmax(dim)
    loss, weights, ignored = _nll(log_probabilities, target, weight, ignore_index, reduction)
    if label_smoothing == 0:
        return loss
    if weight is not None:
        log_probabilities = log_probabilities * _along(weight, input, dim)
    smooth = -log_probabilities.sum(dim)
    if ignored is not None:
        smooth = smooth.masked_fill(ignored.view(smooth.shape), 0)
    if reduction == "sum":
        smooth = smooth.sum()
    elif reduction == "mean":
        if weights is not None:
            smooth = smooth.sum() / weights.sum()
        else:
            smooth = smooth.mean() if ignored is None else smooth.sum() / (~ignored).sum().to(smooth.dtype)
    return (1 - label_smoothing) * loss + smooth * (label_smoothing / input.size(dim))


# ---- margins -----------------------------------------------------------------------------------------------
def _vector_or_matrix(input):
    if input.dim() > 2 or (input.dim() and input.size(-1) == 0):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {_sizes(input)}"
        )


@overridable
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The sum over all wrong classes i of max(0, margin - input[target] + input[i])^p * weight[target], divided by their
    number C. input: (N, C) or (C); target: classes (N) or (); p: 1 or 2; weight: (C)."""
    reduction = resolve(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    _vector_or_matrix(input)
    rows = input.reshape(1, -1) if input.dim() < 2 else input
    if target.dim() > 1 or target.numel() != rows.size(0):
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). "
            f"Expected target size [{rows.size(0)}], but got {_sizes(target)}. Input has shape {_sizes(input)}."
        )
    classes = rows.size(1)
    if weight is not None and weight.numel() != classes:
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {_sizes(weight)}")
    index = target.reshape(-1, 1)
    if index.is_cpu and index.numel() and not 0 <= int(index.min()) <= int(index.max()) < classes:
        raise RuntimeError("target out of range")
    loss = (margin - rows.gather(1, index) + rows).clamp(min=0)
    if p == 2:
        loss = loss * loss
    if weight is not None:
        loss = loss * weight.index_select(0, index.reshape(-1)).unsqueeze(1)
    right = torch.arange(classes, device=rows.device).unsqueeze(0) == index
    loss = loss.masked_fill(right, 0).sum(1) / classes
    return reduced(loss if target.dim() else loss.reshape(()), reduction)


@overridable
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """The sum of max(0, 1 - input[t] + input[i]) over all classes t of a row of the target and all others i, divided by
    the number C of classes. Input and target: (N, C) or (C); a row of the target ends before its first -1. RuntimeError
    for other shapes and classes."""
    reduction = resolve(size_average, reduce, reduction)
    _vector_or_matrix(input)
    if target.size() != input.size():
        raise RuntimeError(f"inconsistent target size: {_sizes(target)} for input of size: {_sizes(input)}")
    if target.dtype != torch.int64:
        raise RuntimeError(f"expected scalar type Long but found {_kind(target)}")
    rows, classes = (input.reshape(1, -1), target.reshape(1, -1)) if input.dim() < 2 else (input, target)
    count = rows.size(1)
    if target.is_cpu and target.numel() and not -1 <= int(target.min()) <= int(target.max()) < count:
        raise RuntimeError("argument #2 'target' is out of range")
    valid = (classes < 0).cumsum(1) == 0
    safe = classes.masked_fill(~valid, 0)
    ours = torch.zeros(rows.shape, dtype=torch.int64, device=rows.device).scatter_add_(1, safe, valid.long()) > 0
    loss = (1 - rows.gather(1, safe).unsqueeze(2) + rows.unsqueeze(1)).clamp(min=0)
    loss = loss.masked_fill(~valid.unsqueeze(2) | ours.unsqueeze(1), 0).sum((1, 2)) / count
    return reduced(loss if input.dim() == 2 else loss.reshape(()), reduction)


@overridable
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """binary_cross_entropy_with_logits(), times `weight`, its mean over the last dimension."""
    reduction = resolve(size_average, reduce, reduction)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return reduced(loss.sum(input.dim() - 1) / input.size(-1), reduction)


@overridable
def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
):
    """cross_entropy(linear(input, linear_weight, linear_bias), target, …) with the classes in the last dimension of the
    product: input (…, F), linear_weight (C, F), target (…)."""
    logits = torch.nn.functional.linear(input, linear_weight, linear_bias)
    if logits.dim() > 2 and target.dim() == logits.dim() - 1:
        logits = logits.movedim(-1, 1)
    return cross_entropy(
        logits,
        target,
        weight=weight,
        reduction=reduction,
        ignore_index=-100 if ignore_index is None else ignore_index,
        label_smoothing=label_smoothing,
    )
