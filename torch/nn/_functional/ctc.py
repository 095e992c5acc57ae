"""Connectionist temporal classification."""

import torch
from torch.nn import _reduction
from torch.nn._functional._protocol import overridable


@overridable
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The negative logarithm of the probability of a sequence of labels, however they are aligned with the steps.

    log_probs: (T, N, C) or (T, C), the results of log_softmax(); targets: labels (N, S), or all of them one after the other;
    input_lengths, target_lengths: (N) or (). The mean is that of the losses divided by the targets' lengths. zero_infinity:
    targets that do not fit count nothing. RuntimeError for lengths that are too large.

    As PyTorch's, the gradient is that of log_softmax() included; what log_softmax() makes of it is the same.
    """
    number = _reduction.get_enum(reduction)
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity)
