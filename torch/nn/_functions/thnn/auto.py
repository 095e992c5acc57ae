"""Losses and paddings, which were made from THNN's header. Losses: (input, target, weight where they have one,
size_average, …)."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _reduction(size_average, reduce=True):
    return ("mean" if size_average else "sum") if reduce else "none"


def _loss(function):
    def apply(input, target, size_average=True, reduce=True):
        return function(input, target, reduction=_reduction(size_average, reduce))

    return apply


def _nll(input, target, weight=None, size_average=True, ignore_index=-100, reduce=True):
    return F.nll_loss(input, target, weight, ignore_index=ignore_index, reduction=_reduction(size_average, reduce))


def _bce(input, target, weight=None, size_average=True, reduce=True):
    return F.binary_cross_entropy(input, target, weight, reduction=_reduction(size_average, reduce))


def _multi_margin(input, target, weight=None, size_average=True, p=1, margin=1):
    return F.multi_margin_loss(input, target, p, margin, weight, reduction=_reduction(size_average))


def _padding(mode):
    return lambda input, *pad: F.pad(input, pad, mode)


_LOSSES = {
    "MSELoss": F.mse_loss,
    "L1Loss": F.l1_loss,
    "KLDivLoss": F.kl_div,
    "SmoothL1Loss": F.smooth_l1_loss,
    "SoftMarginLoss": F.soft_margin_loss,
    "MultiLabelMarginLoss": F.multilabel_margin_loss,
}
globals().update(
    classes(
        __name__,
        {
            **{name: _loss(function) for name, function in _LOSSES.items()},
            "NLLLoss": _nll,
            "NLLLoss2d": _nll,
            "BCELoss": _bce,
            "MultiMarginLoss": _multi_margin,
            **{f"ReflectionPad{n}d": _padding("reflect") for n in (1, 2)},
            **{f"ReplicationPad{n}d": _padding("replicate") for n in (1, 2, 3)},
            "CrossEntropyLoss": F.cross_entropy,
            "Abs": lambda input: input.abs(),
            "Sigmoid": lambda input: input.sigmoid(),
            "Sqrt": lambda input: input.sqrt(),
            "Square": lambda input: input * input,
            "Tanh": lambda input: input.tanh(),
        },
    )
)
