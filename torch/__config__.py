"""How this torch was built and what it runs on."""

from torch import _C


def show():
    """A description for people: compiler, options, libraries that are loaded, threads."""
    info = _C._build_info()
    lines = ["torch built with:",
             f"  - {info['compiler']}",
             f"  - C++ version: {info['cplusplus']}",
             f"  - Python {info['python']}",
             f"  - build type: {info['build_type']}",
             "  - BLAS: OpenBLAS; threads: OpenMP; random numbers: Philox",
             f"  - threads: {info['threads']}",
             "  - CUDA: not built",
             "Libraries in this process:"]
    return "\n".join(lines + [f"  - {path}" for path in info["libraries"]]) + "\n"


def parallel_info():
    """How work is split."""
    return f"OpenMP threads: {_C._build_info()['threads']}\n"
