"""Ninja: whether there is one, files for it, and running it."""

from __future__ import annotations

import functools
import importlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@functools.cache
def _working(command: str) -> bool:
    try:
        return subprocess.run([command, "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def ninja() -> str | None:
    """The command: in PATH, beside this Python (an environment that is not activated), or of the package ninja."""
    beside = Path(sys.executable).parent / "ninja"
    for command in (shutil.which("ninja"), str(beside) if beside.exists() else None):
        if command and _working(command):
            return command
    try:
        command = Path(importlib.import_module("ninja").BIN_DIR) / "ninja"
    except (ImportError, AttributeError):
        return None
    return str(command) if command.exists() and _working(str(command)) else None


def is_ninja_available() -> bool:
    """Whether there is a ninja that runs."""
    return ninja() is not None


def verify_ninja_availability() -> None:
    """Raises RuntimeError, with what to install, unless there is a ninja that runs."""
    if not is_ninja_available():
        raise RuntimeError(
            "Ninja is required to load C++ extensions, and none was found\n"
            "  pip install ninja      Debian, Ubuntu: apt install ninja-build"
        )


def jobs() -> list[str]:
    """Ninja's option for MAX_JOBS; none lets it use every processor. Raises ValueError for what is no number."""
    text = os.environ.get("MAX_JOBS", "")
    if not text:
        return []
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ValueError(f"MAX_JOBS must be a number of at least 1, not {text!r}")
    return ["-j", text]


@dataclass(frozen=True)
class Object:
    """One source to compile."""

    source: Path
    output: Path
    command: Sequence[str]  # compiler and flags; what to read and write comes behind


@dataclass(frozen=True)
class Link:
    """What is made of all objects."""

    output: Path
    command: Sequence[str]  # the compiler; objects come behind
    options: Sequence[str]  # these come last
    depends: Sequence[Path]  # a change in these links again


def _word(text: str) -> str:
    """In a command: quoted for the shell, then for ninja."""
    return shlex.quote(text).replace("$", "$$")


def _path(path: Path) -> str:
    """In a build line."""
    return "".join(f"${c}" if c in "$ :" else c for c in str(path))


def script(objects: Sequence[Object], link: Link | None = None) -> str:
    """The text of build.ninja. Dependency files name every header, torch's and the system's too."""
    lines = [
        "ninja_required_version = 1.5",
        "",
        "rule compile",
        "  command = $compiler -MD -MF $out.d -c $in -o $out",
        "  description = compile $in",
        "  depfile = $out.d",
        "  deps = gcc",
        "",
        # Never half a file under the final name, and never one written to that another process has mapped.
        "rule link",
        "  command = $compiler $in $options -o $out.new && mv -f $out.new $out",
        "  description = link $out",
        "",
    ]
    for item in objects:
        lines += [
            f"build {_path(item.output)}: compile {_path(item.source)}",
            f"  compiler = {' '.join(map(_word, item.command))}",
            "",
        ]
    if link:
        inputs = " ".join(_path(item.output) for item in objects)
        lines += [
            f"build {_path(link.output)}: link {inputs} | {' '.join(map(_path, link.depends))}",
            f"  compiler = {' '.join(map(_word, link.command))}",
            f"  options = {' '.join(map(_word, link.options))}",
            "",
        ]
    return "\n".join(lines)


def write_if_changed(path: Path, text: str) -> None:
    """Leaves a file alone that holds the text already, so that nothing depending on it looks newer."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def run(folder: Path, verbose: bool) -> subprocess.CompletedProcess[str]:
    """Runs build.ninja of a folder; `stdout` has all output. Colours off, since it may end up in an exception."""
    command = [ninja(), "-C", str(folder), *jobs(), *(["-v"] if verbose else [])]
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8", "GCC_COLORS": ""},
    )


def headers(folder: Path) -> set[str]:
    """Every file that the last build in a folder read, from its dependency files."""
    listing = subprocess.run(
        [ninja(), "-C", str(folder), "-t", "deps"], capture_output=True, text=True, check=False
    ).stdout
    return {str(folder / line.strip()) for line in listing.splitlines() if line.startswith("    ")}
