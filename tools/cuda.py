"""The CUDA toolkit that a build uses: where it is, what it lacks, and whether its compiler works with the host's.

CMake gets the one that was looked at here (CUDAToolkit_ROOT, TORCH_NVCC), and looks for no other.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

MINIMUM = (13, 0)
DEFAULT = "/usr/local/cuda"
# Where a toolkit has headers and libraries: as NVIDIA installs it, and as its wheels lie.
HEADERS = ("include", "include/cccl", "targets/x86_64-linux/include", "targets/x86_64-linux/include/cccl")
LIBRARIES = ("lib64", "lib", "targets/x86_64-linux/lib")
# By its name in lib/libraries.toml, a header and a library of each of its packages.
PACKAGES = {
    "cuda_cudart": ("cuda_runtime.h", "cudart"),
    "cuda_cccl": ("cub/cub.cuh", None),
    "libcublas": ("cublas_v2.h", "cublas"),
    "cuda_nvrtc": ("nvrtc.h", "nvrtc"),
    "cuda_nvtx": ("nvtx3/nvToolsExt.h", None),
    "nccl": ("nccl.h", "nccl"),
}
# Folders in which CMake looks besides: Machine.folders.
Folders = Callable[..., list[Path]]


def nvcc(root: str) -> str:
    return os.path.join(root, "bin/nvcc")


def find(home: str = "") -> str | None:
    """The folder of the toolkit: `home`, else the one of the nvcc on PATH, else /usr/local/cuda; None without."""
    if home:
        return home
    if found := shutil.which("nvcc"):
        return str(Path(found).resolve().parent.parent)
    return os.path.realpath(DEFAULT) if os.access(nvcc(DEFAULT), os.X_OK) else None


def _dotted(pair: Sequence[int]) -> str:
    return ".".join(map(str, pair))


@dataclass(frozen=True)
class Toolkit:
    root: str | None  # None: there is none
    arches: tuple[str, ...]  # to make code for, as TORCH_CUDA_ARCH_LIST has them
    nccl: tuple[str, ...] = ()  # folders in which NCCL was said to be

    @property
    def nvcc(self) -> str:
        return nvcc(self.root or DEFAULT)

    def file(self, name: str, places: Sequence[str], folders: Sequence[Path], said: Sequence[str] = ()) -> Path | None:
        """A header or library of the toolkit, which may be one folder or a package for each part of it. `said`: folders
        that come first."""
        first = [Path(folder, kind) for folder in said for kind in ("", *places)]
        tried = [*first, *(Path(self.root, place) for place in places), *folders]
        return next((folder / name for folder in tried if (folder / name).exists()), None)

    def header(self, folders: Folders) -> Path | None:
        """Which says of what version the runtime is."""
        return self.file("cuda_runtime_api.h", HEADERS, folders("include"))

    def lacks(self, package: str, folders: Folders) -> str | None:
        """What is not there of one of its packages, or is of another version than nvcc."""
        header, library = PACKAGES[package]
        said = self.nccl if package == "nccl" else ()
        found = self.file(header, HEADERS, folders("include"), said)
        lacking = [] if found else [f"no {header}"]
        if library and not self.file(f"lib{library}.so", LIBRARIES, folders("lib", "lib64"), said):
            lacking.append(f"no lib{library}.so")
        named = f"{', '.join(said)} (NCCL_ROOT), " if said else ""
        where = f"{named}{self.root} (CUDA_HOME) or CMAKE_PREFIX_PATH"
        return f"{', '.join(lacking)} in {where}" if lacking else None

    def ask(self, run: Callable[..., tuple[bool, str]], host: str, folders: Folders) -> dict | None:
        """What nvcc says; None where there is none. `host`: the C++ compiler that it is to work with.

        version   [13, 0], or None
        arches    ["7.5", "8.0", …] that it compiles for
        runtime   [13, 0] that the headers are of, or None
        error     why it compiles nothing with this host compiler, or None
        """
        if self.root is None:
            return None
        release = re.search(r"release (\d+)\.(\d+)", run(self.nvcc, "--version")[1])
        known = re.findall(r"compute_(\d+)(\d)\b", run(self.nvcc, "--list-gpu-arch")[1])
        header = self.header(folders)
        runtime = re.search(r"#define\s+CUDART_VERSION\s+(\d+)", header.read_text(errors="replace")) if header else None
        with tempfile.TemporaryDirectory(prefix="torch-probe-") as folder:
            source = Path(folder, "probe.cu")
            source.write_text("__global__ void probe(int *x) { *x = 1; }\n")
            found = [self.file(name, HEADERS, folders("include")) for name in ("cuda_runtime.h", "crt/host_config.h")]
            # Of "cuda_runtime.h" its folder, of "crt/host_config.h" the one above.
            places = [path.parent if path.parent.name != "crt" else path.parent.parent for path in found if path]
            options = [f"-I{place}" for place in dict.fromkeys(places)]
            command = [self.nvcc, "-std=c++20", "-ccbin", shutil.which(host) or host, *options]
            succeeded, said = run(*command, "-c", str(source), "-o", f"{folder}/probe.o")
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        telling = [line for line in lines if re.search(r"error|fatal", line, re.IGNORECASE)]
        return {
            "version": [int(number) for number in release.groups()] if release else None,
            "arches": [f"{major}.{minor}" for major, minor in sorted(known, key=lambda pair: (int(pair[0]), pair[1]))],
            "runtime": [int(runtime[1]) // 1000, int(runtime[1]) % 1000 // 10] if runtime else None,
            "error": None if succeeded else next(iter(telling or lines), "no message"),
            "host": command[3],
        }

    def compiler_problem(self, answer: dict | None) -> str | None:
        """What is wrong with the answer of `ask`, for what is to be compiled."""
        newer = f"{_dotted(MINIMUM)} or newer"
        if answer is None:
            return (
                f"no nvcc: CUDA_HOME is not set, PATH has none, {DEFAULT}/bin neither; install NVIDIA's toolkit, "
                f"{newer}, and name its folder, CUDA_HOME=…"
            )
        if not answer["version"]:
            return f"{self.nvcc} --version does not say which release it is"
        if tuple(answer["version"]) < MINIMUM:
            return f"{self.nvcc} is of CUDA {_dotted(answer['version'])}; {newer} is needed"
        if answer["runtime"] and answer["runtime"] != answer["version"]:
            versions = _dotted(answer["version"]), _dotted(answer["runtime"])
            return f"{self.nvcc} is of CUDA {versions[0]}, and cuda_runtime.h beside it of {versions[1]}"
        unknown = [arch for arch in self.arches if re.sub(r"[af]?(\+PTX)?$", "", arch) not in answer["arches"]]
        if unknown:
            return (
                f"TORCH_CUDA_ARCH_LIST='{';'.join(self.arches)}': {self.nvcc} does not compile for "
                f"{', '.join(unknown)}; it does for {' '.join(answer['arches'])}"
            )
        return answer["error"] and f"{self.nvcc} -ccbin {answer['host']}: {answer['error']}"
