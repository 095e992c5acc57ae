"""Tensors some of whose elements do not count: functions that take a mask beside a tensor, and tensors that carry theirs.

The functions here (`sum`, `softmax` and the others) take `mask=`, True where an element counts; what they answer for
nothing is the identity of the operation, or nan where there is none. Of a sparse tensor, with a mask of any layout, results are
sparse, and have an entry where anything counts. A MaskedTensor is made by masked_tensor() or as_masked_tensor() and taken by
operators of one element at a time, reductions, views, torch.where and softmax; it may be strided or sparse.
"""

from torch.masked._ops import (
    amax,
    amin,
    argmax,
    argmin,
    cumprod,
    cumsum,
    log_softmax,
    logaddexp,
    logsumexp,
    mean,
    median,
    norm,
    normalize,
    prod,
    softmax,
    softmin,
    std,
    sum,
    var,
)
from torch.masked.maskedtensor.core import MaskedTensor, is_masked_tensor
from torch.masked.maskedtensor.creation import as_masked_tensor, masked_tensor

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "as_masked_tensor",
    "cumprod",
    "cumsum",
    "is_masked_tensor",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "masked_tensor",
    "MaskedTensor",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]
