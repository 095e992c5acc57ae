"""Connectionist temporal classification."""

from __future__ import annotations

import torch
from torch.nn import _reduction
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


@overridable
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """The negative logarithm of the probability of a sequence of labels, however they are aligned with the steps.

    log_probs: (T, N, C) or (T, C), the results of log_softmax(); targets: labels (N, S), or all of them one after the other;
    input_lengths, target_lengths: (N) or (). The mean is that of the losses divided by the targets' lengths. zero_infinity:
    targets that do not fit count nothing. RuntimeError for lengths that are too large.

    As PyTorch's, the gradient is that of log_softmax() included; what log_softmax() makes of it is the same.
    """
    number = _reduction.get_enum(reduction)
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity)
