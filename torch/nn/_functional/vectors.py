"""Vectors of one length: of norm 1, or with a single 1."""

from __future__ import annotations

import torch
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


@overridable
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """input divided by its p-norm along `dim`, which is taken as at least `eps`."""
    norm = torch.linalg.vector_norm(input, p, dim, True).clamp_min(eps).expand_as(input)
    return torch.div(input, norm) if out is None else torch.div(input, norm, out=out)


@overridable
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """For every element a row of num_classes zeros (-1: as many as the largest one needs) and a one at its index.
    RuntimeError for other dtypes than int64, negative elements and elements that are too large."""
    if tensor.dtype != torch.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.numel() == 0:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return tensor.new_zeros([*tensor.shape, num_classes])
    if not tensor.is_meta:
        if int(tensor.min()) < 0:
            raise RuntimeError("Class values must be non-negative.")
        largest = int(tensor.max())
        if num_classes == -1:
            num_classes = largest + 1
        elif largest >= num_classes:
            raise RuntimeError("Class values must be smaller than num_classes.")
    elif num_classes == -1:
        raise NotImplementedError("one_hot(): a tensor on the device meta has no elements to count classes by")
    return tensor.new_zeros([*tensor.shape, num_classes]).scatter_(-1, tensor.unsqueeze(-1), 1)
