"""What has kernels on the CPU only and is made of operators here: the same results, gradients and errors."""

import pytest
import torch
import torch.nn.functional as F

CALLS = {  # of x (2, 4, 3), w and b (4, 3)
    "layer_norm": lambda x, w, b: F.layer_norm(x, (4, 3), w, b),
    "layer_norm without weights": lambda x, w, b: F.layer_norm(x, (3,)),
    "rms_norm": lambda x, w, b: F.rms_norm(x, (3,), w[0]),
    "group_norm": lambda x, w, b: F.group_norm(x, 2, w[:, 0], b[:, 1]),
    "batch_norm": lambda x, w, b: F.batch_norm(x, None, None, w[:, 0], b[:, 1], training=True),
    "instance_norm": lambda x, w, b: F.instance_norm(x),
    "reflect": lambda x, w, b: F.pad(x, (1, 2, 2, 1), "reflect"),
    "replicate": lambda x, w, b: F.pad(x, (4, 0, -1, 1), "replicate"),
    "embedding": lambda x, w, b: F.embedding(torch.tensor([1, 0, 1], device=x.device), w, padding_idx=0),
}


def arguments(device, dtype):
    made = [torch.linspace(-3, 9, 24).sin().reshape(2, 4, 3), *torch.linspace(-1, 2, 24).cos().reshape(2, 4, 3)]
    return [t.to(device, dtype).requires_grad_() for t in made]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("name", CALLS)
def test_as_on_the_cpu(name, dtype):
    found = []
    for device in ("cpu", "cuda"):
        x, w, b = arguments(device, dtype)
        result = CALLS[name](x, w, b)
        assert result.device.type == device
        weights = torch.arange(result.numel(), dtype=dtype).sin().reshape(result.shape).to(device)
        total = (result * weights).sum()
        by_kernels = torch.autograd.grad(total, (x, w, b), retain_graph=True, allow_unused=True)
        recorded = torch.autograd.grad(total, (x, w, b), create_graph=True, allow_unused=True)
        squares = sum(g.square().sum() for g in recorded if g is not None)
        second = torch.autograd.grad(squares, (x, w), allow_unused=True) if squares.requires_grad else []
        found.append([t.detach().cpu() for t in [result, *by_kernels, *recorded, *second] if t is not None])
    for ours, theirs in zip(*found, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("training", [True, False])
def test_running_statistics(training):
    found = []
    for device in ("cpu", "cuda"):
        torch.manual_seed(0)
        norm = torch.nn.BatchNorm1d(4).double()
        x = torch.randn(5, 4, 3, dtype=torch.float64)
        norm.running_mean.add_(0.3)
        norm.to(device).train(training)
        x = x.to(device).requires_grad_()
        norm(x).square().sum().backward()
        found.append([t.detach().cpu() for t in (x.grad, norm.weight.grad, norm.running_mean, norm.running_var)])
    for ours, theirs in zip(*found, strict=True):
        assert torch.allclose(ours, theirs)


def test_errors():
    x = torch.ones(2, 4, 3, device="cuda")
    with pytest.raises(RuntimeError, match="normalized_shape"):
        F.layer_norm(x, (5,))
    with pytest.raises(RuntimeError, match="Padding size should be less than"):
        F.pad(x, (3, 0), "reflect")
