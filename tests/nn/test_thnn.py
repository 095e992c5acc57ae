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
    if name == "Sqrt":  # of positive numbers
        x = x.abs()
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
    "Abs": (torch.abs, (), "input"),
    "GELU": (lambda x: x * (1 + torch.erf(x * 0.5**0.5)) / 2, (False,), "input"),
    "HardShrink": (lambda x: torch.where(x.abs() > 0.3, x, torch.zeros_like(x)), (0.3,), "input"),
    "HardSigmoid": (lambda x: (x + 3).clamp(0, 6) / 6, (), "input"),
    "HardSwish": (lambda x: x * (x + 3).clamp(0, 6) / 6, (), "input"),
    "HardTanh": (lambda x: x.clamp(-0.5, 0.7), (-0.5, 0.7, False), "input"),
    "LeakyReLU": (lambda x: torch.where(x > 0, x, 0.2 * x), (0.2, False), "input"),
    "LogSigmoid": (lambda x: -torch.log1p(torch.exp(-x)), (), "input"),
    "Mish": (lambda x: x * torch.tanh(torch.log1p(torch.exp(x))), (), "input"),
    "SiLU": (lambda x: x / (1 + torch.exp(-x)), (), "input"),
    "SoftPlus": (lambda x: torch.log1p(torch.exp(2 * x)) / 2, (2.0, 20.0), "input"),
    "SoftShrink": (lambda x: x - x.clamp(-0.3, 0.3), (0.3,), "input"),
    "Sqrt": (lambda x: x.abs().sqrt(), (), "output"),
    "Square": (torch.square, (), "input"),
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
    if name == "Sqrt":
        x = x.abs() + 0.1
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


# name: (formula of input and target, parameters)
CRITERIONS = {
    "AbsCriterion": (lambda x, y: (x - y).abs(), ()),
    "HuberCriterion": (
        lambda x, y: torch.where((x - y).abs() <= 0.7, (x - y) ** 2 / 2, 0.7 * ((x - y).abs() - 0.35)),
        (0.7,),
    ),
    "SmoothL1Criterion": (
        lambda x, y: torch.where((x - y).abs() < 0.7, (x - y) ** 2 / 1.4, (x - y).abs() - 0.35),
        (0.7,),
    ),
    "BCEWithLogitsCriterion": (lambda x, y: (1 - y) * x + torch.log1p(torch.exp(-x)), ()),
    "DistKLDivCriterion": (lambda x, y: torch.exp(y) * (y - x), (True,)),
    "MarginCriterion": (lambda x, y: (0.4 - x * y).clamp(min=0), (0.4,)),
    "SoftMarginCriterion": (lambda x, y: torch.log1p(torch.exp(-x * y)), ()),
}


@pytest.mark.parametrize("name", CRITERIONS)
@pytest.mark.parametrize(("average", "reduce"), [(True, True), (False, True), (False, False)])
def test_criterion(name, average, reduce):
    formula, parameters = CRITERIONS[name]
    x, target = (torch.randn(3, 7, dtype=torch.float64) for _ in range(2))

    def loss(x):
        output = empty()
        call(f"{name}_updateOutput", x, target, output, average, reduce, *parameters)
        return output

    losses = formula(x, target)
    assert torch.allclose(loss(x), losses if not reduce else losses.mean() if average else losses.sum())
    weight = torch.tensor(1.5, dtype=torch.float64) if reduce else torch.randn(3, 7, dtype=torch.float64)
    gradient = empty()
    call(f"{name}_updateGradInput", x, target, weight, gradient, average, reduce, *parameters)
    assert torch.allclose(gradient, numeric_gradient(loss, x, weight), atol=1e-6)


def test_l1_cost():
    x = torch.randn(5, 9, dtype=torch.float64)
    output, gradient = empty(), empty()
    call("L1Cost_updateOutput", x, output)
    assert output.item() == pytest.approx(x.abs().sum().item())
    call("L1Cost_updateGradInput", x, torch.tensor(2.0, dtype=torch.float64), gradient)
    assert torch.equal(gradient, 2 * x.sign())


@pytest.mark.parametrize("name", ["HardTanh", "LeakyReLU", "Threshold"])
def test_in_place(name):
    formula, (*parameters, _), _ = MODULES[name]
    x = torch.randn(4, 5, dtype=torch.float64)
    expected, output = formula(x), empty()
    call(f"{name}_updateOutput", x, output, *parameters, True)
    assert torch.allclose(x, expected)
    assert output.data_ptr() == x.data_ptr()


def test_random_slopes():
    x, output, noise, gradient = torch.randn(50, dtype=torch.float64), empty(), empty(), empty()
    call("RReLU_updateOutput", x, output, noise, 0.2, 0.4, True, False, torch.default_generator)
    assert torch.equal(noise[x > 0], torch.ones(50, dtype=torch.float64)[x > 0])
    assert bool(((noise[x <= 0] >= 0.2) & (noise[x <= 0] < 0.4)).all())
    assert torch.equal(output, x * noise)
    call("RReLU_updateGradInput", x, output, gradient, noise, 0.2, 0.4, True, False)
    assert torch.equal(gradient, output * noise)
