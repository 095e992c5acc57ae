"""The functions that THNN's kernels compute."""

from torch.nn._functions.thnn import (
    activation,
    auto,
    normalization,
    pooling,
    rnnFusedPointwise,
    sparse,
    upsampling,
)

_MODULES = (activation, auto, normalization, pooling, rnnFusedPointwise, sparse, upsampling)
_all_functions = [value for module in _MODULES for value in vars(module).values() if hasattr(value, "after_first")]
globals().update({function.__name__: function for function in _all_functions})
