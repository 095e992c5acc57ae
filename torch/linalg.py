"""Linear algebra. Every function takes matrices in the last two dimensions, and batches of them before.

Of PyTorch's names only `common_notes` is missing: fragments of its documentation.
"""

from torch._C import (
    _LinAlgError as LinAlgError,  # noqa: F401
    _VariableFunctions,
)
from torch._namespaces import functions_of as _functions_of

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch._linalg_functions import *  # noqa: F403 - generated

globals().update(_functions_of("linalg"))


def cross(input: "Tensor", other: "Tensor", *, dim: int = -1, out: "Tensor | None" = None) -> "Tensor":
    """The cross product of vectors of three elements, along a dimension; batches broadcast."""
    return _VariableFunctions.cross(input, other, dim=dim, out=out)


def diagonal(A: "Tensor", *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> "Tensor":
    """The diagonals of the matrices in two dimensions, the last two unless others are named."""
    return _VariableFunctions.diagonal(A, offset, dim1, dim2)
