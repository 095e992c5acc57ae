"""Losses: (inputs…, target, margin, size_average)."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _with_margin(loss):
    def function(*args):
        *tensors, margin, size_average = args
        return loss(*tensors, margin=margin, reduction="mean" if size_average else "sum")

    return function


functions = {
    "CosineEmbeddingLoss": _with_margin(F.cosine_embedding_loss),
    "HingeEmbeddingLoss": _with_margin(F.hinge_embedding_loss),
    "MarginRankingLoss": _with_margin(F.margin_ranking_loss),
}
globals().update(classes(__name__, functions))
