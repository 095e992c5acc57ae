"""Every option of a build that there is: those that can be chosen, and those of PyTorch's that have one answer here.

OPTIONS and SETTLED are the only lists. tools/options.py reads the environment with them,
tools/for_cmake.py what CMake was given; messages and printed tables derive from them.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TRUE, FALSE = ("1", "ON", "TRUE", "YES", "Y"), ("0", "OFF", "FALSE", "NO", "N")
BOOLEAN = "/".join(text for pair in zip(TRUE, FALSE, strict=True) for text in pair) + " in any case"
BUILD_TYPES = ("Release", "Debug", "RelWithDebInfo")

# What the compiler of CUDA 13 can make code for; sm_75 is the oldest it has. A letter means code for exactly
# that chip ("a") or its family ("f").
CUDA_ARCHES = ("7.5", "8.0", "8.6", "8.7", "8.8", "8.9", "9.0", "10.0", "10.3", "11.0", "12.0", "12.1")
CUDA_DEFAULT = ("9.0+PTX",)  # as nix/cuda.nix has it
CUDA_EXACT = ("9.0a", *(arch + letter for arch in CUDA_ARCHES[7:] for letter in "af"))

# A version as it will stand in the wheel's name: of PEP 440 the canonical spellings. Installers rewrite the
# others ("1.0-rc1" to "1.0rc1", "+007" to "+7"), and torch.__version__ would differ from what pip shows.
NUMBER = "(?:0|[1-9][0-9]*)"
CANONICAL = re.compile(
    rf"(?:[1-9][0-9]*!)?{NUMBER}(?:\.{NUMBER})*(?:(?:a|b|rc){NUMBER})?(?:\.post{NUMBER})?(?:\.dev{NUMBER})?"
    rf"(?:\+(?:{NUMBER}|[0-9]*[a-z][a-z0-9]*)(?:\.(?:{NUMBER}|[0-9]*[a-z][a-z0-9]*))*)?"
)
DISTRIBUTION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


# ---- parsers: what a variable's text (never empty) means. ValueError says why it means nothing; the list of
# what is allowed is added by whoever catches it.


def boolean(text: str) -> bool:
    if text.upper() not in TRUE + FALSE:
        raise ValueError("neither yes nor no")
    return text.upper() in TRUE


def build_type(text: str) -> str:
    for name in BUILD_TYPES:
        if name.lower() == text.lower():
            return name
    raise ValueError("no build type")


def positive(text: str) -> int:
    if not re.fullmatch("[0-9]+", text) or int(text) < 1:
        raise ValueError("not a number of jobs")
    return int(text)


def version(text: str) -> str:
    if not CANONICAL.fullmatch(text):
        raise ValueError("not a canonical PEP 440 version")
    return text


def distribution(text: str) -> str:
    if not DISTRIBUTION.fullmatch(text):
        raise ValueError("not a valid distribution name")
    return text


def arches(text: str) -> tuple[str, ...]:
    """Numbers as NVIDIA writes them (8.6) or as its compiler does (86)."""
    found: list[str] = []
    for entry in re.split(r"[;\s]+", text.strip("; \t\n")):
        dotted = re.sub(r"^([0-9]+)([0-9])(?=[af]?(?:\+PTX)?$)", r"\1.\2", entry)
        if entry == "All":
            found += [*CUDA_ARCHES[:-1], CUDA_ARCHES[-1] + "+PTX"]
        elif dotted.removesuffix("+PTX") in CUDA_ARCHES + CUDA_EXACT:
            found.append(dotted)
        else:
            raise ValueError(f"{entry or text!r} is no known architecture")
    return tuple(dict.fromkeys(found))


def existing(pieces: list[str]) -> list[Path]:
    """Absolute paths of folders; one message for all that are missing."""
    folders = [Path(os.path.abspath(piece)) for piece in pieces if piece.strip()]
    if missing := [str(folder) for folder in folders if not folder.is_dir()]:
        raise ValueError(f"no such folder: {', '.join(missing)}")
    return folders


def folders(text: str) -> tuple[str, ...]:
    return tuple(map(str, existing(re.split("[:;]", text))))


def prefixes(text: str) -> tuple[Path, ...]:
    found = existing(re.split("[:;]", text))
    for prefix in found:
        if not any((prefix / folder).is_dir() for folder in ("lib", "python", "objects")):
            raise ValueError(f"{prefix} has neither lib/ nor python/ nor objects/")
    return tuple(found)


def holding(header: str) -> Callable[[str], str]:
    """A folder in which there is this header."""

    def parse(text: str) -> str:
        if not Path(text, header).is_file():
            raise ValueError(f"there is no {header} in it")
        return os.path.abspath(text)

    return parse


def library_folder(library: str) -> Callable[[str], str]:
    """A folder in which there is this library; the library says it, too."""

    def parse(text: str) -> str:
        folder = Path(text) if Path(text).is_dir() else Path(text).parent
        if not Path(text).exists() or not (folder / library).exists():
            raise ValueError(f"there is no {library} in it")
        return os.path.abspath(folder)

    return parse


def toolkit(text: str) -> str:
    """A toolkit often has two names, /usr/local/cuda and that with its version: the folder itself is what counts."""
    if not os.access(Path(text, "bin/nvcc"), os.X_OK):
        raise ValueError("there is no program bin/nvcc in it")
    return os.path.realpath(text)


def this_python(text: str) -> str:
    """Another path of the same environment's interpreter is as good; another environment is not."""

    def identity(path: str) -> tuple[str, str]:
        return os.path.realpath(path), os.path.realpath(os.path.dirname(os.path.abspath(path)))

    if identity(shutil.which(text) or text) != identity(sys.executable):
        raise ValueError(f"the build is run by {sys.executable}")
    return sys.executable


