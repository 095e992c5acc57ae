"""How linear_cross_entropy divides its work: rows at a time, so that the logits of all rows are never there at once."""

from __future__ import annotations

import dataclasses

import torch

_ACCUMULATE = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


@dataclasses.dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """linear_cross_entropy(…, options=LinearCrossEntropyOptions()) computes the logits of some rows, their loss, and
    forgets them; the backward pass computes them again. The result is the same but for rounding.

    Args:
        allow_retain_graph (bool): whether backward() may be called twice; here it always may
        batch_chunk_size (int, optional): how many rows at a time
        chunking_method (str, optional): "aspect_ratio:R", so many rows that their logits have at most R times as many elements
            as all of the input; "auto" is "aspect_ratio:2"; None for all rows at once
        acc_policy (str): "accurate", "balanced", "compact" or "auto": where PyTorch keeps sums; here in acc_dtype
        acc_dtype (dtype, optional): of the sum of losses; by default float32 for half precision, else the input's
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: torch.dtype | None = None

    def __post_init__(self):
        size = self.batch_chunk_size
        if size is not None and (not isinstance(size, int) or size <= 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        if self.chunking_method not in (None, "auto") and self._ratio() <= 0:
            raise ValueError(f"invalid chunking_method: {self.chunking_method!r}")
        if self.acc_policy not in ("accurate", "balanced", "compact", "auto"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        if self.acc_dtype is not None and self.acc_dtype not in _ACCUMULATE:
            raise ValueError(
                f"acc_dtype must be one of {{None, {', '.join(map(str, _ACCUMULATE))}}}, got {self.acc_dtype!r}"
            )

    def _ratio(self):
        """R of "aspect_ratio:R", 0 for what is not that."""
        name, _, number = str(self.chunking_method).partition(":")
        return int(number) if name == "aspect_ratio" and number.isdigit() else 0

    def rows(self, input, classes):
        """How many rows of the input, (rows, features), at a time."""
        by_ratio = None
        if self.chunking_method is not None:
            ratio = 2 if self.chunking_method == "auto" else self._ratio()
            by_ratio = max(1, ratio * input.numel() // max(1, classes))
        if self.batch_chunk_size is None:
            return by_ratio or max(1, input.size(0))
        if by_ratio is not None and self.chunking_method != "auto" and by_ratio != self.batch_chunk_size:
            raise ValueError(
                f"batch_chunk_size ({self.batch_chunk_size}) and chunking_method {self.chunking_method!r}, which gives "
                f"{by_ratio} rows, cannot both be given"
            )
        return self.batch_chunk_size


def chunked(loss_of, input, target, classes, reduction, weight, ignore_index, options):
    """The loss of rows at a time. `loss_of(input, target, reduction)` is that of some."""
    from torch.utils.checkpoint import checkpoint

    rows = options.rows(input, classes)
    piece = "none" if reduction == "none" else "sum"
    found = [
        checkpoint(loss_of, some, labels, piece, use_reentrant=False, preserve_rng_state=False)
        for some, labels in zip(input.split(rows), target.split(rows))
    ]
    if reduction == "none":
        return torch.cat(found)
    half = input.dtype in (torch.float16, torch.bfloat16)
    dtype = options.acc_dtype or (torch.float32 if half else input.dtype)
    total = torch.stack([each.to(dtype) for each in found]).sum()
    if reduction == "mean":
        total = total / _count(target, weight, ignore_index, dtype)
    return total.to(input.dtype)


def _count(target, weight, ignore_index, dtype):
    """What the mean divides by: the rows, or the weights of their classes, without those that are ignored."""
    if target.is_floating_point():
        return target.size(0)
    counts = target != ignore_index
    if weight is None:
        return counts.sum().to(dtype)
    return torch.where(counts, weight.to(dtype)[torch.where(counts, target, 0)], 0).sum()
