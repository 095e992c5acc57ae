"""What a build needs of the machine, looked for before anything is built.

    check(options, libraries)     raises MissingDependencies, which names all that is missing at once,
                                  why each is needed, and one command that installs them

DEPENDENCIES is the table: to add a dependency, add a row. A package that lib/libraries.toml names under
`vendor` is a row whose `vendor` has that name, and its files stand in VENDORS.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import shlex
import sys
import sysconfig
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from . import cuda
from .machine import Machine

CACHE = pathlib.Path(__file__).resolve().parent.parent / "build/dependencies.json"
GCC_MINIMUM = 12
CMAKE_MINIMUM = (3, 20)
# Whether the interpreter is the distribution's, whose headers are a package of the distribution.
OF_DISTRIBUTION = os.path.realpath(sys.executable).startswith("/usr/bin/")
MANAGERS = {"debian": "apt-get install", "fedora": "dnf install", "arch": "pacman -S --needed"}
NIX = "./nixw develop"


class MissingDependencies(Exception):
    """The machine lacks something that the build needs; the text says what, why, and how to get it."""


@dataclass(frozen=True)
class Vendor:
    """Files of a vendor package: headers and libraries to link, of which each may have several names."""

    headers: tuple[tuple[str, ...], ...]
    libraries: tuple[tuple[str, ...], ...] = ()


VENDORS = {
    # OpenBLAS, or what a package set has under the standard names.
    "blas": Vendor(
        (("cblas.h", "openblas/cblas.h", "openblas-openmp/cblas.h"),),
        (("openblas", "cblas"), ("openblas", "lapack"), ("openblas", "blas")),
    ),
    "libhwy": Vendor((("hwy/highway.h",),), (("hwy",), ("hwy_contrib",))),
    "oneDNN": Vendor((("oneapi/dnnl/dnnl.hpp",),), (("dnnl",),)),
    "pocketfft": Vendor((("pocketfft_hdronly.h", "gemmi/third_party/pocketfft_hdronly.h"),)),
    "gloo": Vendor((("gloo/allreduce.h",),), (("gloo",),)),
    # Debian's and Fedora's lie in a folder of the implementation.
    "mpi": Vendor((("mpi.h", "openmpi/mpi.h", "mpi/mpi.h", "openmpi-x86_64/mpi.h"),), (("mpi",),)),
    "pybind11": Vendor((("pybind11/pybind11.h",),)),
    "gtest": Vendor((("gtest/gtest.h",),)),
}


@dataclass(frozen=True)
class Dependency:
    name: str
    why: str
    probe: Callable[[Machine], str | None]  # what is wrong, or None
    debian: str | None = None  # packages; None: no package helps
    fedora: str | None = None
    arch: str | None = None
    pip: str | None = None  # for what a Python environment must have
    vendor: str | None = None  # needed only by libraries that name it in libraries.toml


# ---------------------------------------------------------------------- the rows' questions


def _cxx(machine: Machine) -> str | None:
    if not machine.cxx:
        given = machine.environment.get("CXX")
        return f"CXX={given!r} is not in PATH" if given else "no c++, g++ or clang++ in PATH"
    name, _, number = (machine.report["version"] or "").partition(" ")
    if name == "GNU" and number.isdigit() and int(number) < GCC_MINIMUM:
        return f"{shlex.join(machine.cxx)} is GCC {number}; {GCC_MINIMUM} or newer is needed"
    return machine.report["error"] and f"{shlex.join(machine.cxx)}: {machine.report['error']}"


def _cc(machine: Machine) -> str | None:
    if machine.cc:
        return None
    given = machine.environment.get("CC")
    return f"CC={given!r} is not in PATH" if given else "no cc, gcc or clang in PATH"


def _cmake(machine: Machine) -> str | None:
    tool = machine.which("cmake")
    if not tool:
        return "not in PATH"
    text = machine.report["cmake"] if machine.cxx else machine.run("cmake", "--version")[1]
    version = re.search(r"version (\d+)\.(\d+)", text)
    if not version:
        return f"{tool} --version says {text.strip()[:80]!r}"
    if (int(version[1]), int(version[2])) < CMAKE_MINIMUM:
        minimum = ".".join(map(str, CMAKE_MINIMUM))
        return f"{tool} is {version[1]}.{version[2]}; {minimum} or newer is needed"
    return None


def _ninja(machine: Machine) -> str | None:
    return None if machine.which("ninja") else "not in PATH"


def _python_headers(machine: Machine) -> str | None:
    folder = sysconfig.get_path("include")
    if os.path.exists(os.path.join(folder, "Python.h")):
        return None
    return f"no Python.h in {folder}" + ("" if OF_DISTRIBUTION else "; get them where that Python came from")


def _module(name: str) -> Callable[[Machine], str | None]:
    def probe(machine: Machine) -> str | None:
        try:
            found = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            found = None
        return None if found else f"{sys.executable} cannot import {name}"

    return probe


def _wheel(machine: Machine) -> str | None:
    return _module("setuptools.command.bdist_wheel")(machine) and _module("wheel")(machine)


def _numpy(machine: Machine) -> str | None:
    """Found, not imported: that would take longer than all the other questions."""
    if problem := _module("numpy")(machine):
        return problem
    roots = importlib.util.find_spec("numpy").submodule_search_locations or []
    folders = [os.path.join(root, core, "include") for root in roots for core in ("_core", "core")]
    if any(os.path.exists(os.path.join(folder, "numpy/arrayobject.h")) for folder in folders):
        return None
    return f"numpy is there, but not its headers (no numpy/arrayobject.h in {', '.join(folders)})"


def _vendor(name: str) -> Callable[[Machine], str | None]:
    def probe(machine: Machine) -> str | None:
        vendor = VENDORS[name]
        lacking = [f"no {names[0]}" for names in vendor.headers if machine.lacks_header(names)]
        lacking += [f"no lib{names[0]}.so" for names in vendor.libraries if all(map(machine.lacks_library, names))]
        return f"{', '.join(dict.fromkeys(lacking))} in {machine.searched()}" if lacking else None

    return probe


def _openmp(machine: Machine) -> str | None:
    """It comes with the compiler: where that is missing or broken, there is nothing more to say."""
    if not machine.cxx or machine.report["error"] or "openmp" not in machine.report["absent"]:
        return None
    return f"{shlex.join(machine.cxx)} -fopenmp does not work"


def _pybind11(machine: Machine) -> str | None:
    return _module("pybind11")(machine) and _vendor("pybind11")(machine)


def _cuda_compiler(machine: Machine) -> str | None:
    return machine.toolkit.compiler_problem(machine.report["nvcc"]) if machine.cxx else None


def _cuda_package(name: str) -> Callable[[Machine], str | None]:
    def probe(machine: Machine) -> str | None:
        # Without a toolkit there is one thing to say, which the compiler's row does.
        return machine.toolkit.lacks(name, machine.folders) if machine.toolkit.root else None

    return probe


# fmt: off
DEPENDENCIES = (
    Dependency("C++ compiler", "compiles the libraries", _cxx, "g++", "gcc-c++", "gcc"),
    Dependency("C compiler", "compiles the small extension modules, preprocesses headers", _cc,
               "gcc", "gcc", "gcc"),
    Dependency("cmake", "drives the build", _cmake, "cmake", "cmake", "cmake"),
    Dependency("ninja", "runs it in parallel, and only what changed", _ninja,
               "ninja-build", "ninja-build", "ninja"),
    Dependency("Python's headers", f"for torch._C (of {sys.executable})", _python_headers,
               *(("python3-dev", "python3-devel", "python") if OF_DISTRIBUTION else ())),
    Dependency("setuptools", "installs the Python package", _module("setuptools"),
               "python3-setuptools", "python3-setuptools", "python-setuptools", pip="setuptools"),
    Dependency("numpy", "headers, for the bridge to its arrays", _numpy,
               "python3-numpy", "python3-numpy", "python-numpy", pip="numpy"),
    Dependency("yaml", "codegen reads the operators' declarations", _module("yaml"),
               "python3-yaml", "python3-pyyaml", "python-yaml", pip="pyyaml"),
    Dependency("pycparser", "codegen reads the headers of TH and THNN", _module("pycparser"),
               "python3-pycparser", "python3-pycparser", "python-pycparser", pip="pycparser"),
    # The OpenMP variant: with another one's threads beside TH's there would be more than processors.
    Dependency("OpenBLAS", "multiplies matrices in TH", _vendor("blas"),
               "libopenblas-openmp-dev", "openblas-devel", "openblas", vendor="blas"),
    Dependency("Highway", "vector instructions in TH", _vendor("libhwy"),
               "libhwy-dev", "highway-devel", "highway", vendor="libhwy"),
    # Only where USE_MKLDNN=1 insists on it: THNN has kernels of its own.
    Dependency("oneDNN", "convolutions in THNN, with USE_MKLDNN=1", _vendor("oneDNN"),
               "libdnnl-dev", "onednn-devel", "onednn", vendor="oneDNN"),
    # One header. Debian ships it with gemmi; Arch has no package of it.
    Dependency("pocketfft", "Fourier transforms in TH", _vendor("pocketfft"),
               "gemmi-dev", "pocketfft-devel", vendor="pocketfft"),
    # Arch has no package of it.
    Dependency("gloo", "exchanges tensors between processes, with USE_DISTRIBUTED=1", _vendor("gloo"),
               "libgloo-dev", "gloo-devel", vendor="gloo"),
    # MPICH does as well.
    Dependency("MPI", "exchanges tensors between processes over MPI, with USE_MPI=1", _vendor("mpi"),
               "libopenmpi-dev", "openmpi-devel", "openmpi", vendor="mpi"),
    # GCC has its own; the packages are for clang.
    Dependency("OpenMP", "threads in TH and THNN", _openmp,
               "libomp-dev", "libomp-devel", "openmp", vendor="openmp"),
    Dependency("pybind11", "headers that users' extensions include, shipped with ours", _pybind11,
               "pybind11-dev", "pybind11-devel", "pybind11", pip="pybind11"),
    # No distribution has a toolkit that is new enough.
    Dependency("CUDA toolkit", "compiles the kernels for NVIDIA's GPUs", _cuda_compiler, vendor="cuda_cudart"),
    Dependency("cudart", "runs them", _cuda_package("cuda_cudart"), vendor="cuda_cudart"),
    Dependency("CCCL", "sorts and selects on GPUs", _cuda_package("cuda_cccl"), vendor="cuda_cccl"),
    Dependency("cuBLAS", "multiplies matrices on GPUs", _cuda_package("libcublas"), vendor="libcublas"),
    Dependency("NVRTC", "compiles kernels of users' own", _cuda_package("cuda_nvrtc"), vendor="cuda_nvrtc"),
    Dependency("NVTX", "marks ranges for profilers", _cuda_package("cuda_nvtx"), vendor="cuda_nvtx"),
    Dependency("nccl", "collectives between GPUs", _cuda_package("nccl"), vendor="nccl"),
    Dependency("GoogleTest", "runs the libraries' C++ tests", _vendor("gtest"),
               "libgtest-dev", "gtest-devel", "gtest", vendor="gtest"),
)
# What `make install` of a whole build needs besides: setup.py and pip do that. (pip brings its own for itself.)
INSTALLATION = (
    Dependency("pip", "installs the package", _module("pip"), "python3-pip", "python3-pip", "python-pip", pip="pip"),
    Dependency("wheel", "packs it, for a setuptools that cannot yet", _wheel,
               "python3-wheel", "python3-wheel", "python-wheel", pip="wheel"),
)
# fmt: on


# ---------------------------------------------------------------------- the answer


def _system(release: str | None = None) -> str | None:
    """The key of MANAGERS for this system; None for another one."""
    if release is None:
        try:
            release = pathlib.Path("/etc/os-release").read_text()
        except OSError:
            release = ""
    ids = " ".join(re.findall(r"^ID(?:_LIKE)?=[\"']?([^\"'\n]*)", release, re.M)).replace("rhel", "fedora").split()
    return next((name for name in MANAGERS if name in ids), None)


def install_command(rows: Iterable[Dependency], release: str | None = None) -> str | None:
    """One shell command that installs these dependencies on this system; None where none is known.

    Python modules come by pip where the interpreter has an environment of its own (the distribution's
    packages would not be found there), other things by the distribution's package manager.
    `release` is the text of os-release, the machine's own by default.
    """
    system = _system(release)
    by_pip = OF_DISTRIBUTION and sys.prefix == sys.base_prefix
    by_pip = [] if by_pip else [row for row in rows if row.pip]
    others = [row for row in rows if row.debian and row not in by_pip]
    if others and not system:
        return None
    parts = []
    if packages := dict.fromkeys(name for row in others if (name := getattr(row, system))):
        sudo = "" if os.geteuid() == 0 else "sudo "
        parts.append(f"{sudo}{MANAGERS[system]} {' '.join(packages)}")
    if by_pip:
        parts.append(f"{shlex.quote(sys.executable)} -m pip install {' '.join(row.pip for row in by_pip)}")
    return " && ".join(parts) or None


def find_missing(
    machine: Machine, libraries: dict, rows: Iterable[Dependency] | None = None
) -> list[tuple[Dependency, str]]:
    """Those rows that do not hold here, each with what is wrong.

    `libraries` are the tables of lib/libraries.toml whose libraries will be compiled; without `rows`, all of
    DEPENDENCIES are asked. Raises MissingDependencies for a vendor that the table does not know.
    """
    wanted = {vendor: name for name, table in libraries.items() for vendor in table.get("vendor", ())}
    known = {row.vendor for row in DEPENDENCIES if row.vendor}
    for vendor, name in wanted.items():
        if vendor not in known:
            raise MissingDependencies(
                f"lib/libraries.toml: {name} needs vendor {vendor!r}, which tools/dependencies.py does not "
                f"know: add a row to DEPENDENCIES (has {', '.join(sorted(known))}) and its files to VENDORS"
            )
    asked = [row for row in (DEPENDENCIES if rows is None else rows) if not row.vendor or row.vendor in wanted]
    return [(row, problem) for row in asked if (problem := row.probe(machine))]


def message(missing: list[tuple[Dependency, str]]) -> str:
    """What MissingDependencies says; the last line is what to type."""
    lines = [f"this machine lacks {len(missing)} thing{'s' * (len(missing) > 1)} that the build needs:"]
    for row, problem in missing:
        lines.append(f"  {row.name}: {row.why}\n      {problem}")
    lines.append(f"To build with everything from Nix instead: {NIX}")
    command = install_command([row for row, _ in missing])
    if command:
        system = _system()
        without = [row.name for row, _ in missing if system and row.debian and not getattr(row, system)]
        but = f", but {', '.join(without)}, which no package here has" if without else ""
        lines.append(f"To install all of the above{but}:\n    {command}")
    elif packages := dict.fromkeys(row.debian for row, _ in missing if row.debian):
        lines.append("To install all of the above, use your system's package manager. What Debian calls them: ")
        lines[-1] += " ".join(packages)
    return "\n".join(lines)


def this_machine(options=None, cache: pathlib.Path | None = None) -> Machine:
    """A Machine that can answer for all rows."""
    headers = [name for vendor in VENDORS.values() for names in vendor.headers for name in names]
    libraries = list(dict.fromkeys(name for vendor in VENDORS.values() for names in vendor.libraries for name in names))
    toolkit = None
    if getattr(options, "cuda", False):
        nccl = tuple(filter(None, (options.nccl_root, options.nccl_include, options.nccl_lib)))
        toolkit = cuda.Toolkit(cuda.find(options.cuda_home), options.cuda_arch_list, nccl)
    return Machine(getattr(options, "cmake_prefix_path", ()), headers, libraries, cache, toolkit)


def check(
    options, libraries: dict, cache: pathlib.Path | None = CACHE, rows: Iterable[Dependency] | None = None
) -> None:
    """Raises MissingDependencies unless this machine has all that is needed to compile `libraries`.

    `options` may have `cmake_prefix_path`, folders to look in first (besides the environment's);
    `cache` is a file for what the compiler said. It takes 0.1 s the first time and 3 ms later.
    """
    machine = this_machine(options, cache)
    if not getattr(options, "mkldnn", False):
        libraries = {
            name: table | {"vendor": [vendor for vendor in table["vendor"] if vendor not in table.get("optional", ())]}
            for name, table in libraries.items()
        }
    if getattr(options, "tests", False):
        libraries = libraries | {"C++ tests": {"vendor": ["gtest"]}}
    if missing := find_missing(machine, libraries, rows):
        raise MissingDependencies(message(missing))
    machine.remember()
