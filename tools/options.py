"""Options of a build, from the environment.

    DEBUG=1 MAX_JOBS=4 pip install .
    python -m tools.options          # every option, what it allows and what it is now
    python -m tools.options --docs   # the same without this machine's values

tools/option_table.py is the only list: parsing, messages and the printed table derive from it. CMake reads the
same options, as -D and from the environment, through tools/for_cmake.py. Whether USE_CUDA and its like can be
switched on is no constant: a library of lib/libraries.toml that carries `cuda = true` decides.

A build that silently ignores what it was told is found out an hour later, so nothing is ignored: `read`
refuses every value that is not allowed, every contradiction, what PyTorch's builds have and this one does not,
and every name that is nearly one of ours, all in one message.
"""

from __future__ import annotations

import difflib
import os
import shlex
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from . import cuda
from .option_table import NO_OPTIONS, OPTIONS, SETTLED, Option, boolean, spellings
from .parts import FEATURES, ROOT, added

LIBRARIES = ROOT / "lib" / "libraries.toml"


class OptionError(ValueError):
    """The environment has options for what cannot be built. `problems` has one line for each reason."""

    def __init__(self, problems: list[str]):
        self.problems = tuple(problems)
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class Options:
    build_type: str  # one of BUILD_TYPES
    cuda: bool
    mkldnn: bool | None  # None: where the machine has oneDNN
    distributed: bool
    mpi: bool
    nccl: bool
    cuda_arch_list: tuple[str, ...]  # "8.0", "9.0a", "12.0+PTX"
    cuda_home: str  # the toolkit's folder; empty: where tools/cuda.py looks
    nccl_root: str  # the machine's NCCL; empty: where CMake looks
    nccl_include: str
    nccl_lib: str
    tests: bool  # C++ tests of the libraries too
    cmake_prefix_path: tuple[str, ...]  # where CMake looks for others' libraries; absolute, existing
    jobs: int  # commands at a time, at least 1
    verbose: bool  # every command's output goes to the screen too
    version: str  # of the package, canonical PEP 440
    package_name: str  # of the distribution; the module is always torch
    prebuilt: tuple[Path, ...]  # prefixes with parts that need not be built, the first one wins
    python: str  # that the bindings are compiled for
    python_include: str  # its headers; empty: where it says
    python_library: str
    numpy_include: str  # numpy's headers; empty: where numpy says

    @property
    def features(self) -> tuple[str, ...]:
        """Those of parts.FEATURES that are asked for."""
        return tuple(name for name in FEATURES if getattr(self, name))

    def variables(self) -> dict[str, str]:
        """CMake's variables, each a value or a list; empty ones too: CMake would keep the last in its cache."""
        found = {
            "CMAKE_BUILD_TYPE": self.build_type,
            "CMAKE_PREFIX_PATH": ";".join([*self.cmake_prefix_path, *map(str, self.prebuilt)]),
            "Python3_EXECUTABLE": self.python,
            "BUILD_TEST": "ON" if self.tests else "OFF",
            "USE_CUDA": "ON" if self.cuda else "OFF",
            "USE_MKLDNN": "" if self.mkldnn is None else "ON" if self.mkldnn else "OFF",
        }
        if self.cuda:
            found["TORCH_CUDA_ARCH_LIST"] = ";".join(self.cuda_arch_list)
            if root := cuda.find(self.cuda_home):
                found |= {"CUDAToolkit_ROOT": root, "CUDA_HOME": root, "TORCH_NVCC": cuda.nvcc(root)}
        chosen = {
            "Python3_INCLUDE_DIR": self.python_include,
            "Python3_NumPy_INCLUDE_DIR": self.numpy_include,
            "NCCL_ROOT_DIR": self.nccl_root,
            "NCCL_INCLUDE_DIR": self.nccl_include,
            "NCCL_LIB_DIR": self.nccl_lib,
        }
        return found | {name: folder for name, folder in chosen.items() if folder}


def misspelt(environ: Mapping[str, str]) -> list[str]:
    """A message for each variable whose name is nearly, but not quite, a spelling of an option."""
    others = {spelling for option in OPTIONS if option.others for spelling in option.spellings}
    # Other people have many more of these kinds.
    known = [name for name in spellings() if name not in others and not name.startswith(("CUDNN_", "NCCL_"))]
    # Only names that begin as one of ours do: a machine's environment is full of others.
    beginnings = tuple({spelling.split("_")[0] + "_" for spelling in known if "_" in spelling})
    problems = []
    for name in sorted(environ):
        if name in (*spellings(), *NO_OPTIONS) or not name.startswith(beginnings):
            continue
        if not environ[name].strip():
            continue
        if close := difflib.get_close_matches(name, known, n=1, cutoff=0.85):
            problems.append(f"{name}: unknown; did you mean {close[0]}?")
    return problems


def given(option: Option, environ: Mapping[str, str], problems: list[str]) -> dict[str, object]:
    """What each spelling of an option that is set says, as the option's own value; adds to the problems."""
    values = {}
    for spelling in option.spellings:
        text = environ.get(spelling, "").strip()
        if not text:
            continue
        try:
            value = option.parse(text)
            values[f"{spelling}={shlex.quote(text)}"] = not value if spelling in option.negations else value
        except ValueError as error:
            problems.append(f"{spelling}={shlex.quote(text)}: {error}; allowed: {option.allowed}")
    if len(set(values.values())) > 1:
        problems.append(f"{' and '.join(values)} contradict each other; {option.name} alone is enough")
    return values


