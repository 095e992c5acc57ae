"""Sparse tensors: by coordinates (torch.sparse_coo), by compressed rows and columns (torch.sparse_csr, torch.sparse_csc) and by
those of blocks (torch.sparse_bsr, torch.sparse_bsc). Most operators take them as they take strided tensors; here are those that
do not, or whose gradients of sparse tensors are sparse."""

import torch
from torch._absent import rest_of
from torch.sparse import _reduce
from torch.sparse._construct import check_sparse_tensor_invariants
from torch.sparse._diagonals import spdiags
from torch.sparse._gradcheck import as_sparse_gradcheck
from torch.sparse._operators import log_softmax, sampled_addmm, softmax
from torch.sparse._solve import spsolve
from torch.sparse._types import TYPES as _TYPES

__all__ = [
    "addmm",
    "as_sparse_gradcheck",
    "check_sparse_tensor_invariants",
    "log_softmax",
    "mm",
    "sampled_addmm",
    "softmax",
    "spdiags",
    "spsolve",
    "sum",
]
globals().update(_TYPES)


def mm(mat1, mat2, reduce=None):
    """The product of two matrices of which one is sparse. The gradient of a sparse one has its places alone. `reduce`: what is
    done with the products of an element of the result, "sum", "mean", "amax" or "amin", of those that entries of mat1 have."""
    return torch.mm(mat1, mat2) if reduce is None else _reduce.mm(mat1, mat2, reduce)


def addmm(mat, mat1, mat2, *, beta=1, alpha=1):
    """beta * mat + alpha * (mat1 @ mat2), with mat1 sparse."""
    return torch.addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


def sum(input, dim=None, dtype=None):
    """The sum over all dimensions, or over `dim`, of a sparse tensor. It is sparse where a sparse dimension stays."""
    return torch.sum(input, dtype=dtype) if dim is None else torch.sum(input, dim, dtype=dtype)


__getattr__, __dir__ = rest_of(__name__)
