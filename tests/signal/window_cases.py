"""Lines about windows, which PyTorch has answered (generate_windows.py)."""

import torch
from torch.signal import windows as W  # noqa: N812

OPTIONS = {
    "bartlett": ["", "dtype=torch.float64"],
    "blackman": ["", "dtype=torch.float64"],
    "cosine": ["", "dtype=torch.float64"],
    "exponential": ["", "tau=3.0, dtype=torch.float64", "tau=0.0", "center=2.0", "center=2.0, sym=False"],
    "gaussian": ["", "std=3.0, dtype=torch.float64", "std=0.0"],
    "general_cosine": ["a=[0.46, 0.23, 0.31]", "a=(1.0,), dtype=torch.float64", "a=[]", "a=3", ""],
    "general_hamming": ["", "alpha=0.7, dtype=torch.float64"],
    "hamming": ["", "dtype=torch.float64"],
    "hann": ["", "dtype=torch.float64"],
    "kaiser": ["", "beta=3.0, dtype=torch.float64", "beta=0.0", "beta=-1.0"],
    "nuttall": ["", "dtype=torch.float64"],
}
MORE = [
    "0",
    "1",
    "2",
    "7",
    "10",
    "7, sym=False",
    "1, sym=False",
    "-1",
    "3, dtype=torch.float16",
    "3, layout=torch.sparse_coo",
]
LINES = [
    f"W.{name}({', '.join(filter(None, (m, o)))})"
    for name, options in OPTIONS.items()
    for o in options
    for m in (MORE if not o or name == "general_cosine" else ["7", "10" if "sym" in o else "10, sym=False"])
    if o.count("dtype") + m.count("dtype") < 2
] + [
    "W.hann(3, requires_grad=True).requires_grad",
    "W.hann(2.5)",
    "W.hann(3, 'periodic')",
    "W.hann(3, device='meta').device",
]


def told(line):
    try:
        found = eval(line, {"W": W, "torch": torch})
    except Exception as error:
        return f"!{type(error).__name__}" + (f": {error}" if isinstance(error, ValueError) else "")
    if isinstance(found, torch.Tensor):
        digits = 8 if found.dtype == torch.float32 else 15
        return f"{found.dtype} " + " ".join(f"{x:.{digits}g}" for x in found.tolist())
    return str(found)
