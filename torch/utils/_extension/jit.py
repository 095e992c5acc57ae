"""load and load_inline: extensions compiled at run time."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.utils._extension import compiler, locations, ninja, toolkit

LIB_EXT = ".so"

Sources = str | os.PathLike | Sequence[str | os.PathLike]


# ---- where --------------------------------------------------------------------------------------


def get_default_build_root() -> str:
    """$XDG_CACHE_HOME/torch_extensions or ~/.cache/torch_extensions."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "torch_extensions")


def build_folder(name: str) -> Path:
    """$TORCH_EXTENSIONS_DIR/NAME, or NAME in a folder of the default root that is for this Python and this CUDA only."""
    root = os.environ.get("TORCH_EXTENSIONS_DIR")
    if not root:
        device = f"cu{torch.version.cuda.replace('.', '')}" if torch.version.cuda else "cpu"
        python = f"py{sys.version_info.major}{sys.version_info.minor}{getattr(sys, 'abiflags', '')}_{device}"
        root = os.path.join(get_default_build_root(), python)
    return Path(root).absolute() / name


@contextlib.contextmanager
def locked(folder: Path, verbose: bool) -> Iterator[None]:
    """One process and one thread at a time builds in a folder.

    The kernel releases the lock when a process ends, however it ends: there is no stale lock to wait for.
    """
    with open(folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if verbose:
                print(f"Waiting for another process that builds in {folder} ...", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# ---- which version ------------------------------------------------------------------------------


@dataclass
class Loaded:
    """What this process has of an extension. A module that is loaded cannot be replaced: a changed one gets a new
    name, NAME_v1 and so on."""

    version: int
    fingerprint: str
    result: Any
    headers: set[str] = field(default_factory=set)


loaded: dict[str, Loaded] = {}
guard = threading.RLock()


def fingerprint(sources: Sequence[Path], options: Sequence[object], headers: set[str]) -> str:
    """Differs when a source, an option or (by size and time) a header does."""
    digest = hashlib.sha256(repr([*map(str, sources), *options]).encode())
    for source in sources:
        digest.update(source.read_bytes())
    for header in sorted(headers):
        with contextlib.suppress(FileNotFoundError):
            stat = os.stat(header)
            digest.update(f"{header} {stat.st_size} {stat.st_mtime_ns}".encode())
    return digest.hexdigest()


# ---- load ---------------------------------------------------------------------------------------


def refuse_sycl(sources: Sequence[object], with_sycl: bool | None) -> None:
    """Raises RuntimeError for what needs a compiler that torch knows nothing of."""
    for source in sources:
        if str(source).endswith(".sycl"):
            raise RuntimeError(f"{source}: this torch is built without SYCL")
    if with_sycl:
        raise RuntimeError("with_sycl=True: this torch is built without SYCL")


def decide_cuda(sources: Sequence[object], with_cuda: bool | None) -> bool:
    """Whether an extension is one for CUDA: as asked, else if it has .cu files.

    Raises RuntimeError in a torch without CUDA, ValueError where .cu files come with with_cuda=False.
    """
    kernels = [source for source in sources if toolkit.is_cuda(source)]
    if kernels:
        toolkit.require_cuda(str(kernels[0]))
        if with_cuda is False:
            raise ValueError(f"with_cuda=False, but {kernels[0]} needs CUDA")
    elif with_cuda:
        toolkit.require_cuda("with_cuda=True")
    return bool(kernels or with_cuda)


def load(
    name: str,
    sources: Sources,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_sycl_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str | os.PathLike] | None = None,
    build_directory: str | os.PathLike | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    with_sycl: bool | None = None,
    is_python_module: bool = True,
    is_standalone: bool = False,
    keep_intermediates: bool = True,
) -> Any:
    """Compiles C++ and CUDA sources and loads the result into this process.

    What did not change since the last time, in this process or another, is not compiled again: sources, every
    header that they include, flags, and torch itself are looked at. When something did change that this process
    has loaded already, the new module's `__name__` is `name` with `_v1`, `_v2`, … behind it, and the old one stays
    what it was.

    Args:
        name: the module's name; in C++ it is TORCH_EXTENSION_NAME.
        sources: one file or several, in C++ or (.cu) for nvcc.
        extra_cflags, extra_ldflags: more options for the compiler and the linker.
        extra_include_paths: more folders of headers.
        extra_cuda_cflags: more options for nvcc. Without one that says for which capabilities to compile,
            TORCH_CUDA_ARCH_LIST does, such as "8.0;9.0+PTX"; if it is "native" or not set, this machine's devices.
        build_directory: where to build, instead of a folder `name` in TORCH_EXTENSIONS_DIR (if that is set) or in
            ~/.cache/torch_extensions.
        verbose: print what is done.
        with_cuda: True: compile and link with the toolkit's headers and torch's libraries for CUDA also where no
            source is a .cu file. None: if one is.
        is_python_module: False: load a plain shared library, and return its path.
        is_standalone: build a program, and return its path.
        keep_intermediates: False: remove the object files.

    `extra_sycl_cflags` are for sources that torch refuses.

    Returns:
        the module, or a path as said above.

    Raises:
        RuntimeError: no compiler or no ninja (and how to install it); a source does not compile ("Error building
            extension 'name': …", the first error first); SYCL is wanted, or CUDA of a torch without it; no device
            says for which capability to compile.
        OSError: CUDA is wanted, and there is no toolkit.
        FileNotFoundError: there is no such source.
        ImportError: the module does not load, as when its sources define no PYBIND11_MODULE.
        ValueError: a bad name, or no sources; a capability for which nvcc does not compile.
    """
    listed = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    refuse_sycl(listed, with_sycl)
    cuda = decide_cuda(listed, with_cuda)
    refuse_text(extra_cflags, extra_cuda_cflags, extra_ldflags, extra_include_paths)
    files = [Path(source).absolute() for source in listed]
    if not files:
        raise ValueError(f"extension {name!r} has no sources")
    for file in files:
        if not file.is_file():
            raise FileNotFoundError(f"extension {name!r}: there is no source {file}")
    plan = make_plan(
        name,
        files,
        extra_cflags,
        extra_ldflags,
        extra_include_paths,
        build_directory,
        "program" if is_standalone else "module" if is_python_module else "library",
        list(extra_cuda_cflags or []) if cuda else None,
    )
    with guard, locked(plan.folder, verbose):
        return build_and_load(plan, verbose, keep_intermediates)


@dataclass(frozen=True)
class Plan:
    """Everything that decides what a build makes."""

    name: str
    sources: list[Path]
    compiler: list[str]
    cflags: list[str]
    ldflags: list[str]
    include_paths: list[str]
    folder: Path
    kind: str  # module, library, program
    cuda: bool
    nvcc: list[str]  # with its options; empty if no source is for it

    def options(self) -> list[object]:
        own = [self.compiler, self.cflags, self.ldflags, self.include_paths, str(self.folder), self.kind]
        return [*own, self.cuda, self.nvcc]

    def target(self, version: int) -> str:
        return f"{self.name}_v{version}" if version else self.name

    def script(self, version: int) -> str:
        """build.ninja, for a version."""
        target, python = self.target(version), self.kind != "program"
        include = [f"-I{path}" for path in self.include_paths]
        system = locations.include_paths("cuda" if self.cuda else "cpu")
        system += locations.python_include_paths() if python else []
        common = [f"-DTORCH_EXTENSION_NAME={target}", *include]
        common += [word for path in system for word in ("-isystem", path)]
        cxx = [*self.compiler, *common, "-fPIC", "-O2", *compiler.flags_with_standard(self.cflags)]
        nvcc = [*self.nvcc, *common]
        objects, taken = [], set()
        for source in self.sources:
            stem, count = source.stem, 1
            while stem in taken:  # a/x.cpp and b/x.cpp
                stem, count = f"{source.stem}_{count}", count + 1
            taken.add(stem)
            objects.append(ninja.Object(source, self.folder / f"{stem}.o", nvcc if toolkit.is_cuda(source) else cxx))
        output = self.folder / (target if self.kind == "program" else target + LIB_EXT)
        link = ninja.Link(
            output,
            self.compiler if self.kind == "program" else [*self.compiler, "-shared"],
            [*self.ldflags, *locations.link_options(python, cuda=self.cuda)],
            locations.libraries(python, self.cuda),
        )
        return ninja.script(objects, link)


def refuse_text(*lists: object) -> None:
    """Raises TypeError for flags or paths in one str, which would be taken for a list of letters."""
    for options in lists:
        if isinstance(options, str):
            raise TypeError(f"flags and paths are given in a list, not as the str {options!r}")


def make_plan(
    name: str,
    sources: Sequence[Path],
    cflags: Sequence[str] | None,
    ldflags: Sequence[str] | None,
    include_paths: Sequence[str | os.PathLike] | None,
    directory: str | os.PathLike | None,
    kind: str,
    cuda_cflags: Sequence[str] | None,
) -> Plan:
    """The plan, and its folder, in which relative `sources` lie. `cuda_cflags` None: without CUDA. Raises what `load`
    says."""
    if kind == "module" and not name.isidentifier():
        raise ValueError(f"{name!r} is no name for a Python module")
    if not name or "/" in name:
        raise ValueError(f"{name!r} is no name for a file")
    ninja.verify_ninja_availability()
    command = compiler.get_cxx_compiler()
    kernels = [source for source in sources if toolkit.is_cuda(source)]
    nvcc = toolkit.command(cuda_cflags) if kernels else []
    if cuda_cflags is not None:
        toolkit.runtime()  # raises where the toolkit is missing or incomplete, before anything is compiled
    folder = Path(directory).absolute() if directory else build_folder(name)
    folder.mkdir(parents=True, exist_ok=True)
    return Plan(
        name,
        [folder / source for source in sources],
        command,
        list(cflags or []),
        list(ldflags or []),
        [str(Path(path).absolute()) for path in include_paths or []],
        folder,
        kind,
        cuda_cflags is not None,
        nvcc,
    )


def build_and_load(plan: Plan, verbose: bool, keep_intermediates: bool) -> Any:
    """What `load` does once nobody else can be building in the folder."""
    before = loaded.get(plan.name)
    now = fingerprint(plan.sources, plan.options(), before.headers if before else set())
    if before and before.fingerprint == now:
        if verbose:
            print(f"No change in extension {plan.name}: the one that is loaded is used", file=sys.stderr)
        return before.result
    version = before.version + 1 if before else 0
    target = plan.target(version)
    _build(plan, version, verbose)
    headers = ninja.headers(plan.folder) - {str(source) for source in plan.sources}
    path = plan.folder / (target if plan.kind == "program" else target + LIB_EXT)
    if not keep_intermediates:
        for item in plan.folder.glob("*.o"):
            item.unlink()
    if verbose:
        print(f"Loading extension {target} from {path}", file=sys.stderr)
    result: Any = str(path)
    if plan.kind == "module":
        result = _import(target, path)
    elif plan.kind == "library":
        ctypes.CDLL(str(path))
    loaded[plan.name] = Loaded(version, fingerprint(plan.sources, plan.options(), headers), result, headers)
    return result


def _build(plan: Plan, version: int, verbose: bool) -> None:
    """Raises RuntimeError with the first error if that fails. A compiler that is too old is named first."""
    compiler.check_compiler_abi_compatibility(plan.compiler)
    ninja.write_if_changed(plan.folder / "build.ninja", plan.script(version))
    if verbose:
        print(f"Building extension {plan.name} in {plan.folder}", file=sys.stderr)
    done = ninja.run(plan.folder, verbose)
    if verbose:
        print(done.stdout, end="", file=sys.stderr)
    if done.returncode != 0:
        raise RuntimeError(
            f"Error building extension '{plan.name}': {compiler.first_error(done.stdout)}\n\n{done.stdout}"
        )


def _import(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- load_inline --------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    """A C++ string literal. Octal, which ends after three digits, where a character is not plain."""
    plain = (chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{"".join(plain)}"'


def bindings(functions: Mapping[str, str]) -> str:
    """A PYBIND11_MODULE with these functions and their docstrings."""
    for function in functions:
        if not function.isidentifier():
            raise ValueError(f"functions: {function!r} is no name of a function")
    rows = "".join(f"  m.def({_quoted(name)}, &{name}, {_quoted(doc)});\n" for name, doc in functions.items())
    return f"PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{\n{rows}}}"


def load_inline(
    name: str,
    cpp_sources: str | Sequence[str],
    cuda_sources: str | Sequence[str] | None = None,
    sycl_sources: str | Sequence[str] | None = None,
    functions: str | Sequence[str] | Mapping[str, str] | None = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_sycl_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str | os.PathLike] | None = None,
    build_directory: str | os.PathLike | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    with_sycl: bool | None = None,
    is_python_module: bool = True,
    with_pytorch_error_handling: bool = True,
    keep_intermediates: bool = True,
    use_pch: bool = False,
    no_implicit_headers: bool = False,
) -> Any:
    """Compiles C++ and CUDA code that is given as text, and loads it; the rest is as in `load`.

    The C++ code is put together in one file, behind `#include <torch/extension.h>`, the CUDA code in another, behind
    `#include <torch/torch.h>` and `<torch/cuda.h>`, unless `no_implicit_headers`.

    Args:
        cpp_sources: the C++ code, in one piece or several.
        cuda_sources: the code for nvcc. What Python is to call of it, `cpp_sources` declares.
        functions: names of C++ functions to bind, one or several; their names are their docstrings. A mapping
            gives each its docstring. None: the code has a PYBIND11_MODULE of its own.
        with_pytorch_error_handling: makes no difference: errors of torch are always translated.

    Raises:
        RuntimeError: also for SYCL sources, and for use_pch, which this torch has not got.

    Example:
        >>> from torch.utils.cpp_extension import load_inline
        >>> source = "at::Tensor sin_add(at::Tensor x, at::Tensor y) { return x.sin() + y.sin(); }"
        >>> module = load_inline(name="inline_extension", cpp_sources=[source], functions=["sin_add"])
    """
    refuse_sycl([], with_sycl)
    if sycl_sources:
        raise RuntimeError("sycl_sources: this torch is built without SYCL")
    if cuda_sources:
        toolkit.require_cuda("cuda_sources")
        if with_cuda is False:
            raise ValueError("with_cuda=False, but cuda_sources need CUDA")
    cuda = bool(cuda_sources) or decide_cuda([], with_cuda)
    refuse_text(extra_cflags, extra_cuda_cflags, extra_ldflags, extra_include_paths)
    if use_pch:
        raise RuntimeError("use_pch=True: this torch has no precompiled headers")
    if functions is not None and not is_python_module:
        raise ValueError("functions are bound in a Python module, but is_python_module is False")
    pieces = [cpp_sources] if isinstance(cpp_sources, str) else list(cpp_sources)
    kernels = [cuda_sources] if isinstance(cuda_sources, str) else list(cuda_sources or [])
    if not no_implicit_headers:
        pieces.insert(0, "#include <torch/extension.h>")
        kernels[:0] = ["#include <torch/torch.h>", "#include <torch/cuda.h>"] if kernels else []
    if functions is not None:
        if isinstance(functions, str):
            functions = [functions]
        if not isinstance(functions, Mapping):
            functions = {function: function for function in functions}
        pieces.append(bindings(functions))
    files = {Path("main.cpp"): pieces, **({Path("cuda.cu"): kernels} if kernels else {})}

    plan = make_plan(
        name,
        list(files),
        extra_cflags,
        extra_ldflags,
        extra_include_paths,
        build_directory,
        "module" if is_python_module else "library",
        list(extra_cuda_cflags or []) if cuda else None,
    )
    with guard, locked(plan.folder, verbose):
        for file, text in files.items():
            ninja.write_if_changed(plan.folder / file, "\n".join(text) + "\n")
        return build_and_load(plan, verbose, keep_intermediates)
