"""The kernels of libTHNN by their C names, generated from THNN.h: torch._thnn._THNN.FloatTanh_updateOutput and so on.

With CUDA, those of libTHCUNN: torch._thnn._THCUNN.CudaTanh_updateOutput, for other dtypes CudaDoubleTanh_updateOutput.
"""
