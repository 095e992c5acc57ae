"""The kernels of libTHNN by their C names, generated from THNN.h: torch._thnn._THNN.FloatTanh_updateOutput and so on.

With CUDA, those of libTHCUNN: torch._thnn._THCUNN.CudaTanh_updateOutput, for other dtypes CudaDoubleTanh_updateOutput.
"""


def __getattr__(name):
    if name == "type2backend":
        from torch._thnn._backends import type2backend

        return type2backend
    raise AttributeError(f"module 'torch._thnn' has no attribute '{name}'")
