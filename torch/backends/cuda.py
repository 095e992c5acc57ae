"""NVIDIA's GPUs: settings of their libraries, remembered for when they are there."""

from __future__ import annotations

import contextlib
import warnings

import torch
from torch._device_module import device_index
from torch.backends._precision import MatmulTF32, Precision
from torch.backends._settings import Setting


def is_built():
    """Whether this torch was built with CUDA. torch.cuda.is_available() also needs a driver and a GPU."""
    return torch.cuda._is_compiled()


# ---- products of matrices ----------------------------------------------------------------------------------
class cuBLASModule:  # noqa: N801 - torch's name
    """The settings `torch.backends.cuda.matmul`."""

    __name__ = f"{__name__}.matmul"
    allow_tf32 = MatmulTF32()
    allow_fp16_reduced_precision_reduction = Setting(True, bool)
    allow_bf16_reduced_precision_reduction = Setting(True, bool)
    allow_fp16_accumulation = Setting(False, bool)
    fp32_precision = Precision("cuda", "matmul")

    def __setattr__(self, name, value):
        if not isinstance(getattr(cuBLASModule, name, None), Setting):
            raise AttributeError(f"Unknown attribute {name}")
        super().__setattr__(name, value)


matmul = cuBLASModule()

_LIBRARIES = {
    "linalg": ("default", "cusolver", "magma"),
    "blas": ("default", "cublas", "cublaslt", "hipblas", "hipblaslt", "ck"),
    "rocm_fa": ("default", "aotriton", "ck"),
}


def _preferred(what, library):
    if library is None or library == "default":
        return "default"
    if not isinstance(library, str) or library not in _LIBRARIES[what]:
        raise RuntimeError(f"Unknown input value {library!r}. Choose from: {', '.join(_LIBRARIES[what])}.")
    raise RuntimeError(f"Cannot set preferred backend to {library}: this torch is built without it")


def preferred_linalg_library(backend=None):
    """Chooses who decomposes matrices on a GPU: "default", "cusolver" or "magma"; returns the choice. RuntimeError
    for one that this build does not have."""
    return _preferred("linalg", backend)


def preferred_blas_library(backend=None):
    """Chooses who multiplies matrices on a GPU: "default", "cublas", "cublaslt"…; returns the choice. RuntimeError
    for one that this build does not have."""
    return _preferred("blas", backend)


def preferred_rocm_fa_library(backend=None):
    """Chooses the library of attention on AMD's GPUs, of which this build has none; returns the choice. RuntimeError for
    any but "default"."""
    return _preferred("rocm_fa", backend)


def _workspace_size(library, size):
    torch.cuda._lazy_init()
    raise RuntimeError(
        f"{library}_workspace_size: {library} keeps workspaces of its own here, which cannot be asked for"
    )


def cublas_workspace_size(size: None | int = None) -> int:
    """Bytes of cuBLAS's workspaces. RuntimeError: cuBLAS chooses them here."""
    _workspace_size("cublas", size)


def cublaslt_workspace_size(size: None | int = None) -> int:
    """The same of cuBLASLt."""
    _workspace_size("cublaslt", size)


def blas_workspace_size(size: None | int = None, backend=None) -> int:
    """The same of the library that multiplies matrices."""
    if backend is not None and backend not in _LIBRARIES["blas"]:
        raise RuntimeError(f"Unknown backend string. Choose from: {', '.join(_LIBRARIES['blas'])}.")
    _workspace_size("cublaslt" if backend == "cublaslt" else "cublas", size)


# ---- plans of Fourier transforms ---------------------------------------------------------------------------
class cuFFTPlanCacheAttrContextProp:  # noqa: N801 - torch's name
    """An attribute of a device's plans: read by getter(device_index), set by setter(device_index, value)."""

    def __init__(self, getter, setter) -> None:
        self.getter, self.setter = getter, setter

    def __get__(self, cache, owner=None):
        return self if cache is None else self.getter(cache.device_index)

    def __set__(self, cache, value):
        if isinstance(self.setter, str):
            raise RuntimeError(self.setter)
        self.setter(cache.device_index, value)


def _no_plans(device_index, value=None):
    torch.cuda._lazy_init()
    raise RuntimeError("cufft_plan_cache: this torch is built without cuFFT")


class cuFFTPlanCache:  # noqa: N801 - torch's name
    """The plans that are kept for a device: none, each question raises RuntimeError; AssertionError without CUDA."""

    def __init__(self, device_index) -> None:
        self.device_index = device_index

    size = cuFFTPlanCacheAttrContextProp(_no_plans, ".size is a read-only property showing the number of plans")
    max_size = cuFFTPlanCacheAttrContextProp(_no_plans, _no_plans)

    def clear(self):
        """Forgets all plans."""
        _no_plans(self.device_index)


