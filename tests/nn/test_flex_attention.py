"""torch.nn.attention.flex_attention, bias and varlen against PyTorch's answers (flex_cases.py) and dense attention."""

import json
import math
import pathlib

import flex_cases
import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention import bias, flex_attention as flex
from torch.nn.attention.varlen import AuxRequest, varlen_attn, varlen_attn_out

RECORDED = json.loads((pathlib.Path(__file__).parent / "data" / "flex_attention.json").read_text())
causal = flex_cases.causal


def close(got, want):
    if isinstance(want, dict):
        assert set(got) == set(want)
        for name in want:
            close(got[name], want[name])
    elif want and isinstance(want[0], list):
        for one, other in zip(got, want, strict=True):
            close(one, other)
    else:
        got, want = (torch.tensor([float(x) for x in values], dtype=torch.float64) for values in (got, want))
        torch.testing.assert_close(got, want, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("name", flex_cases.CASES)
def test_attention(name):
    close(flex_cases.answers(**flex_cases.CASES[name]), RECORDED["attention"][name])


def dense(query, key, value, score, mask):
    """The formula, with all scores at once."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    at = [torch.arange(n).view([-1 if i == j else 1 for j in range(4)]) for i, n in enumerate(scores.shape)]
    if score is not None:
        scores = score(scores, *at)
    if mask is not None:
        scores = scores.masked_fill(~mask(*at), -math.inf)
    return scores.softmax(-1) @ value


@pytest.mark.parametrize("score", [None, "alibi", "soft_cap", "learned"])
@pytest.mark.parametrize("mask", [None, "causal", "padded", "per_head", "prefix"])
def test_gradients(monkeypatch, score, mask):
    table = flex_cases.table.clone().requires_grad_()
    monkeypatch.setattr(flex_cases, "table", table)
    inputs = [tensor.double().requires_grad_() for tensor in flex_cases.operands()]
    captured = [table] if score == "learned" else []
    score_mod, mask_mod = flex_cases.SCORES.get(score), flex_cases.MASKS.get(mask)
    found = flex.flex_attention(*inputs, score_mod, flex_cases.mask_of(mask) if mask else None)
    weights = flex_cases.wave(*found.shape, shift=5)
    got = torch.autograd.grad((found * weights).sum(), inputs + captured)
    want = torch.autograd.grad((dense(*inputs, score_mod, mask_mod) * weights).sum(), inputs + captured)
    torch.testing.assert_close(got, want)


def test_gradients_of_what_sees_nothing_are_zero():
    inputs = [tensor.requires_grad_() for tensor in flex_cases.operands()]
    found, lse = flex.flex_attention(*inputs, block_mask=flex_cases.mask_of("nothing"), return_lse=True)
    assert not found.any() and torch.isneginf(lse).all()
    mask = flex.create_block_mask(lambda b, h, q, k: q < 3, None, None, 40, 56, device="cpu")
    found = flex.flex_attention(*inputs, flex_cases.relative, mask)
    gradients = torch.autograd.grad(found.sum(), inputs)
    assert all(gradient.isfinite().all() for gradient in gradients) and not gradients[0][:, :, 3:].any()


@pytest.mark.parametrize("name", flex_cases.MASKS)
def test_masks(name):
    got, want = flex_cases.mask_answers(name), RECORDED["masks"][name]
    assert got.pop("sparsity") == pytest.approx(want["sparsity"])
    assert got == {key: value for key, value in want.items() if key != "sparsity"}


def test_blocks_that_are_left_out_are_not_computed(monkeypatch):
    """Their keys are never multiplied."""
    mask = flex.create_block_mask(flex_cases.window, None, None, 64, 64, device="cpu", BLOCK_SIZE=16)
    computed = []
    attend = F.scaled_dot_product_attention

    def counting(query, key, *rest, **options):
        computed.append(query.shape[2] * key.shape[2])
        return attend(query, key, *rest, **options)

    monkeypatch.setattr(F, "scaled_dot_product_attention", counting)
    tensors = [flex_cases.wave(1, 1, 64, 8, shift=i) for i in range(3)]
    flex.flex_attention(*tensors, block_mask=mask)
    assert sum(computed) == mask.to_dense().sum().item() * 16 * 16 < 64 * 64


def test_blocks_given_by_hand():
    counts = torch.tensor([[[1, 1]]], dtype=torch.int32)
    columns = torch.tensor([[[[0, 1], [1, 0]]]], dtype=torch.int32)
    mask = flex.BlockMask.from_kv_blocks(counts, columns, BLOCK_SIZE=8)
    assert mask.shape == (1, 1, 16, 16) and mask.sparsity() == 50 and mask.mask_mod is flex.noop_mask
    assert torch.equal(mask.q_num_blocks, counts)
    query, key, value = (flex_cases.wave(1, 2, 16, 4, shift=i) for i in range(3))
    seen = torch.block_diag(torch.ones(8, 8), torch.ones(8, 8)).bool()
    want = F.scaled_dot_product_attention(query, key, value, seen)
    torch.testing.assert_close(flex.flex_attention(query, key, value, block_mask=mask), want)


def test_auxiliary_results():
    query, key, value = (flex_cases.wave(1, 2, 16, 4, shift=i) for i in range(3))
    scores = query @ key.mT / 2
    found, rest = flex.flex_attention(query, key, value, return_aux=flex.AuxRequest(lse=True, max_scores=True))
    torch.testing.assert_close(found, F.scaled_dot_product_attention(query, key, value))
    torch.testing.assert_close(rest.lse, scores.logsumexp(-1))
    torch.testing.assert_close(rest.max_scores, scores.amax(-1))
    assert flex.flex_attention(query, key, value, return_aux=flex.AuxRequest(lse=True))[1].max_scores is None


def test_half_types_are_summed_in_float32():
    tensors = [flex_cases.wave(1, 2, 16, 4, shift=i).half() for i in range(3)]
    found, lse = flex.flex_attention(*tensors, return_lse=True)
    assert found.dtype == torch.half and lse.dtype == torch.float32


def test_a_part_needs_a_mask_mod_of_its_own():
    whole = flex.create_block_mask(causal, None, None, 32, 32, device="cpu", BLOCK_SIZE=8)
    part = whole[:, :, 2]
    with pytest.raises(RuntimeError, match="Cannot use mask_mod from a sliced BlockMask"):
        part.mask_mod(*[torch.tensor(0)] * 4)
    assert part.kv_num_blocks.shape == (1, 1, 1) and whole.to("cpu").shape == whole.shape
    assert len(whole.as_tuple()) == 17 and "sparsity=37.50%" in repr(whole) and "██" in str(whole)


def decides(b, h, q, k):
    return q if q > k else k


@pytest.mark.parametrize(
    ("error", "text", "call"),
    [
        (NotImplementedError, "must be 4D", lambda q, m: flex.flex_attention(q[0], q, q)),
        (ValueError, "enable_gqa=True", lambda q, m: flex.flex_attention(q, q[:, :2], q[:, :2])),
        (ValueError, "multiple of kv heads", lambda q, m: flex.flex_attention(q, q[:, :3], q[:, :3], enable_gqa=True)),
        (ValueError, "same embedding", lambda q, m: flex.flex_attention(q, q[..., :2], q)),
        (ValueError, "same batch size", lambda q, m: flex.flex_attention(q[:1], q, q)),
        (ValueError, "got q_len=8", lambda q, m: flex.flex_attention(q[:, :, :8], q, q, block_mask=m)),
        (ValueError, "2 heads but got 4", lambda q, m: flex.flex_attention(q, q, q, block_mask=m.of_two_heads)),
        (TypeError, "create_block_mask", lambda q, m: flex.flex_attention(q, q, q, block_mask=q)),
        (ValueError, "return_aux", lambda q, m: flex.flex_attention(q, q, q, return_lse=True, return_aux=(True,))),
        (RuntimeError, "callable mask_mods", lambda q, m: flex.and_masks(causal, 3)),
        (RuntimeError, "torch.where", lambda q, m: flex.create_mask(decides, 1, 1, 4, 4)),
        (AssertionError, "4 or 5 positional", lambda q, m: flex.create_mask(lambda b: b, 1, 1, 4, 4)),
        (AssertionError, "mask_mod", lambda q, m: flex.create_block_mask(flex_cases.alibi, 1, 1, 4, 4)),
        (TypeError, "must return a tensor", lambda q, m: flex.create_mask(lambda b, h, q, k: True, 1, 1, 4, 4)),
    ],
)
def test_errors(error, text, call):
    mask = flex.create_block_mask(causal, None, None, 16, 16, device="cpu", BLOCK_SIZE=8)
    mask.of_two_heads = flex.create_block_mask(causal, None, 2, 16, 16, device="cpu", BLOCK_SIZE=8)
    with pytest.raises(error, match=text):
        call(flex_cases.wave(2, 4, 16, 4), mask)


# ---- bias --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sizes", [(4, 4), (3, 5), (5, 3)])
@pytest.mark.parametrize("make", [bias.causal_upper_left, bias.causal_lower_right])
def test_causal_biases(make, sizes):
    mask = make(*sizes)
    query, key = flex_cases.wave(1, 2, sizes[0], 4), flex_cases.wave(1, 2, sizes[1], 4, shift=1)
    diagonal = sizes[1] - sizes[0] if make is bias.causal_lower_right else 0
    dense = torch.ones(sizes, dtype=torch.bool).tril(diagonal)
    assert mask.shape == sizes and mask.device.type == "cpu" and repr(mask) == repr(dense)
    found = F.scaled_dot_product_attention(query, key, key, attn_mask=mask)
    torch.testing.assert_close(found, F.scaled_dot_product_attention(query, key, key, attn_mask=dense))
    assert torch.equal(mask & True, dense) and torch.equal(torch.logical_not(mask), ~dense)


def test_biases_refuse():
    query = flex_cases.wave(1, 2, 3, 4)
    with pytest.raises(ValueError, match="should not be used with causal=True"):
        F.scaled_dot_product_attention(query, query, query, bias.causal_lower_right(3, 3), is_causal=True)
    with pytest.raises(AssertionError, match="only supports 2D"):
        bias.causal_lower_right(3)
    with pytest.raises(AssertionError, match="variant must be"):
        bias.CausalBias(2, 3, 3)


# ---- sequences one after the other -----------------------------------------------------------------------------------
@pytest.mark.parametrize("window", [(-1, -1), (-1, 0), (2, 1)])
def test_sequences(window):
    starts_q, starts_k = torch.tensor([0, 3, 4, 10]), torch.tensor([0, 5, 7, 13])
    query, key, value = (flex_cases.wave(n, 2, 4, shift=n) for n in (10, 13, 13))
    value = value + 1
    arguments = (query, key, value, starts_q.int(), starts_k.int(), 6, 6)
    found, lse = varlen_attn(*arguments, window_size=window, return_aux=AuxRequest(lse=True))
    assert lse.shape == (2, 10)
    for i in range(3):
        parts = [
            tensor[starts[i] : starts[i + 1]].transpose(0, 1)
            for tensor, starts in ((query, starts_q), (key, starts_k), (value, starts_k))
        ]
        lengths = [part.shape[1] for part in parts]
        distance = torch.arange(lengths[1]) - torch.arange(lengths[0])[:, None] - (lengths[1] - lengths[0])
        before, after = (math.inf if size < 0 else size for size in window)
        want = F.scaled_dot_product_attention(*parts, (distance >= -before) & (distance <= after))
        torch.testing.assert_close(found[starts_q[i] : starts_q[i + 1]], want.transpose(0, 1))
    out = torch.empty_like(found)
    assert varlen_attn_out(out, *arguments, window_size=window) is out
    torch.testing.assert_close(out, found)


def test_sequences_must_fit():
    tensors = [flex_cases.wave(6, 2, 4)] * 3
    with pytest.raises(ValueError, match="must rise from 0 to the 6 tokens"):
        varlen_attn(*tensors, torch.tensor([0, 3, 5]), None, 3, 3)
    with pytest.raises(NotImplementedError, match="block_table"):
        varlen_attn(*tensors, torch.tensor([0, 6]), None, 6, 6, block_table=torch.zeros(1, 1))
