"""Losses of two dtypes have the dtype, the gradients and the refusals that PyTorch has (nn_losses.py)."""

import json

import pytest
from nn_losses import DATA, DTYPES, LOSSES, SHAPES, answers

EXPECTED = json.loads(DATA.read_text())
# PyTorch refuses these: gradients of soft_margin_loss's target and of complex losses, half types of multi_margin_loss.
MORE_GRADIENTS = ("soft_margin_loss", "binary_cross_entropy_with_logits")
MORE_DTYPES = ("multi_margin_loss",)


def test_all_are_there():
    assert list(EXPECTED) == [f"{loss} {shapes}" for loss in LOSSES for shapes in SHAPES]


def agrees(loss, mine, theirs):
    """NotImplementedError is a RuntimeError: which of the two is said first, where both apply, is nobody's promise."""
    if mine == theirs:
        return True
    mine, theirs = (answer.replace("NotImplemented", "Runtime") for answer in (mine, theirs))
    if mine == theirs:
        return True
    if loss in MORE_DTYPES and theirs == "!RuntimeError":
        return mine.startswith("float16")
    plain, refusal = theirs.split("!")[0].rstrip("/; "), theirs.endswith("!RuntimeError")
    return loss in MORE_GRADIENTS and refusal and plain != "" and mine.startswith(plain)


@pytest.mark.parametrize("case", EXPECTED)
def test_dtypes(case):
    loss, _, shapes = case.partition(" ")
    found = answers(loss, shapes)
    wrong = [
        f"{a} {b}: {mine} instead of {theirs}"
        for a in DTYPES
        for b, mine, theirs in zip(DTYPES, found[a], EXPECTED[case][a], strict=True)
        if not agrees(loss, mine, theirs)
    ]
    assert not wrong, "\n".join(wrong)
