"""Linear algebra. Every function takes matrices in the last two dimensions, and batches of them before.

Of PyTorch's names only `common_notes` is missing: fragments of its documentation.
"""

from torch._C import _LinAlgError as LinAlgError  # noqa: F401
from torch._C import _VariableFunctions
from torch._namespaces import functions_of as _functions_of

globals().update(_functions_of("linalg"))


def cross(input, other, *, dim=-1, out=None):
    """The cross product of vectors of three elements, along a dimension; batches broadcast."""
    return _VariableFunctions.cross(input, other, dim=dim, out=out)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of the matrices in two dimensions, the last two unless others are named."""
    return _VariableFunctions.diagonal(A, offset, dim1, dim2)
