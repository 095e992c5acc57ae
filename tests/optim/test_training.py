"""Optimisers at work: losses fall, minima are found."""

import math

import pytest
import torch


def rosenbrock(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


@pytest.mark.parametrize("search, steps", [("strong_wolfe", 4), (None, 60)])
def test_lbfgs_finds_rosenbrocks_valley(search, steps):
    x = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([x], lr=1 if search else 0.02, max_iter=20, line_search_fn=search)

    def closure():
        optimizer.zero_grad()
        loss = rosenbrock(x)
        loss.backward()
        return loss

    losses = [optimizer.step(closure).item() for _ in range(steps)]
    final = rosenbrock(x).item()
    if search:
        assert final < 1e-8 and torch.allclose(x, torch.ones(2, dtype=torch.float64), atol=1e-3)
    else:
        assert final < losses[0] / 5
    state = optimizer.state[x]
    assert state["n_iter"] <= steps * 20 and state["func_evals"] <= steps * 26


def test_lbfgs_fits_a_sine():
    # Two layers, by hand: tanh features of x, summed.
    generator = torch.Generator().manual_seed(0)
    inputs = torch.linspace(-math.pi, math.pi, 100, dtype=torch.float64).unsqueeze(1)
    goal = inputs.sin()
    params = [
        (torch.randn(shape, generator=generator, dtype=torch.float64) * scale).requires_grad_()
        for shape, scale in (((1, 20), 1.0), ((20,), 1.0), ((20, 1), 0.3), ((1,), 0.0))
    ]
    optimizer = torch.optim.LBFGS(params, lr=1, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        hidden = torch.tanh(inputs @ params[0] + params[1])
        loss = (hidden @ params[2] + params[3] - goal).square().mean()
        loss.backward()
        return loss

    for _ in range(12):
        loss = optimizer.step(closure)
    assert loss.item() < 1e-6


def test_lbfgs_stops():
    x = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.LBFGS([x])
    calls = []

    def closure():
        calls.append(1)
        optimizer.zero_grad()
        loss = x.square().sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 0 and len(calls) == 1  # the gradient is zero
    with pytest.raises(TypeError):
        optimizer.step()
    with pytest.raises(ValueError, match="LBFGS doesn't support per-parameter options"):
        torch.optim.LBFGS([{"params": [x]}, {"params": [torch.ones(1)]}])
    optimizer = torch.optim.LBFGS([x], line_search_fn="armijo")
    with torch.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        optimizer.step(closure)


RATES = {"SGD": 0.1, "Adam": 0.1, "AdamW": 0.1, "Adamax": 0.1, "NAdam": 0.1, "RAdam": 0.1, "Adagrad": 0.5}
RATES |= {"Adadelta": 10.0, "ASGD": 0.1, "RMSprop": 0.02, "Rprop": 0.01, "Adafactor": 1.0, "Muon": 0.02}


@pytest.mark.parametrize("kind", RATES)
def test_regression(kind):
    generator = torch.Generator().manual_seed(1)
    inputs = torch.randn(64, 3, generator=generator)
    truth = torch.tensor([[1.0], [-2.0], [0.5]])
    weight = torch.zeros(3, 1, requires_grad=True)
    optimizer = getattr(torch.optim, kind)([weight], lr=RATES[kind])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 200)
    for _ in range(200):
        optimizer.zero_grad()
        loss = (inputs @ weight - inputs @ truth).square().mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
    assert loss.item() < 0.05, loss


def test_memory_does_not_grow():
    weight = torch.ones(10, requires_grad=True)
    optimizer = torch.optim.Adam([weight])
    for _ in range(3):
        weight.square().sum().backward()
        optimizer.step()
    assert all(not value.requires_grad for value in optimizer.state[weight].values())