class cuFFTPlanCacheManager(cuFFTPlanCache):  # noqa: N801 - torch's name
    """`torch.backends.cuda.cufft_plan_cache`: the plans of the current device or, by index, of each."""

    def __init__(self) -> None:
        super().__init__(None)

    def __getitem__(self, device):
        index, count = device_index(device, "cuda"), torch.cuda.device_count()
        if not 0 <= index < count:
            raise RuntimeError(
                f"cufft_plan_cache: expected 0 <= device index < {count}, but got device with index {index}"
            )
        return cuFFTPlanCache(index)


cufft_plan_cache = cuFFTPlanCacheManager()


# ---- attention ---------------------------------------------------------------------------------------------
class _CpuAttention(Setting):
    """Of the kernels of scaled dot-product attention, those that the CPU has, too."""

    def write(self, owner, value):
        super().write(owner, value)
        torch._C._allow_attention(owner.flash, owner.math)


class _Attention:
    """Which kernels of scaled dot-product attention may be used."""

    __name__ = __name__
    flash = _CpuAttention(True, bool)
    mem_efficient = Setting(True, bool)
    math = _CpuAttention(True, bool)
    cudnn = Setting(True, bool)
    overrideable = Setting(True, bool)
    fp16_bf16_reduction_math = Setting(False, bool)


_attention = _Attention()


def flash_sdp_enabled():
    """Whether flash attention may be used."""
    return _attention.flash


def enable_flash_sdp(enabled: bool):
    """Whether flash attention may be used: a bool."""
    _attention.flash = enabled


def mem_efficient_sdp_enabled():
    """Whether memory-efficient attention may be used."""
    return _attention.mem_efficient


def enable_mem_efficient_sdp(enabled: bool):
    """Whether memory-efficient attention may be used: a bool."""
    _attention.mem_efficient = enabled


def math_sdp_enabled():
    """Whether attention may be computed by its formula."""
    return _attention.math


def enable_math_sdp(enabled: bool):
    """Whether attention may be computed by its formula: a bool."""
    _attention.math = enabled


def cudnn_sdp_enabled():
    """Whether cuDNN's attention may be used."""
    return _attention.cudnn


def enable_cudnn_sdp(enabled: bool):
    """Whether cuDNN's attention may be used: a bool."""
    _attention.cudnn = enabled


def fp16_bf16_reduction_math_sdp_allowed():
    """Whether the formula may sum in 16 bits."""
    return _attention.fp16_bf16_reduction_math


def allow_fp16_bf16_reduction_math_sdp(enabled: bool):
    """Whether the formula may sum in 16 bits: a bool."""
    _attention.fp16_bf16_reduction_math = enabled


def is_flash_attention_available() -> bool:
    """Whether this build has kernels of flash attention for a GPU."""
    return False


def is_ck_sdpa_available() -> bool:
    """Whether this build has attention of AMD's composable kernels."""
    return False


class SDPAParams:
    """The arguments of a call of scaled dot-product attention, by which its kernels are chosen."""

    def __init__(self, query, key, value, attn_mask, dropout, is_causal, enable_gqa, /):
        for name, tensor in (("query", query), ("key", key), ("value", value)):
            if not isinstance(tensor, torch.Tensor):
                raise TypeError(f"SDPAParams expects tensors, but {name} is {type(tensor).__name__}")
        self.query, self.key, self.value, self.attn_mask = query, key, value, attn_mask
        self.dropout, self.is_causal, self.enable_gqa = float(dropout), bool(is_causal), bool(enable_gqa)


def _has_no_kernel(what, params, debug):
    if not isinstance(params, SDPAParams):
        raise TypeError(f"can_use_{what}_attention expects SDPAParams, but got {type(params).__name__}")
    if debug:
        warnings.warn(f"this torch has no {what} attention of its own for a GPU", stacklevel=3)
    return False


def can_use_flash_attention(params, debug=False):
    """Whether a GPU's flash attention serves a call, SDPAParams: no; `debug` says why in a warning."""
    return _has_no_kernel("flash", params, debug)


def can_use_efficient_attention(params, debug=False):
    """Whether a GPU's memory-efficient attention serves a call, SDPAParams: no; `debug` says why in a warning."""
    return _has_no_kernel("efficient", params, debug)


def can_use_cudnn_attention(params, debug=False):
    """Whether cuDNN's attention serves a call, SDPAParams: no; `debug` says why in a warning."""
    return _has_no_kernel("cudnn", params, debug)


@contextlib.contextmanager
def sdp_kernel(
    enable_flash: bool = True, enable_math: bool = True, enable_mem_efficient: bool = True, enable_cudnn: bool = True
):
    """A context in which these kernels of attention may be used."""
    wanted = {"flash": enable_flash, "math": enable_math, "mem_efficient": enable_mem_efficient, "cudnn": enable_cudnn}
    before = {name: getattr(_attention, name) for name in wanted}
    try:
        for name, value in wanted.items():
            setattr(_attention, name, value)
        yield {}
    finally:
        for name, value in before.items():
            setattr(_attention, name, value)
