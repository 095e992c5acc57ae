"""What is a constant of its argument: recorded where PyTorch records it, and not where it does not."""

import pytest
import torch


@pytest.mark.parametrize("function", [torch.matrix_power, torch.linalg.matrix_power])
@pytest.mark.parametrize("shape", [(2, 2), (3, 2, 2), (0, 0)])
def test_the_power_of_zero(function, shape):
    a = torch.full(shape, torch.inf, requires_grad=True)
    result = function(a, 0)
    assert result.requires_grad and type(result.grad_fn).__name__ == "CopyBackwards"
    assert torch.equal(result, torch.eye(shape[-1]).expand(shape))
    result.sum().backward()
    assert torch.equal(a.grad, torch.zeros(shape))
    assert not function(a.detach(), 0).requires_grad
    with torch.no_grad():
        assert not function(a, 0).requires_grad


@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("columns", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("increasing", [False, True])
def test_vander_with_one_column(size, columns, increasing):
    x = torch.arange(1.0, size + 1, dtype=torch.float64, requires_grad=True)
    result = torch.vander(x, columns, increasing)
    n = size if columns is None else columns
    assert result.requires_grad == (n > 1) and result.shape == (size, n)
    powers = torch.arange(n) if increasing else torch.arange(n).flip(0)
    assert torch.equal(result, x.unsqueeze(1) ** powers)
    if n > 1:
        assert torch.autograd.gradcheck(lambda x: torch.vander(x, n, increasing), x)
        assert torch.autograd.gradgradcheck(lambda x: torch.vander(x, n, increasing), x)
        (grad,) = torch.autograd.grad(torch.vander(x * 0, n, increasing).sum(), x)
        assert torch.equal(grad, torch.zeros_like(x))
        (grad,) = torch.autograd.grad(torch.vander(x - x.detach(), n, increasing).sum(), x)
        assert torch.equal(grad, torch.ones_like(x))
