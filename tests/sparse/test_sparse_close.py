"""torch.testing.assert_close of sparse tensors: places are equal, values close, as in PyTorch."""

import pytest
import torch

A = torch.eye(3).to_sparse()
B = A.to_sparse_csr()


@pytest.mark.parametrize(
    "layout", [torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc], ids=str
)
def test_close_ones(layout):
    blocks = {"blocksize": (3, 1)} if layout in (torch.sparse_bsr, torch.sparse_bsc) else {}
    a = A.to_sparse(layout=layout, **blocks)
    torch.testing.assert_close(a, a.clone())
    torch.testing.assert_close(a, a * (1 + 1e-7))
    torch.testing.assert_close(a, A.to_dense(), check_layout=False)
    with pytest.raises(AssertionError, match=f"Sparse {str(layout)[-3:].upper()} values are not close!"):
        torch.testing.assert_close(a, a * 2)
    with pytest.raises(AssertionError, match="Mismatched elements"):
        torch.testing.assert_close(a, 2 * A.to_dense(), check_layout=False)


# What PyTorch 2.13 says.
DIFFERENT = [
    (A, A * 2, "Sparse COO values are not close!\n\nMismatched elements: 3 / 3 (100.0%)\n"
     "Greatest absolute difference: 1.0 at index (0,) (up to 1e-05 allowed)\n"
     "Greatest relative difference: 0.5 at index (0,) (up to 1.3e-06 allowed)"),
    (A, B, "The values for attribute 'layout' do not match: torch.sparse_coo != torch.sparse_csr."),
    (A, A.to_dense(), "The values for attribute 'layout' do not match: torch.sparse_coo != torch.strided."),
    (A, torch.sparse_coo_tensor([[0, 1], [0, 1]], [1.0, 1.0], (3, 3)),
     "The number of specified values in sparse COO tensors does not match: 3 != 2"),
    (B, torch.eye(3).flip(0).to_sparse_csr(), "Sparse CSR col_indices are not equal!\n\n"
     "Mismatched elements: 2 / 3 (66.7%)\nGreatest absolute difference: 2 at index (0,)\n"
     "Greatest relative difference: inf at index (2,)"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "text"), DIFFERENT)
def test_different_ones(one, other, text):
    with pytest.raises(AssertionError) as raised:
        torch.testing.assert_close(one, other)
    assert str(raised.value) == text
