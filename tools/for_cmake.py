"""The options of a build for the top-level CMakeLists.txt, which reads them through tools/options.cmake.

    python -m tools.for_cmake names    a regular expression for the variables that have to be passed on
    python -m tools.for_cmake FILE whole|parts   the file has lines NAME=VALUE; prints CMake code that sets what was chosen

What was given as -D goes before the environment. Status 1, and what is wrong on stderr, where the options
cannot be had or the machine lacks something.
"""

import os
import pathlib
import sys
import sysconfig

from . import dependencies, options, prebuilt
from .option_table import NO_OPTIONS, SETTLED, spellings
from .parts import parts, specifications

# Of variables that begin so each one is ours or a mistake.
BEGINNINGS = ("USE_", "WITH_", "NO_", "BUILD_", "CUDA_", "CUDNN_", "NCCL_", "TORCH_")
OWN = ("TORCH_PARTS", "TORCH_OBJECTS", "TORCH_FAMILY", "TORCH_NVCC")  # the CMake files', which setup.py and Nix give
# CMake finds its Python itself, before it can run this.
PYTHON = ("PYTHON_EXECUTABLE", "Python3_EXECUTABLE")


def names() -> str:
    """What options.cmake should pass on; regular expressions of CMake have no (?:."""
    exact = [name for name in spellings() if not name.startswith(BEGINNINGS) and name not in PYTHON]
    return f"^(({'|'.join(BEGINNINGS)}).*|{'|'.join(exact)})$"


def unknown(given: dict[str, str]) -> list[str]:
    """A message for each variable that was given and that nothing reads."""
    known = {*spellings(), *NO_OPTIONS, *OWN}
    said = options.misspelt(given)
    near = {line.split(":")[0] for line in said}
    problems = [
        f"{name}: unknown; python -m tools.options lists what there is"
        for name, value in sorted(given.items())
        if name.startswith(BEGINNINGS) and name not in known | near and value
    ]
    if given.get("MAX_JOBS"):
        problems.append(f"MAX_JOBS={given['MAX_JOBS']}: allowed only for setup.py; to make and ninja say -j")
    return problems


def externally_managed() -> str:
    """A sentence where pip will not install into this Python; PEP 668."""
    marker = pathlib.Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    if sys.prefix != sys.base_prefix or not marker.exists():
        return ""
    return (
        f"{sys.executable} belongs to the system, and `install` will not write there: name the Python of a virtual "
        "environment (python3 -m venv) with -DPYTHON_EXECUTABLE, or another place with -DCMAKE_INSTALL_PREFIX"
    )


def code(given: dict[str, str], whole: bool) -> str:
    """CMake code for what was given; `whole`: everything is built and installed, not chosen parts."""
    # Another spelling of an option in the environment is what -D overrides.
    answered = {other for row in (*options.OPTIONS, *SETTLED) if {*row.spellings} & {*given} for other in row.spellings}
    environ = {name: value for name, value in os.environ.items() if name not in answered} | given
    try:
        wanted = options.read(environ)
    except options.OptionError as error:
        raise options.OptionError([*error.problems, *unknown(given)]) from None
    if problems := unknown(given):
        raise options.OptionError(problems)
    known = parts(wanted.features)
    variables = wanted.variables() | {
        "TORCH_BUILD_VERSION": wanted.version,
        "TORCH_PACKAGE_NAME": wanted.package_name,
        "TORCH_PREBUILT": ";".join(map(str, wanted.prebuilt)),
        "TORCH_CUDA_LIBRARIES": ";".join(
            name for name, part in known.items() if part.feature == "cuda" and not part.binds
        ),
        "TORCH_ADDED_LIBRARIES": ";".join(name for name, part in known.items() if part.feature and not part.binds),
        "TORCH_ADDED_BINDINGS": ";".join(name for name, part in known.items() if part.feature and part.binds),
    }
    if wanted.verbose:
        variables["CMAKE_VERBOSE_MAKEFILE"] = "ON"
    if whole:
        stale = (
            prebuilt.stale(wanted.prebuilt, wanted.features, mkldnn=wanted.mkldnn) if wanted.prebuilt else set(known)
        )
        variables["TORCH_PARTS"] = ";".join(name for name in known if name in stale)
        variables["_torch_prefix"] = sys.prefix
        variables["_torch_external"] = externally_managed()
        if stale:
            rows = [row for row in dependencies.DEPENDENCIES if row.name != "ninja"]
            dependencies.check(wanted, specifications(wanted.features), None, [*rows, *dependencies.INSTALLATION])
    return "".join(f"set({name} [==[{value}]==])\n" for name, value in variables.items())


def main(arguments: list[str]) -> int:
    if arguments == ["names"]:
        print(names(), end="")
        return 0
    file, whole = arguments
    lines = pathlib.Path(file).read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines)
    try:
        print(code(given, whole == "whole"), end="")
    except (ValueError, dependencies.MissingDependencies) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
