"""This machine as a build sees it: its programs, and what its compiler finds. For tools/dependencies.py.

A file is there if CMake will find it: in a prefix of CMAKE_PREFIX_PATH, beside a bin folder of PATH, or
where the compiler looks by itself. The compiler is run once, on one tiny program that includes
nothing and links everything; what it said is kept in a file until something changes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable

from .cuda import Toolkit

SYSTEM_PREFIXES = (pathlib.Path("/usr/local"), pathlib.Path("/usr"))
MULTIARCH = getattr(sys.implementation, "_multiarch", "")  # Debian's folder for one architecture
# An installation or removal of packages changes one of these.
PACKAGE_DATABASES = (
    "/var/lib/dpkg/status",
    "/var/lib/rpm",
    "/usr/lib/sysimage/rpm",
    "/var/lib/pacman/local",
)
# What decides, besides the prefixes, what a compiler finds.
VARIABLES = (
    *("PATH", "CC", "CXX", "CXXFLAGS", "LDFLAGS", "CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"),
    *("CMAKE_INCLUDE_PATH", "CMAKE_LIBRARY_PATH"),
)

# Compilers say more than one thing at once only in warnings and notes, so the answers are messages. A
# header is looked for, not read: Highway's alone would take longer than all else.
PROGRAM = """\
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifdef __clang__
#pragma message("torch:version:clang " TEXT(__clang_major__))
#else
#pragma message("torch:version:GNU " TEXT(__GNUC__))
#endif
#if __cplusplus < 202002L
#pragma message("torch:old:")
#endif
#ifndef _OPENMP
#pragma message("torch:noopenmp:")
#endif
extern "C" int omp_get_max_threads(void);
int probe() { return omp_get_max_threads(); }
"""
HEADER = """\
#if __has_include(<{0}>)
#pragma message("torch:header:{0}")
#endif
"""
# What the linkers bfd and gold, lld, and mold say.
NOT_FOUND = r"(?:cannot find|unable to find library|library not found:) *-?l?"


class Machine:
    """Programs, headers and libraries. `headers` and `libraries`: all that may be looked up."""

    def __init__(
        self,
        prefixes: Iterable[str | os.PathLike] = (),
        headers: Iterable[str] = (),
        libraries: Iterable[str] = (),
        cache: pathlib.Path | None = None,
        toolkit: Toolkit | None = None,
    ):
        self.environment = dict(os.environ)
        listed = re.split("[:;]", self.environment.get("CMAKE_PREFIX_PATH", ""))
        self.prefixes = list(dict.fromkeys(pathlib.Path(prefix) for prefix in [*prefixes, *listed] if prefix))
        self.headers, self.libraries, self.cache = tuple(headers), tuple(libraries), cache
        self.toolkit = toolkit  # of CUDA, where that is asked for
        self._report: dict | None = None
        self._fresh = False  # did the compiler have to be run?

    # ---- programs

    def which(self, *names: str) -> str | None:
        """The first of these programs that PATH has."""
        path = self.environment.get("PATH", os.defpath)
        return next((found for name in names if (found := shutil.which(name, path=path))), None)

    def compiler(self, variable: str, *names: str) -> list[str]:
        """The words that start a compiler: those of CC or CXX, else the name that CMake takes first."""
        if words := shlex.split(self.environment.get(variable, "")):
            return words if self.which(words[0]) else []
        found = self.which(*names)
        return [found] if found else []

    @functools.cached_property
    def cxx(self) -> list[str]:
        return self.compiler("CXX", "c++", "g++", "clang++")

    @functools.cached_property
    def cc(self) -> list[str]:
        return self.compiler("CC", "cc", "gcc", "clang")

    def run(self, *command: str) -> tuple[bool, str]:
        """Whether the command succeeded, and all that it wrote."""
        environment = self.environment | {"LC_ALL": "C"}
        try:
            done = subprocess.run(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        except OSError as error:
            return False, str(error)
        return done.returncode == 0, done.stdout

    # ---- headers and libraries

    def lacks_header(self, names: tuple[str, ...]) -> bool:
        """Is there none of these?"""
        if self.cxx and not self.report["error"]:
            return not set(names) & set(self.report["headers"])
        return not self._exists("include", names)

    def lacks_library(self, name: str) -> bool:
        if self.cxx and not self.report["error"]:
            return name in self.report["absent"]
        return not self._exists("lib", (f"lib{name}.so", f"lib{name}.a"))

    def searched(self) -> str:
        """For messages: where was looked."""
        prefixes = ", ".join(map(str, self.prefixes)) or "empty"
        system = f"where {self.cxx[0]} looks" if self.cxx else ", ".join(map(str, SYSTEM_PREFIXES))
        return f"CMAKE_PREFIX_PATH ({prefixes}) and {system}"

    def folders(self, *kinds: str) -> list[pathlib.Path]:
        """Where CMake looks before the compiler's own folders; `kinds` is "include", or "lib" and "lib64"."""
        variable = "CMAKE_INCLUDE_PATH" if "include" in kinds else "CMAKE_LIBRARY_PATH"
        given = [pathlib.Path(p) for p in self.environment.get(variable, "").split(os.pathsep) if p]
        bins = [pathlib.Path(p) for p in self.environment.get("PATH", "").split(os.pathsep) if p]
        prefixes = [*self.prefixes, *(folder.parent for folder in bins if folder.name in ("bin", "sbin"))]
        tails = [tail for kind in kinds for tail in (kind, f"{kind}/{MULTIARCH}")]
        found = [prefix / tail for prefix in prefixes for tail in tails]
        return [folder for folder in dict.fromkeys([*found, *given]) if folder.is_dir()]

    def _exists(self, kind: str, names: Iterable[str]) -> bool:
        """For a machine whose compiler cannot be run."""
        tails = (kind, f"{kind}/{MULTIARCH}")
        folders = [*self.folders(kind), *(prefix / tail for prefix in SYSTEM_PREFIXES for tail in tails)]
        return any((folder / name).exists() for folder in folders for name in names)

    # ---- what the compiler says

    @property
    def report(self) -> dict:
        """What the compiler says: see `_ask`. Remembered while nothing has changed."""
        if self._report is None:
            self._report = self._remembered()
            self._fresh = self._report is None
        if self._report is None:
            self._report = self._ask()
        return self._report

    def _ask(self) -> dict:
        """Compiles and links PROGRAM with all headers and libraries. The answer:

        version   "GNU 12" or "clang 16", or None
        headers   those that exist
        absent    libraries that the linker did not find; "openmp" where -fopenmp does not work
        error     why the compiler made nothing, where missing libraries are not the reason
        cmake     the answer to `cmake --version`, so that it is remembered, too
        nvcc      what the compiler of CUDA says with this one, see Toolkit.ask; None where it is not asked for
        """
        flags = [*shlex.split(self.environment.get("CXXFLAGS", "")), "-Wno-error", "-fopenmp"]
        flags += [f"-I{folder}" for folder in self.folders("include")]
        link = [*shlex.split(self.environment.get("LDFLAGS", ""))]
        link += [f"-L{folder}" for folder in self.folders("lib", "lib64")]
        link += [f"-l{name}" for name in self.libraries]
        with tempfile.TemporaryDirectory(prefix="torch-probe-") as folder:
            source = pathlib.Path(folder, "probe.cpp")
            source.write_text(PROGRAM + "".join(map(HEADER.format, self.headers)))
            made = ["-fPIC", "-shared", "-o", f"{folder}/probe.so", str(source)]
            succeeded, output = self.run(*self.cxx, "-std=c++20", *flags, *made, *link)
        said = [(kind, text.strip()) for kind, text in re.findall(r"torch:(\w+):([^\"'’\[\n]*)", output)]
        absent = [name for name in self.libraries if re.search(rf"{NOT_FOUND}{re.escape(name)}\b", output)]
        if ("noopenmp", "") in said or re.search(rf"{NOT_FOUND}(gomp|i?omp5?)\b|libgomp\.spec", output):
            absent.append("openmp")
        error = None
        if ("old", "") in said:
            error = "it has no C++20"
        elif not succeeded and not absent:
            lines = [line.strip() for line in output.splitlines() if line.strip() and "torch:" not in line]
            error = "it fails on a tiny C++20 program: "
            error += next((line for line in lines if "error" in line), lines[0] if lines else "no message")
        return {
            "version": next((text for kind, text in said if kind == "version"), None),
            "headers": sorted({text for kind, text in said if kind == "header"}),
            "absent": absent,
            "error": error,
            "cmake": self.run("cmake", "--version")[1],
            "nvcc": self.toolkit.ask(self.run, self.cxx[0], self.folders) if self.toolkit else None,
        }

    # ---- the cache

    def remember(self) -> None:
        """Keeps the report. Failing to is no reason to stop: a read-only tree can be checked all the same."""
        if not self.cache or not self._fresh:
            return
        temporary = self.cache.with_name(f"{self.cache.name}.{os.getpid()}")
        try:
            self.cache.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps({"key": self._key, "report": self.report}, indent=1))
            temporary.replace(self.cache)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()

    def _remembered(self) -> dict | None:
        try:
            content = json.loads(self.cache.read_text())
            return content["report"] if content["key"] == self._key else None
        except (AttributeError, OSError, ValueError, LookupError, TypeError):  # no cache, or none of ours
            return None

    @functools.cached_property
    def _key(self) -> str:
        """A hash of all that the report depends on."""

        def state(path) -> tuple:
            try:
                status = os.stat(path)
                return str(path), status.st_mtime_ns, status.st_size
            except OSError:
                return str(path), None

        tools = [tool for name in (*self.cxx[:2], "cmake") if (tool := self.which(name))]
        places = [*tools, __file__, *PACKAGE_DATABASES, *self.folders("include", "lib", "lib64")]
        facts = [
            [self.environment.get(name) for name in VARIABLES],
            [str(prefix) for prefix in self.prefixes],
            [self.headers, self.libraries, self.cxx],
            self.toolkit and [self.toolkit.root, self.toolkit.arches, self.toolkit.nccl, state(self.toolkit.nvcc)],
            self.toolkit and self.toolkit.root and state(self.toolkit.header(self.folders)),
            [state(place) for place in places],
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
