"""The namespace of the array API standard (https://data-apis.org/array-api/2024.12) for tensors: what
`tensor.__array_namespace__()` gives. Functions have the standard's names, parameters and promotion; where torch's own mean
the same, they are those. It is loaded when it is first asked for."""

import math as _math

import torch as _torch
from torch._array_api import _creation, _elementwise, _manipulation, _promotion, _statistics, fft, linalg
from torch._array_api._info import __array_namespace_info__
from torch._array_api.linalg import matmul, tensordot, vecdot

__array_api_version__ = "2024.12"
_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")

e, pi, inf, nan, newaxis = _math.e, _math.pi, _math.inf, _math.nan, None
_DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128 finfo iinfo".split()
)
globals().update({_name: getattr(_torch, _name) for _name in _DTYPES})


def _public(module):
    """The functions, and the classes of results, that a module of this package defines."""
    found = vars(module).items()
    return {n: v for n, v in found if not n.startswith("_") and getattr(v, "__module__", None) == module.__name__}


_functions = {**_elementwise.FUNCTIONS}
for _module in (_creation, _manipulation, _promotion, _statistics):
    _functions |= {n: v for n, v in _public(_module).items() if n != "promoted" and not isinstance(v, type)}
globals().update(_functions)

__all__ = ["__array_api_version__", "__array_namespace_info__", "fft", "linalg", "matmul", "tensordot", "vecdot"]
__all__ += ["e", "pi", "inf", "nan", "newaxis"]
__all__.extend([*_DTYPES, *_functions])


def _of_version(api_version):
    """This module, if it is of that version of the standard."""
    import sys

    if api_version is not None and api_version not in _VERSIONS:
        raise ValueError(
            f"__array_namespace__(): api_version must be None or one of {', '.join(_VERSIONS)}, but got {api_version!r}"
        )
    return sys.modules[__name__]
