"""Builds the Python package: the small extension modules, and the libraries copied beside them.

The libraries are not built here. They, their headers and the generated sources are found by

    TORCH_LIB_DIR    a prefix with lib/ and include/ of every library and of libtorch_python
    TORCH_GENERATED  what codegen has written: _THNN.cpp (target nn), _torch_docs.py (target docs)

    TORCH_LIB_DIR=… TORCH_GENERATED=… pip wheel .
"""

import os
import pathlib
import shutil

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).parent
VERSION = (HERE / "version.txt").read_text().strip()


def folder(variable, what):
    """The folder that an environment variable names; says which variable and why where it is missing."""
    value = os.environ.get(variable)
    if not value or not pathlib.Path(value).is_dir():
        raise SystemExit(f"setup.py: {variable} must name {what} (it is {value!r})")
    return pathlib.Path(value).resolve()


def prefix():
    return folder("TORCH_LIB_DIR", "the prefix that holds lib/ and include/ of the libraries")


def generated():
    return folder("TORCH_GENERATED", "the folder of codegen's output")


def linked(origin, *libraries):
    """Link options: these libraries, looked up relative to the module before anywhere else (DT_RPATH)."""
    lib = prefix() / "lib"
    return [f"-L{lib}", *(f"-l:lib{name}.so.1" for name in libraries), f"-Wl,-rpath-link,{lib}",
            "-Wl,--disable-new-dtags", f"-Wl,-rpath,{origin}"]


def extensions():
    include = prefix() / "include"
    # setuptools takes only sources whose path is relative to this folder.
    thnn = pathlib.Path("build/generated/_THNN.cpp")
    thnn.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(generated() / thnn.name, thnn)
    return [Extension("torch._C", ["csrc/stub.c"], extra_link_args=linked("$ORIGIN/lib", "torch_python")),
            Extension("torch._dl", ["csrc/dl.c"]),
            Extension("torch._thnn._THNN", [str(thnn)], language="c++",
                      include_dirs=[str(include / "torch_python"), str(include)],
                      extra_compile_args=["-std=c++20", "-fvisibility=hidden"],
                      extra_link_args=linked("$ORIGIN/../lib", "torch_python", "THPP", "THNN", "TH"))]


class BuildExt(build_ext):
    """Decides what to build when it is built: `setup.py --version` needs no libraries."""

    def finalize_options(self):
        self.distribution.ext_modules = extensions()
        super().finalize_options()


class BuildPy(build_py):
    """Adds what is not in the source tree: version.py, the docstrings, torch/lib/."""

    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib) / "torch"
        (package / "version.py").write_text(f'__version__ = "{VERSION}"\ncuda = None\n')
        shutil.copyfile(generated() / "_torch_docs.py", package / "_torch_docs.py")
        lib = package / "lib"
        shutil.rmtree(lib, ignore_errors=True)
        lib.mkdir()
        for library in sorted((prefix() / "lib").glob("*.so*")):
            if not library.is_symlink() or ".so." in library.name:  # not the names that only the linker uses
                shutil.copyfile(library, lib / library.name)
        shutil.copytree(prefix() / "include", lib / "include")


setup(version=VERSION,
      packages=["torch", "torch._thnn"],
      ext_modules=[Extension("torch._C", [])],  # stands for those of BuildExt, so that a platform wheel is made
      cmdclass={"build_ext": BuildExt, "build_py": BuildPy},
      zip_safe=False)
