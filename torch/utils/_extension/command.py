"""Extensions by setuptools: CppExtension and CUDAExtension describe one, BuildExtension builds it."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import setuptools
import torch
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError
from torch.utils._extension import compiler, locations, ninja, toolkit
from torch.utils._extension.jit import refuse_sycl


def CppExtension(name: str, sources: Sequence[str], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """A setuptools.Extension with torch's headers and libraries, for C++.

    Takes what setuptools.Extension takes. The extension finds the torch that it was built with, wherever it lies
    itself; installed beside another torch of the same version, as from a wheel, it takes that one when the first
    is gone.

        setup(name="lltm", ext_modules=[CppExtension("lltm", ["lltm.cpp"])],
              cmdclass={"build_ext": BuildExtension})
    """
    for source in sources:
        if toolkit.is_cuda(source):
            toolkit.require_cuda(source)
            raise ValueError(f"{source}: CppExtension({name!r}) is without CUDA; CUDAExtension takes .cu files")
    return _extension(name, sources, args, kwargs, cuda=False)


def CUDAExtension(name: str, sources: Sequence[str], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """CppExtension with CUDA: sources may be .cu files, for nvcc, beside C++; all see the toolkit's headers, and the
    extension is linked with torch's libraries for CUDA and the toolkit's libcudart.

        setup(name="lltm", ext_modules=[CUDAExtension("lltm", ["lltm.cpp", "lltm_kernel.cu"],
                                                      extra_compile_args={"cxx": ["-g"], "nvcc": ["-O3"]})],
              cmdclass={"build_ext": BuildExtension})

    TORCH_CUDA_ARCH_LIST says for which capabilities to compile, such as "8.0;9.0+PTX"; if it is "native" or not set,
    this machine's devices do.

    Raises:
        RuntimeError: this torch is built without CUDA.
        OSError: there is no toolkit.
    """
    toolkit.require_cuda(f"CUDAExtension({name!r})")
    for option in ("dlink", "dlink_libraries"):
        if kwargs.pop(option, None):
            raise ValueError(f"{option}: device code is compiled file by file here, and not linked (no -rdc)")
    return _extension(name, sources, args, kwargs, cuda=True)


def _extension(
    name: str, sources: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any], cuda: bool
) -> setuptools.Extension:
    refuse_sycl(sources, None)
    if kwargs.get("py_limited_api"):
        raise ValueError("py_limited_api=True: torch's headers use more of Python than the limited API has")
    up, device = "../" * name.count("."), "cuda" if cuda else "cpu"
    kwargs["include_dirs"] = [*(kwargs.get("include_dirs") or []), *locations.include_paths(device)]
    kwargs["library_dirs"] = [*(kwargs.get("library_dirs") or []), *locations.library_paths(device)]
    kwargs["extra_link_args"] = [
        *(kwargs.get("extra_link_args") or []),
        *locations.link_options(origin=f"$ORIGIN/{up}torch/lib", cuda=cuda),
    ]
    kwargs["language"] = "c++"
    return setuptools.Extension(name, list(sources), *args, **kwargs)


class BuildExtension(build_ext):
    """The command build_ext for extensions of torch.

    Adds -std=c++20 (unless the extension has a -std of its own) and TORCH_EXTENSION_NAME. Compiles by Ninja where
    there is one: in parallel (MAX_JOBS), and only what changed, headers included.
    `extra_compile_args` may be a list, for all compilers, or {"cxx": list, "nvcc": list}.
    """

    @classmethod
    def with_options(cls, **options: Any) -> type[BuildExtension]:
        """The same command with other defaults: use_ninja=True, no_python_abi_suffix=False."""

        class BuildExtensionWithOptions(cls):
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__(*args, **{**kwargs, **options})

        return BuildExtensionWithOptions

    def __init__(self, *args: Any, use_ninja: bool = True, no_python_abi_suffix: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.use_ninja = use_ninja
        self.no_python_abi_suffix = no_python_abi_suffix
        self._current = threading.local()  # the extension that this thread compiles: build_ext --parallel has many
        self._nvcc: dict[str, list[str]] = {}  # nvcc and its options, for extensions that have sources for it

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.use_ninja and not ninja.is_ninja_available():
            warnings.warn(
                "BuildExtension found no ninja (pip install ninja) and compiles with distutils instead: one "
                "file after the other, and all of them again each time",
                stacklevel=2,
            )
            self.use_ninja = False
        if self.use_ninja:
            self.force = True  # ninja finds what is up to date; setuptools compares the sources alone

    def build_extensions(self) -> None:
        """Compiles and links all extensions. Raises RuntimeError where there is no compiler."""
        compiler.check_compiler_abi_compatibility(compiler.get_cxx_compiler())
        self.compiler.src_extensions = [*self.compiler.src_extensions, *toolkit.SUFFIXES]
        if self.use_ninja:
            self.compiler.compile = self._compile
        else:
            self._compile_cxx, self.compiler._compile = self.compiler._compile, self._compile_one  # noqa: SLF001
        for extension in self.extensions:
            refuse_sycl(extension.sources, None)
            kernels = [source for source in extension.sources if toolkit.is_cuda(source)]
            name = f"-DTORCH_EXTENSION_NAME={extension.name.rpartition('.')[2]}"
            if kernels:
                toolkit.require_cuda(kernels[0])
                _refuse_clash(extension)
                self._nvcc[extension.name] = [*toolkit.command(_flags(extension, "nvcc")), name]
            extension.extra_compile_args = [*compiler.flags_with_standard(_flags(extension, "cxx")), name]
        super().build_extensions()

    def build_extension(self, ext: setuptools.Extension) -> None:
        self._current.extension = ext
        super().build_extension(ext)

    def get_ext_filename(self, fullname: str) -> str:
        """The file's name, without ".cpython-…" if no_python_abi_suffix says so."""
        name = super().get_ext_filename(fullname)
        if self.no_python_abi_suffix:
            folder, file = os.path.split(name)
            parts = file.split(".")
            name = os.path.join(folder, ".".join(parts[:1] + parts[-1:]))
        return name

    def _compile(
        self,
        sources: Sequence[str],
        output_dir: str | None = None,
        macros: Any = None,
        include_dirs: Sequence[str] | None = None,
        debug: bool = False,
        extra_preargs: Sequence[str] | None = None,
        extra_postargs: Sequence[str] | None = None,
        depends: Any = None,
    ) -> list[str]:
        """What distutils' compile does, by Ninja. Raises CompileError with the first error."""
        name = self._current.extension.name
        output_dir = os.path.abspath(output_dir or ".")
        _, objects, after, before, build = self.compiler._setup_compile(  # noqa: SLF001
            output_dir, macros, include_dirs, sources, depends, list(extra_postargs or [])
        )
        options = self.compiler._get_cc_args(before, debug, extra_preargs)  # noqa: SLF001
        # Of the way Python itself was compiled, what comes behind the compiler's name. "-c" is ninja's to say.
        common = [*self.compiler.compiler_so[1:], *(option for option in options if option != "-c"), *after]
        items = []
        for output, (source, suffix) in build.items():
            if toolkit.is_cuda(source):
                items.append(ninja.Object(Path(source).absolute(), Path(output), [*self._nvcc[name], *before]))
                continue
            is_c = self.compiler.language_map.get(suffix) == "c"
            command = self.compiler.compiler_so[:1] if is_c else compiler.get_cxx_compiler()
            flags = [flag for flag in common if not (is_c and flag.startswith("-std=c++"))]
            items.append(ninja.Object(Path(source).absolute(), Path(output), [*command, *flags]))
        folder = Path(output_dir, "ninja", name)
        folder.mkdir(parents=True, exist_ok=True)
        ninja.write_if_changed(folder / "build.ninja", ninja.script(items))
        done = ninja.run(folder, verbose=bool(self.verbose))
        print(done.stdout, end="", flush=True)
        if done.returncode != 0:
            raise CompileError(f"Error compiling objects for extension {name!r}: {compiler.first_error(done.stdout)}")
        return objects

    def _compile_one(
        self,
        obj: str,
        src: str,
        ext: str,
        cc_args: Sequence[str],
        extra_postargs: Sequence[str],
        pp_opts: Sequence[str],
    ) -> None:
        """What distutils calls for each source, where ninja does not compile."""
        if toolkit.is_cuda(src):
            self.compiler.spawn([*self._nvcc[self._current.extension.name], *pp_opts, "-c", src, "-o", obj])
        else:
            self._compile_cxx(obj, src, ext, cc_args, extra_postargs, pp_opts)


def _flags(extension: setuptools.Extension, which: str) -> list[str]:
    """extra_compile_args for "cxx" or "nvcc". Raises ValueError for flags of other compilers."""
    flags = extension.extra_compile_args or []
    if isinstance(flags, dict):
        known = {"cxx", "nvcc"} if torch.cuda._is_compiled() else {"cxx"}  # noqa: SLF001
        if others := sorted(set(flags) - known):
            without = "others" if "nvcc" in known else "CUDA and others"
            raise ValueError(
                f"extension {extension.name!r}: extra_compile_args has flags for {', '.join(others)}; "
                f"this torch is built without {without}, and takes {' and '.join(map(repr, sorted(known)))} only"
            )
        flags = flags.get(which, [])
    return list(flags)


def _refuse_clash(extension: setuptools.Extension) -> None:
    """Raises ValueError for two sources whose objects have one name: setuptools would compile one of them."""
    seen: dict[str, str] = {}
    for source in extension.sources:
        other = seen.setdefault(os.path.splitext(source)[0], source)
        if other != source:
            raise ValueError(f"extension {extension.name!r}: {other} and {source} make the same object; rename one")
