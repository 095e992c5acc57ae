"""Discrete Fourier transforms in one, two or n dimensions, of complex and of real numbers, and their inverses."""

from torch._namespaces import functions_of as _functions_of

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch._fft_functions import *  # noqa: F403 - generated

globals().update(_functions_of("fft"))
