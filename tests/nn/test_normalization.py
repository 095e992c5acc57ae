"""Normalisation beyond its golden cases: finite differences of all inputs, half types, threads, versions."""

import pytest
import torch
import torch.nn.functional as F


def noise(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


MEAN, VARIANCE = torch.tensor([0.3, -0.2]).double(), torch.tensor([0.5, 2.0]).double()
CALLS = {
    "batch_norm": lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
    "batch_norm with running statistics": lambda x, w, b: F.batch_norm(x, MEAN, VARIANCE, w, b),
    "layer_norm": lambda x, w, b: F.layer_norm(x, (2,), w, b),
    "rms_norm": lambda x, w, b: F.rms_norm(x, (2,), w, 0.1),
    "group_norm": lambda x, w, b: F.group_norm(x, 1, w, b),
    "instance_norm": lambda x, w, b: F.instance_norm(x, None, None, w, b),
    "local_response_norm": lambda x, w, b: F.local_response_norm(x, 2, 0.7, 0.6),
}


@pytest.mark.parametrize("name", CALLS)
def test_finite_differences(name):
    torch.manual_seed(0)
    operands = (noise(3, 2, 2), noise(2), noise(2))
    assert torch.autograd.gradcheck(CALLS[name], operands)
    assert torch.autograd.gradgradcheck(CALLS[name], operands)


@pytest.mark.parametrize("shape", [(3, 1), (1, 4)])
def test_finite_differences_of_weight_norm(shape):
    """PyTorch's second derivative is not that of its first one, so no answer of its is asked."""
    torch.manual_seed(0)
    operands = (noise(3, 4), noise(*shape))
    function = lambda v, g: torch._weight_norm(v, g, 0 if shape[1] == 1 else 1)  # noqa: E731
    assert torch.autograd.gradcheck(function, operands)
    assert torch.autograd.gradgradcheck(function, operands)


@pytest.mark.parametrize("name", [name for name in CALLS if "running" not in name])  # whose statistics are double
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_types_compute_in_float(name, dtype):
    torch.manual_seed(0)
    operands = [t.detach().to(dtype).requires_grad_() for t in (noise(3, 2, 2), noise(2), noise(2))]
    exact = [t.detach().float().requires_grad_() for t in operands]
    results = []
    for given in (operands, exact):
        y = CALLS[name](*given)
        found = torch.autograd.grad(y, given, torch.linspace(-1, 1, 12).view(3, 2, 2).to(y.dtype), allow_unused=True)
        results.append([y, *(g for g in found if g is not None)])
    for half, single in zip(*results, strict=True):
        assert half.dtype == dtype
        assert torch.allclose(half.float(), single, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("name", CALLS)
def test_threads_make_no_difference(name):
    torch.manual_seed(0)
    x = torch.randn(3000, 2, 30, requires_grad=True)
    if name in ("layer_norm", "rms_norm"):
        x = x.detach().transpose(1, 2).contiguous().requires_grad_()
    w, b = torch.randn(2, requires_grad=True), torch.randn(2, requires_grad=True)
    function = CALLS[name]
    if name == "batch_norm with running statistics":
        function = lambda x, w, b: F.batch_norm(x, MEAN.float(), VARIANCE.float(), w, b)  # noqa: E731
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            y = function(x, w, b)
            found.append([y, *torch.autograd.grad(y, (x, w, b), y.detach().cos(), allow_unused=True)])
    finally:
        torch.set_num_threads(before)
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            assert one is other is None or torch.equal(one, other)


def test_running_statistics_may_change_before_the_gradient_is_asked():
    x, mean, variance = noise(4, 3), torch.zeros(3).double(), torch.ones(3).double()
    y = F.batch_norm(x, mean, variance)
    (before,) = torch.autograd.grad(y.sum(), x, retain_graph=True)
    F.batch_norm(x, mean, variance, training=True)
    assert mean.abs().max() > 0
    (after,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(before, after)


def test_without_elements_on_meta():
    x = torch.empty(2, 4, 3, device="meta")
    of_channels = torch.empty(4, device="meta")
    assert F.batch_norm(x, of_channels, of_channels, training=True).shape == x.shape
    assert [t.shape for t in torch.native_layer_norm(x, (4, 3), None, None, 1e-5)] == [(2, 4, 3), (2, 1, 1), (2, 1, 1)]
    assert F.group_norm(x, 2).device.type == "meta"
    assert F.local_response_norm(x, 2).shape == x.shape
