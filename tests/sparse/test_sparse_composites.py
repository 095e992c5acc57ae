"""Operators that are made of others, of sparse tensors: as of dense ones, with gradients."""

import pytest
import torch

A = torch.tensor([[0.5, 0, -1.5, 0], [0, 2.0, 0, 0.25]], dtype=torch.float64)
B = torch.tensor([[0, 3.0, 1.5, 0], [-1.0, 2.0, 0, 0]], dtype=torch.float64)
D = torch.linspace(-1, 2, 8, dtype=torch.float64).reshape(2, 4)
PLACES = {"coo": lambda t: t.to_sparse(), "csr": lambda t: t.to_sparse_csr(), "bsr": lambda t: t.to_sparse_bsr((2, 2))}
CALLS = {
    "diff": lambda x, y: torch.diff(x),
    "diff along rows": lambda x, y: x.diff(dim=0),
    "diff with more": lambda x, y: torch.diff(x, n=2, prepend=y, append=x),
    "roll": lambda x, y: x.roll(3),
    "roll of one": lambda x, y: x.roll((1, -1), (0, 1)),
    "inner": lambda x, y: torch.inner(x, y),
    "tensordot": lambda x, y: torch.tensordot(x, y, ([1], [1])),
    "tensordot of all": lambda x, y: torch.tensordot(x, y, 2),
    "tensordot with a strided one": lambda x, y: torch.tensordot(x, D, ([0, 1], [0, 1])),
    "lerp": lambda x, y: torch.lerp(x, y, D),
    "lerp by a number": lambda x, y: torch.lerp(x, y, 0.25),
    "vdot": lambda x, y: torch.vdot(x[0], y[1]),
    "inner of rows": lambda x, y: torch.inner(x[0], y[1]),
    "float_power": lambda x, y: torch.float_power(x, 3) + y,
    "multi_dot": lambda x, y: torch.linalg.multi_dot([x, D.t(), y, x.t()]),
    "two layouts": lambda x, y: x * (y if y.layout == torch.strided else y.to_sparse()),
}


@pytest.mark.parametrize("layout", PLACES)
@pytest.mark.parametrize("name", CALLS)
def test_as_of_dense_tensors(name, layout):
    found = []
    for make in (PLACES[layout], torch.clone):
        x, y = make(A).requires_grad_(), make(B).requires_grad_()
        result = CALLS[name](x, y)
        dense = result.to_dense()
        weight = torch.linspace(1, 2, dense.numel(), dtype=torch.float64).reshape(dense.shape)
        (dense * weight).sum().backward()
        found.append((dense.detach(), x.grad.to_dense() * (A != 0)))
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("shape", [(2, 0), (0, 2), (2, 3, 0)])
@pytest.mark.parametrize("sparse_dim", [1, 2])
def test_reductions_of_nothing_are_what_they_are_of_dense_tensors(shape, sparse_dim):
    dense = torch.zeros(shape)
    sparse = dense.to_sparse(sparse_dim)
    for name in ("prod", "sum", "mean"):
        for dim in range(len(shape)):
            for keepdim in (False, True):
                expected = getattr(dense, name)(dim, keepdim)
                torch.testing.assert_close(getattr(sparse, name)(dim, keepdim).to_dense(), expected, equal_nan=True)
        torch.testing.assert_close(getattr(sparse, name)().to_dense(), getattr(dense, name)(), equal_nan=True)


def test_cat_looks_at_all_shapes_before_it_joins():
    hybrid = torch.ones(2, 3, 2).to_sparse(1)
    for other in (torch.ones(2, 3).to_sparse(1), torch.ones(2).to_sparse(), torch.ones(2, 4, 2).to_sparse(1)):
        with pytest.raises(RuntimeError, match="must have the same shape"):
            torch.cat([hybrid, other], 2)
    joined = torch.cat([hybrid, torch.zeros(2, 3, 1).to_sparse(1), hybrid], 2)
    torch.testing.assert_close(joined.to_dense(), torch.tensor([1.0, 1, 0, 1, 1]).expand(2, 3, 5))


