"""The CUDA toolkit of the machine: where it is, what its nvcc compiles for, and the command that compiles a .cu file."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.utils._extension import compiler

SUFFIXES = (".cu", ".cuh")

# nvcc's options for every .cu file, beside capabilities and the standard: lambdas that kernels take, and constexpr
# functions of torch's headers in kernels. THC's kernels are compiled with the same (lib/cmake/TorchCuda.cmake;
# tests/build/test_nvcc_options.py compares). What torch has there besides is its own: hidden symbols, its host's numbers to
# the last bit (-ffp-contract=off), and objects that are the same each time; and an extension chooses its warnings.
OPTIONS = ["--expt-relaxed-constexpr", "--expt-extended-lambda", "-Xcompiler", "-fPIC"]

# PyTorch's names of generations, as far as toolkits of CUDA 13 compile for them.
GENERATIONS = {
    "Turing": "7.5+PTX",
    "Ampere+Tegra": "8.7",
    "Ampere": "8.0;8.6+PTX",
    "Ada": "8.9+PTX",
    "Hopper": "9.0+PTX",
    "Blackwell+Tegra": "11.0",
    "Blackwell": "10.0;10.3;12.0;12.1+PTX",
}


def is_cuda(source: object) -> bool:
    """Whether nvcc compiles this file, by its name."""
    return str(source).endswith(SUFFIXES)


# ---- where --------------------------------------------------------------------------------------


def find_home() -> str | None:
    """$CUDA_HOME, $CUDA_PATH, the prefix of the nvcc in PATH, or /usr/local/cuda; None in a torch without CUDA."""
    if not torch.cuda._is_compiled():  # noqa: SLF001
        return None
    if home := os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH"):
        return home
    if nvcc := shutil.which("nvcc"):
        return str(Path(nvcc).parent.parent)
    return "/usr/local/cuda" if os.path.exists("/usr/local/cuda") else None


def require_cuda(what: str) -> None:
    """Raises RuntimeError, naming what wanted it, in a torch without CUDA."""
    if not torch.cuda._is_compiled():  # noqa: SLF001
        raise RuntimeError(f"{what}: this torch is built without CUDA; the package torch-cuda has it")


def home() -> Path:
    """The toolkit's root. Raises OSError, with how to get one, if there is none."""
    from torch.utils import cpp_extension  # its CUDA_HOME may be set by hand

    if cpp_extension.CUDA_HOME is None:
        raise OSError(
            "CUDA_HOME environment variable is not set, and there is no nvcc in PATH: extensions with CUDA need a "
            f"toolkit of CUDA {torch.version.cuda}\n"
            "  Nix: ./nixw develop .#cuda has one\n"
            "  elsewhere: install NVIDIA's toolkit and set CUDA_HOME to its root, the folder above bin/nvcc"
        )
    return Path(cpp_extension.CUDA_HOME)


def include_paths() -> list[str]:
    """The folder of the toolkit's headers; the compiler knows /usr/include itself."""
    folder = home() / "include"
    return [] if str(folder) == "/usr/include" else [str(folder)]


def library_path() -> Path:
    """The folder of the toolkit's libraries."""
    return next((path for name in ("lib64", "lib") if (path := home() / name).is_dir()), home() / "lib64")


def runtime() -> Path:
    """libcudart, also of a toolkit that has it under its soname alone. Raises OSError if there is none."""
    folder = library_path()
    found = [folder / "libcudart.so"] if (folder / "libcudart.so").exists() else sorted(folder.glob("libcudart.so.*"))
    if not found:
        raise OSError(f"there is no libcudart.so in {folder}: CUDA_HOME={home()} is no whole CUDA toolkit")
    return found[0]


def nvcc() -> str:
    """The command: $PYTORCH_NVCC, or that of the toolkit. Raises OSError if there is none."""
    if command := os.environ.get("PYTORCH_NVCC"):
        return command
    path = home() / "bin/nvcc"
    if not path.is_file():
        raise OSError(f"there is no {path}: CUDA_HOME={home()} is no CUDA toolkit, or one without its compiler")
    return str(path)


# ---- what it compiles for ------------------------------------------------------------------------


