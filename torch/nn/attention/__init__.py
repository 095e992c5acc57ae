"""Which kernels scaled_dot_product_attention() may use. It chooses between its tiles and its formula by what it is given
alone: all kernels are always allowed."""

import contextlib
import enum

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

# A setting of PyTorch's: whether sdpa_kernel() warns of kernels that it leaves out. Here none is ever left out.
WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.Enum):
    """PyTorch's kernels, by name; MATH is the composition of products and softmax."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """A context in which these kernels alone may be used, one or a list of them. It changes nothing; AssertionError for what
    is neither."""
    if not isinstance(backends, (SDPBackend, list)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    yield
