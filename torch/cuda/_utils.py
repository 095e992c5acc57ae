"""Kernels that are compiled in the running process, by torch._nvrtc: torch.cuda._compile_kernel is over this. A kernel works
on addresses and numbers: it is no operator, and nothing of it is recorded for gradients."""

from __future__ import annotations

import ctypes
import functools
import re
import struct
from typing import Any

import torch


def _nvrtc():
    """torch._nvrtc, at its first use. RuntimeError in a build without CUDA, or where its libraries are not there."""
    if not torch.cuda._is_compiled():
        raise RuntimeError("kernels cannot be compiled: Torch not compiled with CUDA enabled")
    try:
        from torch import _nvrtc as native
    except ImportError as error:
        raise RuntimeError(f"kernels cannot be compiled: torch._nvrtc cannot be loaded: {error}") from error
    return native


def error_text(code):
    """What the CUDA runtime says of an error's number, such as "out of memory"."""
    return _nvrtc().error_text(code)


# ---- compiling ---------------------------------------------------------------------------------------------
_NO_HALF = ("HALF_OPERATORS", "HALF_CONVERSIONS", "HALF2_OPERATORS", "BFLOAT16_CONVERSIONS")
_FLAGS = [f"-D__CUDA_NO_{name}__" for name in _NO_HALF]  # PyTorch's: 16-bit numbers have their own functions


def _texts(name, values):
    values = [] if values is None else list(values)
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{name} must hold strings, not {type(value).__name__}: {value!r}")
    return values


def _architecture(capability):
    """ "sm_90" of "90", the current device's of None."""
    if capability is None:
        capability = "{}{}".format(*torch.cuda.get_device_capability())
    match = re.fullmatch(r"(\d{2,3})[af]?", capability) if isinstance(capability, str) else None
    known = _nvrtc().architectures()
    if match is None or int(match[1]) not in known:
        raise ValueError(
            f"compute_capability={capability!r} is none that NVRTC {_version()} compiles for: "
            + ", ".join(f"'{number}'" for number in known)
        )
    return f"sm_{capability}"


def _version():
    return "{}.{}".format(*_nvrtc().version())


def _include_folders():
    """Those of the toolkit, if there is one: NVRTC itself brings what kernels without #include need."""
    from torch.utils.cpp_extension import CUDA_HOME, include_paths

    return include_paths("cuda", torch_include_dirs=False) if CUDA_HOME else []


def _nvrtc_compile(
    kernel_source: str,
    kernel_name: str,
    compute_capability: str | None = None,
    cuda_include_dirs: list | None = None,
    nvcc_options: list | None = None,
    auto_pch: bool = False,
) -> tuple[bytes, str]:
    """Compiles a source, a str: the code for a device, bytes, and what `kernel_name`, a kernel's name or an expression such
    as "fill<float>", is called in it. compute_capability: "86"; None: the current device's, else no device is needed.
    RuntimeError with the compiler's messages if it does not compile."""
    for name, value in (("kernel_source", kernel_source), ("kernel_name", kernel_name)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}: {value!r}")
    folders = [*_include_folders(), *map(str, cuda_include_dirs or ())]
    options = [
        f"--gpu-architecture={_architecture(compute_capability)}",
        *(f"-I{folder}" for folder in folders),
        *(["--pch"] if auto_pch else []),
        *_texts("nvcc_options", nvcc_options),
        *_FLAGS,
    ]
    image, (name,) = _nvrtc().compile(
        kernel_source, f"{kernel_name}.cu", options, expressions=[kernel_name], cubin=True
    )
    return image, name


# ---- launching ---------------------------------------------------------------------------------------------
_FREE_SHARED = 48 * 1024  # bytes that any kernel may have, unasked


def _dimensions(name, value):
    """(x, y, z), ints of at least 1."""
    try:
        found = tuple(value)
    except TypeError:
        found = ()
    if len(found) != 3 or not all(isinstance(n, int) and not isinstance(n, bool) and 0 < n < 2**32 for n in found):
        raise ValueError(f"{name} must be three ints of at least 1, not {value!r}")
    return found


def _float32(number):
    """A float rounded to one of 4 bytes; one that is too large becomes infinite."""
    return bytes(ctypes.c_float(number))


def _packed(position, arg, size, device):
    """An argument as the kernel finds it: bytes. `size`: of the parameter."""
    what = f"argument {position}"
    if isinstance(arg, torch.Tensor):
        if arg.is_cuda:
            if arg.get_device() != device:
                raise ValueError(f"{what} is on {arg.device}, the kernel is on cuda:{device}")
        elif not (arg.is_cpu and arg.is_pinned()):
            raise ValueError(
                f"All tensor arguments must be CUDA tensors or pinned CPU tensors: {what} is on {arg.device}"
            )
        if size != 8:
            raise TypeError(f"{what} is a tensor, and the kernel's parameter, of {size} bytes, no pointer")
        return struct.pack("<Q", arg.data_ptr())
    if isinstance(arg, int):
        if size not in (1, 2, 4, 8):
            raise TypeError(f"{what} is an int, and the kernel's parameter of {size} bytes none")
        if not -(1 << 8 * size - 1) <= arg < 1 << 8 * size:
            raise ValueError(f"{what} is {arg}, and the kernel's parameter an integer of {size} bytes")
        return (arg % (1 << 8 * size)).to_bytes(size, "little")
    if isinstance(arg, float):
        if size not in (4, 8):
            raise TypeError(f"{what} is a float, and the kernel's parameter of {size} bytes none")
        return struct.pack("<d", arg) if size == 8 else _float32(arg)
    raise TypeError(f"Unsupported argument type: {type(arg)} of {what}; tensors, ints and floats can be passed")


