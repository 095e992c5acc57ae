"""Small functions that torch.utils has by name."""

from __future__ import annotations

import ctypes

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    import torch


def set_module(obj, mod):
    """Says of which module a function or class is, for its repr and for pickles."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def get_cpp_backtrace(frames_to_skip=0, maximum_number_of_frames=64) -> str:
    """The calls of native code that led here, one a line."""
    libc = ctypes.CDLL(None)
    frames = (ctypes.c_void_p * (maximum_number_of_frames + frames_to_skip))()
    count = libc.backtrace(frames, len(frames))
    libc.backtrace_symbols.restype = ctypes.POINTER(ctypes.c_char_p)
    symbols = libc.backtrace_symbols(frames, count)
    if not symbols:
        raise MemoryError("get_cpp_backtrace: no memory for the names of the calls")
    lines = [symbols[i].decode(errors="replace") for i in range(frames_to_skip, count)]
    libc.free.argtypes = [ctypes.c_void_p]
    libc.free(symbols)
    return "".join(f"frame #{number}: {line}\n" for number, line in enumerate(lines))


def _no_backend(name):
    raise NotImplementedError(
        f"torch.utils.{name}: backends that are registered as PrivateUse1 do not exist in this torch; docs/backends.md says "
        "how a backend is added"
    )


def rename_privateuse1_backend(backend_name: str) -> None:
    """Raises NotImplementedError: there is no such backend to be renamed."""
    _no_backend("rename_privateuse1_backend")


def generate_methods_for_privateuse1_backend(
    for_tensor: bool = True,
    for_module: bool = True,
    for_packed_sequence: bool = True,
    for_storage: bool = False,
    unsupported_dtype: list[torch.dtype] | None = None,
) -> None:
    """Raises NotImplementedError: there is no such backend to have methods."""
    _no_backend("generate_methods_for_privateuse1_backend")
