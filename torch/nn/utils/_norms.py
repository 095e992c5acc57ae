"""What weight and spectral normalisation compute, in both of their forms."""

import torch
from torch.nn import functional as F


def norm_except_dim(weight, dim):
    """The norms of the slices along `dim`, in a shape that broadcasts; None or -1: of all."""
    return torch.norm_except_dim(weight, 2, -1 if dim is None else dim)


def weight_of(g, v, dim):
    """v, each slice with the norm g."""
    return torch._weight_norm(v, g, -1 if dim is None else dim)


def as_matrix(weight, dim):
    """The weight as a matrix whose rows are its slices along `dim`."""
    if dim != 0:
        weight = weight.permute(dim, *(d for d in range(weight.dim()) if d != dim))
    return weight.reshape(weight.size(0), -1)


def power_iterations(matrix, u, v, count, eps):
    """Brings u and v nearer to the first singular vectors, in place."""
    with torch.no_grad():
        for _ in range(count):
            u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=eps))
            v.copy_(F.normalize(torch.mv(matrix.mH, u), dim=0, eps=eps))


def spectral_dim(module):
    """The dimension of a weight's outputs: 1 for transposed convolutions."""
    return 1 if type(module).__name__.removeprefix("Parametrized").startswith("ConvTranspose") else 0
