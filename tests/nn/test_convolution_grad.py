"""torch.nn.grad: a convolution's gradients by hand are those of the backward pass."""

import pytest
import torch
from torch.nn import functional as F

OPTIONS = [
    {},
    {"stride": 2},
    {"padding": 1, "dilation": 2},
    {"stride": 3, "padding": 2, "groups": 2},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_gradients(dimensions, options):
    groups = options.get("groups", 1)
    x = torch.randn(2, 4, *[9, 8, 7][:dimensions], dtype=torch.float64, requires_grad=True)
    w = torch.randn(6, 4 // groups, *[3, 2, 3][:dimensions], dtype=torch.float64, requires_grad=True)
    y = getattr(F, f"conv{dimensions}d")(x, w, **options)
    g = torch.randn_like(y)
    expected = torch.autograd.grad(y, (x, w), g)
    of_input = getattr(F.grad, f"conv{dimensions}d_input")(x.shape, w, g, **options)
    of_weight = getattr(torch.nn.grad, f"conv{dimensions}d_weight")(x.detach(), w.shape, g, **options)
    assert torch.allclose(of_input, expected[0]) and torch.allclose(of_weight, expected[1])
    assert of_input.requires_grad and not of_weight.requires_grad


def test_the_gradient_of_a_weight_has_one():
    x = torch.randn(1, 2, 5, dtype=torch.float64, requires_grad=True)
    g = torch.randn(1, 3, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x, g: torch.nn.grad.conv1d_weight(x, (3, 2, 3), g), (x, g))


def test_shapes_that_do_not_fit():
    with pytest.raises(RuntimeError):
        torch.nn.grad.conv1d_input((1, 2, 50), torch.ones(3, 2, 3), torch.ones(1, 3, 3))
    with pytest.raises(RuntimeError):
        torch.nn.grad.conv1d_weight(torch.ones(1, 2, 5), (3, 2, 3), torch.ones(1, 3, 4))