class _CudaKernel:
    """A kernel on a device. kernel(grid, block, args) launches it and does not wait."""

    def __init__(self, func, module) -> None:
        self.func, self.module = func, module
        self._sizes, self._device = _nvrtc().parameters(func), _nvrtc().device(func)
        self._max_shared_mem_bytes = 0

    def __call__(
        self,
        grid: tuple[int, int, int] = (1, 1, 1),
        block: tuple[int, int, int] = (1, 1, 1),
        args: list | None = None,
        shared_mem: int = 0,
        stream: Any | None = None,
    ) -> None:
        """grid, block: (x, y, z). args: a list, each a tensor on the kernel's device or in pinned memory, whose address is
        passed, an int, or a float, which is passed as a double, to a parameter of 4 bytes as a float. shared_mem: bytes of
        dynamic shared memory. stream: None for the current one. What is wrong raises TypeError or ValueError, and what
        the driver refuses RuntimeError; what goes wrong in the kernel is raised at the next wait for the device."""
        grid, block = _dimensions("grid", grid), _dimensions("block", block)
        args = [] if args is None else list(args)
        if len(args) != len(self._sizes):
            raise ValueError(f"the kernel takes {len(self._sizes)} arguments, but got {len(args)}")
        if not isinstance(shared_mem, int) or shared_mem < 0:
            raise ValueError(f"shared_mem must be an int that is not negative, not {shared_mem!r}")
        if shared_mem >= _FREE_SHARED and shared_mem > self._max_shared_mem_bytes:
            allowed = self._max_shared_mem_bytes
            raise RuntimeError(
                f"Kernel requires {shared_mem} bytes of shared memory (>= 48KB), but "
                + (f"only {allowed} bytes configured" if allowed else "not configured")
                + f": kernel.set_shared_memory_config({shared_mem}) allows it"
            )
        stream = torch.cuda.current_stream(self._device) if stream is None else stream
        if stream.device_index != self._device:
            raise ValueError(f"the stream is of {stream.device}, the kernel on cuda:{self._device}")
        values = tuple(_packed(i, a, n, self._device) for i, (a, n) in enumerate(zip(args, self._sizes, strict=True)))
        try:
            _nvrtc().launch(self.func, grid, block, shared_mem, stream.cuda_stream, values)
        except RuntimeError as error:
            raise RuntimeError(f"{error}: grid={grid}, block={block}, shared_mem={shared_mem}") from None

    def set_shared_memory_config(self, shared_mem_bytes: int) -> None:
        """Launches may ask for so many bytes of dynamic shared memory. RuntimeError for more than the device has."""
        most = torch.cuda.get_device_properties(self._device).shared_memory_per_block_optin
        if shared_mem_bytes > most:
            raise RuntimeError(
                f"Requested shared memory ({shared_mem_bytes} bytes) exceeds device limit ({most} bytes)"
            )
        if shared_mem_bytes >= _FREE_SHARED:
            _nvrtc().allow_shared_memory(self.func, shared_mem_bytes)
        self._max_shared_mem_bytes = shared_mem_bytes


class _CudaModule:
    """What was loaded: its kernels are attributes."""

    def __init__(self, module) -> None:
        self._module, self._kernels = module, {}

    def __getattr__(self, name: str) -> _CudaKernel:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._kernels:
            try:
                self._kernels[name] = _CudaKernel(_nvrtc().kernel(self._module, name), self._module)
            except RuntimeError as error:
                raise AttributeError(f"No kernel named '{name}' in this module") from error
        return self._kernels[name]


def _cuda_load_module(ptx: str | bytes, kernel_names: list[str] | None = None) -> _CudaModule | dict[str, _CudaKernel]:
    """Loads PTX or a device's code, bytes or a str, in the current device: a module whose attributes are kernels, or, of
    `kernel_names`, a dict of them."""
    if isinstance(ptx, str):
        ptx = ptx.encode()
    module = _nvrtc().load(ptx, torch.cuda.current_device())
    if not kernel_names:
        return _CudaModule(module)
    return {name: _CudaKernel(_nvrtc().kernel(module, name), module) for name in kernel_names}


# ---- waiting on a device -----------------------------------------------------------------------------------
_SPIN = """
extern "C" __global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) continue;
}
"""


@functools.cache
def _spin(device):
    image, name = _nvrtc_compile(_SPIN, "spin")
    return _cuda_load_module(image, [name])[name]


def keep_busy(cycles):
    """Keeps the current stream busy for that many of the device's clock cycles."""
    if not isinstance(cycles, int) or isinstance(cycles, bool):
        raise TypeError(f"torch.cuda._sleep(): expected 'int', got {type(cycles).__name__}")
    _spin(torch.cuda.current_device())(args=[cycles])
