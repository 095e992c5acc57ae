"""torch.utils.checkpoint: parts that are computed twice."""

import gc
import warnings
import weakref

import pytest
import torch
from torch.utils.checkpoint import (
    CheckpointError,
    GraphExecGroup,
    checkpoint,
    checkpoint_sequential,
    detach_variable,
    noop_context_fn,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)


def leaf(*size):
    return torch.ones(*size, requires_grad=True)


def part(x):
    return x.sin().exp() * x


@pytest.fixture(params=[True, False], ids=["reentrant", "not reentrant"])
def reentrant(request):
    return request.param


def gradients(function, *inputs):
    for tensor in inputs:
        tensor.grad = None
    function(*inputs).sum().backward()
    return [tensor.grad for tensor in inputs]


def test_gradients(reentrant):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (expected,) = gradients(part, x)
    (found,) = gradients(lambda x: checkpoint(part, x, use_reentrant=reentrant), x)
    assert torch.equal(found, expected)
    (expected,) = gradients(lambda x: part(part(x * 2)) + 1, x)
    (found,) = gradients(
        lambda x: checkpoint(part, checkpoint(part, x * 2, use_reentrant=reentrant), use_reentrant=reentrant) + 1, x
    )
    assert torch.allclose(found, expected)


def test_it_runs_twice_and_keeps_nothing(reentrant):
    calls, alive = [], []

    def watched(x):
        y = x.exp()
        calls.append(torch.is_grad_enabled())
        alive.append(weakref.ref(y))
        return y.exp().sum()

    x = leaf(3)
    result = checkpoint(watched, x, use_reentrant=reentrant)
    gc.collect()
    assert len(calls) == 1 and alive[0]() is None
    result.backward()
    assert len(calls) == 2 and calls[1]


def test_several_arguments_and_results(reentrant):
    def function(a, n, b, items):
        return a * n + b, items, b * 2

    a, b = leaf(2), leaf(2)
    first, items, second = checkpoint(function, a, 3, b, ["x"], use_reentrant=reentrant)
    assert items == ["x"]
    (first.sum() + second.sum()).backward()
    assert a.grad.tolist() == [3, 3] and b.grad.tolist() == [3, 3]


def test_parameters_get_gradients_too(reentrant):
    w = leaf(2)
    x = leaf(2)
    checkpoint(lambda x: x * w * w, x, use_reentrant=reentrant).sum().backward()
    assert w.grad.tolist() == [2, 2] and x.grad.tolist() == [1, 1]


@pytest.mark.parametrize("preserve", [True, False])
def test_random_numbers(reentrant, preserve):
    masks = []

    def drop(x):
        mask = torch.rand(100)
        masks.append(mask)
        return x * mask

    torch.manual_seed(5)
    y = checkpoint(drop, leaf(100), use_reentrant=reentrant, preserve_rng_state=preserve)
    before = torch.rand(1)
    y.sum().backward()
    assert torch.equal(masks[0], masks[1]) is preserve
    torch.manual_seed(5)
    torch.rand(100)
    assert torch.equal(torch.rand(1), before)


def test_without_gradients(reentrant):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not checkpoint(part, torch.ones(2), use_reentrant=reentrant).requires_grad
        with torch.no_grad():
            assert not checkpoint(part, leaf(2), use_reentrant=reentrant).requires_grad


