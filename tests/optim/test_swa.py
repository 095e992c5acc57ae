"""Averaged models."""

import copy

import pytest
import torch
from torch.optim.swa_utils import (
    SWALR,
    AveragedModel,
    get_ema_avg_fn,
    get_ema_multi_avg_fn,
    get_swa_avg_fn,
    get_swa_multi_avg_fn,
    update_bn,
)


def walk(**options):
    """A model that moves, its averages, and all its weights."""
    model = torch.nn.Linear(3, 2)
    averaged = AveragedModel(model, **options)
    weights = []
    for i in range(5):
        with torch.no_grad():
            for param in model.parameters():
                param.copy_(torch.linspace(0, 1, param.numel()).view_as(param) * (i + 1) ** 2)
        averaged.update_parameters(model)
        weights.append(model.weight.detach().clone())
    return averaged, torch.stack(weights)


@pytest.mark.parametrize(
    "options", [{}, {"avg_fn": get_swa_avg_fn()}, {"multi_avg_fn": get_swa_multi_avg_fn()}, {"use_buffers": True}]
)
def test_the_mean(options):
    averaged, weights = walk(**options)
    assert averaged.n_averaged.item() == 5
    assert torch.allclose(averaged.module.weight, weights.mean(0), atol=1e-6)
    x = torch.ones(1, 3)
    assert torch.equal(averaged(x), averaged.module(x))


@pytest.mark.parametrize("options", [{"avg_fn": get_ema_avg_fn(0.8)}, {"multi_avg_fn": get_ema_multi_avg_fn(0.8)}])
def test_exponential_averages(options):
    averaged, weights = walk(**options)
    expected = weights[0]
    for weight in weights[1:]:
        expected = 0.8 * expected + 0.2 * weight
    assert torch.allclose(averaged.module.weight, expected, atol=1e-6)


def test_own_function_sees_counts():
    seen = []

    def average(old, new, count):
        seen.append(int(count))
        return new

    averaged, weights = walk(avg_fn=average)
    assert seen == [1, 1, 2, 2, 3, 3, 4, 4] and torch.equal(averaged.module.weight, weights[-1])


def test_state():
    averaged, _ = walk()
    assert list(averaged.state_dict()) == ["n_averaged", "module.weight", "module.bias"]
    other = AveragedModel(torch.nn.Linear(3, 2))
    other.load_state_dict(averaged.state_dict())
    assert other.n_averaged.item() == 5 and torch.equal(other.module.weight, averaged.module.weight)
    assert copy.deepcopy(averaged).n_averaged.item() == 5


def test_refusals():
    with pytest.raises(AssertionError, match="Only one of avg_fn and multi_avg_fn should be provided"):
        AveragedModel(torch.nn.Linear(1, 1), avg_fn=get_swa_avg_fn(), multi_avg_fn=get_swa_multi_avg_fn())
    for decay in (-1, 2.0):
        for make in (get_ema_avg_fn, get_ema_multi_avg_fn):
            with pytest.raises(ValueError, match="Invalid decay value"):
                make(decay)


@pytest.mark.parametrize("use_buffers", [False, True])
def test_buffers(use_buffers):
    model = torch.nn.BatchNorm1d(2)
    averaged = AveragedModel(model, use_buffers=use_buffers)
    for value in (1.0, 3.0):
        model.running_mean.fill_(value)
        averaged.update_parameters(model)
    assert averaged.module.running_mean[0].item() == (2.0 if use_buffers else 3.0)


@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: (x, None), lambda x: [x]])
def test_update_bn(wrap):
    model = torch.nn.Sequential(torch.nn.BatchNorm1d(2, momentum=0.3), torch.nn.Linear(2, 2))
    model.eval()
    batches = [torch.arange(8.0).reshape(4, 2), torch.arange(8.0).reshape(4, 2) * 3]
    update_bn([wrap(batch) for batch in batches], model)
    assert torch.allclose(model[0].running_mean, torch.stack([batch.mean(0) for batch in batches]).mean(0))
    assert model[0].momentum == 0.3 and not model.training and not model[0].training
    update_bn([], torch.nn.Linear(1, 1))


@pytest.mark.parametrize("strategy", ["cos", "linear"])
def test_swalr(strategy):
    optimizer = torch.optim.SGD([{"params": [torch.ones(1)], "lr": 0.1}, {"params": [torch.ones(1)]}], lr=0.2)
    scheduler = SWALR(optimizer, [0.5, 0.01], anneal_epochs=4, anneal_strategy=strategy)
    rates = []
    for _ in range(6):
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr())
    assert rates[1] == pytest.approx([0.3, 0.105]) and rates[3:] == [pytest.approx([0.5, 0.01])] * 3
    assert scheduler.state_dict()["_anneal_strategy"] == strategy


def test_swalr_refuses():
    optimizer = torch.optim.SGD([torch.ones(1)], lr=0.2)
    for options, text in [
        ({"swa_lr": 0.1, "anneal_strategy": "x"}, "must be one of 'cos' or 'linear'"),
        ({"swa_lr": 0.1, "anneal_epochs": -1}, "anneal_epochs must be equal or greater than 0, got -1"),
        ({"swa_lr": [0.1, 0.2]}, "swa_lr must have the same length as optimizer.param_groups"),
    ]:
        with pytest.raises(ValueError, match=text):
            SWALR(optimizer, **options)
