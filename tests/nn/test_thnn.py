"""torch._thnn._THNN: the kernels of THNN as nnwrap binds them. Ours alone; PyTorch has no such module any more.

Forward against the formula written with tensor operations, backward by finite differences in float64.
"""

import pytest
import torch
from torch._thnn import _THNN

EPSILON = 1e-6


def call(name, *arguments, dtype="Double"):
    return getattr(_THNN, f"{dtype}{name}")(None, *arguments)


def empty(dtype=torch.float64):
    return torch.empty(0, dtype=dtype)


def forward(name, x, *parameters):
    output = empty(x.dtype)
    call(f"{name}_updateOutput", x, output, *parameters)
    return output


def numeric_gradient(function, x, weight):
    """d sum(function(x) * weight) / dx, element by element."""
    gradient = torch.zeros(*x.shape, dtype=x.dtype)
    flat, place = gradient.view(-1), x.view(-1)
    for i in range(x.numel()):
        kept = place[i].item()
        place[i] = kept + EPSILON
        above = (function(x) * weight).sum().item()
        place[i] = kept - EPSILON
        below = (function(x) * weight).sum().item()
        place[i] = kept
        flat[i] = (above - below) / (2 * EPSILON)
    return gradient


def softmax(x, dim):
    e = (x - x.amax(dim, True)).exp()
    return e / e.sum(dim, True)


MODULES = {  # name: formula, parameters, what updateGradInput takes besides gradOutput and gradInput
    "Sigmoid": (lambda x: 1 / (1 + (-x).exp()), (), "output"),
    "Tanh": (torch.tanh, (), "output"),
    "Threshold": (lambda x: torch.where(x > 0.1, x, torch.full_like(x, -2.0)), (0.1, -2.0, False), "input"),
    "SoftMax": (lambda x: softmax(x, 1), (1,), "output"),
    "LogSoftMax": (lambda x: softmax(x, 1).log(), (1,), "output"),
}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(7)


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("shape", [(3, 4), (0, 4), (1, 1), (2, 3, 2)])
def test_forward(name, shape):
    formula, parameters, _ = MODULES[name]
    x = torch.randn(*shape, dtype=torch.float64)
    assert torch.allclose(forward(name, x, *parameters), formula(x))


@pytest.mark.parametrize("name", MODULES)
def test_forward_of_a_transposed_input(name):
    formula, parameters, _ = MODULES[name]
    x = torch.randn(4, 3, dtype=torch.float64).t()
    assert torch.allclose(forward(name, x, *parameters), formula(x))


@pytest.mark.parametrize(
    ("prefix", "dtype", "tolerance"),
    [("Half", torch.float16, 2e-3), ("BFloat16", torch.bfloat16, 2e-2), ("Float", torch.float32, 1e-6)],
)
def test_other_dtypes(prefix, dtype, tolerance):
    x = torch.randn(5, 6).to(dtype)
    output = empty(dtype)
    call("SoftMax_updateOutput", x, output, 1, dtype=prefix)
    assert output.dtype == dtype
    assert torch.allclose(output.double(), softmax(x.double(), 1), atol=tolerance)


@pytest.mark.parametrize("name", MODULES)
def test_backward(name):
    formula, parameters, kept = MODULES[name]
    x, weight = (torch.randn(3, 4, dtype=torch.float64) for _ in range(2))
    output, gradient = forward(name, x, *parameters), empty()
    if kept == "input":
        call(f"{name}_updateGradInput", x, weight, gradient, *parameters)
    else:
        call(f"{name}_updateGradInput", weight, gradient, output, *parameters)
    assert torch.allclose(gradient, numeric_gradient(formula, x, weight), atol=1e-6)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_class_nll(average, weighted):
    x = torch.randn(5, 3, dtype=torch.float64)
    target = torch.tensor([0, 2, 1, -100, 2])
    weights = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64) if weighted else None
    total = empty()

    def loss(x):
        output = empty()
        call("ClassNLLCriterion_updateOutput", x, target, output, average, weights, total, -100, True)
        return output

    chosen = [(i, t) for i, t in enumerate(target.tolist()) if t != -100]
    factor = {t: weights[t].item() if weighted else 1.0 for _, t in chosen}
    expected = -sum(factor[t] * x[i, t].item() for i, t in chosen)
    if average:
        expected /= sum(factor[t] for _, t in chosen)
    assert loss(x).item() == pytest.approx(expected)

    gradient, one = empty(), torch.tensor(1.0, dtype=torch.float64)
    call("ClassNLLCriterion_updateGradInput", x, target, one, gradient, average, weights, total, -100, True)
    assert torch.allclose(gradient, numeric_gradient(loss, x, 1.0), atol=1e-6)


@pytest.mark.parametrize("average", [False, True])
def test_mse(average):
    x, target = (torch.randn(3, 4, dtype=torch.float64) for _ in range(2))

    def loss(x):
        output = empty()
        call("MSECriterion_updateOutput", x, target, output, average, True)
        return output

    squares = (x - target).square()
    assert torch.allclose(loss(x), squares.mean() if average else squares.sum())
    gradient, one = empty(), torch.tensor(1.0, dtype=torch.float64)
    call("MSECriterion_updateGradInput", x, target, one, gradient, average, True)
    assert torch.allclose(gradient, numeric_gradient(loss, x, 1.0), atol=1e-6)


def test_errors_leave_the_output_as_it_was():
    x, output, total = torch.zeros(2, 3, dtype=torch.float64), torch.tensor(5.0, dtype=torch.float64), empty()
    with pytest.raises(IndexError, match="Target 3 is out of bounds"):
        call("ClassNLLCriterion_updateOutput", x, torch.tensor([0, 3]), output, True, None, total, -100, True)
    with pytest.raises(TypeError, match="float64.*float32"):
        call("Sigmoid_updateOutput", x.float(), output)
    with pytest.raises(TypeError):
        call("Sigmoid_updateOutput", "no tensor", output)
    with pytest.raises(IndexError, match="Dimension out of range"):
        call("SoftMax_updateOutput", x, output, 2)
    assert output.item() == 5.0
