"""Which kernels scaled_dot_product_attention() may use. On the CPU there are two: FLASH_ATTENTION, in tiles, and MATH, by the
formula; the others are for GPUs."""

from __future__ import annotations

import contextlib
import enum

from torch.backends import cuda
from torch.nn.attention._registry import (
    activate_flash_attention_impl,
    current_flash_attention_impl,
    list_flash_attention_impls,
    register_flash_attention_impl,
    restore_flash_attention_impl,
)

__all__ = [
    "SDPBackend",
    "WARN_FOR_UNFUSED_KERNELS",
    "activate_flash_attention_impl",
    "current_flash_attention_impl",
    "list_flash_attention_impls",
    "register_flash_attention_impl",
    "restore_flash_attention_impl",
    "sdpa_kernel",
]

# A setting of PyTorch's, which nothing reads here: why a kernel cannot be taken stands in the error, not in warnings.
WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.IntEnum):
    """PyTorch's kernels, by name; MATH is the composition of products and softmax, which can be differentiated twice."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __repr__(self):
        return f"<{self}: {self.value}>"

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"


# In the order in which the first that fits is taken.
_SETTINGS = {
    SDPBackend.CUDNN_ATTENTION: "cudnn",
    SDPBackend.FLASH_ATTENTION: "flash",
    SDPBackend.EFFICIENT_ATTENTION: "mem_efficient",
    SDPBackend.MATH: "math",
    SDPBackend.OVERRIDEABLE: "overrideable",
}


def _cur_sdpa_kernel_backends():
    """Those that may be used."""
    return [backend for backend, name in _SETTINGS.items() if getattr(cuda._attention, name)]


def _allow(backends):
    for backend, name in _SETTINGS.items():
        setattr(cuda._attention, name, backend in backends)


@contextlib.contextmanager
def sdpa_kernel(backends: list[SDPBackend] | SDPBackend, set_priority: bool = False):
    """A context in which these kernels alone may be used, one or a list of them, in all threads. A call for which none of them
    serves raises RuntimeError. `set_priority` changes nothing: of FLASH_ATTENTION and MATH the first is taken where it fits.
    AssertionError for what is no kernel."""
    if not isinstance(backends, (SDPBackend, list)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    before = _cur_sdpa_kernel_backends()
    _allow([backends] if isinstance(backends, SDPBackend) else backends)
    try:
        yield {}
    finally:
        _allow(before)
