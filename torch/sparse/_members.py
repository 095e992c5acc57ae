"""Copies of the members of sparse tensors and their memory, older names of products, and sizes that change."""

import torch
from torch.sparse import _pickling
from torch.sparse._construct import NAMES, NUMBERS


def _copy_of(member):
    def copy(input, *, out=None):
        found = getattr(input, member)()
        if out is None:
            return found.clone()
        if out.dtype != found.dtype:
            raise RuntimeError(f"Expected out tensor to have dtype {found.dtype}, but got {out.dtype} instead")
        return out.resize_(found.shape).copy_(found)

    copy.__name__ = copy.__qualname__ = f"{member}_copy"
    copy.__module__ = "torch"
    copy.__doc__ = f"""A copy of what `Tensor.{member}()` of a sparse tensor is."""
    return copy


indices_copy, _indices_copy = _copy_of("indices"), _copy_of("_indices")
values_copy, _values_copy = _copy_of("values"), _copy_of("_values")
crow_indices_copy, col_indices_copy = _copy_of("crow_indices"), _copy_of("col_indices")
ccol_indices_copy, row_indices_copy = _copy_of("ccol_indices"), _copy_of("row_indices")


# ---- memory: that of the members ---------------------------------------------------------------------------
def is_pinned(tensor):
    return all(member.is_pinned() for member in _pickling._members(tensor))


def pin_memory(tensor):
    members = [member.pin_memory() for member in _pickling._members(tensor)]
    return _pickling.unchecked(*_pickling.reduced(tensor, members))


def record_stream(tensor, stream):
    for member in _pickling._members(tensor):
        member.record_stream(stream)


# ---- products by the names of 2017 -------------------------------------------------------------------------
def spmm(input, mat2):
    """torch.mm, whose `input` is sparse."""
    return torch.mm(input, mat2)


def dsmm(input, mat2):
    """torch.mm."""
    return torch.mm(input, mat2)


def hsmm(mat1, mat2):
    """torch.hspmm: the product of a sparse matrix and a strided one, of which the rows are sparse."""
    return torch.hspmm(mat1, mat2)


def saddmm(input, mat1, mat2, *, beta=1, alpha=1):
    """torch.sspaddmm: beta * input + alpha * (mat1 @ mat2), with sparse `input` and `mat1`; sparse."""
    return torch.sspaddmm(input, mat1, mat2, beta=beta, alpha=alpha)


for _function in (spmm, dsmm, hsmm, saddmm):
    _function.__module__ = "torch"


# ---- sizes that change -------------------------------------------------------------------------------------
def _expect_coo(name, tensor):
    if tensor.layout != torch.sparse_coo:
        backend = "SparseCsrCPU" if tensor.layout in NAMES else "CPU"
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the '{backend}' backend: it is of sparse COO tensors alone, this "
            f"one's layout is {tensor.layout}"
        )


def _resizing(tensor, size, sparse_dim, dense_dim):
    size = tuple(int(n) for n in size)
    if sparse_dim + dense_dim != len(size):
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = {sparse_dim}, "
            f"dense_dim = {dense_dim}"
        )
    if min(size, default=0) < 0:
        raise RuntimeError(f"a size is negative: {list(size)}")
    return size


def _become(tensor, indices, values, size, coalesced):
    with torch.no_grad():
        tensor.copy_(torch._sparse_coo_tensor_unsafe(indices, values, size, coalesced))
    return tensor


def sparse_resize_and_clear_(tensor, size, sparse_dim, dense_dim):
    """Of another size, with other numbers of dimensions, and without entries."""
    _expect_coo("sparse_resize_and_clear_", tensor)
    size = _resizing(tensor, size, sparse_dim, dense_dim)
    indices = torch.empty(sparse_dim, 0, dtype=torch.int64, device=tensor.device)
    values = torch.empty(0, *size[sparse_dim:], dtype=tensor.dtype, device=tensor.device)
    return _become(tensor, indices, values, size, True)


def sparse_resize_(tensor, size, sparse_dim, dense_dim):
    """Of another size; what it has stays where it is. With entries, no size may shrink and no kind of dimensions change
    its number: RuntimeError."""
    _expect_coo("sparse_resize_", tensor)
    size = _resizing(tensor, size, sparse_dim, dense_dim)
    if not tensor._nnz():
        return sparse_resize_and_clear_(tensor, size, sparse_dim, dense_dim)
    before = tuple(tensor.shape)
    for name, count, own in (("sparse", sparse_dim, tensor.sparse_dim()), ("dense", dense_dim, tensor.dense_dim())):
        if count != own:
            raise RuntimeError(
                f"changing the number of {name} dimensions (from {own} to {count}) on a non-empty sparse tensor is not "
                "supported: sparse_resize_and_clear_ drops the entries first"
            )
    for name, old, new in (
        ("sparse", before[:sparse_dim], size[:sparse_dim]),
        ("dense", before[sparse_dim:], size[sparse_dim:]),
    ):
        if any(after < n for n, after in zip(old, new)):
            raise RuntimeError(
                f"shrinking the size of {name} dimensions (from {list(old)} to {list(new)}) on a non-empty sparse tensor is not "
                "supported: sparse_resize_and_clear_ drops the entries first"
            )
    values = tensor.detach()._values()
    if before[sparse_dim:] != size[sparse_dim:]:
        wider = values.new_zeros(values.size(0), *size[sparse_dim:])
        wider[tuple(slice(n) for n in values.shape)] = values
        values = wider
    return _become(tensor, tensor._indices(), values, size, tensor.is_coalesced())


def _with_pattern(tensor, template):
    """A compressed tensor becomes one with the places of another; its first values stay, more are 0."""
    if tensor.shape == template.shape and tensor._nnz() == template._nnz():
        return tensor
    *indices, other = _pickling._members(template)
    own = tensor.detach().values()
    values = own.new_zeros(other.shape)
    common = tuple(slice(min(n, m)) for n, m in zip(own.shape, other.shape))
    values[common] = own[common]
    with torch.no_grad():
        tensor.copy_(_pickling.unchecked(tensor.layout, (*indices, values, template.shape)))
    return tensor


def resize_as_sparse_(input, the_template):
    """Of the size of the sparse tensor `the_template`, with as many sparse and dense dimensions; see Tensor.sparse_resize_. Of a
    compressed layout and another size, or number of entries, with its places, too."""
    if input.layout in NUMBERS and the_template.layout == input.layout:
        return _with_pattern(input, the_template)
    _expect_coo("resize_as_sparse_", input)
    _expect_coo("resize_as_sparse_", the_template)
    dims = the_template.sparse_dim(), the_template.dense_dim()
    if input.shape == the_template.shape and (input.sparse_dim(), input.dense_dim()) == dims:
        return input
    return sparse_resize_(input, the_template.shape, *dims)


resize_as_sparse_.__module__ = "torch"
