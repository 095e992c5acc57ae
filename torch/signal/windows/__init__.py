"""Windows: what the parts of a signal are multiplied by before their spectra are taken.

All take `M`, how many points, and by keyword: `sym`, whether the window is symmetric (for filters) or the first M points of a
symmetric one of M + 1, so that it repeats itself (for spectra); `dtype`, float32 or float64; `layout`, `device` and
`requires_grad`. ValueError for a negative M, other dtypes and layouts.
"""

from torch.signal.windows.windows import (
    bartlett,
    blackman,
    cosine,
    exponential,
    gaussian,
    general_cosine,
    general_hamming,
    hamming,
    hann,
    kaiser,
    nuttall,
)

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]
