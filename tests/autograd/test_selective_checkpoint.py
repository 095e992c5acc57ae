"""Checkpoints that keep results of some operators: gradients are those of the model, whatever is kept, and what is kept is
not computed again. Names of operators and errors: data/snippets.txt, beside PyTorch."""

import copy
import functools
import pickle
import random
import threading

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

aten = torch.ops.aten


class Block(nn.Module):
    """Attention, convolution, a recurrent layer, normalisations, dropout, writes and views."""

    def __init__(self):
        super().__init__()
        self.norm, self.group, self.batch = nn.LayerNorm(8), nn.GroupNorm(2, 4), nn.BatchNorm1d(4)
        self.project, self.convolve = nn.Linear(8, 24), nn.Conv1d(4, 4, 3, padding=1)
        self.lstm = nn.LSTM(8, 8, batch_first=True)

    def forward(self, x):
        q, k, v = self.project(self.norm(x)).unflatten(-1, (3, 2, 4)).unbind(2)
        y = nn.functional.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2))
        y = x + y.transpose(1, 2).flatten(2)
        y = self.group(self.convolve(y)).relu_().mul(2)
        y = nn.functional.dropout(self.batch(y), 0.3)
        y[:, 0] *= 2
        return (self.lstm(y)[0].softmax(-1) * nn.functional.gelu(y)).cumsum(1).sin()


def gradients(context_fn):
    torch.manual_seed(0)
    model = Block().double()
    x = torch.randn(3, 4, 8, dtype=torch.float64, requires_grad=True)
    if context_fn is None:
        y = model(x)
    else:
        y = checkpoint(model, x, use_reentrant=False, context_fn=context_fn)
    y.sum().backward()
    return y, [x.grad, *(parameter.grad for parameter in model.parameters())]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.2, 0.6, 1.0])
def test_gradients_do_not_depend_on_the_policy(seed, share):
    draw = random.Random(seed)

    # What the model writes in place afterwards cannot be kept.
    written = {aten.native_group_norm.default, aten.empty_like.default, aten.mul.Tensor}

    def policy(context, op, *args, **kwargs):
        if draw.random() < share and op not in written:
            return draw.choice([CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_CPU_OFFLOAD])
        return draw.choice([CheckpointPolicy.MUST_RECOMPUTE, CheckpointPolicy.PREFER_RECOMPUTE])

    expected, wanted = gradients(None)
    found, made = gradients(functools.partial(create_selective_checkpoint_contexts, policy))
    assert torch.equal(found, expected)
    for a, b in zip(made, wanted):
        assert torch.equal(a, b)


@pytest.mark.parametrize(
    "op",
    [
        aten.mm.default,
        aten.addmm.default,
        aten._softmax.default,
        aten.gelu.default,
        aten.native_layer_norm.default,
        aten.native_batch_norm.default,
        aten.mkldnn_rnn_layer.default,
        aten._scaled_dot_product_flash_attention_for_cpu.default,
        aten.cumsum.default,
        aten.add.Tensor,
    ],
    ids=str,
)
def test_gradients_with_one_kind_kept(op):
    expected, wanted = gradients(None)
    found, made = gradients(functools.partial(create_selective_checkpoint_contexts, [op]))
    assert torch.equal(found, expected)
    for a, b in zip(made, wanted):
        assert torch.equal(a, b)


def test_batch_statistics_are_updated_once():
    norm = nn.BatchNorm1d(3)
    keep = functools.partial(create_selective_checkpoint_contexts, [aten.native_batch_norm.default])
    x = torch.arange(12.0).view(4, 3).requires_grad_()
    checkpoint(norm, x, use_reentrant=False, context_fn=keep).sum().backward()
    assert torch.allclose(norm.running_mean, 0.1 * x.detach().mean(0))


def test_what_is_kept_is_given_back():
    state = torch.ones(())
    x = torch.ones(2, requires_grad=True)
    keep = functools.partial(create_selective_checkpoint_contexts, [aten.mul.Tensor])
    y = checkpoint(lambda x: (x * state).exp(), x, use_reentrant=False, context_fn=keep)
    again = checkpoint(lambda x: (x * state).exp(), x, use_reentrant=False)
    state.fill_(2)  # what is computed again sees it
    (kept,) = torch.autograd.grad(y.sum(), x)
    (computed,) = torch.autograd.grad(again.sum(), x)
    e = torch.tensor(1.0).exp()
    assert torch.allclose(kept, 2 * e.expand(2)) and torch.allclose(computed, 2 * (2 * torch.ones(2)).exp())


