"""Attention beyond its golden cases: which way it takes, finite differences, dtypes, threads, memory."""

import subprocess
import sys

import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F
from nn_attention import NODES
from nn_golden import stored, told
from nn_oracle import SPACE
from torch.autograd import gradcheck, gradgradcheck

TILES = "ScaledDotProductFlashAttentionForCpuBackward0"


@pytest.mark.parametrize("call", NODES)
def test_which_way_it_takes(call):
    tiled = eval(call, {**SPACE, **stored("attention")["FUNCTIONS"][call]["operands"]}).grad_fn.name() == TILES
    assert tiled == (told("attention")["nodes"][call] == TILES)


def noise(*shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, requires_grad=True)


@pytest.mark.parametrize(
    ("shapes", "options"),
    [
        (((1, 2, 3, 2), (1, 2, 4, 2)), {}),
        (((1, 2, 3, 2), (1, 1, 4, 2)), {"enable_gqa": True, "is_causal": True, "scale": 0.3}),
        (((1, 2, 2, 2), (1, 2, 3, 2)), {"attn_mask": torch.tensor([[True, False, True], [False] * 3])}),
        (((1, 1, 3, 2), (1, 1, 3, 2)), {"attn_mask": torch.ones(3, 3), "is_causal": True}),
    ],
)
def test_by_finite_differences(shapes, options):
    inputs = noise(*shapes[0]), noise(*shapes[1]), noise(*shapes[1])
    function = lambda q, k, v: F.scaled_dot_product_attention(q, k, v, **options)  # noqa: E731
    assert function(*inputs).grad_fn.name() == TILES
    assert gradcheck(function, inputs)
    assert gradgradcheck(function, inputs)


def by_its_formula(q, k, v, causal):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if causal:
        scores = scores.masked_fill(~torch.ones(scores.shape[-2:], dtype=torch.bool).tril(), -torch.inf)
    return scores.softmax(-1) @ v


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("causal", [False, True])
def test_dtypes(dtype, causal):
    torch.manual_seed(1)
    inputs = [noise(2, 150, 2, 24, dtype=dtype).detach().transpose(1, 2).requires_grad_() for _ in range(3)]
    result = F.scaled_dot_product_attention(*inputs, is_causal=causal)
    assert result.dtype == dtype and result.stride() == inputs[0].stride()
    weights = torch.randn(result.shape, dtype=torch.float64)
    found = [result, *torch.autograd.grad((result * weights.to(dtype)).sum(), inputs)]
    exact = [x.detach().double().requires_grad_() for x in inputs]
    expected = by_its_formula(*exact, causal)
    expected = [expected, *torch.autograd.grad((expected * weights.to(dtype)).sum(), exact)]
    bound = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float32: 1e-5, torch.float64: 1e-12}[dtype]
    for mine, theirs in zip(found, expected):
        assert mine.dtype == dtype
        assert torch.allclose(mine.double(), theirs, rtol=bound, atol=bound)


def test_without_gradients_any_width_is_tiled():
    q, k, v = torch.randn(1, 2, 40, 8), torch.randn(1, 2, 50, 8), torch.randn(1, 2, 50, 5)
    with torch.no_grad():
        found = F.scaled_dot_product_attention(q.requires_grad_(), k, v)
    assert torch.allclose(found, F.scaled_dot_product_attention(q, k, v), atol=1e-5)


def test_dropout_draws_as_dropout_does():
    q, k, v = noise(1, 2, 3, 4), noise(1, 2, 5, 4), torch.eye(5, dtype=torch.float64).expand(1, 2, 5, 5)
    shares = F.scaled_dot_product_attention(q, k, v)
    torch.manual_seed(3)
    found = F.scaled_dot_product_attention(q, k, v, dropout_p=0.4)
    torch.manual_seed(3)
    assert torch.allclose(found, F.dropout(shares, 0.4))
    assert 0 < found.eq(0).sum() < found.numel()


def test_threads_do_not_change_bits():
    torch.manual_seed(0)
    inputs = [noise(1, 3, 300, 16, dtype=torch.float32) for _ in range(3)]

    def ask():
        result = F.scaled_dot_product_attention(*inputs, is_causal=True)
        return [result, *torch.autograd.grad(result.square().sum(), inputs)]

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = ask()
        torch.set_num_threads(2)
        assert all(torch.equal(x, y) for x, y in zip(one, ask()))
    finally:
        torch.set_num_threads(before)


def test_on_meta():
    q, k = torch.empty(2, 4, 3, 8, device="meta"), torch.empty(2, 2, 5, 8, device="meta")
    assert F.scaled_dot_product_attention(q, k, k, enable_gqa=True).shape == (2, 4, 3, 8)


MEMORY = """
import resource
import torch
n, d = 4096, 64
q, k, v = (torch.randn(1, 1, n, d, requires_grad=True) for _ in range(3))
torch.nn.functional.scaled_dot_product_attention(q[:, :, :64], k, v).sum().backward()
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).sum().backward()
print(peak() - before)
"""


def test_memory_grows_with_the_length_alone():
    """n = 4096: a matrix of scores would take 64 MiB, each tensor here takes 1."""
    told = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 4096 * 4096 * 4 / 4


def nodes_of(result):
    seen, left = set(), [result.grad_fn]
    while left:
        node = left.pop()
        if node is not None and node not in seen:
            seen.add(node)
            left += [below for below, _ in node.next_functions]
    return {node.name() for node in seen}


def test_modules_use_tiles_where_no_weights_are_wanted():
    attention, x = nn.MultiheadAttention(8, 2), torch.randn(3, 2, 8)
    assert TILES in nodes_of(attention(x, x, x, need_weights=False)[0])
    assert TILES not in nodes_of(attention(x, x, x)[0])
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
    causal = nn.Transformer.generate_square_subsequent_mask(3)
    assert TILES in nodes_of(layer(x))
    assert TILES in nodes_of(layer(x, src_mask=causal, is_causal=True))
    assert TILES not in nodes_of(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.5)(x))
