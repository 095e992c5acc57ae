"""Special functions, under the names of torch.special. What torch.… has too computes the same."""

from torch._namespaces import functions_of as _functions_of

_FUNCTIONS = _functions_of("special")
TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch._special_functions import *  # noqa: F403 - generated

globals().update(_FUNCTIONS)

__all__ = sorted(_FUNCTIONS)  # noqa: PLE0605
