"""Describes the environment of a torch: versions, machine, every library of the process with its origin.

    python -m torch.utils.collect_env
    python …/torch/utils/collect_env.py    where torch cannot be imported: says why, and lists the rest

Paste what it prints into a bug report.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import subprocess
import sys
import types
from typing import NamedTuple

if not __package__:
    # A plain script, perhaps because torch cannot be imported: this folder becomes a package of its own. Nor may it
    # stay on sys.path, where the torch that it belongs to should be.
    _FOLDER = os.path.dirname(os.path.abspath(__file__))
    __package__ = "torch_collect_env"
    sys.modules[__package__] = types.ModuleType(__package__)
    sys.modules[__package__].__path__ = [_FOLDER]
    sys.path[:] = [os.path.dirname(os.path.dirname(_FOLDER)), *(path for path in sys.path if path != _FOLDER)]

from . import _env, _mapped  # noqa: E402
from ._env import (  # noqa: E402, F401
    COMMON_PATTERNS,
    CONDA_PATTERNS,
    NVIDIA_PATTERNS,
    ONEAPI_PATTERNS,
    PIP_PATTERNS,
    check_release_file,
    get_cachingallocator_config,
    get_clang_version,
    get_cmake_version,
    get_conda_packages,
    get_cpu_info,
    get_cuda_module_loading_config,
    get_cudnn_version,
    get_gcc_version,
    get_gpu_info,
    get_intel_gpu_detected,
    get_intel_gpu_driver_version,
    get_intel_gpu_onboard,
    get_libc_version,
    get_linux_pkg_version,
    get_lsb_version,
    get_mac_version,
    get_nvidia_driver_version,
    get_nvidia_smi,
    get_os,
    get_pip_packages,
    get_platform,
    get_python_platform,
    get_running_cuda_version,
    get_windows_version,
    is_xnnpack_available,
    run,
    run_and_parse_first_match,
    run_and_read_all,
    run_and_return_first_line,
)

UNKNOWN = "Could not collect"
TORCH_AVAILABLE = importlib.util.find_spec("torch") is not None
# Distributions that decide how torch behaves, or that are often used with it.
RELEVANT = re.compile(r"(torch.*|numpy|scipy|mkl|intel.openmp|setuptools|cmake|ninja|pybind11|hypothesis)$", re.I)


class SystemEnv(NamedTuple):
    torch_version: str
    torch_error: str  # why torch cannot be imported; empty if it can
    torch_path: str
    is_debug_build: str
    cuda_compiled_version: str
    os: str
    gcc_version: str
    clang_version: str
    cmake_version: str
    libc_version: str
    python_version: str
    python_platform: str
    is_cuda_available: str
    cpu_info: str
    pip_packages: str
    libraries: list  # of _mapped.Library
    threads: int | None
    # What else PyTorch's report has.
    cuda_runtime_version: str | None = None
    cuda_module_loading: str = "N/A"
    nvidia_driver_version: str | None = None
    nvidia_gpu_models: str | None = None
    cudnn_version: str | None = None
    is_xpu_available: str = "False"
    pip_version: str = "pip3"
    conda_packages: str | None = None
    hip_compiled_version: str = "N/A"
    hip_runtime_version: str = "N/A"
    miopen_runtime_version: str = "N/A"
    caching_allocator_config: str = "N/A"
    is_xnnpack_available: str = "False"


def get_env_info():
    """All that is known, as a SystemEnv. Never raises on account of what a machine lacks."""
    version, error, path, debug, threads = _torch()
    cuda, available = _cuda()
    try:  # what torch computes with should be there when the libraries are listed, NumPy's among them
        importlib.import_module("numpy")
    except ImportError:
        pass
    bits = 64 if sys.maxsize > 2**32 else 32
    return SystemEnv(
        torch_version=version,
        torch_error=error,
        torch_path=path,
        is_debug_build=debug,
        cuda_compiled_version=cuda or "not built",
        os=_system(),
        gcc_version=_version("gcc"),
        clang_version=_version("clang"),
        cmake_version=_version("cmake"),
        libc_version="-".join(filter(None, platform.libc_ver())) or UNKNOWN,
        python_version=f"{sys.version} ({bits}-bit runtime)".replace("\n", ""),
        python_platform=platform.platform(),
        is_cuda_available=available,
        cpu_info=_cpu(),
        pip_packages="\n".join(_packages()) or "none",
        libraries=_mapped.libraries(),
        threads=threads,
        cuda_runtime_version=_env.get_running_cuda_version(run),
        cuda_module_loading=_env.get_cuda_module_loading_config() if not error else "N/A",
        nvidia_driver_version=_env.get_nvidia_driver_version(run),
        nvidia_gpu_models=_env.get_gpu_info(run),
        cudnn_version=_env.get_cudnn_version(run),
        conda_packages=_env.get_conda_packages(run),
        caching_allocator_config=", ".join(f"{k}={v}" for k, v in _env.get_cachingallocator_config().items()) or "N/A",
    )


def _torch():
    """Version, error, path, debug build, threads. A broken torch may fail in any way: that is what is to be told."""
    try:
        torch = importlib.import_module("torch")
        info = torch._C._build_info()
        return (
            torch.__version__,
            "",
            os.path.dirname(torch.__file__),
            str(info["build_type"] == "Debug"),
            info["threads"],
        )
    except Exception as error:
        text = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        return "N/A", text, "N/A", "N/A", None


def _cuda():
    """The version of CUDA that torch is built with, if it is, and whether there is a device."""
    try:
        torch = importlib.import_module("torch")
        return getattr(torch.version, "cuda", None), str(torch.cuda.is_available())
    except Exception:
        return None, "False"


def _output(*command):
    """What a program prints, or None if it is not there, fails or takes long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(program):
    """`gcc (Debian 12.2.0-14) 12.2.0` -> `(Debian 12.2.0-14) 12.2.0`"""
    first = (_output(program, "--version") or "").partition("\n")[0]
    return re.sub(rf"^{program}\s+(version\s+)?", "", first).strip() or UNKNOWN


