"""Every name of torch.sparse and of sparse tensors, what the small ones do, and what other libraries get of such tensors."""

import pathlib
import subprocess
import sys

import numpy
import pytest
import torch

I = torch.tensor([[0, 1], [2, 0]])  # noqa: E741


def coo():
    return torch.sparse_coo_tensor(I, torch.tensor([1.0, 2.0]), (2, 3), is_coalesced=True)


OF_SPARSE = """addmm as_sparse_gradcheck check_sparse_tensor_invariants log_softmax mm sampled_addmm softmax spdiags spsolve sum
    BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor
    SparseSemiStructuredTensor SparseSemiStructuredTensorCUSPARSELT SparseSemiStructuredTensorCUTLASS
    to_sparse_semi_structured"""
OF_TORCH = """sparse_coo_tensor sparse_compressed_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor
    ccol_indices_copy col_indices_copy crow_indices_copy indices_copy row_indices_copy values_copy dsmm hsmm hspmm native_norm
    resize_as_sparse_ saddmm smm spmm sspaddmm"""
OF_TENSORS = """_dimI _dimV _indices _nnz _values ccol_indices coalesce col_indices crow_indices dense_dim indices is_coalesced
    narrow_copy resize_as_sparse_ row_indices smm sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ sspaddmm
    to_dense to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr values"""


@pytest.mark.parametrize(
    ("place", "names"), [(torch.sparse, OF_SPARSE), (torch, OF_TORCH), (torch.Tensor, OF_TENSORS)], ids=str
)
def test_names_are_there(place, names):
    for name in names.split():
        assert getattr(place, name).__doc__, name
        assert name in dir(place), name


def test_types_have_methods_of_tensors():
    for name in (
        "_indices _nnz _values add add_ clone coalesce dim div get_device is_coalesced mm mul size sub t_ zero_".split()
    ):
        assert getattr(torch.sparse.FloatTensor, name) is getattr(torch.Tensor, name)


@pytest.mark.parametrize("name", ["to_sparse_semi_structured", "SparseSemiStructuredTensor"])
def test_two_zeros_among_four_are_for_gpus(name):
    with pytest.raises(NotImplementedError, match=f"{name}: .* tensor cores of GPUs"):
        getattr(torch.sparse, name)(torch.ones(32, 32))
    with pytest.raises(AttributeError):
        torch.sparse.no_such_name  # noqa: B018


