"""torch.utils.module_tracker.ModuleTracker. (All but the last statement hold of PyTorch 2.13.)"""

import pytest
import torch
from torch import nn
from torch.utils.module_tracker import ModuleTracker


class Net(nn.Module):
    def __init__(self, seen):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 2), Spy(seen))

    def forward(self, x):
        return self.layers(x)


class Spy(nn.Module):
    def __init__(self, seen):
        super().__init__()
        self.seen = seen

    def forward(self, x):
        self.seen("forward")
        return Twice.apply(x, self.seen)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, seen):
        ctx.seen = seen
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        ctx.seen("backward")
        return grad * 2, None


def test_parents_in_both_passes():
    tracker = ModuleTracker()
    notes = []
    model = Net(lambda when: notes.append((when, tracker.is_bw, set(tracker.parents))))
    x = torch.ones(1, 2, requires_grad=True)
    with tracker:
        out = model(x)
        assert tracker.parents == {"Global"}
        out.sum().backward()
        assert tracker.parents == {"Global"}
    inside = {"Global", "Net", "Net.layers", "Net.layers.1"}
    assert notes == [("forward", False, inside), ("backward", True, inside)]


def test_hooks_are_gone_afterwards():
    tracker = ModuleTracker()
    seen = []
    model = Net(lambda when: seen.append(set(tracker.parents)))
    with tracker:
        pass
    model(torch.ones(1, 2, requires_grad=True)).sum().backward()
    assert seen == [{"Global"}, {"Global"}]


def test_a_module_that_raises_is_left():
    class Broken(nn.Module):
        def forward(self, x):
            raise ValueError("broken")

    tracker = ModuleTracker()
    with tracker:
        with pytest.raises(ValueError):
            nn.Sequential(Broken())(torch.ones(1))
        assert tracker.parents == {"Global"}