def _system():
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        name = ""
    return f"{name or platform.system()} ({platform.machine()})"


def _cpu():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = [line.partition(":") for line in file]
    except OSError:
        return UNKNOWN
    facts = {key.strip(): value.strip() for key, _, value in lines}
    wanted = ("sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_bf16", "amx_tile")
    flags = [flag for flag in wanted if flag in facts.get("flags", "").split()]
    usable = len(os.sched_getaffinity(0))
    return "\n".join(
        [
            f"Model name: {facts.get('model name', UNKNOWN)}",
            f"CPU(s): {os.cpu_count()}, usable by this process: {usable}",
            f"Vector instructions: {' '.join(flags) or 'none of ' + ' '.join(wanted)}",
        ]
    )


def _packages():
    """name==version of the relevant distributions on sys.path, the first of each name being the one that is used."""
    found = {}
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"]
        if name and RELEVANT.match(name):
            found.setdefault(name, distribution.version)
    return [f"[pip3] {name}=={found[name]}" for name in sorted(found, key=str.lower)]


def get_pretty_env_info():
    """The same as text for people."""
    return pretty_str(get_env_info())


def pretty_str(envinfo):
    """A SystemEnv as text."""
    failure = f"torch cannot be imported:\n{_indented(envinfo.torch_error)}\n\n" if envinfo.torch_error else ""
    return (
        failure
        + f"""\
PyTorch version: {envinfo.torch_version}
Imported from: {envinfo.torch_path}
Is debug build: {envinfo.is_debug_build}
CUDA used to build PyTorch: {envinfo.cuda_compiled_version}
ROCM used to build PyTorch: {envinfo.hip_compiled_version}

OS: {envinfo.os}
GCC version: {envinfo.gcc_version}
Clang version: {envinfo.clang_version}
CMake version: {envinfo.cmake_version}
Libc version: {envinfo.libc_version}

Python version: {envinfo.python_version}
Python platform: {envinfo.python_platform}
Is CUDA available: {envinfo.is_cuda_available}
CUDA runtime version: {envinfo.cuda_runtime_version or UNKNOWN}
CUDA_MODULE_LOADING set to: {envinfo.cuda_module_loading}
GPU models and configuration: {envinfo.nvidia_gpu_models or UNKNOWN}
Nvidia driver version: {envinfo.nvidia_driver_version or UNKNOWN}
cuDNN version: {envinfo.cudnn_version or UNKNOWN}
Is XPU available: {envinfo.is_xpu_available}
HIP runtime version: {envinfo.hip_runtime_version}
MIOpen runtime version: {envinfo.miopen_runtime_version}
Is XNNPACK available: {envinfo.is_xnnpack_available}
Caching allocator config: {envinfo.caching_allocator_config}

CPU:
{envinfo.cpu_info}

Versions of relevant libraries:
{envinfo.pip_packages}
[conda] {envinfo.conda_packages or UNKNOWN}

"""
        + "\n".join(_mapped.report(envinfo.libraries, envinfo.threads))
    )


def _indented(text):
    return "\n".join("  " + line for line in text.splitlines())


def main() -> None:
    """What `torch-collect-env` runs."""
    print("Collecting environment information...", flush=True)
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()