@functools.cache
def _answer(command: str, option: str) -> str:
    try:
        return subprocess.run([command, option], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise OSError(f"{command} {option} does not run: {error}") from error


def check_version() -> None:
    """Raises RuntimeError for a toolkit of another major version than torch's; warns about another minor one."""
    match = re.search(r"release (\d+)\.(\d+)", _answer(nvcc(), "--version"))
    if not match:
        raise RuntimeError(f"{nvcc()} --version does not say which release it is")
    theirs, ours = f"{match[1]}.{match[2]}", torch.version.cuda
    if match[1] != ours.partition(".")[0]:
        raise RuntimeError(
            f"The detected CUDA version ({theirs}) mismatches the version that was used to compile torch ({ours}): "
            f"{nvcc()} makes code for another libcudart. Set CUDA_HOME to a toolkit of CUDA {ours}"
        )
    if theirs != ours:
        warnings.warn(f"{nvcc()} is of CUDA {theirs}, torch of CUDA {ours}; mostly that does no harm", stacklevel=2)


def known_capabilities() -> list[str]:
    """What nvcc compiles for: ["7.5", "8.0", …]."""
    names = {int(number) for number in re.findall(r"compute_(\d+)", _answer(nvcc(), "--list-gpu-arch"))}
    return [f"{number // 10}.{number % 10}" for number in sorted(names)]


def _present(asked: str, known: Sequence[str]) -> list[str]:
    """The capabilities of this machine's devices, the last one with PTX; none above what nvcc compiles for."""
    count = torch.cuda.device_count()
    if count == 0:
        raise RuntimeError(
            f"{asked}, and there is no device whose capability could be asked: set TORCH_CUDA_ARCH_LIST, as to "
            f'"8.0;9.0+PTX". {nvcc()} compiles for {", ".join(known)}'
        )
    newest = tuple(map(int, known[-1].split(".")))
    present = sorted({min(torch.cuda.get_device_capability(i), newest) for i in range(count)})
    return [f"{major}.{minor}" for major, minor in present[:-1]] + ["{}.{}+PTX".format(*present[-1])]


def capabilities() -> list[str]:
    """What TORCH_CUDA_ARCH_LIST asks for, or what the devices have: ["8.0", "9.0+PTX"].

    Raises ValueError for what nvcc does not compile for, RuntimeError where devices are to be asked and there is none.
    """
    text, known = os.environ.get("TORCH_CUDA_ARCH_LIST", ""), known_capabilities()
    words = text.replace(";", " ").split()
    if not words:
        return _present("TORCH_CUDA_ARCH_LIST is not set", known)
    if words == ["native"]:
        return _present("TORCH_CUDA_ARCH_LIST=native", known)
    entries = [entry for word in words for entry in GENERATIONS.get(word, word).split(";")]
    for entry in entries:
        # 9.0a and 10.0f: the same capability with features of its own, or of its family.
        match = re.fullmatch(r"(\d+\.\d)([af]?)(\+PTX)?", entry)
        if not match or match[1] not in known:
            raise ValueError(
                f"Unknown CUDA arch ({entry}) or GPU not supported: TORCH_CUDA_ARCH_LIST={text!r}, but {nvcc()} "
                f'compiles for {", ".join(known)}, each also with "+PTX" behind it'
            )
    return list(dict.fromkeys(entries))


def capability_flags(flags: Sequence[str]) -> list[str]:
    """nvcc's -gencode options; none where `flags` of the caller say it already."""
    if any("arch" in flag or "gencode" in flag for flag in flags):
        return []
    options = []
    for entry in capabilities():
        number = entry.removesuffix("+PTX").replace(".", "")
        options.append(f"-gencode=arch=compute_{number},code=sm_{number}")
        if entry.endswith("+PTX"):
            options.append(f"-gencode=arch=compute_{number},code=compute_{number}")
    return options


# ---- the command ---------------------------------------------------------------------------------


def _host_compiler() -> list[str]:
    """nvcc's options for the C++ compiler that extensions are compiled with: a program, and options of $CXX."""
    words = compiler.get_cxx_compiler()
    programs = [word for word in words if not word.startswith("-")]  # the last one, behind what caches its results
    options = [word for word in words if word.startswith("-")]
    return ["-ccbin", programs[-1], *(part for option in options for part in ("-Xcompiler", option))]


def command(flags: Sequence[str]) -> list[str]:
    """nvcc and its options for an extension's .cu files, with `flags` of the caller last.

    Options that nvcc takes once only are left to the caller where `flags` has them.
    """
    check_version()
    given = {flag.partition("=")[0] for flag in flags}
    optimisation = [] if any(re.match(r"(-O\d?|--optimize)$", flag) for flag in given) else ["-O2"]
    host = [] if given & {"-ccbin", "--compiler-bindir"} else _host_compiler()
    return [
        nvcc(),
        *optimisation,
        *host,
        *OPTIONS,
        *capability_flags(flags),
        *compiler.flags_with_standard(list(flags)),
    ]
