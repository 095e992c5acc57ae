"""The parts that torch is made of, in the order in which they are built."""

import functools
import pathlib
import sysconfig
import tomllib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent


# Options without which some parts are not there.
FEATURES = ("cuda", "distributed", "mpi", "nccl")


@dataclass(frozen=True)
class Part:
    """A library of lib/libraries.toml, libtorch over them, or one of those that bind them to Python."""

    name: str
    needs: tuple[str, ...]
    generated: bool = False  # is output of codegen compiled in?
    kit: str = ""  # the library whose kernel kit is linked, too
    feature: str = ""  # of FEATURES: the part is there only with it
    vendor: tuple[str, ...] = ()  # packages of others
    optional: tuple[str, ...] = ()  # of them, those that it can be built without
    binds: bool = False  # to Python; else it is a backend library, which `build_deps` builds
    shared: bool = True  # is there a lib<name>.so.1?
    modules: tuple[str, ...] = ()  # extension modules: paths in torch/
    folder: str = ""  # of its headers, below include/; empty: its name
    program: str = ""  # that comes with it

    @property
    def headers(self):
        """The folder of its headers, below include/."""
        return self.folder or self.name

    @property
    def targets(self):
        """What CMake calls that which is built."""
        if not self.feature:
            return (self.name, *((self.program,) if self.program else ()))
        return (*((self.name,) if self.shared else ()), *(module.rpartition("/")[2] for module in self.modules))

    def file(self, prefix):
        """The file of an installation in `prefix` that shows that the part is there, or None."""
        if self.shared:
            file = prefix / f"lib/lib{self.name}.so.1"
        else:
            file = prefix / f"python/torch/{self.modules[0]}{sysconfig.get_config_var('EXT_SUFFIX')}"
        return file if file.exists() else None


def _bindings(libraries):
    """Those of a build with every feature; `libraries` has the others by name."""
    plain = tuple(name for name, library in libraries.items() if not library.feature)
    everything = (*libraries, "torch", "torch_python")
    return (
        Part("torch", (*libraries["THPP"].needs, "THPP"), True, folder="autograd"),
        Part("torch_python", (*plain, "torch"), True, binds=True),
        Part(
            "modules",
            (*plain, "torch", "torch_python"),
            True,
            binds=True,
            shared=False,
            modules=("_C",),
            folder="torch",  # those of extensions
        ),
        # The module over THD.
        Part(
            "torch_distributed",
            (*libraries["THD"].needs, "THD", "torch", "torch_python"),
            feature="distributed",
            binds=True,
            shared=False,
            modules=("_distributed",),
        ),
        # Its groups over MPI.
        Part(
            "torch_mpi",
            (*libraries["THD"].needs, "THD", "torch", "torch_python"),
            feature="mpi",
            vendor=("mpi",),
            binds=True,
            shared=False,
            modules=("_distributed_mpi",),
        ),
        # What gives the libraries of CUDA to THPP, and the modules over them.
        Part("torch_cuda", everything, True, feature="cuda", binds=True, modules=("_cuda", "_thnn/_THCUNN")),
        # Modules over libraries of the toolkit alone.
        Part(
            "cuda_modules",
            (),
            feature="cuda",
            vendor=("cuda_cudart", "cuda_nvrtc", "cuda_nvtx"),
            binds=True,
            shared=False,
            modules=("_nvrtc", "_nvtx"),
        ),
        Part("torch_nccl", everything, feature="nccl", vendor=("nccl",), binds=True, shared=False, modules=("_nccl",)),
    )


@functools.cache
def _tables():
    return tomllib.loads((ROOT / "lib/libraries.toml").read_text())


def specifications(features=()):
    """The packages of others that the parts of such a build link: {"TH": {"vendor": (…), "optional": (…)}, …}"""
    return {name: {"vendor": part.vendor, "optional": part.optional} for name, part in parts(features).items()}


@functools.cache
def added():
    """The parts by name that are there only with a feature."""
    return {name: part for name, part in parts(FEATURES).items() if part.feature}


@functools.cache
def parts(features=()):
    """All parts by name, each after those that it needs, of a build with these of FEATURES.

    Raises ValueError if a library needs itself, or one that does not exist.
    """
    libraries = {}
    left = dict(_tables())
    while left:
        ready = [name for name, spec in left.items() if all(need in libraries for need in spec["needs"])]
        if not ready:
            raise ValueError(f"lib/libraries.toml: {', '.join(left)} need each other, or a library that is not there")
        for name in sorted(ready):
            spec = left.pop(name)
            feature = next((name for name in FEATURES if spec.get(name, False)), "")
            libraries[name] = Part(
                name,
                tuple(spec["needs"]),
                "generated" in spec,
                spec.get("kit", ""),
                feature,
                tuple(spec["vendor"]),
                tuple(spec.get("optional", ())),
                program=spec.get("program", ""),
            )
    every = (*libraries.values(), *_bindings(libraries))
    return {part.name: part for part in every if not part.feature or part.feature in features}
