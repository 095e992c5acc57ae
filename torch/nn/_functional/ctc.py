"""Connectionist temporal classification, composed over the steps of the input.

The labels of a target with blanks between and around them are states; alpha[s] is the logarithm of the probability of having
seen the states up to s. A step stays, moves on by one, or skips the blank between two labels that differ.
"""

import torch
from torch.nn._functional._protocol import overridable

# Stands for log(0): finite, so that no gradient is infinity minus infinity.
_IMPOSSIBLE = -1e30


def _padded_targets(targets, lengths, batch):
    """Targets (N, S) of targets that are padded already or stand one after the other."""
    if targets.dim() == 2:
        return targets.long()
    longest = max(lengths, default=0)
    result = torch.zeros(batch, longest, dtype=torch.int64, device=targets.device)
    start = 0
    for i, length in enumerate(lengths):
        result[i, :length] = targets[start : start + length]
        start += length
    return result


def _as_list(lengths):
    return [int(n) for n in (lengths.reshape(-1).tolist() if isinstance(lengths, torch.Tensor) else lengths)]


def _states(targets, blank):
    """(the labels of all states (N, 2S + 1), whether a state may be reached by skipping the one before)"""
    batch, longest = targets.shape
    labels = torch.full((batch, 2 * longest + 1), blank, dtype=torch.int64, device=targets.device)
    labels[:, 1::2] = targets
    skips = torch.zeros_like(labels, dtype=torch.bool)
    skips[:, 2:] = (labels[:, 2:] != blank) & (labels[:, 2:] != labels[:, :-2])
    return labels, skips


def _shifted(alpha, by):
    fill = alpha.new_full((alpha.size(0), by), _IMPOSSIBLE)
    return torch.cat([fill, alpha[:, : alpha.size(1) - by]], 1)


def _check(log_probs, input_lengths, target_lengths, blank):
    steps, batch, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != batch:
            raise RuntimeError(f"{name} must be of size batch_size: expected {batch}, got {len(lengths)}")
    for i, length in enumerate(input_lengths):
        if length > steps:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {steps}, but got value {length} (while checking arguments for "
                "ctc_loss)"
            )
        if length < 0 or target_lengths[i] < 0:
            raise RuntimeError("Expected input_lengths and target_lengths to have values of at least 0")


@overridable
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The negative logarithm of the probability of a sequence of labels, however they are aligned with the steps.

    log_probs: (T, N, C) or (T, C), the results of log_softmax(); targets: labels (N, S), or all of them one after the other;
    input_lengths, target_lengths: (N) or (). The mean is that of the losses divided by the targets' lengths. zero_infinity:
    targets that do not fit count nothing. RuntimeError for lengths that are too large.

    As PyTorch's, the gradient is that of log_softmax() included; what log_softmax() makes of it is the same.
    """
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    batched = log_probs.dim() == 3
    if not batched:
        log_probs = log_probs.unsqueeze(1)
        targets = targets.reshape(1, -1)
    inputs, lengths = _as_list(input_lengths), _as_list(target_lengths)
    _check(log_probs, inputs, lengths, blank)
    steps, batch, _ = log_probs.shape
    device = log_probs.device
    labels, skips = _states(_padded_targets(targets, lengths, batch), blank)
    # (T, N, states): the share of every state's label
    shares = log_probs.gather(2, labels.unsqueeze(0).expand(steps, -1, -1))
    ends = torch.tensor(lengths, device=device)
    durations = torch.tensor(inputs, device=device)
    impossible = shares.new_full((batch, max(labels.size(1) - 2, 0)), _IMPOSSIBLE)
    first = shares[0] if steps else shares.new_full(labels.shape, _IMPOSSIBLE)
    alpha = torch.cat([first[:, :2], impossible], 1)
    for t in range(1, steps):
        skipped = _shifted(alpha, 2).masked_fill(~skips, _IMPOSSIBLE) if labels.size(1) > 2 else None
        reached = torch.logaddexp(alpha, _shifted(alpha, 1))
        if skipped is not None:
            reached = torch.logaddexp(reached, skipped)
        alpha = torch.where((t < durations).unsqueeze(1), reached + shares[t], alpha)
    at_end = alpha.gather(1, (2 * ends).unsqueeze(1)).squeeze(1)
    at_label = alpha.gather(1, (2 * ends - 1).clamp(min=0).unsqueeze(1)).squeeze(1).masked_fill(ends == 0, _IMPOSSIBLE)
    total = torch.logaddexp(at_end, at_label)
    hopeless = total < _IMPOSSIBLE / 2
    loss = (-total).masked_fill(hopeless, 0 if zero_infinity else float("inf"))
    # 0, with the gradient that log_softmax() adds
    used = (torch.arange(steps, device=device).unsqueeze(1) < durations).to(log_probs.dtype)
    normal = (log_probs.exp().sum(2) * used).sum(0).masked_fill(hopeless, 0)
    loss = loss + (normal - normal.detach())
    if reduction == "none":
        return loss if batched else loss.squeeze(0)
    if reduction == "sum":
        return loss.sum()
    return (loss / ends.clamp(min=1).to(loss.dtype)).mean()