def settled(environ: Mapping[str, str]) -> list[str]:
    """A message for each option of PyTorch's builds whose value means something that this build does not have."""
    problems = []
    for row in SETTLED:
        for spelling in row.spellings:
            if not (text := environ.get(spelling, "").strip()):
                continue
            said = f"{spelling}={shlex.quote(text)}"
            if row.only not in ("0", "1"):
                if text != row.only:
                    allowed = f"allowed: {row.only}" if row.only else "leave it out"
                    problems.append(f"{said}: {row.why}; {allowed}")
                continue
            only = row.only == "1"
            try:
                if boolean(text) is not (only if not spelling.startswith("NO_") else not only):
                    problems.append(f"{said}: {row.why}; allowed: {int(not boolean(text))}")
            except ValueError as error:
                problems.append(f"{said}: {error}; allowed: {row.only}")
    return problems


def features(libraries: Mapping[str, Mapping]) -> dict[str, list[str]]:
    """Which libraries are there only with which option: {"cuda": ["THC"], …}"""
    fields = {option.field: option.needs for option in OPTIONS if option.feature}
    wanted = {field: [name for name, library in libraries.items() if library.get(field)] for field in fields}
    # What is no library, but goes with some.
    for name, part in added().items():
        if (needs := fields[part.feature]) and wanted[needs]:
            wanted[part.feature].append(name)
    return wanted


def contradictions(values: Mapping[str, object], asked: Mapping[str, str]) -> list[str]:
    """Options that exclude or need each other. `asked` has, by field, how the user wrote what is set."""
    problems = []
    if values["debug"] and values["rel_with_deb_info"]:
        problems.append(
            f"{asked['debug']} and {asked['rel_with_deb_info']} contradict each other; "
            "allowed: one of them, or neither for Release"
        )
    named = {"Debug": values["debug"], "RelWithDebInfo": values["rel_with_deb_info"]}
    for name, short in named.items():
        if short and values["build_type"] not in ("", name):
            written = asked["debug" if name == "Debug" else "rel_with_deb_info"]
            problems.append(f"{asked['build_type']} and {written} contradict each other; the first alone is enough")
    for option in OPTIONS:
        if option.needs and option.field in asked and values[option.field] and not values[option.needs]:
            problems.append(f"{asked[option.field]}: allowed only with USE_{option.needs.upper()}=1")
    return problems


def read(environ: Mapping[str, str] = os.environ, libraries: Mapping[str, Mapping] | None = None) -> Options:
    """The options that the environment sets; `libraries` is lib/libraries.toml, read where not given.

    A variable that is empty is as good as not set. Raises OptionError with every problem there is, not only the
    first.
    """
    if libraries is None:
        libraries = tomllib.loads(LIBRARIES.read_text(encoding="utf-8"))
    wanted = features(libraries)
    problems = [*misspelt(environ), *settled(environ)]
    values: dict[str, object] = {}
    asked: dict[str, str] = {}
    for option in OPTIONS:
        passed_over = option.others and not values[option.needs]
        says = {} if passed_over else given(option, environ, problems)
        if says:
            asked[option.field], values[option.field] = next(iter(says.items()))
        else:
            try:
                values[option.field] = option.initial()
            except ValueError as error:
                problems.append(f"{error}; allowed: {option.allowed}")
                values[option.field] = None
        if option.feature and values[option.field] and not wanted[option.field]:
            said = asked[option.field]
            problems.append(
                f"{said}: {option.what.partition(';')[0]} cannot be built yet: no library of lib/{LIBRARIES.name} "
                f"is there for {option.field}; allowed: {1 if said.split('=')[0] in option.negations else 0}"
            )
    problems += contradictions(values, asked)
    if problems:
        raise OptionError(problems)
    debug, with_information = values.pop("debug"), values.pop("rel_with_deb_info")
    values["build_type"] = (
        values["build_type"] or (debug and "Debug") or (with_information and "RelWithDebInfo") or "Release"
    )
    return Options(**values)


def settled_rows(columns: int) -> list[list[str]]:
    """The rest of the table: what other builds of PyTorch have."""
    rows = []
    for row in SETTLED:
        _, *also = row.spellings
        rows.append([row.name, row.only or "nothing", row.only, row.why, ", ".join(also)])
    return [[row[0], *[""] * (columns - 5), *row[1:]] for row in rows]


def table(environ: Mapping[str, str] | None = None) -> str:
    """Every option in a Markdown table; with an environment, what it sets there as well."""
    rows = [["option", "allowed", "default", "what it does", "also spelt"]]
    for option in OPTIONS:
        also = [*option.aliases, *(f"{negation} (the opposite)" for negation in option.negations)]
        rows.append([option.name, option.allowed, option.default, option.what, ", ".join(also)])
    if environ is not None:
        for row, option in zip(rows, [None, *OPTIONS], strict=True):
            row.insert(
                1,
                "now"
                if option is None
                else " ".join(
                    text if spelling == option.name else f"{spelling}={text}"
                    for spelling in option.spellings
                    if (text := environ.get(spelling, "").strip())
                ),
            )
    rows += settled_rows(len(rows[0]))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows)


def main(arguments: list[str]) -> int:
    """Prints the table; then, unless it is for the documentation, what is wrong with this environment."""
    if arguments not in ([], ["--docs"]):
        print(f"usage: python -m tools.options [--docs]; got {shlex.join(arguments)}", file=sys.stderr)
        return 2
    print(table(None if arguments else os.environ))
    if not arguments:
        try:
            options = read()
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        print("\n" + "\n".join(f"-D{name}={shlex.quote(value)}" for name, value in options.variables().items()))
        print(f"{options.jobs} jobs at a time")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
