"""enforce_grad_layout_policy: whether a leaf's gradient lies as the leaf does; and names that concern compiled regions."""

import threading

import pytest
import torch
from torch import autograd
from torch.autograd import enforce_grad_layout_policy
from torch.autograd.graph import region_activation_memory_budget


class Contiguous(autograd.Function):
    """A sum whose gradient is contiguous."""

    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.sum()

    @staticmethod
    def backward(ctx, grad):
        return torch.ones(ctx.shape) * grad


def strides(passes=1):
    leaf = torch.empty(2, 3, 4).permute(2, 0, 1).requires_grad_()
    for _ in range(passes):
        Contiguous.apply(leaf).backward()
    assert leaf.grad.eq(passes).all()
    return leaf.grad.stride()


@pytest.mark.parametrize("passes", [1, 2])
def test_as_a_context(passes):
    assert strides(passes) == (1, 12, 4)
    with enforce_grad_layout_policy(False):
        assert strides(passes) == (6, 3, 1)
        with enforce_grad_layout_policy(True):
            assert strides(passes) == (1, 12, 4)
        assert strides(passes) == (6, 3, 1)
    assert strides(passes) == (1, 12, 4)


def test_as_a_call_and_a_decorator():
    setting = enforce_grad_layout_policy(False)
    try:
        assert strides() == (6, 3, 1) and (setting.prev, setting.mode) == (True, False)
    finally:
        enforce_grad_layout_policy(True)
    decorated = enforce_grad_layout_policy(False)(strides)
    assert strides() == (1, 12, 4)
    assert decorated() == (6, 3, 1)
    assert strides() == (1, 12, 4)


def test_of_the_thread():
    found = []
    with enforce_grad_layout_policy(False):
        thread = threading.Thread(target=lambda: found.append(strides()))
        thread.start()
        thread.join()
    assert found == [(1, 12, 4)]


def test_mistakes():
    with pytest.raises(TypeError, match="must be bool, not int"):
        enforce_grad_layout_policy(3)
    assert strides() == (1, 12, 4)


@pytest.mark.parametrize("others", [False, True])
def test_a_transposed_gradient_is_no_copy(others):
    """What a linear layer's weights get is a view of the product; the leaf keeps its memory, unless somebody sees it."""
    weight = torch.randn(4, 3, requires_grad=True)
    seen, bases = [], []

    def hook(grad):
        seen.append(grad.data_ptr())
        if others:
            bases.append(grad._base)

    weight.register_hook(hook)
    x = torch.randn(5, 3)
    torch.nn.functional.linear(x, weight).sum().backward()
    assert (weight.grad.data_ptr() == seen[0]) != others
    assert weight.grad._base is None and weight.grad.stride() == (3, 1)
    assert torch.allclose(weight.grad, x.sum(0).expand(4, 3))
    if others:
        bases[0].zero_()
        assert torch.allclose(weight.grad, x.sum(0).expand(4, 3))


def test_budgets_are_for_compiled_regions():
    for budget, error, text in (
        (0.5, RuntimeError, "can only be used inside a torch.compile region"),
        (2, ValueError, r"must be in \[0, 1\], got 2"),
        ("a", TypeError, "expects a float, got str"),
    ):
        with pytest.raises(error, match=text):
            region_activation_memory_budget(budget)


def test_functions_under_the_old_name():
    class Double(autograd.NestedIOFunction):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, grad):
            return 2 * grad

    x = torch.ones(2, requires_grad=True)
    Double.apply(x).sum().backward()
    assert x.grad.tolist() == [2, 2]
    with pytest.warns(DeprecationWarning), pytest.raises(NotImplementedError):
        Double().forward_extended(x)
