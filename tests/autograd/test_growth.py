"""Ten thousand steps of training occupy what a thousand did."""

import gc

import memory
import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

WARM, STEPS, WINDOWS, MEGABYTES = 1000, 10_000, 4, 2  # a leak of 210 bytes a step is seen


def growth(step):
    """In megabytes and objects, by the smallest of some windows: once, a process may take memory for other reasons."""
    for _ in range(WARM):
        step()
    sizes, objects = [memory.megabytes()], len(gc.get_objects())
    for _ in range(WINDOWS):
        for _ in range(STEPS // WINDOWS):
            step()
        sizes.append(memory.megabytes())
    gc.collect()
    return WINDOWS * min(b - a for a, b in zip(sizes, sizes[1:])), len(gc.get_objects()) - objects


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.shape = x.shape
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 + 0 * x


def training():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.BatchNorm1d(8), nn.Dropout(0.1), nn.Linear(8, 3))
    optimizer = torch.optim.AdamW(model.parameters())
    x, y = torch.randn(5, 6), torch.tensor([0, 1, 2, 0, 1])

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return step


def cycles():
    x = torch.ones(50, requires_grad=True)

    def step():
        y = Doubled.apply(x)
        y.register_hook(lambda grad: grad + 0 * y.detach())
        y.own = y
        z = y[1:3].clone().mul_(2).sum() + (y * y).sum()
        z.grad_fn.register_hook(lambda *_: None)
        z.backward()
        x.grad = None

    return step


def second_order():
    x = torch.linspace(0.1, 1, 20, dtype=torch.double, requires_grad=True)

    def step():
        (slope,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        slope.square().sum().backward()
        x.grad = None

    return step


def views():
    x = torch.ones(4, 4, requires_grad=True)

    def step():
        y = x * 1
        y[0].mul_(2)
        y.t()[1:] += 1
        y.diagonal().copy_(x[0])
        y.unbind()[2].sum().backward()
        with torch.no_grad():
            x.sub_(x.grad, alpha=1e-6)
        x.grad = None

    return step


def raising():
    x = torch.ones(10, requires_grad=True)

    def step():
        y = Doubled.apply(x)
        y.register_hook(lambda grad: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            y.sum().backward()
        z = x.exp()
        with pytest.raises(RuntimeError, match="inplace"):
            z.mul_(2).sum().backward()
        x.grad = None

    return step


def recomputed():
    x = torch.ones(10, requires_grad=True)

    def step():
        checkpoint(lambda t: t.sin().exp(), x, use_reentrant=False).sum().backward()
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            y = x.exp()
        y.sum().backward()
        x.grad = None

    return step


@pytest.mark.parametrize("make", [training, cycles, second_order, views, raising, recomputed])
def test_nothing_piles_up(make):
    megabytes, objects = growth(make())
    assert megabytes < MEGABYTES
    assert objects < 100
