"""The parts that torch is made of, in the order in which they are built."""

import functools
import pathlib
import sysconfig
import tomllib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Part:
    """A library of lib/libraries.toml, or one of the two that bind them to Python."""

    name: str
    needs: tuple[str, ...]
    generated: bool  # is output of codegen compiled in?
    kit: str = ""  # the library whose kernel kit is linked, too

    @property
    def is_library(self):
        """Backend library: what `build_deps` builds."""
        return self.name not in BINDINGS

    def file(self, prefix):
        """The file of an installation in `prefix` that shows that the part is there, or None."""
        module = f"python/torch/_C{sysconfig.get_config_var('EXT_SUFFIX')}"
        file = prefix / (module if self.name == "modules" else f"lib/lib{self.name}.so.1")
        return file if file.exists() else None


BINDINGS = ("torch_python", "modules")
# The extension modules that CUDA adds, of csrc/cuda and csrc/cuda-modules.
CUDA_MODULES = ("_cuda", "_nvrtc", "_nvtx")


@functools.cache
def _tables():
    return tomllib.loads((ROOT / "lib/libraries.toml").read_text())


@functools.cache
def specifications():
    """lib/libraries.toml as a dict of dicts, without the libraries that exist only where CUDA is on."""
    return {name: spec for name, spec in _tables().items() if not spec.get("cuda", False)}


@functools.cache
def cuda_libraries():
    """The libraries that exist only where CUDA is on: those of lib/libraries.toml, and what gives them to THPP."""
    return (*sorted(name for name, spec in _tables().items() if spec.get("cuda", False)), "torch_cuda")


@functools.cache
def parts():
    """All parts by name, each after those that it needs.

    Raises ValueError if a library needs itself, or one that does not exist.
    """
    ordered = {}
    left = dict(specifications())
    while left:
        ready = [name for name, spec in left.items() if all(need in ordered for need in spec["needs"])]
        if not ready:
            raise ValueError(f"lib/libraries.toml: {', '.join(left)} need each other, or a library that is not there")
        for name in sorted(ready):
            spec = left.pop(name)
            ordered[name] = Part(name, tuple(spec["needs"]), "generated" in spec, spec.get("kit", ""))
    libraries = tuple(ordered)
    ordered["torch_python"] = Part("torch_python", libraries, True)
    ordered["modules"] = Part("modules", (*libraries, "torch_python"), True)
    return ordered
