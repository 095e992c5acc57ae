"""cuDNN, NVIDIA's kernels for neural networks: settings that are remembered for when it is there."""

import torch
from torch.backends._precision import CudnnTF32, Precision, operation
from torch.backends._settings import Setting, has_settings

CUDNN_TENSOR_DTYPES = {torch.float16, torch.float32, torch.float64}
conv = operation(f"{__name__}.conv", "cuda", "conv")
rnn = operation(f"{__name__}.rnn", "cuda", "rnn")


class _DepthwiseKernel(Setting):
    """Who convolves channel by channel."""

    def write(self, owner, value):
        if isinstance(value, str) and value not in ("auto", "cudnn", "native"):
            raise RuntimeError(f"Unknown cuDNN depthwise kernel mode: {value}. Expected one of: auto, cudnn, native")
        super().write(owner, value)


_module = has_settings(
    __name__,
    {
        "enabled": Setting(True, bool),  # whether it may be used
        "benchmark": Setting(False, bool),  # whether its algorithms are timed and the fastest is taken
        "benchmark_limit": Setting(None),  # how many of them are timed
        "deterministic": Setting(False, bool),  # whether only those that always give the same bits are taken
        "allow_tf32": CudnnTF32(),
        "fp32_precision": Precision("cuda", "all"),
        "depthwise_kernel": _DepthwiseKernel("auto", str),
    },
)


def is_available():
    """Whether this build has cuDNN and there is a GPU for it."""
    return version() is not None and torch.cuda.is_available()


def version():
    """cuDNN's version as a number, None without it."""
    return None


def is_acceptable(tensor):
    """Whether cuDNN would compute with this tensor: one on a GPU, of a dtype that it has."""
    return is_available() and _module.enabled and tensor.is_cuda and tensor.dtype in CUDNN_TENSOR_DTYPES


def set_flags(
    _enabled=None,
    _benchmark=None,
    _benchmark_limit=None,
    _deterministic=None,
    _allow_tf32=None,
    _fp32_precision="none",
    _depthwise_kernel=None,
):
    """Sets what is not None (or "none"); returns the values before."""
    return _module._set(
        enabled=_enabled,
        benchmark=_benchmark,
        benchmark_limit=_benchmark_limit,
        deterministic=_deterministic,
        allow_tf32=_allow_tf32,
        fp32_precision=_fp32_precision,
        depthwise_kernel=_depthwise_kernel,
    )


def flags(
    enabled=False,
    benchmark=False,
    benchmark_limit=10,
    deterministic=False,
    allow_tf32=True,
    fp32_precision="none",
    depthwise_kernel="auto",
):
    """A context in which the settings are these, also those that are not given."""
    return _module._changed(
        enabled=enabled,
        benchmark=benchmark,
        benchmark_limit=benchmark_limit if is_available() else None,
        deterministic=deterministic,
        allow_tf32=allow_tf32,
        fp32_precision=fp32_precision,
        depthwise_kernel=depthwise_kernel,
    )
