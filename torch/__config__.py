"""How this torch was built and what it runs on."""

from torch import _C


def show():
    """A description for people: compiler, options, threads, and every library of this process with its origin.

    Ends in a WARNING block if one of them goes by the name of one of ours and is not the file that ours lead to.
    """
    from torch.utils import _mapped

    info = _C._build_info()
    lines = [
        "torch built with:",
        f"  - {info['compiler']}",
        f"  - C++ version: {info['cplusplus']}",
        f"  - Python {info['python']}",
        f"  - build type: {info['build_type']}",
        "  - BLAS: OpenBLAS; threads: OpenMP; random numbers: Philox",
        f"  - oneDNN: {info['onednn'] or 'not built'}",
        f"  - threads: {info['threads']}",
        "  - CUDA: not built",
    ]
    return "\n".join(lines + _mapped.report(_mapped.libraries(), info["threads"])) + "\n"


def parallel_info():
    """How work is split."""
    return f"OpenMP threads: {_C._build_info()['threads']}\n"
