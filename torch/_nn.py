"""Operators that torch.nn.functional gives names and checks: what PyTorch keeps in torch._C._nn."""

import sys as _sys

from torch import _C
from torch._namespaces import functions_of as _functions_of

_FUNCTIONS = _functions_of("nn")
globals().update(_FUNCTIONS)

__all__ = sorted(_FUNCTIONS)  # noqa: PLE0605

_sys.modules["torch._C._nn"] = _C._nn = _sys.modules[__name__]
