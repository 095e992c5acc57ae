"""Rows of tables: embedding and its bags."""

from __future__ import annotations

import torch
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


def _renorm(weight, input, max_norm, norm_type):
    with torch.no_grad():
        torch.embedding_renorm_(weight, input, max_norm, norm_type)


def padding_row(padding_idx, weight, name="Padding_idx must be within num_embeddings"):
    """The row that padding_idx means; a negative one counts from the end. The first is not looked for."""
    if not padding_idx:
        return padding_idx
    if not -weight.size(0) <= padding_idx < weight.size(0):
        raise AssertionError(name)
    return padding_idx % weight.size(0)


@overridable
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of a table.

    input: indices of any shape (…), int64 or int32; weight: (V, D); result (…, D). The row padding_idx gets no gradient.
    max_norm: rows that are used and whose norm_type-norm is greater are scaled to it first, in place. scale_grad_by_freq:
    gradients are divided by how often their row occurs. sparse: the table's gradient is a sparse COO tensor of the rows that
    are used, an entry for each index; backward raises RuntimeError if it should be scaled. IndexError for an index outside
    [0, V).
    """
    row = -1 if padding_idx is None else padding_row(padding_idx, weight)
    if max_norm is not None:
        _renorm(weight, input, max_norm, norm_type)
    return torch.embedding(weight, input, row, scale_grad_by_freq, sparse)


def _bags(input, offsets):
    """(the flat indices, where each bag begins)"""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                f"sequences. However, found offsets of type {type(offsets)}"
            )
        count, length = input.shape
        return input.reshape(-1), torch.arange(count, device=input.device) * length
    if input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return input, offsets


@overridable
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Sums, means or maxima of rows of a table.

    input: (B, N), each row a bag, or (n) with `offsets` (B), where each bag begins (include_last_offset: (B + 1), the last
    one is n); weight: (V, D); result (B, D), zeros for empty bags. per_sample_weights: of the input's shape, for mode "sum"
    alone. Rows padding_idx do not count. Else as embedding(); there are no sparse gradients of maxima.
    """
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if weight.dtype == torch.int64 and input.is_floating_point():
        raise TypeError("embedding_bag() takes the indices first and the table second")
    if per_sample_weights is not None:
        if mode != "sum":
            raise NotImplementedError(
                "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
                f"mode='{mode}')"
            )
        if per_sample_weights.size() != input.size():
            raise ValueError(
                f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same "
                f"shape as the input ({input.shape})"
            )
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    padding_idx = padding_row(padding_idx, weight, "padding_idx must be within the number of embeddings")
    flat, offsets = _bags(input, offsets)
    if max_norm is not None:
        _renorm(weight, input, max_norm, norm_type)
    weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    number = {"sum": 0, "mean": 1, "max": 2}[mode]
    options = scale_grad_by_freq, number, sparse, weights, include_last_offset and input.dim() == 1, padding_idx
    return torch.embedding_bag(weight, flat, offsets, *options)[0]