def test_autograd_grad():
    x = leaf(2)
    with pytest.raises(
        RuntimeError, match=r"When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad\(\)"
    ):
        torch.autograd.grad(checkpoint(part, x, use_reentrant=True).sum(), x)
    expected = torch.autograd.grad(part(x).sum(), x)[0]
    assert torch.equal(torch.autograd.grad(checkpoint(part, x, use_reentrant=False).sum(), x)[0], expected)
    (g,) = torch.autograd.grad(checkpoint(part, x, use_reentrant=False).sum(), x, create_graph=True)
    assert g.requires_grad
    y = checkpoint(part, x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert torch.equal(x.grad, 2 * expected)


def test_keywords_and_contexts():
    seen = []

    class Context:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            seen.append(self.name)

        def __exit__(self, *error):
            pass

    def function(x, *, times):
        return x.exp() * times

    x = leaf(2)
    checkpoint(
        function, x, times=3, use_reentrant=False, context_fn=lambda: (Context("first"), Context("second"))
    ).sum().backward()
    assert seen == ["first", "second"]
    assert len(noop_context_fn()) == 2


def test_early_stop():
    ended = []

    def function(x):
        y = x.exp()
        y = y.exp()
        ended.append(1)
        return y + 1

    x = leaf(2)
    checkpoint(function, x, use_reentrant=False).sum().backward()
    assert len(ended) == 1
    with set_checkpoint_early_stop(False):
        y = checkpoint(function, x, use_reentrant=False)
    y.sum().backward()
    assert len(ended) == 3


def test_nested():
    x = leaf(3)
    (expected,) = gradients(lambda x: part(part(x)), x)

    def outer(x):
        return part(checkpoint(part, x, use_reentrant=False))

    (found,) = gradients(lambda x: checkpoint(outer, x, use_reentrant=False), x)
    assert torch.allclose(found, expected)


def test_second_runs_that_differ():
    calls = []

    def other_count(x):
        calls.append(1)
        return (x.sin() if len(calls) % 2 else x * 1).exp().exp()

    x = leaf(3)
    with pytest.raises(
        CheckpointError, match="(?s)A different number of tensors was saved during the original forward.*: 3"
    ):
        checkpoint(other_count, x, use_reentrant=False).sum().backward()

    def other_shape(x):
        calls.append(1)
        return x.sin().exp() if len(calls) % 2 else x[:2].sin().exp()

    calls.clear()
    with pytest.raises(
        CheckpointError, match="(?s)have different metadata.*tensor at position 0:\nsaved metadata: {'shape': to"
    ):
        checkpoint(other_shape, x, use_reentrant=False).sum().backward()


def test_arguments():
    x = leaf(2)
    with pytest.raises(ValueError, match="Unexpected keyword arguments: foo"):
        checkpoint(part, x, use_reentrant=True, foo=1)
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        checkpoint(part, x, use_reentrant=True, context_fn=lambda: (1, 2))
    with pytest.raises(ValueError, match="determinism_check should be one of"):
        checkpoint(part, x, use_reentrant=False, determinism_check="x")
    with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
        checkpoint(part, x)
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        checkpoint(part, torch.ones(2), use_reentrant=True)
    with pytest.raises(RuntimeError, match="Only tuple of tensors is supported"):
        detach_variable(x)


@pytest.mark.parametrize("segments", [1, 2, 3])
def test_sequential(reentrant, segments):
    functions = [torch.sin, torch.exp, lambda x: x * 2, torch.tanh, torch.exp]

    def all_of_them(x):
        for function in functions:
            x = function(x)
        return x

    x = torch.tensor([0.1, 0.2], requires_grad=True)
    (expected,) = gradients(all_of_them, x)
    (found,) = gradients(lambda x: checkpoint_sequential(functions, segments, x, use_reentrant=reentrant), x)
    assert torch.allclose(found, expected)


# ---- what both runs have called ----------------------------------------------------------------------------
def changing():
    runs = []

    def function(x):
        runs.append(x)
        y = x.sin()
        if len(runs) % 2:
            y = torch.nn.functional.softplus(y)
        return y * 2 * x

    return function


def differing(**options):
    with pytest.raises(CheckpointError, match="A different number of tensors was saved") as error:
        checkpoint(changing(), leaf(2, 3), use_reentrant=False, **options).sum().backward()
    return str(error.value)


def test_debug():
    text = differing(debug=True)
    first, second = text.split("Operations executed during original forward:")[1].split("Operations executed during")
    assert "$1: f32[2, 3] = torch.Tensor.sin($0)" in first and "$1: f32[2, 3] = torch.Tensor.sin($0)" in second
    assert "softplus($1" in first and "softplus" not in second
    assert "torch.Tensor.mul($1, 2)" in second
    assert text.count("test_checkpoint.py") > 6 and "softplus(y)" in text  # the stacks


def test_debug_by_a_context():
    assert "debug=True" in differing() and "Operations executed" not in differing()
    with set_checkpoint_debug_enabled(True):
        assert "Operations executed" in differing()
        with set_checkpoint_debug_enabled(None):
            assert "Operations executed" not in differing()
    with set_checkpoint_debug_enabled(False):
        assert "Operations executed" not in differing(debug=True)


def test_debug_is_refused():
    with pytest.raises(ValueError, match="incompatible with non-default context_fn"):
        checkpoint(part, leaf(3), use_reentrant=False, debug=True, context_fn=lambda: noop_context_fn())
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        checkpoint(part, leaf(3), use_reentrant=True, debug=True)


def test_debug_changes_no_gradient():
    x = leaf(3)
    (expected,) = gradients(part, x)
    (found,) = gradients(lambda x: checkpoint(part, x, use_reentrant=False, debug=True), x)
    assert torch.equal(found, expected)


# ---- several passes that are parts of one ------------------------------------------------------------------
def test_group_of_passes():
    runs = []

    def two(x):
        runs.append(1)
        return x.sin(), x.exp()

    x = leaf(3)
    a, b = checkpoint(two, x, use_reentrant=False)
    with GraphExecGroup() as group:
        assert GraphExecGroup._get_current_group() is group
        a.sum().backward()
        b.sum().backward()
    assert len(runs) == 2  # the first run and one more
    assert torch.allclose(x.grad, x.detach().cos() + x.detach().exp())
    assert GraphExecGroup._get_current_group() is None
    with group, pytest.raises(RuntimeError, match="cannot be nested"), GraphExecGroup():
        pass


# ---- autocast ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("use_reentrant", [False, True])
def test_the_second_run_is_in_the_same_contexts(use_reentrant):
    """Of autocast: those of the backward pass do not count."""
    seen, x, weight = [], leaf(3, 3), leaf(3, 3)

    def run(t):
        seen.append((t @ weight).dtype)
        return t @ weight

    with torch.autocast("cpu"):
        inside = checkpoint(run, x, use_reentrant=use_reentrant)
    outside = checkpoint(run, x, use_reentrant=use_reentrant)
    inside.float().sum().backward()
    with torch.autocast("cpu"):
        outside.sum().backward()
    assert seen == [torch.bfloat16, x.dtype, torch.bfloat16, x.dtype]
    assert x.grad.dtype == x.dtype and weight.grad.dtype == x.dtype
