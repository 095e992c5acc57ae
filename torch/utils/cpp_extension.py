"""C++ and CUDA extensions of users: compiled by setuptools, or at run time.

    setup(name="lltm", ext_modules=[CppExtension("lltm", ["lltm.cpp"])], cmdclass={"build_ext": BuildExtension})
    setup(name="lltm", ext_modules=[CUDAExtension("lltm", ["lltm.cpp", "lltm_kernel.cu"])], cmdclass=…)
    lltm = load(name="lltm", sources=["lltm.cpp"])
    lltm = load_inline(name="lltm", cpp_sources="torch::Tensor f(torch::Tensor x) { … }", functions=["f"])

docs/extending.md describes all of it. CUDA_HOME is the toolkit's root: $CUDA_HOME, $CUDA_PATH, where nvcc in PATH lies,
or /usr/local/cuda; None where there is none, and in a torch that is built without CUDA.
"""

from typing import TYPE_CHECKING

from torch.utils._extension.compiler import (
    MINIMUM_GCC_VERSION,
    check_compiler_abi_compatibility,
    check_compiler_is_gcc,
    check_compiler_ok_for_platform,
    get_compiler_abi_compatibility_and_version,
    get_cxx_compiler,
)
from torch.utils._extension.jit import get_default_build_root, load, load_inline
from torch.utils._extension.locations import include_paths, library_paths
from torch.utils._extension.ninja import is_ninja_available, verify_ninja_availability
from torch.utils._extension.toolkit import find_home

if TYPE_CHECKING:
    from torch.utils._extension.command import BuildExtension, CppExtension, CUDAExtension

CUDA_HOME = find_home()
ROCM_HOME = None

__all__ = [
    "BuildExtension",
    "CUDAExtension",
    "CppExtension",
    "SyclExtension",
    "MINIMUM_GCC_VERSION",
    "check_compiler_abi_compatibility",
    "check_compiler_is_gcc",
    "check_compiler_ok_for_platform",
    "get_compiler_abi_compatibility_and_version",
    "get_cxx_compiler",
    "get_default_build_root",
    "include_paths",
    "is_ninja_available",
    "library_paths",
    "load",
    "load_inline",
    "remove_extension_h_precompiler_headers",
    "verify_ninja_availability",
]


def SyclExtension(name, sources, *args, **kwargs):  # noqa: N802 - PyTorch's name
    """An extension in SYCL, for Intel's GPUs. NotImplementedError here."""
    raise NotImplementedError(f"SyclExtension({name!r}): this torch has no library for Intel's GPUs to link with")


def remove_extension_h_precompiler_headers():
    """Removes the precompiled torch/extension.h of load_inline(use_pch=True), which this torch does not make: there is
    nothing to remove."""


def __getattr__(name: str):
    """What needs setuptools, which an environment that only loads extensions may not have."""
    if name in ("BuildExtension", "CUDAExtension", "CppExtension"):
        try:
            from torch.utils._extension import command
        except ModuleNotFoundError as error:
            if error.name not in ("setuptools", "distutils"):
                raise
            raise AttributeError(f"{__name__}.{name} needs setuptools, which is not installed: {error}") from error
        return getattr(command, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
