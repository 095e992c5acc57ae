"""Rows of tables by their numbers."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _embedding(indices, weight, padding_idx=-1, max_norm=None, norm_type=2, scale_grad_by_freq=False, sparse=False):
    padding = None if padding_idx is None or padding_idx < 0 else padding_idx
    return F.embedding(indices, weight, padding, max_norm, norm_type, scale_grad_by_freq, sparse)


def _bag(weight, indices, offsets, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean"):
    return F.embedding_bag(indices, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode)


globals().update(classes(__name__, {"Embedding": _embedding, "EmbeddingBag": _bag}))
