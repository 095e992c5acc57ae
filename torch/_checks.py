"""torch._check and its kin: a condition that must hold, or an exception."""

import torch

__all__ = []


def _check_with(error_type, cond, message):
    """`error_type(message())` unless `cond`, a bool, holds; without a message a sentence that says no more."""
    if not isinstance(cond, (bool, torch.Tensor)):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if isinstance(cond, torch.Tensor) and cond.numel() != 1:
        raise TypeError(f"cond must be a bool, but got a tensor of shape {tuple(cond.shape)}")
    if cond:
        return
    if message is None:
        raise error_type("Expected cond to be True, but got False. The caller gave no message that says more.")
    if not callable(message):
        raise TypeError("message must be a callable")
    raise error_type(str(message()))


def _check(cond, message=None):
    """RuntimeError unless `cond` holds; `message()` says why."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond, message=None):
    """IndexError unless `cond` holds."""
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    """ValueError unless `cond` holds."""
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    """TypeError unless `cond` holds."""
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    """NotImplementedError unless `cond` holds."""
    _check_with(NotImplementedError, cond, message)


def _check_is_size(i, message=None, *, max=None):  # noqa: A002 - torch's name
    """RuntimeError unless `i` is not negative, and at most `max`."""
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _check_tensor_all_with(error_type, cond, message=None):
    """`error_type` unless all elements of `cond`, a bool tensor, are True."""
    if not isinstance(cond, torch.Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype != torch.bool:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check_with(error_type, bool(cond.all()), message)


def _check_tensor_all(cond, message=None):
    """RuntimeError unless all elements of `cond`, a bool tensor, are True."""
    _check_tensor_all_with(RuntimeError, cond, message)


def _assert_async(input, assert_msg=None):  # noqa: A002 - torch's name
    """RuntimeError unless `input`, a tensor of one element, is not zero. On the CPU at once."""
    if input.is_meta:
        return
    if not bool(input):
        raise RuntimeError(assert_msg or "Expected Tensor with single nonzero value, but got zero")


def _assert_scalar(self, assert_msg):
    """RuntimeError unless the number is not zero."""
    if not self:
        raise RuntimeError(assert_msg)


def _shape_as_tensor(self):
    """The sizes as an int64 tensor."""
    return torch.tensor(self.shape, dtype=torch.int64)


# ---- questions and norms under older names -----------------------------------------------------------------
def sym_constrain_range(size, *, min=None, max=None):  # noqa: A002 - torch's names
    """RuntimeError unless `size` lies between `min` and `max`."""
    if (min is not None and size < min) or (max is not None and size > max):
        raise RuntimeError(f"Invalid value range for {size} between [{min}, {max}].")


def sym_constrain_range_for_size(size, *, min=None, max=None):  # noqa: A002 - torch's names
    """RuntimeError unless `size` is not negative and lies between `min` and `max`."""
    sym_constrain_range(size, min=0 if min is None else min, max=max)


def is_distributed(input):  # noqa: A002 - torch's name
    """Whether a tensor is spread over processes: no."""
    return False


def is_vulkan_available():
    """Whether this torch was built with Vulkan: no."""
    return False


def cudnn_is_acceptable(input):  # noqa: A002 - torch's name
    """Whether cuDNN takes a tensor."""
    return torch.backends.cudnn.is_acceptable(input)


def dequantize(input):  # noqa: A002 - torch's name
    """A tensor, or several, as float32."""
    if isinstance(input, (list, tuple)):
        return tuple(tensor.dequantize() for tensor in input)
    return input.dequantize()


def init_num_threads():
    """The number of threads is what it was at the start, in this thread, too: it is so anyway."""


def frobenius_norm(input, dim, keepdim=False):  # noqa: A002 - torch's name
    """The root of the sum of squares over dimensions."""
    return torch.linalg.vector_norm(input, 2, dim, keepdim)


def nuclear_norm(input, dim=(-2, -1), keepdim=False):  # noqa: A002 - torch's name
    """The sum of a matrix's singular values."""
    return torch.linalg.matrix_norm(input, "nuc", tuple(dim), keepdim)
