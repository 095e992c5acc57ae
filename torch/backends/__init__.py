"""The libraries that torch can compute with, a module each: whether this build has them, and their settings.

Settings are attributes and are remembered whether or not the library is there, so that programs which set them run
everywhere.
"""

import importlib

from torch.backends._precision import Precision as Precision
from torch.backends._settings import (
    disable_global_flags as disable_global_flags,
    flags_frozen as flags_frozen,
    has_settings as has_settings,
)

_MODULES = (
    "cpu",
    "cuda",
    "cudnn",
    "cusparselt",
    "kleidiai",
    "mha",
    "miopen",
    "mkl",
    "mkldnn",
    "mps",
    "nnpack",
    "openmp",
    "opt_einsum",
)

_module = has_settings(__name__, {"fp32_precision": Precision("generic", "all")})


def set_flags(_fp32_precision="none"):
    """Sets `fp32_precision`, "none" meaning no change; returns the value before in a tuple."""
    return _module._set(fp32_precision=_fp32_precision)


def flags(fp32_precision="none"):
    """A context in which `fp32_precision` is this."""
    return _module._changed(fp32_precision=fp32_precision)


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *_MODULES, "fp32_precision"})