def python_library(text: str) -> str:
    """Extension modules find Python in the process that loads them: nothing links it, but it must fit."""
    wanted = f"libpython{sysconfig.get_config_var('LDVERSION')}"
    if not Path(text).is_file():
        raise ValueError("there is no such file")
    if not re.match(rf"({re.escape(wanted)}|libpython3)\.(so|a)\b", Path(text).name):
        raise ValueError(f"not {wanted}.so, which {sys.executable} has")
    return os.path.abspath(text)


def processors() -> int:
    """Those that this process may use; a container often has fewer than the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- options that can be chosen


@dataclass(frozen=True)
class Option:
    name: str
    field: str  # of Options; "debug" and "rel_with_deb_info" end up in build_type
    parse: Callable[[str], object]
    allowed: str
    default: str  # for the reader; `initial` is its value
    initial: Callable[[], object]
    what: str
    aliases: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()  # aliases that say the opposite; booleans only
    feature: bool = False  # a library may be there only with it
    needs: str = ""  # the field of a feature without which it means nothing
    others: bool = False  # a variable of other people's, too: where it means nothing it is skipped

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.name, *self.aliases, *self.negations)


def switch(
    name: str, what: str, field: str = "", aliases=(), negations=(), default="0", initial=lambda: False, **more
) -> Option:
    """An option that is on or off, and off by default."""
    field = field or name.lower()
    return Option(name, field, boolean, BOOLEAN, default, initial, what, tuple(aliases), tuple(negations), **more)


def feature(name: str, what: str, needs: str = "") -> Option:
    """What a library of lib/libraries.toml brings, in the spellings of 2017 and 2019."""
    return switch(f"USE_{name}", what, name.lower(), [f"WITH_{name}"], [f"NO_{name}"], feature=True, needs=needs)


def version_text() -> str:
    from . import version_file  # which needs the pattern above

    return version_file.version()


OPTIONS = (
    Option(
        "CMAKE_BUILD_TYPE",
        "build_type",
        build_type,
        f"{', '.join(BUILD_TYPES)}, in any case",
        "Release",
        lambda: "",
        "how the compiler optimises; DEBUG and REL_WITH_DEB_INFO are short for two of them",
    ),
    switch("DEBUG", "build type Debug: no optimisation, assertions, debug information"),
    switch("REL_WITH_DEB_INFO", "build type RelWithDebInfo: optimised, with debug information"),
    feature("CUDA", "the libraries for NVIDIA's GPUs"),
    switch(
        "USE_MKLDNN",
        "THNN's convolutions by oneDNN, version 3 or later, where that is faster",
        "mkldnn",
        ["WITH_MKLDNN"],
        ["NO_MKLDNN"],
        default="1 where the machine has it",
        initial=lambda: None,
    ),
    feature("DISTRIBUTED", "torch.distributed"),
    feature("MPI", "groups of torch.distributed over MPI; needs USE_DISTRIBUTED=1", needs="distributed"),
    feature("NCCL", "collectives between GPUs; needs USE_CUDA=1", needs="cuda"),
    Option(
        "TORCH_CUDA_ARCH_LIST",
        "cuda_arch_list",
        arches,
        f"All, or any of {' '.join(CUDA_ARCHES + CUDA_EXACT)}, each with or without its point and +PTX, "
        "separated by blanks or semicolons",
        " ".join(CUDA_DEFAULT),
        lambda: CUDA_DEFAULT,
        "the GPUs to make code for; needs USE_CUDA=1",
        ("CUDA_ARCH_LIST",),
        needs="cuda",
    ),
    Option(
        "CUDA_HOME",
        "cuda_home",
        toolkit,
        "a folder with bin/nvcc",
        "the one with the nvcc on PATH, else /usr/local/cuda",
        str,
        "NVIDIA's toolkit, with USE_CUDA=1",
        ("CUDA_PATH", "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_ROOT"),
        needs="cuda",
        others=True,
    ),
    Option(
        "NCCL_ROOT",
        "nccl_root",
        lambda text: str(existing([text])[0]),
        "an existing folder",
        "where CMake looks",
        str,
        "the machine's NCCL; needs USE_NCCL=1",
        ("NCCL_ROOT_DIR",),
        needs="nccl",
    ),
    Option(
        "NCCL_INCLUDE_DIR",
        "nccl_include",
        holding("nccl.h"),
        "a folder with nccl.h",
        "include in NCCL_ROOT",
        str,
        "its header; needs USE_NCCL=1",
        needs="nccl",
    ),
    Option(
        "NCCL_LIB_DIR",
        "nccl_lib",
        library_folder("libnccl.so"),
        "a folder with libnccl.so, or that file",
        "lib in NCCL_ROOT",
        str,
        "its library; needs USE_NCCL=1",
        ("NCCL_SYSTEM_LIB",),
        needs="nccl",
    ),
    switch("BUILD_TEST", "the C++ tests of the libraries that are built, for ctest; needs GoogleTest", "tests"),
    Option(
        "CMAKE_PREFIX_PATH",
        "cmake_prefix_path",
        folders,
        "existing folders, separated by : or ;",
        "none",
        tuple,
        "where CMake looks for libraries of others first",
    ),
    Option(
        "TORCH_PREBUILT",
        "prebuilt",
        prefixes,
        "existing folders with lib/, python/ or objects/, separated by : or ;",
        "none",
        tuple,
        "prefixes with parts that need not be built; what the tree builds wins over them",
    ),
    Option(
        "PYTHON_EXECUTABLE",
        "python",
        this_python,
        "the Python that runs setup.py; for CMake any, by its path",
        "the Python that runs setup.py; for CMake the first on PATH",
        lambda: sys.executable,
        "the Python to build for, and where it is installed",
        ("Python3_EXECUTABLE",),
    ),
    Option(
        "PYTHON_INCLUDE_DIR",
        "python_include",
        holding("Python.h"),
        "a folder with Python.h",
        "what PYTHON_EXECUTABLE says",
        str,
        "its headers",
        ("PYTORCH_PYTHON_INCLUDE_DIR", "Python3_INCLUDE_DIR"),
    ),
    Option(
        "PYTHON_LIBRARY",
        "python_library",
        python_library,
        "the library of PYTHON_EXECUTABLE",
        "none",
        str,
        "looked at, whether it fits; modules find Python in the process that loads them, and link no library",
        ("PYTORCH_PYTHON_LIBRARY", "Python3_LIBRARY"),
    ),
    Option(
        "NUMPY_INCLUDE_DIR",
        "numpy_include",
        holding("numpy/arrayobject.h"),
        "a folder with numpy/arrayobject.h",
        "what PYTHON_EXECUTABLE's numpy says",
        str,
        "numpy's headers",
        ("Python3_NumPy_INCLUDE_DIR",),
    ),
    Option(
        "MAX_JOBS",
        "jobs",
        positive,
        "1, 2, 3, …",
        "the processors of this process",
        processors,
        "how many commands setup.py runs at a time; to make and ninja say -j",
    ),
    switch("VERBOSE", "show every command and its output, not only in the log", aliases=["VERBOSE_SCRIPT"]),
    Option(
        "TORCH_BUILD_VERSION",
        "version",
        version,
        "a canonical PEP 440 version: 1.0.0, 2.13.0+th1.ffd6138, 1.2.dev3",
        "what version.txt says; in a git checkout . and the commit's first digits",
        version_text,
        "the package's version",
        ("PYTORCH_BUILD_VERSION",),
    ),
    Option(
        "TORCH_PACKAGE_NAME",
        "package_name",
        distribution,
        "letters, digits and . _ - between them",
        "torch",
        lambda: "torch",
        "the distribution's name, as pip lists it; the module is torch whatever it is",
    ),
)


# ---- options of PyTorch's builds that have one answer here; docs/third-party.md has the reasons at length


@dataclass(frozen=True)
class Settled:
    name: str
    only: str  # "0" or "1" for a switch, the one value of another; "" where no value means anything
    why: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """USE_ has the forms that it had in 2017, too."""
        short = self.name.removeprefix("USE_")
        return (self.name, f"WITH_{short}", f"NO_{short}") if short != self.name else (self.name,)


def never(why: str, *names: str) -> tuple[Settled, ...]:
    return tuple(Settled(name, "0", why) for name in names)


def always(why: str, *names: str) -> tuple[Settled, ...]:
    return tuple(Settled(name, "1", why) for name in names)


SETTLED = (
    *never("quantised kernels are not built", "USE_FBGEMM", "USE_QNNPACK", "USE_PYTORCH_QNNPACK"),
    *never("THNN has kernels of its own in its place", "USE_NNPACK", "USE_XNNPACK"),
    *never("matrices are multiplied by OpenBLAS", "USE_MKL"),
    *never("the only GPUs planned for are NVIDIA's", "USE_ROCM"),
    *never("only what Caffe2 did used it, which is not here", "USE_TENSORRT", "USE_FFMPEG", "USE_LEVELDB", "USE_LMDB",
           "USE_OPENCV", "USE_SYSTEM_EIGEN_INSTALL", "BUILD_CAFFE2_OPS", "BUILD_BINARY", "CAFFE2_STATIC_LINK_CUDA"),
    *never("tests run in the build folder (BUILD_TEST, then ctest)", "INSTALL_TEST"),
    *never("nothing here uses cuDNN yet: there are no convolutions on a GPU", "USE_CUDNN"),
    *always("NCCL is not compiled here: it is the machine's", "USE_SYSTEM_NCCL", "SYSTEM_NCCL"),
    *never("NCCL is not compiled here: it is the machine's", "NCCL_EXTERNAL"),
    *always("the bridge to its arrays is part of the bindings", "USE_NUMPY"),
    *always("the kernels' threads are OpenMP's", "USE_OPENMP"),
    *always("torch.distributed is made of it; USE_DISTRIBUTED=0 leaves both out", "USE_GLOO"),
    *always("a library without Python is built by itself: cmake -S lib/TH", "BUILD_PYTHON", "BUILD_TORCH",
            "BUILDING_WITH_TORCH_LIBS"),
    *always("the libraries find each other as files in torch/lib", "BUILD_SHARED_LIBS"),
    Settled("THD_SO_VERSION", "1", "every library of ours is a lib*.so.1"),
    Settled("ONNX_NAMESPACE", "", "nothing is compiled against ONNX"),
    Settled("CUDNN_INCLUDE_DIR", "", "nothing is compiled against cuDNN"),
    Settled("CUDNN_LIBRARY", "", "nothing is compiled against cuDNN"),
    Settled("CUDNN_LIB_DIR", "", "nothing is compiled against cuDNN"),
    Settled("TH_INCLUDE_PATH", "", "TORCH_PREBUILT says where libraries are that were built elsewhere"),
    Settled("TH_LIB_PATH", "", "TORCH_PREBUILT says where libraries are that were built elsewhere"),
)  # fmt: skip

# Names that look like a misspelt option and are none: ours, read elsewhere, and other people's.
NO_OPTIONS = frozenset(
    {
        "TORCH_PACKAGE_SET",
        "TORCH_DEBIAN_MIRROR",
        "TORCH_SUBSTITUTERS",
        "TORCH_DIGITS",
        "TORCH_EXTENSIONS_DIR",
        "TORCH_HOME",
        "TORCH_SHOW_CPP_STACKTRACES",
        "TORCH_BUILD_TYPE",
        "TORCH_XPU_ARCH_LIST",
        "BUILD_TESTING",
        "USE_SYSTEM_LIBS",
    }
)


def spellings() -> list[str]:
    """Every name that means something."""
    return [spelling for row in (*OPTIONS, *SETTLED) for spelling in row.spellings]
