"""SciPy's matrices and ours: over the same values, both ways; torch.sparse.spsolve, which is SciPy's."""

import pytest
import torch

scipy_sparse = pytest.importorskip("scipy.sparse")


def matrix():
    return scipy_sparse.random(20, 30, density=0.2, format="csr", random_state=3)


def test_of_scipy():
    m = matrix()
    x = torch.sparse_csr_tensor(*map(torch.from_numpy, (m.indptr, m.indices, m.data)), m.shape)
    assert x.values().data_ptr() == m.data.ctypes.data and x.crow_indices().dtype == torch.int32
    assert (x.to_dense().numpy() == m.toarray()).all()
    c = m.tocsc()
    x = torch.sparse_csc_tensor(*map(torch.from_numpy, (c.indptr, c.indices, c.data)), c.shape)
    assert (x.to_dense().numpy() == m.toarray()).all()
    b = m.tobsr((4, 5))
    x = torch.sparse_bsr_tensor(*map(torch.from_numpy, (b.indptr, b.indices, b.data)), b.shape)
    assert (x.to_dense().numpy() == m.toarray()).all()
    o = m.tocoo()
    x = torch.sparse_coo_tensor((o.row, o.col), torch.from_numpy(o.data), o.shape)
    assert (x.to_dense().numpy() == m.toarray()).all()


def test_for_scipy():
    x = torch.randn(5, 7).relu().to_sparse_csr()
    m = scipy_sparse.csr_matrix((x.values(), x.col_indices(), x.crow_indices()), x.shape)
    assert (m.toarray() == x.to_dense().numpy()).all() and m.data.ctypes.data == x.values().data_ptr()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex128])
@pytest.mark.parametrize("layout", [torch.sparse_csr, torch.sparse_csc, torch.sparse_coo])
@pytest.mark.parametrize("left", [True, False])
def test_spsolve(dtype, layout, left):
    torch.manual_seed(1)
    dense = torch.eye(6, dtype=dtype) * 4 + torch.randn(6, 6, dtype=dtype).tril()
    right = torch.randn(6, 6, dtype=dtype)
    x = torch.sparse.spsolve(dense.to_sparse(layout=layout), right, left=left)
    torch.testing.assert_close(dense @ x if left else x @ dense, right)
    vector = torch.sparse.spsolve(dense.to_sparse(layout=layout), right[0])
    torch.testing.assert_close(dense @ vector, right[0])


def test_spsolve_has_gradients():
    dense = (torch.eye(3, dtype=torch.float64) * 4 + torch.ones(3, 3, dtype=torch.float64).tril()).requires_grad_()
    right = torch.randn(3, dtype=torch.float64, requires_grad=True)
    torch.sparse.spsolve(dense.to_sparse_csr(), right).square().sum().backward()
    ours = dense.grad, right.grad
    dense.grad = right.grad = None
    torch.linalg.solve(dense, right).square().sum().backward()
    torch.testing.assert_close(ours[1], right.grad)
    torch.testing.assert_close(ours[0], dense.grad.tril())


def test_spsolve_refuses():
    eye = torch.eye(3).to_sparse_csr()
    with pytest.raises(torch.linalg.LinAlgError, match="no inverse"):
        torch.sparse.spsolve(torch.zeros(3, 3).to_sparse_csr(), torch.ones(3))
    with pytest.raises(RuntimeError, match="do not fit"):
        torch.sparse.spsolve(eye, torch.ones(4))
    with pytest.raises(RuntimeError, match="one of the dtypes"):
        torch.sparse.spsolve(eye, torch.ones(3, dtype=torch.float64))
    with pytest.raises(RuntimeError, match="sparse matrix by coordinates"):
        torch.sparse.spsolve(torch.eye(3), torch.ones(3))
    with pytest.raises(RuntimeError, match="one device, got cpu and meta"):
        torch.sparse.spsolve(eye, torch.ones(3, device="meta"))
