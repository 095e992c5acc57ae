"""Linear algebra. Every function takes matrices in the last two dimensions, and batches of them before.

Of PyTorch's names only `common_notes` is missing: fragments of its documentation.
"""

from torch._C import _functions
from torch._C import _LinAlgError as LinAlgError  # noqa: F401

_NAMES = """
cholesky cholesky_ex cond det eig eigh eigvals eigvalsh householder_product inv inv_ex ldl_factor ldl_factor_ex
ldl_solve lstsq lu lu_factor lu_factor_ex lu_solve matrix_exp matrix_norm matrix_power matrix_rank multi_dot norm
pinv qr slogdet solve solve_ex solve_triangular svd svdvals tensorinv tensorsolve vander vecdot vector_norm
""".split()
globals().update({_name: getattr(_functions, f"linalg_{_name}") for _name in _NAMES})

matmul = _functions.matmul


def cross(input, other, *, dim=-1, out=None):
    """The cross product of vectors of three elements, along a dimension; batches broadcast."""
    return _functions.cross(input, other, dim=dim, out=out)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of the matrices in two dimensions, the last two unless others are named."""
    return _functions.diagonal(A, offset, dim1, dim2)
