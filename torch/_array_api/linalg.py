"""The standard's extension `linalg`."""

import collections

import torch
from torch._array_api._manipulation import matrix_transpose
from torch._array_api._promotion import promoted, result_type
from torch._array_api._statistics import _sum_dtype

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

EigResult = collections.namedtuple("EigResult", "eigenvalues eigenvectors")
EighResult = collections.namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = collections.namedtuple("QRResult", "Q R")
SlogdetResult = collections.namedtuple("SlogdetResult", "sign logabsdet")
SVDResult = collections.namedtuple("SVDResult", "U S Vh")


def cholesky(x, /, *, upper=False):
    """L with L Lᴴ = x, or with `upper` U with Uᴴ U = x."""
    return torch.linalg.cholesky(x, upper=upper)


def cross(x1, x2, /, *, axis=-1):
    """The cross products of vectors of 3 elements along `axis`."""
    for name, x in (("x1", x1), ("x2", x2)):
        if x.shape[axis] != 3:
            raise ValueError(f"cross(): {name} has size {x.shape[axis]} along axis {axis}, not 3")
    x1, x2 = torch.broadcast_tensors(*promoted(x1, x2))
    return torch.linalg.cross(x1, x2, dim=axis)


def det(x, /):
    """The determinants of matrices."""
    return torch.linalg.det(x)


def diagonal(x, /, *, offset=0):
    """A diagonal of each matrix."""
    return torch.diagonal(x, offset, -2, -1)


def eig(x, /):
    """Eigenvalues and eigenvectors."""
    return EigResult(*torch.linalg.eig(x))


def eigh(x, /):
    """Eigenvalues, in ascending order, and eigenvectors of Hermitian matrices."""
    return EighResult(*torch.linalg.eigh(x))


def eigvals(x, /):
    """Eigenvalues."""
    return torch.linalg.eigvals(x)


def eigvalsh(x, /):
    """Eigenvalues of Hermitian matrices, in ascending order."""
    return torch.linalg.eigvalsh(x)


def inv(x, /):
    """The inverses of matrices."""
    return torch.linalg.inv(x)


def matmul(x1, x2, /):
    """Products of matrices."""
    dtype = result_type(x1, x2)
    return torch.matmul(x1.to(dtype), x2.to(dtype))


def matrix_norm(x, /, *, keepdims=False, ord="fro"):  # noqa: A002 - the standard's name
    """Norms of matrices."""
    return torch.linalg.matrix_norm(x, ord, keepdim=keepdims)


def matrix_power(x, n, /):
    """Powers of square matrices."""
    return torch.linalg.matrix_power(x, n)


def matrix_rank(x, /, *, rtol=None):
    """How many singular values are above the greatest one's `rtol`-th part."""
    return torch.linalg.matrix_rank(x, rtol=rtol)


def outer(x1, x2, /):
    """The products of each element with each other one."""
    return torch.outer(*promoted(x1, x2))


def pinv(x, /, *, rtol=None):
    """Pseudoinverses."""
    return torch.linalg.pinv(x, rtol=rtol)


def qr(x, /, *, mode="reduced"):
    """Q with orthonormal columns and R, upper triangular, with Q R = x."""
    return QRResult(*torch.linalg.qr(x, mode))


def slogdet(x, /):
    """The sign and the logarithm of the absolute value of the determinant."""
    return SlogdetResult(*torch.linalg.slogdet(x))


def solve(x1, x2, /):
    """X with x1 X = x2; x2 is a vector where it has one dimension, else matrices."""
    x1, x2 = promoted(x1, x2)
    if x2.dim() == 1:
        return torch.linalg.solve(x1, x2[:, None])[..., 0]
    batch = torch.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    return torch.linalg.solve(x1.expand(*batch, *x1.shape[-2:]), x2.expand(*batch, *x2.shape[-2:]))


def svd(x, /, *, full_matrices=True):
    """The singular value decomposition."""
    return SVDResult(*torch.linalg.svd(x, full_matrices))


def svdvals(x, /):
    """Singular values, in descending order."""
    return torch.linalg.svdvals(x)


def tensordot(x1, x2, /, *, axes=2):
    """Sums of products over the last `axes` dimensions of x1 and the first ones of x2, or over those that are named."""
    dtype = result_type(x1, x2)
    return torch.tensordot(x1.to(dtype), x2.to(dtype), axes)


def trace(x, /, *, offset=0, dtype=None):
    """The sums of a diagonal of each matrix."""
    return torch.sum(diagonal(x, offset=offset), -1, dtype=_sum_dtype(x, dtype))


def vecdot(x1, x2, /, *, axis=-1):
    """Sums of products along `axis`, those of x1 conjugated."""
    dtype = result_type(x1, x2)
    x1, x2 = torch.broadcast_tensors(x1.to(dtype), x2.to(dtype))
    if axis >= 0 and x1.dim() > 1:
        raise ValueError(f"vecdot(): axis counts from the end, -1 being the last, but is {axis}")
    return torch.sum(torch.conj(x1) * x2, axis, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):  # noqa: A002 - the standard's name
    """Norms of vectors along some dimensions, by default of all elements."""
    return torch.linalg.vector_norm(x, ord, axis, keepdims)
