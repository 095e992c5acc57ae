"""torch._thnn._THCUNN beside torch._thnn._THNN: the kernels by their C names, and what operators make of them."""

import pytest
import torch
from torch._thnn import _THNN

DTYPES = {"Half": torch.float16, "BFloat16": torch.bfloat16, "Float": torch.float32, "Double": torch.float64}
# name: parameters, what updateGradInput takes besides gradOutput and gradInput
MODULES = {
    "Sigmoid": ((), "output"),
    "Tanh": ((), "output"),
    "Threshold": ((0.1, -2.0, False), "input"),
    "SoftMax": ((1,), "output"),
    "LogSoftMax": ((1,), "output"),
}


def call(device, dtype, name, *arguments):
    """The kernel of one device, whose tensors are on it; None where that is what it takes."""
    if device == "cpu":
        return getattr(_THNN, f"{dtype}{name}")(None, *arguments)
    from torch._thnn import _THCUNN

    there = [a.to(device) if isinstance(a, torch.Tensor) and a.device.type == "cpu" else a for a in arguments]
    return getattr(_THCUNN, f"Cuda{'' if dtype == 'Float' else dtype}{name}")(None, *there)


def empty(device, dtype):
    return torch.empty(0, dtype=DTYPES[dtype], device=device)


def close(found, dtype):
    cpu, cuda = found
    tolerance = {"Half": 2e-3, "BFloat16": 2e-2, "Float": 1e-6, "Double": 1e-13}[dtype]
    return torch.allclose(cuda.cpu().double(), cpu.double(), atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MODULES)
def test_modules(name, dtype):
    parameters, kept = MODULES[name]
    torch.manual_seed(3)
    x, gradient = (torch.randn(5, 40).to(DTYPES[dtype]) for _ in range(2))
    outputs, gradients = [], []
    for device in ("cpu", "cuda"):
        output, result = empty(device, dtype), empty(device, dtype)
        call(device, dtype, f"{name}_updateOutput", x, output, *parameters)
        last = (x, gradient, result) if kept == "input" else (gradient, result, output)
        call(device, dtype, f"{name}_updateGradInput", *last, *parameters)
        outputs.append(output)
        gradients.append(result)
    assert close(outputs, dtype) and close(gradients, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduce", [False, True])
def test_criteria(dtype, reduce):
    torch.manual_seed(4)
    x, y = (torch.randn(6, 3).to(DTYPES[dtype]) for _ in range(2))
    target, weights = torch.tensor([0, 2, 1, -100, 2, 0]), torch.tensor([0.5, 1.0, 2.0]).to(DTYPES[dtype])
    losses, totals, gradients, squares = [], [], [], []
    for device in ("cpu", "cuda"):
        loss, total, result, square = (empty(device, dtype) for _ in range(4))
        call(device, dtype, "ClassNLLCriterion_updateOutput", x, target, loss, True, weights, total, -100, reduce)
        call(device, dtype, "ClassNLLCriterion_updateGradInput", x, target, torch.ones_like(loss), result, True, weights,
             total, -100, reduce)  # fmt: skip
        call(device, dtype, "MSECriterion_updateOutput", x, y, square, True, reduce)
        losses.append(loss)
        totals.append(total)
        gradients.append(result)
        squares.append(square)
    assert all(close(found, dtype) for found in (losses, totals, gradients, squares))


def test_bad_targets_are_raised_by_who_waits():
    x, loss, total = torch.zeros(2, 3), empty("cuda", "Float"), empty("cuda", "Float")
    call(
        "cuda", "Float", "ClassNLLCriterion_updateOutput", x, torch.tensor([0, 3]), loss, True, None, total, -100, True
    )
    with pytest.raises(IndexError, match=r"Target 3 is out of bounds"):
        torch.cuda.synchronize()
    torch.cuda.synchronize()


def test_errors_leave_the_output_as_it_was():
    from torch._thnn import _THCUNN

    x, output = torch.zeros(2, 3, device="cuda"), torch.tensor(5.0, device="cuda")
    with pytest.raises(TypeError, match="float64.*float32"):
        _THCUNN.CudaDoubleSigmoid_updateOutput(None, x, output)
    with pytest.raises(IndexError, match="Dimension out of range"):
        _THCUNN.CudaSoftMax_updateOutput(None, x, output, 2)
    with pytest.raises(RuntimeError, match="same device"):
        _THCUNN.CudaSoftMax_updateOutput(None, x.cpu(), output, 1)
    with pytest.raises(RuntimeError, match="same device"):
        _THCUNN.CudaSigmoid_updateOutput(None, x, output.cpu())
    assert output.item() == 5.0


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("function", [torch.softmax, torch.log_softmax])
def test_operators(function, dim):
    x = torch.linspace(-9, 9, 3000).reshape(3, 10, 100)
    for a in (x, x.transpose(0, 2), x[:, ::2, 1:]):
        got = function(a.cuda(), dim)
        want = function(a, dim)
        assert got.is_cuda and got.stride() == want.stride()
        assert torch.allclose(got.cpu(), want, atol=1e-6)
