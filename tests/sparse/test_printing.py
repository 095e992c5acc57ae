"""How sparse tensors look: as PyTorch prints them (printing_cases.py)."""

import json

import printing_cases
import pytest
import torch

TEXTS = json.loads(printing_cases.PATH.read_text())


@pytest.mark.parametrize("expression", printing_cases.EXPRESSIONS)
def test_repr(expression):
    assert repr(printing_cases.evaluate(expression)) == TEXTS[expression]


def test_print_options():
    x = torch.sparse_coo_tensor([[0, 1]], [1 / 3, 2 / 3], (2,))
    with torch._tensor_str.printoptions(precision=2, linewidth=40):
        assert repr(x) == (
            "tensor(indices=tensor([[0, 1]]),\n       values=tensor([0.33, 0.67]),\n       size=(2,), nnz=2,\n"
            "       layout=torch.sparse_coo)"
        )
