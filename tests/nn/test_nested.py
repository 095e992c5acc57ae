"""torch.nested against PyTorch's answers (nested_cases.py), and what is ours alone."""

import copy
import json
import pathlib
import pickle

import nested_cases
import pytest
import torch
import torch.nn as nn

RECORDED = json.loads((pathlib.Path(__file__).parent / "data" / "nested.json").read_text())
x = nested_cases.x


def compare(got, want):
    assert type(got) is type(want)
    if isinstance(want, dict) and "values" in want:
        assert {k: v for k, v in got.items() if k != "values"} == {k: v for k, v in want.items() if k != "values"}
        one, other = (torch.tensor(each["values"], dtype=torch.float64) for each in (got, want))
        torch.testing.assert_close(one, other, rtol=2e-5, atol=2e-5)
    elif isinstance(want, list):
        assert len(got) == len(want)
        for one, other in zip(got, want):
            compare(one, other)
    else:
        assert got == want


@pytest.mark.parametrize("name", nested_cases.CASES)
def test_cases(name):
    compare(nested_cases.answer(nested_cases.CASES[name]), RECORDED["cases"][name])


def test_gradients():
    compare(nested_cases.gradient_answers(), RECORDED["gradients"])


def test_what_it_says_of_itself():
    leaf = nested_cases.rows(2, 3).requires_grad_()
    assert leaf.is_nested and leaf.layout == torch.jagged and leaf.requires_grad and leaf.is_leaf
    assert len(leaf) == leaf.size(0) == leaf.shape[0] == 2 and leaf.dim() == leaf.ndim == 3 and leaf.size(-1) == 3
    assert leaf.shape == (leaf * 2).shape and leaf.shape != nested_cases.rows(2, 3).shape
    ragged = leaf.size(1)
    assert (
        repr(leaf)
        == f"NestedTensor(size=(2, {ragged}, 3), offsets=tensor([0, 2, 5]), requires_grad=True, contiguous=True)"
    )
    assert str(leaf.shape) == f"torch.Size([2, {ragged}, 3])"
    assert leaf.lengths() is None and (leaf._min_seqlen, leaf._max_seqlen) == (2, 3)
    assert nested_cases.holes.lengths().tolist() == [2, 3, 1] and not nested_cases.holes.is_contiguous()
    assert not torch.ones(2).is_nested


def test_a_leaf_gets_a_nested_gradient():
    leaf = nested_cases.rows(2, 3).requires_grad_()
    (leaf * 2).sum().backward()
    assert leaf.grad.is_nested and leaf.grad.shape == leaf.shape and (leaf.grad.values() == 2).all()


@pytest.mark.parametrize("through", [lambda v: pickle.loads(pickle.dumps(v)), copy.deepcopy])
def test_copies(through):
    leaf = nested_cases.rows(2, 3).requires_grad_()
    again = through(leaf)
    assert again.is_nested and again.requires_grad and torch.equal(again.values(), leaf.values())
    assert torch.equal(again.offsets(), leaf.offsets()) and again.values().data_ptr() != leaf.values().data_ptr()


def test_modules():
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.LayerNorm(4), nn.Dropout(0.0), nn.Linear(4, 2))
    found = model(x)
    assert found.is_nested and found.offsets() is x.offsets()
    for row, want in zip(found.unbind(), x.unbind()):
        torch.testing.assert_close(row, model(want))


def test_causal_attention():
    """PyTorch has it in kernels for GPUs alone."""
    split = nested_cases.heads()
    found = nn.functional.scaled_dot_product_attention(split, split, split, is_causal=True)
    for row, part in zip(found.unbind(), split.unbind()):
        torch.testing.assert_close(row, nn.functional.scaled_dot_product_attention(part, part, part, is_causal=True))


def test_holes_are_left_out_of_sums():
    """PyTorch refuses."""
    torch.testing.assert_close(
        nested_cases.holes.sum(1), torch.stack([row.sum(0) for row in nested_cases.holes.unbind()])
    )


def test_softmax_of_rows_sums_to_one():
    torch.testing.assert_close(x.softmax(1).sum(1), torch.ones(3, 3))


@pytest.mark.parametrize(
    ("error", "text", "call"),
    [
        (NotImplementedError, "torch.strided are not built", lambda: torch.nested.nested_tensor([torch.ones(2)])),
        (NotImplementedError, r"sort\(\) is not built for nested", lambda: x.sort()),
        (NotImplementedError, "numbers, slices", lambda: x[[0, 1]]),
        (RuntimeError, "their rows differ", lambda: x + nested_cases.rows(2, 4, 1)),
        (RuntimeError, "does not broadcast", lambda: x + torch.ones(3, 2, 3)),
        (RuntimeError, "ragged dim", lambda: x[:, 0]),
        (RuntimeError, "cannot view shape", lambda: x.view(2, -1, 3)),
        (
            RuntimeError,
            "differ in one size",
            lambda: torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(1, 4)], layout=torch.jagged),
        ),
        (
            ValueError,
            "offsets must rise",
            lambda: torch.nested.nested_tensor_from_jagged(torch.ones(5), torch.tensor([0, 9])),
        ),
        (
            ValueError,
            "do not lie in",
            lambda: torch.nested.nested_tensor_from_jagged(
                torch.ones(5), torch.tensor([0, 2, 5]), torch.tensor([2, 4])
            ),
        ),
        (RuntimeError, "exceed the size", lambda: torch.nested.narrow(torch.ones(2, 3), 1, 2, 2, layout=torch.jagged)),
        (
            RuntimeError,
            "attn_mask",
            lambda: nn.functional.scaled_dot_product_attention(*[nested_cases.heads()] * 3, attn_mask=torch.ones(2)),
        ),
        (
            RuntimeError,
            r"transpose\(1, 2\) makes them so",
            lambda: nn.functional.scaled_dot_product_attention(*[x.unsqueeze(-1)] * 3),
        ),
        (TypeError, "takes a nested tensor", lambda: torch.nested.to_padded_tensor(torch.ones(2), 0.0)),
        (IndexError, "Dimension out of range", lambda: x.transpose(1, 5)),
    ],
)
def test_errors(error, text, call):
    before = x.values().clone()
    with pytest.raises(error, match=text):
        call()
    assert torch.equal(x.values(), before)
