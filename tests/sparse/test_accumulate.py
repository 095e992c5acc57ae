"""Sparse tensors added to strided ones in place: by entries, with nothing made of the strided one's size."""

import pytest
import torch


def sparse(dtype, coalesced, dense_dim=0):
    places = torch.tensor([[0, 2, 2, 1], [1, 3, 3, 0]])
    values = torch.tensor([1, 2, 3, 4]).to(dtype)
    if dense_dim:
        values = torch.stack([values, -values], 1)
    made = torch.sparse_coo_tensor(places, values, (3, 4, *values.shape[1:]))
    return made.coalesce() if coalesced else made


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.complex64])
@pytest.mark.parametrize("coalesced", [True, False])
@pytest.mark.parametrize("dense_dim", [0, 1])
@pytest.mark.parametrize("transposed", [True, False])
def test_sums_in_place(dtype, coalesced, dense_dim, transposed):
    other = sparse(dtype, coalesced, dense_dim)
    for name, alpha in (("add_", 1), ("add_", 3), ("sub_", 2)):
        start = torch.arange(12 * (1 + dense_dim)).view(other.shape).to(dtype)
        if transposed:
            start = start.transpose(0, 1).contiguous().transpose(0, 1)
        expected = getattr(start.clone(), name)(other.to_dense(), alpha=alpha)
        version = start._version
        assert getattr(start, name)(other, alpha=alpha) is start
        assert torch.equal(start, expected) and start._version > version


def test_what_is_added_by_another_road():
    start = torch.zeros(2, 3, 4)
    start.add_(sparse(torch.float32, False))  # broadcast
    assert torch.equal(start, sparse(torch.float32, False).to_dense().expand(2, 3, 4))
    start = torch.zeros(3, 4, dtype=torch.float64)
    start.add_(sparse(torch.int64, False), alpha=0.5)  # of another dtype
    assert torch.equal(start, sparse(torch.float64, False).to_dense() / 2)
    compressed = torch.zeros(3, 4).add_(sparse(torch.float32, True).to_sparse_csr())
    assert torch.equal(compressed, sparse(torch.float32, True).to_dense())
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.zeros(3, 4, dtype=torch.int64).add_(sparse(torch.float32, True))


def test_bad_indices_change_nothing():
    wrong = torch.sparse_coo_tensor([[0, 9]], torch.ones(2, 2), (3, 2), check_invariants=False)
    start = torch.zeros(3, 2)
    with pytest.raises(RuntimeError, match="found index 9"):
        start.add_(wrong)
    assert not start.any()


def test_recorded_sums():
    a = sparse(torch.float64, True).requires_grad_()
    start = torch.ones(3, 4, dtype=torch.float64, requires_grad=True)
    total = (start * 2).add_(a, alpha=3)
    total.sum().backward()
    assert torch.equal(start.grad, torch.full((3, 4), 2.0).double())
    assert torch.equal(a.grad.to_dense(), 3 * (a.detach().to_dense() != 0))
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        start.add_(a)