def test_torch_comes_without():
    program = f"""
import sys; sys.path.insert(0, {str(pathlib.Path(torch.__file__).parents[1])!r})
import torch; repr(torch.ones(2)); torch.zeros(2, layout=torch.strided); isinstance(torch.ones(2), torch.FloatTensor)
print([name for name in sys.modules if name.startswith("torch.sparse")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


# ---- the small ones ----------------------------------------------------------------------------------------
def test_copies_of_members():
    rows, columns = coo().to_sparse_csr(), coo().to_sparse_csc()
    for x, names in (
        (coo(), "indices values"),
        (rows, "crow_indices col_indices values"),
        (columns, "ccol_indices row_indices"),
    ):
        for name in names.split():
            member = getattr(x, name)()
            copy = getattr(torch, f"{name}_copy")(x)
            assert torch.equal(copy, member) and copy.data_ptr() != member.data_ptr()
            out = torch.empty(0, dtype=member.dtype)
            assert getattr(torch, f"{name}_copy")(x, out=out) is out and torch.equal(out, member)
    with pytest.raises(RuntimeError, match="out tensor to have dtype torch.float32, but got torch.int64"):
        torch.values_copy(rows, out=torch.empty(0, dtype=torch.int64))


def test_products_by_their_old_names():
    x, y = coo(), torch.arange(6.0).reshape(3, 2)
    dense = x.to_dense() @ y
    for product in (torch.spmm, torch.dsmm, torch.smm, torch.hspmm, torch.hsmm):
        assert torch.equal(product(x, y).to_dense(), dense), product
    assert torch.hsmm(x, y).sparse_dim() == 1
    z = torch.ones(2, 2)
    assert torch.equal(torch.saddmm(z.to_sparse(), x, y, beta=2, alpha=3).to_dense(), 2 * z + 3 * dense)


def test_numbers_of_dimensions():
    x = torch.sparse_coo_tensor(I, torch.ones(2, 5), (2, 3, 5))
    assert (x._dimI(), x._dimV()) == (2, 1)
    for other in (torch.ones(2), coo().to_sparse_csr()):
        with pytest.raises(NotImplementedError, match="aten::_dimI"):
            other._dimI()


def test_other_sizes():
    x = coo()
    assert x.sparse_resize_((4, 3), 2, 0) is x and x.shape == (4, 3) and x.is_coalesced()
    assert x.to_dense().tolist() == [[0, 0, 1], [2, 0, 0], [0, 0, 0], [0, 0, 0]]
    for size, sparse, dense, says in (
        ((1, 3), 2, 0, "shrinking the size of sparse dimensions"),
        ((4, 3, 1), 3, 0, "changing the number of sparse dimensions"),
        ((4, 3, 1), 2, 1, "changing the number of dense dimensions"),
        ((4, 3), 2, 1, "len\\(size\\) == sparse_dim"),
    ):
        with pytest.raises(RuntimeError, match=says):
            x.sparse_resize_(size, sparse, dense)
        assert x.shape == (4, 3) and x._nnz() == 2
    assert x.sparse_resize_and_clear_((2, 5), 1, 1) is x
    assert (x.shape, x.sparse_dim(), x.dense_dim(), x._nnz()) == ((2, 5), 1, 1, 0)
    x.sparse_resize_((3,), 1, 0)
    hybrid = torch.sparse_coo_tensor([[1]], torch.tensor([[1.0, 2.0]]), (2, 2))
    assert hybrid.sparse_resize_((2, 3), 1, 1).to_dense().tolist() == [[0, 0, 0], [1, 2, 0]]
    assert coo().resize_as_sparse_(torch.eye(4).to_sparse()).shape == (4, 4)
    with pytest.raises(NotImplementedError, match="sparse_resize_.*torch.strided"):
        torch.ones(2).sparse_resize_((2,), 1, 0)


def test_diagonals():
    rows = torch.arange(1.0, 7).reshape(2, 3)
    x = torch.sparse.spdiags(rows, torch.tensor([0, -1]), (3, 3))
    assert not x.is_coalesced() and x.to_dense().tolist() == [[1, 0, 0], [4, 2, 0], [0, 5, 3]]
    for layout in (torch.sparse_csr, torch.sparse_csc):
        by = torch.sparse.spdiags(rows, torch.tensor([0, -1]), (3, 3), layout=layout)
        assert by.layout == layout and torch.equal(by.to_dense(), x.to_dense())
    assert torch.sparse.spdiags(rows[0], torch.tensor(1), (2, 2)).to_dense().tolist() == [[0, 2], [0, 0]]
    assert torch.sparse.spdiags(rows, torch.tensor([0, 9]), (2, 3))._nnz() == 2
    leaf = rows.clone().requires_grad_()
    torch.sparse.spdiags(leaf, torch.tensor([0, 1]), (3, 3)).to_dense().sum().backward()
    assert leaf.grad.tolist() == [[1, 1, 1], [0, 1, 1]]


@pytest.mark.parametrize(
    ("diagonals", "offsets", "shape", "layout", "says"),
    [
        ((2, 3), [0, 0], (3, 3), None, "Offset tensor contains duplicate values"),
        ((2, 3), [0], (3, 3), None, r"Number of diagonals \(2\) does not match the number of offsets \(1\)"),
        ((2, 3), [0.0, 1.0], (3, 3), None, "Offset Tensor must have dtype Long but got Float"),
        ((2, 3), [[0, 1]], (3, 3), None, "Offsets must be scalar or vector"),
        ((1, 2, 3), [0, 1], (3, 3), None, "Diagonals must be vector or matrix"),
        ((2, 3), [0, 1], (3, 3, 3), None, "Output shape must be 2d"),
        ((2, 3), [0, 1], (3, 3), torch.sparse_bsr, r"Only output layouts \(Sparse, SparseCsc, SparseCsr\)"),
    ],
)
def test_diagonals_that_are_refused(diagonals, offsets, shape, layout, says):
    with pytest.raises(RuntimeError, match=says):
        torch.sparse.spdiags(torch.ones(diagonals), torch.tensor(offsets), shape, layout=layout)


@pytest.mark.parametrize("masked", [True, False])
def test_gradcheck_of_values(masked):
    check = torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)
    assert check.__name__ == "gradcheck"
    for x in (coo().double(), coo().double().to_sparse_csr(), torch.eye(4).double().to_sparse_bsr((2, 2))):
        x.requires_grad_()
        assert check(lambda x, y: x.to_dense(masked_grad=masked) * y, (x, torch.tensor(2.0).double()), masked=masked)
    with pytest.raises(RuntimeError):
        check(lambda x: x.detach().to_dense() * x.to_dense(masked_grad=masked), x, masked=masked)


# ---- other libraries ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("x", [coo(), coo().to_sparse_csr()], ids=["coo", "csr"])
def test_what_has_no_memory_of_its_own(x):
    for array in (x.numpy, lambda: numpy.asarray(x), lambda: x.__array__()):
        with pytest.raises(TypeError, match="can't convert Sparse layout tensor to numpy"):
            array()
    for export in (x.__dlpack__, lambda: torch.utils.dlpack.to_dlpack(x)):
        with pytest.raises(BufferError, match="layout other than torch.strided, got torch.sparse_c"):
            export()
    for storage in (x.storage, x.untyped_storage, x.share_memory_):
        with pytest.raises(NotImplementedError, match="Cannot access storage"):
            storage()
    for memory in (x.data_ptr, x.tolist):
        with pytest.raises(RuntimeError, match="Cannot access data pointer"):
            memory()


def test_numbers():
    twice = torch.sparse_coo_tensor([[0, 0]], [1.5, 2.0], (1,))
    assert twice.item() == float(twice) == 3.5 and bool(twice)
    with pytest.raises(RuntimeError):
        coo().item()


def test_members_are_arrays():
    x = coo().to_sparse_csr()
    x.values().numpy()[0] = 7
    assert x.to_dense()[0, 2] == 7


def test_spsolve_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(NotImplementedError, match="SciPy, which is not installed"):
        torch.sparse.spsolve(torch.eye(3).to_sparse_csr(), torch.ones(3))


@pytest.mark.parametrize(
    ("reduce", "answer"),
    [
        ("sum", [[-11, -12], [0, 0], [4, 8]]),
        ("mean", [[-5.5, -6], [0, 0], [4, 8]]),
        ("amax", [[-2, 0], [0, 0], [4, 8]]),
        ("amin", [[-9, -12], [0, 0], [4, 8]]),
    ],
)
def test_reduced_products(reduce, answer):
    x = torch.sparse_csr_tensor([0, 2, 2, 3], [0, 2, 1], [2.0, -3.0, 4.0], (3, 3), dtype=torch.float64)
    y = torch.arange(6.0, dtype=torch.float64).reshape(3, 2) - 1
    for matrix in (x, x.to_sparse_coo(), x.to_sparse_csc()):
        assert torch.sparse.mm(matrix, y, reduce).tolist() == answer
    check = torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)
    x, y = x.requires_grad_(), y.requires_grad_()
    assert check(lambda x, y: torch.sparse.mm(x, y, reduce=reduce), (x, y), masked=True)


def test_reduced_products_that_are_refused():
    x, y = torch.eye(3).to_sparse_csr(), torch.ones(3, 2)
    for arguments, says in (
        ((x, y, "prod"), "reduce type of prod has not been enabled"),
        ((y, y, "sum"), "takes a sparse and a strided matrix"),
        ((x, torch.ones(2, 2), "mean"), "cannot be multiplied"),
    ):
        with pytest.raises(RuntimeError, match=says):
            torch.sparse.mm(*arguments)


def test_compressed_tensors_take_places():
    x = coo().to_sparse_csr()
    same = torch.sparse_csr_tensor([0, 2, 2], [0, 1], torch.ones(2), (2, 3))
    assert x.resize_as_sparse_(same) is x and x.col_indices().tolist() == [2, 0]
    x.resize_as_sparse_(torch.eye(3).to_sparse_csr())
    assert x.to_dense().tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 0]] and x._nnz() == 3
