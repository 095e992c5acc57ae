import pytest
import torch
from swish import swish


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_values(dtype):
    x = torch.linspace(-3, 3, 7, dtype=dtype)
    for view in (x, x[::2], x.view(1, 7).t()):
        assert swish(view).dtype == dtype
        assert torch.allclose(swish(view), view * view.sigmoid())


def test_gradient():
    x = torch.linspace(-3, 3, 7, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(swish, x)
    assert torch.autograd.gradgradcheck(swish, x)


def test_refusals():
    with pytest.raises(TypeError, match="expected a floating-point tensor, but got Long"):
        swish(torch.arange(3))
    with pytest.raises(NotImplementedError, match="not implemented for 'Half'"):
        swish(torch.ones(3).half())