def test_complex_numbers_as_pairs():
    x = torch.complex(A, B).to_sparse()
    pairs = torch.view_as_real(x)
    assert (pairs.layout, pairs.shape, pairs.dense_dim()) == (torch.sparse_coo, (2, 4, 2), 1)
    torch.testing.assert_close(pairs.to_dense(), torch.view_as_real(x.to_dense()))
    torch.testing.assert_close(torch.view_as_complex(pairs).to_dense(), x.to_dense())


def test_float_power_dropout_and_tables():
    x = A.to_sparse().requires_grad_()
    made = torch.float_power(x, 2)
    assert made.dtype == torch.float64
    torch.testing.assert_close(made.detach().to_dense(), A**2)
    made.to_dense().sum().backward()
    torch.testing.assert_close(x.grad.to_dense(), 2 * A)
    assert torch.float_power(A.float().to_sparse_csr(), 3).dtype == torch.float64
    torch.testing.assert_close(torch.nn.functional.dropout(x, 0.0).detach().to_dense(), A)
    torch.testing.assert_close(torch.nn.functional.dropout(x, 0.5, training=False).detach().to_dense(), A)
    torch.manual_seed(0)
    many = torch.nn.functional.dropout(torch.ones(100, 10).to_sparse_csr(), 0.5)
    assert many.layout == torch.sparse_csr
    assert set(many.values().tolist()) == {0.0, 2.0}
    indices = torch.tensor([[1, 0], [1, 1]])
    torch.testing.assert_close(torch.nn.functional.embedding(indices, A.to_sparse()).to_dense(), A[indices])
    with pytest.raises(NotImplementedError, match="padding_idx"):
        torch.nn.functional.embedding(indices, A.to_sparse(), padding_idx=0)


def test_products_of_several_matrices():
    first, last = A.to_sparse().requires_grad_(), B.t().to_sparse_csr().requires_grad_()
    middle = torch.linspace(-2, 2, 8, dtype=torch.float64).reshape(4, 2).requires_grad_()
    for chain in (torch.linalg.multi_dot, lambda matrices: torch.chain_matmul(*matrices)):
        given = [first, middle, first.detach(), last]
        expected = A @ middle.detach() @ A @ B.t()
        result = chain(given)
        torch.testing.assert_close(result.detach().to_dense(), expected)
    result.to_dense().sum().backward()
    ones = torch.ones(2, 2, dtype=torch.float64)
    torch.testing.assert_close(middle.grad, A.t() @ ones @ (A @ B.t()).t())


def test_like_a_compressed_tensor_with_places():
    for make in (PLACES["csr"], PLACES["bsr"], lambda t: t.to_sparse_csc()):
        x = make(A)
        for found in (torch.empty_like(x), torch.empty_like(x, layout=x.layout, dtype=torch.float32)):
            assert found._nnz() == x._nnz()
            assert found.layout == x.layout
            torch._validate_sparse_tensor(found)
        assert found.dtype == torch.float32
    assert torch.empty_like(A.to_sparse())._nnz() == 0


def test_assert_close_compares_places_and_values():
    for make in (*PLACES.values(), lambda t: t.to_sparse_csc()):
        torch.testing.assert_close(make(A), make(A * (1 + 1e-9)))
        with pytest.raises(AssertionError, match="values are not close"):
            torch.testing.assert_close(make(A), make(A * 1.5))
        with pytest.raises(AssertionError, match="number of specified values"):
            torch.testing.assert_close(make(A), make(torch.zeros_like(A)))
        with pytest.raises(AssertionError, match="layout"):
            torch.testing.assert_close(make(A), A)
        torch.testing.assert_close(make(A), A, check_layout=False)
    with pytest.raises(AssertionError, match="COO indices are not equal"):
        torch.testing.assert_close(A.to_sparse(), A.flip(0).to_sparse())