def test_views_are_made_again():
    x = torch.arange(6.0).requires_grad_()
    keep = functools.partial(create_selective_checkpoint_contexts, lambda *args, **kwargs: True, True)

    def function(x):
        y = x * 2
        y.view(2, 3)[0].mul_(3)
        return y.exp()

    y = checkpoint(function, x * 0.1, use_reentrant=False, context_fn=keep)
    (found,) = torch.autograd.grad(y.sum(), x)
    (expected,) = torch.autograd.grad(function(x * 0.1).sum(), x)
    assert torch.allclose(found, expected)


def test_other_threads_are_not_asked():
    names = []

    def policy(context, op, *args, **kwargs):
        names.append(str(op))
        return False

    def function(x):
        thread = threading.Thread(target=lambda: torch.ones(2).sin())
        thread.start()
        thread.join()
        return x.exp()

    keep = functools.partial(create_selective_checkpoint_contexts, policy)
    checkpoint(function, torch.ones(2, requires_grad=True), use_reentrant=False, context_fn=keep)
    assert names == ["aten.exp.default"]


def test_a_policy_that_raises_leaves_no_mode():
    def policy(context, op, *args, **kwargs):
        raise KeyError(str(op))

    keep = functools.partial(create_selective_checkpoint_contexts, policy)
    with pytest.raises(KeyError, match=r"aten\.exp\.default"):
        checkpoint(torch.exp, torch.ones(2, requires_grad=True), use_reentrant=False, context_fn=keep)
    assert torch.ones(2).exp().sum() > 5
    with pytest.raises(RuntimeError, match="no mode to leave"):
        torch._C._leave_dispatch_mode()


@pytest.mark.parametrize("answer", [(), (1,), (torch.ones(2), torch.ones(2))], ids=["none", "an int", "two"])
def test_answers_that_are_none(answer):
    torch._C._enter_dispatch_mode(lambda number, args: answer)
    try:
        with pytest.raises((RuntimeError, TypeError), match="mode"):
            torch.ones(2)
    finally:
        torch._C._leave_dispatch_mode()


def test_operators_by_name():
    mm = aten.mm.default
    assert mm is torch.ops.aten.mm.default and copy.deepcopy(mm) is mm and pickle.loads(pickle.dumps(mm)) is mm
    x = torch.eye(2) * 2
    assert torch.equal(mm(x, x), x @ x) and torch.equal(aten.add.Tensor(x, x, alpha=3), 4 * x)
    assert torch.equal(aten.gelu(x), nn.functional.gelu(x))
    y = x.clone()
    assert aten.relu_.default(y) is y
    assert "mm" in dir(aten) and {"default", "dim_IntList"} <= {*aten.sum.overloads()}
    with pytest.raises(NotImplementedError, match="aten::native_no"):
        torch._ops._function("native_no")


def names_of(function):
    names = []

    def policy(context, op, *args, **kwargs):
        names.append(str(op))
        return False

    keep = functools.partial(create_selective_checkpoint_contexts, policy)
    x = torch.arange(1.0, 5).view(1, 4).requires_grad_()
    checkpoint(function, x, use_reentrant=False, context_fn=keep)
    return names


@pytest.mark.parametrize(
    "function, name",
    [
        (lambda x: x.clamp(x, x + 1), "aten.clamp.Tensor"),
        (lambda x: x.clamp(0, 1), "aten.clamp.default"),
        (lambda x: x.clamp(max=1), "aten.clamp.default"),
        (lambda x: x.clamp_min(x), "aten.clamp_min.Tensor"),
        (lambda x: x * 2, "aten.mul.Tensor"),
        (lambda x: x == 2, "aten.eq.Scalar"),
        (lambda x: x == x, "aten.eq.Tensor"),
        (lambda x: x**2, "aten.pow.Tensor_Scalar"),
        (lambda x: 2**x, "aten.pow.Scalar"),
        (lambda x: x.sum(), "aten.sum.default"),
        (lambda x: x.sum(0), "aten.sum.dim_IntList"),
        (lambda x: x.max(0)[0], "aten.max.dim"),
        (lambda x: x.squeeze(0), "aten.squeeze.dim"),
        (lambda x: x.squeeze((0, 1)), "aten.squeeze.dims"),
        (lambda x: nn.functional.gelu(x), "aten.gelu.default"),
        (lambda x: x.lerp(x, 0.5), "aten.lerp.Scalar"),
        (lambda x: x.lerp(x, x), "aten.lerp.Tensor"),
    ],
)
def test_the_overload_is_that_of_the_function_that_runs(function, name):
    assert name in names_of(function)


def test_names_that_are_no_operators_of_aten():
    for name in ("nn_gelu", "_gelu_kernel", "handle_torch_function"):
        with pytest.raises(AttributeError, match=name):
            getattr(aten, name)
    assert aten.gelu.default.name() == "aten::gelu"
