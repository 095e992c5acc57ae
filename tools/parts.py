"""The parts that torch is made of, in the order in which they are built."""

import functools
import pathlib
import sysconfig
import tomllib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Part:
    """A library of lib/libraries.toml, or one of those that bind them to Python."""

    name: str
    needs: tuple[str, ...]
    generated: bool  # is output of codegen compiled in?
    kit: str = ""  # the library whose kernel kit is linked, too
    cuda: bool = False  # is it there only where CUDA is on?

    @property
    def is_library(self):
        """Backend library: what `build_deps` builds."""
        return self.name not in BINDINGS

    @property
    def targets(self):
        """What CMake calls that which is built."""
        return TARGETS.get(self.name, (self.name,))

    def file(self, prefix):
        """The file of an installation in `prefix` that shows that the part is there, or None."""
        module = f"python/torch/_C{sysconfig.get_config_var('EXT_SUFFIX')}"
        file = prefix / (module if self.name == "modules" else f"lib/lib{self.name}.so.1")
        return file if file.exists() else None


BINDINGS = ("torch_python", "modules", "torch_cuda")
# What gives the libraries of CUDA to THPP, and the modules over them.
TARGETS = {"torch_cuda": ("torch_cuda", "_cuda", "_THCUNN")}


@functools.cache
def _tables():
    return tomllib.loads((ROOT / "lib/libraries.toml").read_text())


@functools.cache
def specifications(cuda=False):
    """lib/libraries.toml as a dict of dicts; unless `cuda`, without the libraries that exist only where CUDA is on."""
    return {name: spec for name, spec in _tables().items() if cuda or not spec.get("cuda", False)}


@functools.cache
def cuda_parts():
    """The parts by name that exist only where CUDA is on."""
    return {name: part for name, part in parts(cuda=True).items() if part.cuda}


@functools.cache
def parts(cuda=False):
    """All parts by name, each after those that it needs; unless `cuda`, without those that exist only where CUDA is on.

    Raises ValueError if a library needs itself, or one that does not exist.
    """
    ordered = {}
    left = dict(specifications(cuda))
    while left:
        ready = [name for name, spec in left.items() if all(need in ordered for need in spec["needs"])]
        if not ready:
            raise ValueError(f"lib/libraries.toml: {', '.join(left)} need each other, or a library that is not there")
        for name in sorted(ready):
            spec = left.pop(name)
            of_cuda = spec.get("cuda", False)
            ordered[name] = Part(name, tuple(spec["needs"]), "generated" in spec, spec.get("kit", ""), of_cuda)
    libraries = tuple(ordered)
    without = tuple(name for name in libraries if not ordered[name].cuda)
    ordered["torch_python"] = Part("torch_python", without, True)
    ordered["modules"] = Part("modules", (*without, "torch_python"), True)
    if cuda:
        ordered["torch_cuda"] = Part("torch_cuda", (*libraries, "torch_python"), True, cuda=True)
    return ordered
