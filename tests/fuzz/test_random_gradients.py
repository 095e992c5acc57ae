"""Random expressions with views and writes in place: gradients beside finite differences, and beside PyTorch's."""

import pytest
import torch
from fuzz import gradients

COUNT, PART = 4000, 500


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(0, COUNT, PART))
def test_finite_differences(first):
    ends = {}
    for number in range(first, first + PART):
        expression = gradients.make(number, "tests")
        end, wrong = gradients.run(expression, number % 4 == 0)
        assert not wrong, f"{number}: {wrong}\n{expression}"
        ends[end] = ends.get(end, 0) + 1
    assert ends["right"] > 0.65 * PART, ends


@pytest.mark.filterwarnings("ignore")
def test_recorded():
    rows = gradients.recorded()
    assert len(rows) == 200
    for expression, theirs in rows:
        ours = gradients.answers(expression)
        assert isinstance(ours, list), f"{ours}\n{expression}"
        for mine, other in zip(ours, theirs, strict=True):
            assert mine == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True), expression


class Doubled(torch.autograd.Function):
    """Twice its argument, with a gradient of `slope`."""

    slope = 2.0

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * Doubled.slope


@pytest.mark.parametrize(("slope", "end"), [(2.0, "right"), (2.001, "wrong")])
def test_a_wrong_gradient_is_found(monkeypatch, slope, end):
    monkeypatch.setattr(Doubled, "slope", slope)
    monkeypatch.setattr(gradients, "words", lambda: {"torch": torch, "double": Doubled.apply})
    expression = gradients.Expression((((3,), [0.3, -0.7, 1.1]),), ("t1 = double(x0)", "t2 = t1.sin()"))
    assert gradients.run(expression, second=True)[0] == end


def test_expressions_are_made_by_their_number():
    texts = [str(gradients.make(number, "x")) for number in range(50)]
    assert texts == [str(gradients.make(number, "x")) for number in range(50)]
    assert len(set(texts)) == 50
