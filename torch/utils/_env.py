"""What programs say of a machine, for collect_env: the functions that other libraries' reports call by PyTorch's names.

Those that begin programs take a function that runs a command: `run`.
"""

import os
import platform
import re
import shutil
import subprocess
import sys

COMMON_PATTERNS = ["torch", "numpy", "triton", "optree"]
PIP_PATTERNS = ["mypy", "flake8", "onnx"]
CONDA_PATTERNS = ["cudatoolkit", "soumith", "mkl", "magma"]
NVIDIA_PATTERNS = [
    *("cuda-cudart", "cuda-cupti", "cuda-libraries", "cuda-opencl", "cuda-nvrtc", "cuda-runtime", "cublas", "cudnn"),
    *("cufft", "curand", "cusolver", "cusparse", "nccl", "nvjitlink", "nvtx"),
]
ONEAPI_PATTERNS = ["dpcpp-cpp-rt", "intel-cmplr-lib-rt", "mkl", "intel-openmp", "tbb", "oneccl"]


def run(command):
    """(exit status, output, errors) of a command: a list, or a line for the shell. 127 where there is no such program."""
    shell = isinstance(command, str)
    try:
        done = subprocess.run(
            command, shell=shell, capture_output=True, text=True, errors="replace", timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 127, "", str(error)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def run_and_read_all(run_lambda, command):
    """What it prints; None if it fails."""
    status, out, _ = run_lambda(command)
    return out if status == 0 else None


def run_and_parse_first_match(run_lambda, command, regex):
    """The first group of the expression's first match in what it prints; None without one."""
    out = run_and_read_all(run_lambda, command)
    found = re.search(regex, out) if out is not None else None
    return found[1] if found else None


def run_and_return_first_line(run_lambda, command):
    """The first line that it prints; None if it fails."""
    out = run_and_read_all(run_lambda, command)
    return None if out is None else out.split("\n")[0]


# ---- the system ----------------------------------------------------------------------------------------------
def get_platform():
    """ "linux"."""
    return sys.platform if not sys.platform.startswith("linux") else "linux"


def check_release_file(run_lambda):
    """The distribution's name, from /etc/os-release."""
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME")
    except OSError:
        return None


def get_lsb_version(run_lambda):
    """The same from lsb_release."""
    return run_and_parse_first_match(run_lambda, "lsb_release -a", r"Description:\t(.*)")


def get_mac_version(run_lambda):
    """None, but on macOS."""
    return (
        run_and_parse_first_match(run_lambda, "sw_vers -productVersion", r"(.*)")
        if get_platform() == "darwin"
        else None
    )


def get_windows_version(run_lambda):
    """None, but on Windows."""
    return platform.version() if get_platform() in ("win32", "cygwin") else None


def get_os(run_lambda):
    """ "Debian GNU/Linux 12 (bookworm) (x86_64)"."""
    name = check_release_file(run_lambda) or get_lsb_version(run_lambda) or platform.system()
    return f"{name} ({platform.machine()})"


def get_libc_version():
    """ "glibc-2.36"."""
    return "-".join(filter(None, platform.libc_ver())) if get_platform() == "linux" else "N/A"


def get_python_platform():
    """platform.platform()."""
    return platform.platform()


def get_cpu_info(run_lambda):
    """What lscpu prints."""
    return run_and_read_all(run_lambda, "lscpu") or ""


# ---- programs and packages -----------------------------------------------------------------------------------
def get_gcc_version(run_lambda):
    """Of gcc."""
    return run_and_parse_first_match(run_lambda, "gcc --version", r"gcc (.*)")


def get_clang_version(run_lambda):
    """Of clang."""
    return run_and_parse_first_match(run_lambda, "clang --version", r"clang version (.*)")


def get_cmake_version(run_lambda):
    """Of cmake."""
    return run_and_parse_first_match(run_lambda, "cmake --version", r"cmake (.*)")


def get_pip_packages(run_lambda, patterns=None):
    """("pip3", "numpy==2.4.6\\n…") of the packages whose names have one of the patterns."""
    patterns = COMMON_PATTERNS + PIP_PATTERNS + NVIDIA_PATTERNS if patterns is None else patterns
    import importlib.metadata

    found = {}
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"]
        if name and any(pattern in name.lower() for pattern in patterns):
            found.setdefault(name, distribution.version)
    return "pip3", "\n".join(f"{name}=={found[name]}" for name in sorted(found, key=str.lower))


def get_conda_packages(run_lambda, patterns=None):
    """The same of conda; None where there is none."""
    patterns = CONDA_PATTERNS + COMMON_PATTERNS + NVIDIA_PATTERNS if patterns is None else patterns
    conda = os.environ.get("CONDA_EXE") or shutil.which("conda")
    out = run_and_read_all(run_lambda, [conda, "list"]) if conda else None
    if out is None:
        return None
    return "\n".join(
        line for line in out.splitlines() if not line.startswith("#") and any(pattern in line for pattern in patterns)
    )


def _detect_linux_pkg_manager():
    return next((name for name in ("dpkg", "dnf", "yum", "zypper") if shutil.which(name)), "N/A")


def get_linux_pkg_version(run_lambda, pkg_name):
    """The version of a package of the distribution; "N/A" where it is not installed."""
    if _detect_linux_pkg_manager() == "dpkg":
        line = run_and_read_all(run_lambda, ["dpkg-query", "-W", "-f=${Version}", pkg_name])
    else:
        line = run_and_read_all(run_lambda, ["rpm", "-q", "--qf", "%{VERSION}", pkg_name])
    return line or "N/A"


# ---- devices -------------------------------------------------------------------------------------------------
def get_nvidia_smi():
    """The program's name."""
    return "nvidia-smi"


def get_nvidia_driver_version(run_lambda):
    """Of NVIDIA's driver."""
    return run_and_parse_first_match(run_lambda, get_nvidia_smi(), r"Driver Version: (.*?) ")


def get_gpu_info(run_lambda):
    """ "GPU 0: NVIDIA H100"."""
    out = run_and_read_all(run_lambda, f"{get_nvidia_smi()} -L")
    return re.sub(r" \(UUID: .+?\)", "", out) if out else None


def get_running_cuda_version(run_lambda):
    """Of nvcc."""
    return run_and_parse_first_match(run_lambda, "nvcc --version", r"release .+ V(.*)")


def get_cudnn_version(run_lambda):
    """Where cuDNN's libraries lie, as the linker knows them."""
    out = run_and_read_all(run_lambda, "ldconfig -p | grep libcudnn | rev | cut -d' ' -f1 | rev")
    paths = sorted({os.path.realpath(path) for path in (out or "").split() if os.path.isfile(path)})
    if not paths:
        return os.environ.get("CUDNN_LIBRARY")
    return paths[0] if len(paths) == 1 else "Probably one of the following:\n" + "\n".join(paths)


def get_cuda_module_loading_config():
    """The variable CUDA_MODULE_LOADING; "N/A" without CUDA."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return "N/A"
    return os.environ.get("CUDA_MODULE_LOADING", "")


def get_cachingallocator_config():
    """{variable: value} of those for the allocator on devices."""
    names = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF")
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def is_xnnpack_available():
    """False: this torch does not use XNNPACK."""
    return False


def get_intel_gpu_onboard(run_lambda):
    """Intel's GPUs, by lspci."""
    out = run_and_read_all(run_lambda, "lspci | grep -E 'VGA|Display|3D' | grep -i intel")
    return "\n".join(f"* {line}" for line in out.splitlines()) if out else "N/A"


def get_intel_gpu_detected(run_lambda):
    """ "N/A": this torch has no device of Intel's."""
    return "N/A"


def get_intel_gpu_driver_version(run_lambda):
    """Versions of the packages of Intel's driver."""
    names = ("intel-opencl-icd", "libze1", "level-zero")
    found = {name: get_linux_pkg_version(run_lambda, name) for name in names}
    return "\n".join(f"* {name}:\t{version}" for name, version in found.items() if version != "N/A")
