"""torch.sparse.spsolve: by SuperLU, which is SciPy's, on the host; what is on a GPU is brought there and back."""

import torch

_DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)


def _factors(matrix):
    try:
        from scipy.sparse import csc_matrix
        from scipy.sparse.linalg import splu
    except ImportError:
        raise NotImplementedError(
            "torch.sparse.spsolve solves by SuperLU of SciPy, which is not installed; torch.linalg.solve takes to_dense()"
        ) from None
    columns = matrix.detach().cpu().to_sparse_csc()
    parts = columns.values().numpy(), columns.row_indices().numpy(), columns.ccol_indices().numpy()
    try:
        return splu(csc_matrix(parts, shape=tuple(matrix.shape)))
    except RuntimeError as error:
        raise torch.linalg.LinAlgError(f"spsolve: the matrix has no inverse: {error}") from None


def _solved(factors, right, **options):
    return torch.from_numpy(factors.solve(right.detach().cpu().contiguous().numpy(), **options)).to(right.device)


class _Solve(torch.autograd.Function):
    """x with matrix @ x = right. The gradient of a sparse matrix is known at its places."""

    @staticmethod
    def forward(ctx, matrix, right):
        ctx.factors = _factors(matrix)
        solution = _solved(ctx.factors, right)
        ctx.save_for_backward(matrix, solution)
        return solution

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        matrix, solution = ctx.saved_tensors
        of_right = _solved(ctx.factors, grad, trans="H")
        if not ctx.needs_input_grad[0]:
            return None, of_right
        left, across = (of_right, solution) if of_right.dim() == 2 else (of_right[:, None], solution[:, None])
        places = matrix.to_sparse_coo().coalesce()
        rows, columns = places.indices()
        values = -(left[rows] * across[columns].conj()).sum(1)
        of_matrix = torch.sparse_coo_tensor(places.indices(), values, matrix.shape, is_coalesced=True)
        return of_matrix.to_sparse(layout=matrix.layout), of_right


def spsolve(input, other, *, left=True):
    """The solution x of input @ x = other, or with `left` False of x @ input = other: `input` a square matrix, sparse COO, CSR
    or CSC, `other` a strided vector or matrix. NotImplementedError without SciPy, torch.linalg.LinAlgError for a matrix that
    has no inverse."""
    if input.layout not in (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc) or input.dim() != 2:
        raise RuntimeError(
            f"spsolve: input has to be a sparse matrix by coordinates, rows or columns, got layout {input.layout}, size "
            f"{list(input.shape)}"
        )
    if other.layout != torch.strided or other.dim() not in (1, 2):
        raise RuntimeError(
            f"spsolve: other has to be a strided vector or matrix, got layout {other.layout}, size {list(other.shape)}"
        )
    if input.dtype != other.dtype or input.dtype not in _DTYPES:
        raise RuntimeError(
            f"spsolve: input and other have to be of one of the dtypes that SuperLU has, {', '.join(map(str, _DTYPES))}, got "
            f"{input.dtype} and {other.dtype}"
        )
    if input.device != other.device:
        raise RuntimeError(f"spsolve: input and other have to be on one device, got {input.device} and {other.device}")
    side = 0 if left else -1
    if input.size(0) != input.size(1) or other.size(side) != input.size(0):
        raise RuntimeError(
            f"spsolve: sizes {list(input.shape)} and {list(other.shape)} do not fit: input has to be square, and other as long "
            f"in dimension {side}"
        )
    if left:
        return _Solve.apply(input, other)
    # The transposed system; a vector is its own.
    turned = spsolve(input.t().to_sparse_csr(), other.t())
    return turned.t()
