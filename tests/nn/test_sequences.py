"""Recurrent networks, tables and CTC beyond their golden cases: threads, blocks, half types, what PyTorch gets wrong."""

import random

import pytest
import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence

LAYERS = {
    "LSTM": lambda **k: torch.nn.LSTM(20, 70, bidirectional=True, **k),
    "LSTM, projected": lambda **k: torch.nn.LSTM(20, 70, proj_size=65, **k),
    "GRU": lambda **k: torch.nn.GRU(20, 70, bidirectional=True, **k),
    "RNN": lambda **k: torch.nn.RNN(20, 130, **k),
}


def answers(function, leaves):
    result = function()
    tensors = [result] if isinstance(result, torch.Tensor) else [result[0], *torch.utils._pytree.tree_leaves(result[1])]
    tensors = [t.data if hasattr(t, "batch_sizes") else t for t in tensors]
    return [*tensors, *torch.autograd.grad([t.sin().sum() for t in tensors], leaves)]


def with_threads(count, function, leaves):
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        return answers(function, leaves)
    finally:
        torch.set_num_threads(before)


def bag_case(mode):
    def make():
        weight = torch.randn(50, 200, requires_grad=True)
        index, starts = torch.randint(50, (3000,)), torch.arange(0, 3000, 7)
        return lambda: F.embedding_bag(index, weight, starts, mode=mode), [weight]

    return make


def table():
    weight, index = torch.randn(50, 200, requires_grad=True), torch.randint(50, (3000,))
    return lambda: F.embedding(index, weight), [weight]


def ctc():
    x = torch.randn(60, 40, 30, requires_grad=True)
    lengths = torch.randint(1, 15, (40,))
    return lambda: F.ctc_loss(x.log_softmax(2), torch.randint(1, 30, (40, 15)), torch.full((40,), 60), lengths), [x]


def layer(kind):
    def make():
        module, x = LAYERS[kind](), torch.randn(5, 70, 20, requires_grad=True)
        lengths = sorted(random.Random(1).choices(range(1, 6), k=70), reverse=True)
        return lambda: module(pack_padded_sequence(x, lengths)), [x, *module.parameters()]

    return make


CASES = {**{kind: layer(kind) for kind in LAYERS}, **{f"bag, {m}": bag_case(m) for m in ("sum", "mean", "max")}}


@pytest.mark.parametrize("case", [*CASES, "table", "ctc"])
def test_same_bits_on_any_number_of_threads(case):
    torch.manual_seed(3)
    function, leaves = {**CASES, "table": table, "ctc": ctc}[case]()
    seed = torch.get_rng_state()
    one = with_threads(1, function, leaves)
    torch.set_rng_state(seed)
    two = with_threads(2, function, leaves)
    assert all(torch.equal(a, b) for a, b in zip(one, two))


@pytest.mark.parametrize("kind", LAYERS)
def test_blocks_of_units_and_samples_agree_with_single_steps(kind):
    """Sizes beyond a block's, against the composition that second derivatives go through."""
    torch.manual_seed(4)
    function, leaves = layer(kind)()
    direct = answers(function, leaves)
    total = sum(t.sin().sum() for t in [function()[0].data, *torch.utils._pytree.tree_leaves(function()[1])])
    composed = torch.autograd.grad(total, leaves, create_graph=True)
    for a, b in zip(direct[-len(leaves) :], composed):
        assert (a - b).abs().max() <= 2e-4 * b.abs().max()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("kind", LAYERS)
def test_halves_are_floats_rounded(kind, dtype):
    torch.manual_seed(5)
    module, x = LAYERS[kind](dtype=dtype), torch.randn(4, 3, 20).to(dtype)
    wide = LAYERS[kind]()
    wide.load_state_dict(module.state_dict())
    assert (module(x)[0].float() - wide(x.float())[0]).abs().max() < (0.01 if dtype == torch.float16 else 0.06)


def test_dropout_is_between_layers_while_training():
    torch.manual_seed(6)
    module, x = torch.nn.LSTM(4, 64, 2, dropout=0.5), torch.randn(5, 8, 4)
    module.eval()
    assert torch.equal(module(x)[0], module(x)[0])
    module.train()
    assert not torch.equal(module(x)[0], module(x)[0])
    module.dropout = 1.0
    second = module.weight_ih_l1
    module(x)[0].sum().backward()
    assert second.grad.abs().max() == 0 and module.weight_hh_l1.grad.abs().max() > 0


def test_what_embedding_bag_returns_besides():
    weight = torch.tensor([[1.0, 5.0], [3.0, 2.0], [0.0, 9.0]])
    index, starts = torch.tensor([0, 1, 2, 2]), torch.tensor([0, 3, 3])
    result, bags, sizes, sources = torch.embedding_bag(weight, index, starts, mode=2)
    assert result.tolist() == [[3, 9], [0, 0], [0, 9]]
    assert (bags.tolist(), sizes.tolist(), sources.tolist()) == ([0, 0, 0, 2], [3, 0, 1], [[1, 2], [-1, -1], [2, 2]])


@pytest.mark.parametrize(("mode", "expected"), [("sum", [0, 1, 100, 50.5]), ("mean", [0, 0.25, 50, 25.125])])
def test_bags_count_how_often_a_row_is_named(mode, expected):
    # PyTorch divides by the count of another row.
    weight = torch.ones(4, 1, dtype=torch.float64, requires_grad=True)
    index, starts = torch.tensor([3, 1, 1, 1, 3, 2]), torch.tensor([0, 4, 4])
    F.embedding_bag(index, weight, starts, mode=mode, scale_grad_by_freq=True).backward(
        torch.tensor([[1.0], [10], [100]], dtype=torch.float64)
    )
    assert torch.allclose(weight.grad.view(-1), torch.tensor(expected, dtype=torch.float64))


def test_second_gradient_with_frequencies():
    # PyTorch forgets the factors here: tests against finite differences.
    index = torch.tensor([0, 1, 1, 2])
    weight = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
    function = lambda w: torch.embedding(w, index, 2).pow(2)  # noqa: E731
    assert torch.autograd.gradgradcheck(function, weight)
    g = torch.ones(4, 2, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(torch.embedding(weight, index, 2, True), weight, g, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), g)
    assert second[:, 0].tolist() == [1, 0.5, 0.5, 0]
