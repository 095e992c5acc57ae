"""torch.utils.hooks.BackwardHook, by way of the modules that use it."""

import pickle

import pytest
import torch
from torch import nn
from torch.utils.hooks import RemovableHandle


def test_gradients_of_both_sides():
    seen = []
    layer = nn.Linear(3, 2)
    layer.register_full_backward_hook(
        lambda m, gi, go: seen.append((m is layer, [g.shape for g in gi], [g.tolist() for g in go]))
    )
    x = torch.ones(4, 3, requires_grad=True)
    layer(x).sum().backward()
    assert seen == [(True, [(4, 3)], [[[1, 1]] * 4])]


def test_replaced_gradients():
    layer = nn.Identity()
    layer.register_full_backward_pre_hook(lambda m, go: (go[0] * 2,))
    layer.register_full_backward_hook(lambda m, gi, go: (gi[0] + 1,))
    x = torch.ones(3, requires_grad=True)
    layer(x).sum().backward()
    assert x.grad.tolist() == [3, 3, 3]


def test_inputs_without_gradients():
    seen = []
    layer = nn.Linear(3, 2)
    handle = layer.register_full_backward_hook(lambda m, gi, go: seen.append(gi))
    with pytest.warns(
        UserWarning, match="Full backward hook is firing when gradients are computed with respect to module"
    ):
        layer(torch.ones(4, 3)).sum().backward()
    assert seen == [(None,)]
    handle.remove()
    layer(torch.ones(4, 3)).sum().backward()
    assert len(seen) == 1


def test_wrong_numbers_of_gradients():
    layer = nn.Identity()
    layer.register_full_backward_hook(lambda m, gi, go: (gi[0], gi[0]))
    with pytest.raises(
        RuntimeError, match="Backward hook returned an invalid number of grad_input, got 2, but expected 1"
    ):
        layer(torch.ones(3, requires_grad=True)).sum().backward()


def test_handles():
    hooks, extra = type("Dict", (dict,), {})(), type("Dict", (dict,), {})()
    handle = RemovableHandle(hooks, extra_dict=extra)
    hooks[handle.id] = extra[handle.id] = print
    other = RemovableHandle(hooks)
    assert other.id == handle.id + 1
    with handle:
        pass
    assert not hooks and not extra
    handle.remove()
    del hooks
    again = pickle.loads(pickle.dumps(other))
    again.remove()
    assert again.id == other.id
