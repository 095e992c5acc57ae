"""Operators that are of sparse tensors alone."""

import torch


def softmax(input, dim, *, dtype=None):
    """softmax over a dimension of a sparse tensor, of the elements that are there: others count as minus infinity, and stay
    absent. The result has the same places, coalesced. `dtype` is what the tensor is converted to first."""
    return torch._sparse_softmax(input, dim, dtype)


def log_softmax(input, dim, *, dtype=None):
    """The logarithm of `torch.sparse.softmax`, computed in one go."""
    return torch._sparse_log_softmax(input, dim, dtype)


def sampled_addmm(input, mat1, mat2, *, beta=1.0, alpha=1.0, out=None):
    """beta * input + alpha * (mat1 @ mat2) at the places of the sparse matrix `input`, or of a batch of such; the rest of the
    product is not computed."""
    made = torch.sparse_sampled_addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return made if out is None else out.copy_(made)
