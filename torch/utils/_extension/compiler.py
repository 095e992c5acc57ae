"""The C++ compiler: which one, whether it will do, and what its first error was."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import warnings

# The oldest that compile torch's C++20 headers and make code for the ABI of its libraries.
MINIMUM_GCC_VERSION = (12, 0, 0)
MINIMUM_CLANG_VERSION = (16, 0, 0)

STANDARD = "-std=c++20"
# libstdc++'s ABI since 2015; a compiler or a flag that says otherwise would fail to link.
ABI = "-D_GLIBCXX_USE_CXX11_ABI=1"


def get_cxx_compiler() -> list[str]:
    """The compiler's command: $CXX, which may have arguments, else the first of c++, g++, clang++ in PATH.

    Raises RuntimeError, with what to install, if there is none.
    """
    command = shlex.split(os.environ.get("CXX", ""))
    candidates = [command] if command else [["c++"], ["g++"], ["clang++"]]
    for candidate in candidates:
        if shutil.which(candidate[0]):
            return candidate
    wanted = f"the compiler that CXX names, {command[0]!r}," if command else "a C++ compiler (c++, g++ or clang++)"
    raise RuntimeError(
        f"{wanted} is needed to build C++ extensions, but not in PATH\n"
        "  Debian, Ubuntu: apt install g++      Fedora: dnf install gcc-c++\n"
        "  or set CXX to the command of another compiler"
    )


def _macros(command: list[str]) -> dict[str, str]:
    """The predefined macros of a compiler; empty if it does not run."""
    try:
        listing = subprocess.run(
            [*command, "-x", "c++", "-dM", "-E", os.devnull],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "LC_ALL": "C"},
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return {}
    words = (line.split(" ", 2) for line in listing.splitlines() if line.startswith("#define "))
    return {name: value[0] if value else "" for _, name, *value in words}


def _version(macros: dict[str, str], prefix: str) -> tuple[int, int, int]:
    names = ("major__", "minor__", "patchlevel__") if prefix == "__clang_" else ("__", "_MINOR__", "_PATCHLEVEL__")
    return tuple(int(macros[prefix + name]) for name in names)


def _kind(compiler: str | list[str]) -> str:
    """ "clang", "gcc", or "" for what is neither or does not run."""
    macros = _macros(shlex.split(compiler) if isinstance(compiler, str) else list(compiler))
    return "clang" if "__clang_major__" in macros else "gcc" if "__GNUC__" in macros else ""


def check_compiler_is_gcc(compiler: str | list[str]) -> bool:
    """Whether a compiler is GCC, by whatever name."""
    return _kind(compiler) == "gcc"


def check_compiler_ok_for_platform(compiler: str | list[str]) -> bool:
    """Whether a compiler is one of those that extensions are compiled with here, GCC or Clang."""
    return _kind(compiler) != ""


def get_compiler_abi_compatibility_and_version(compiler: str | list[str]) -> tuple[bool, str]:
    """Whether a compiler makes code that works with torch's libraries, and its version ("0.0.0": not known).

    A compiler that will not do, or does not run, is warned about. TORCH_DONT_CHECK_COMPILER_ABI=1 accepts any.
    """
    if os.environ.get("TORCH_DONT_CHECK_COMPILER_ABI", "").upper() in ("ON", "1", "YES", "TRUE", "Y"):
        return True, "0.0.0"
    command = shlex.split(compiler) if isinstance(compiler, str) else list(compiler)
    macros, shown = _macros(command), shlex.join(command)
    if "__clang_major__" in macros:
        kind, version, minimum = "Clang", _version(macros, "__clang_"), MINIMUM_CLANG_VERSION
    elif "__GNUC__" in macros:
        kind, version, minimum = "GCC", _version(macros, "__GNUC"), MINIMUM_GCC_VERSION
    else:
        warnings.warn(
            f"{shown} is no GCC and no Clang, or does not run: what it compiles may not work with torch", stacklevel=2
        )
        return False, "0.0.0"
    dotted = ".".join(map(str, version))
    if version < minimum:
        warnings.warn(
            f"{shown} is {kind} {dotted}; torch's C++20 headers need {kind} {minimum[0]} or newer", stacklevel=2
        )
    return version >= minimum, dotted


def check_compiler_abi_compatibility(compiler: str | list[str]) -> bool:
    """The first half of get_compiler_abi_compatibility_and_version."""
    return get_compiler_abi_compatibility_and_version(compiler)[0]


# As compilers and linkers write their errors; collect2 only says that ld has one.
ERROR = re.compile(r"(fatal )?error: (?!ld returned)|undefined reference|: cannot find |multiple definition", re.I)


def first_error(output: str) -> str:
    """The line of a build's output that says what went wrong first; the last line if none looks like it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return next((line for line in lines if ERROR.search(line)), lines[-1] if lines else "no output")


def flags_with_standard(flags: list[str]) -> list[str]:
    """`flags` behind what every extension needs; a -std of the caller stays the only one."""
    standard = [] if any(flag.startswith("-std=") for flag in flags) else [STANDARD]
    return [ABI, *standard, *flags]
