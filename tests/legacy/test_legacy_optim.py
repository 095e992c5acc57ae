"""torch.legacy.optim: each function finds the minimum of Rosenbrock's, and steps as torch.optim does with its numbers."""

import pytest
import torch
from torch.legacy import optim


def rosenbrock(x):
    value = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    gradient = torch.stack([-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)])
    return float(value), gradient


@pytest.mark.parametrize("name, config, calls", [
    ("sgd", {"learningRate": 1e-3, "momentum": 0.9, "dampening": 0}, 1000),
    ("sgd", {"learningRate": 1e-3, "momentum": 0.9, "dampening": 0, "nesterov": True}, 1000),
    ("nag", {"learningRate": 1e-3}, 1000),
    ("adagrad", {"learningRate": 0.5}, 3000),
    ("adadelta", {"eps": 1e-8}, 4000),
    ("adam", {"learningRate": 0.02}, 2000),
    ("adamax", {"learningRate": 0.05}, 3000),
    ("rmsprop", {"learningRate": 1e-3, "alpha": 0.9}, 3000),
    ("rprop", {"niter": 10}, 60),
    ("asgd", {"eta0": 1e-3, "lambda": 0, "t0": 1000}, 3000),
    ("cg", {"maxEval": 150}, 1),
    ("lbfgs", {"maxIter": 100, "maxEval": 200, "learningRate": 0.7}, 1),
])  # fmt: skip
def test_finds_the_minimum(name, config, calls):
    x = torch.tensor([-0.5, 0.5], dtype=torch.float64)
    before = rosenbrock(x)[0]
    state = {}
    for _ in range(calls):
        found, values, *rest = getattr(optim, name)(rosenbrock, x, config, state)
        assert found is x
    assert rosenbrock(x)[0] < before * 1e-2
    if name in ("cg", "lbfgs"):
        assert rosenbrock(x)[0] < 1e-8 and values[0] == before and len(values) <= rest[0]
    if name == "asgd":
        assert rosenbrock(rest[0])[0] < before * 0.05


PAIRS = [
    ("sgd", {"learningRate": 0.1, "momentum": 0.9, "dampening": 0.5, "weightDecay": 0.1}, torch.optim.SGD,
     {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "weight_decay": 0.1}),
    ("sgd", {"learningRate": 0.1, "momentum": 0.9, "dampening": 0, "nesterov": True}, torch.optim.SGD,
     {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("adagrad", {"learningRate": 0.1, "learningRateDecay": 0.2}, torch.optim.Adagrad, {"lr": 0.1, "lr_decay": 0.2}),
    ("adadelta", {}, torch.optim.Adadelta, {"lr": 1}),
    ("adam", {"learningRate": 0.1, "weightDecay": 0.2}, torch.optim.Adam, {"lr": 0.1, "weight_decay": 0.2}),
    ("adamax", {"epsilon": 1e-8}, torch.optim.Adamax, {}),
    ("rmsprop", {"weightDecay": 0.1}, torch.optim.RMSprop, {"weight_decay": 0.1}),
    ("rprop", {}, torch.optim.Rprop, {"lr": 0.1}),
    ("asgd", {"eta0": 0.01, "t0": 2}, torch.optim.ASGD, {"lr": 0.01, "t0": 2}),
]  # fmt: skip


@pytest.mark.parametrize("name, config, cls, options", PAIRS)
def test_steps_as_torch_optim(name, config, cls, options):
    x = torch.tensor([0.5, -0.3, 2.0], dtype=torch.float64)
    parameter = x.clone().requires_grad_()
    optimizer = cls([parameter], **options)
    weights = torch.tensor([1.0, 2.0, -0.5], dtype=torch.float64)

    def loss(at):
        return ((at - weights) ** 2 * torch.tensor([1, 0.3, 2])).sum()

    def opfunc(at):
        at = at.clone().requires_grad_()
        value = loss(at)
        return float(value.detach()), torch.autograd.grad(value, at)[0]

    for _ in range(6):
        getattr(optim, name)(opfunc, x, config)  # the state is in the config
        optimizer.zero_grad()
        loss(parameter).backward()
        optimizer.step()
    torch.testing.assert_close(x, parameter.detach(), rtol=1e-6, atol=1e-7)


def test_rates_and_decays_of_elements():
    x = torch.ones(2)
    optim.sgd(lambda at: (0, torch.ones(2)), x, {"learningRate": 1, "learningRates": torch.tensor([0.1, 0.2])})
    assert x.tolist() == pytest.approx([0.9, 0.8])
    optim.sgd(lambda at: (0, torch.zeros(2)), x, {"learningRate": 1, "weightDecays": torch.tensor([0, 0.5])})
    assert x.tolist() == pytest.approx([0.9, 0.4])


def test_rates_fall():
    x, config = torch.zeros(1), {"learningRate": 1, "learningRateDecay": 1}
    for _ in range(3):
        optim.sgd(lambda at: (0, -torch.ones(1)), x, config)
    assert float(x) == pytest.approx(1 + 1 / 2 + 1 / 3) and config["evalCounter"] == 3


def test_own_line_search():
    """Halves the step until the value falls."""

    def search(opfunc, x, t, direction, value, gradient, slope, options):
        start, evaluations = x.clone(), 0
        while True:
            found, new = opfunc(x.copy_(start).add_(direction, alpha=t))
            evaluations += 1
            if found <= value + 1e-4 * t * slope or evaluations == options["most"]:
                return found, new, x, t, evaluations
            t /= 2

    x = torch.tensor([-1.0, 1.5], dtype=torch.float64)
    config = {"maxIter": 60, "maxEval": 300, "lineSearch": search, "lineSearchOptions": {"most": 20}}
    _, values, evaluations = optim.lbfgs(rosenbrock, x, config)
    assert values[-1] < 1e-8 and values == sorted(values, reverse=True) and evaluations == config["funcEval"]


def test_goes_on_from_its_state():
    x, state = torch.tensor([-1.0, 1.0], dtype=torch.float64), {}
    for _ in range(12):
        optim.lbfgs(rosenbrock, x, {"maxIter": 5, "learningRate": 0.7}, state)
    assert rosenbrock(x)[0] < 1e-6


@pytest.mark.parametrize("name", "sgd nag adagrad adadelta adam adamax rmsprop rprop asgd cg lbfgs".split())
def test_needs_a_place_for_its_state(name):
    with pytest.raises(ValueError, match=f"{name} requires a dictionary"):
        getattr(optim, name)(rosenbrock, torch.zeros(2), None)


def test_mistakes():
    x = torch.zeros(2)
    with pytest.raises(ValueError, match="zero dampening, not 0.9 and 0.9"):
        optim.sgd(rosenbrock, x, {"nesterov": True, "momentum": 0.9})
    with pytest.raises(ValueError, match="must be positive .* not 0"):
        optim.nag(rosenbrock, x, {"momentum": 0})
    with pytest.raises(ValueError, match=r"size \(3,\) for an x of size \(2,\)"):
        optim.adam(lambda at: (0, torch.zeros(3)), x, {})
    with pytest.raises(ValueError, match="both weightDecay"):
        optim.sgd(rosenbrock, x, {"weightDecay": 1, "weightDecays": x})
    assert not x.any()
