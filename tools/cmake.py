"""Drives the top-level CMakeLists.txt: configure when something changed, build, install in one prefix."""

import contextlib
import json
import os
import pathlib
import shutil
import sysconfig

from . import headers, step
from .parts import FEATURES, ROOT, parts

BUILD = ROOT / "build"
FOLDER = BUILD / "cmake"
EDITOR = BUILD / "editor"  # configured with every part, and never built
PREFIX = BUILD / "tmp_install"  # the seeds' tmp_install
LOGS = BUILD / "logs"
_ENVIRONMENT_FILE = PREFIX / "environment.txt"

# What a compiler and CMake read besides their arguments.
_ENVIRONMENT = ("CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CMAKE_INCLUDE_PATH", "CMAKE_LIBRARY_PATH")


def environment():
    """What parts that fit together have in common: the compiler and the Python that they are made for."""
    compiler = shutil.which(os.environ.get("CXX", "").split(" ")[0] or "c++") or ""
    return f"{os.path.realpath(compiler)}\n{sysconfig.get_config_var('EXT_SUFFIX')}\n"


def is_ours():
    """Was the tree's prefix made in this environment? A checkout may be used in two shells by turns."""
    return _ENVIRONMENT_FILE.is_file() and _ENVIRONMENT_FILE.read_text() == environment()


def _configuration(options, chosen, objects):
    """(arguments for CMake, environment variables that it reads)."""
    arguments = [
        *headers.bring(),
        *(f"-D{name}={value}" for name, value in options.variables().items()),
        f"-DTORCH_PARTS={';'.join(chosen)}",
        f"-DTORCH_PREBUILT={';'.join(map(str, options.prebuilt))}",
        f"-DTORCH_OBJECTS={';'.join(map(str, objects))}",
    ]
    if launcher := shutil.which("ccache"):
        arguments += [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX")]
    return arguments, {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}


def configure(options, chosen, objects=(), folder=FOLDER):
    """Runs CMake unless the folder is configured just so already.

    `chosen`: parts to build; empty: all. `objects`: what is linked as it is, see lib/cmake/TorchFamilies.cmake.
    """
    if folder == FOLDER and not is_ours():
        shutil.rmtree(PREFIX, ignore_errors=True)
        PREFIX.mkdir(parents=True)
        _ENVIRONMENT_FILE.write_text(environment())
    arguments, variables = _configuration(options, chosen, objects)
    state, wanted = folder / "arguments.json", json.dumps([environment(), arguments, variables], indent=1)
    if (folder / "build.ninja").exists() and state.exists() and state.read_text() == wanted:
        return
    folder.mkdir(parents=True, exist_ok=True)
    # What CMake found with other arguments it would not look for again.
    (folder / "CMakeCache.txt").unlink(missing_ok=True)
    compiler = folder / "environment.txt"
    if not compiler.exists() or compiler.read_text() != environment():
        shutil.rmtree(folder / "CMakeFiles", ignore_errors=True)  # which remembers the last compiler
        compiler.write_text(environment())
    state.unlink(missing_ok=True)
    step.run(
        f"configure {folder.name}",
        ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(folder), *arguments],
        log=LOGS / f"configure-{folder.name}.log",
        verbose=options.verbose,
    )
    state.write_text(wanted)


def _ninja(name, options, targets):
    shown = ["-v"] if options.verbose else []  # whole commands instead of descriptions
    command = ["ninja", "-C", str(FOLDER), "-j", str(options.jobs), *shown, *targets]
    return step.run(name, command, log=LOGS / f"{name}.log", verbose=options.verbose)


_ran = 0  # commands in this process


def build(name, options, targets):
    """Builds and installs the named parts; the folder must be configured for them. Returns how many commands ran."""
    done = []
    known = parts(FEATURES)
    if any(known[target].generated for target in targets):
        # Apart: Ninja looks for new files when it starts, and these are compiled too.
        done.append(_ninja("codegen", options, ["generate"]))
    tests = [name for name in targets if options.tests and (ROOT / "lib" / name / "tests/CMakeLists.txt").exists()]
    made = [target for part in targets for target in known[part].targets]
    done.append(_ninja(name, options, [*made, *(f"tests/{name}/all" for name in tests)]))
    edges = sum(each.edges for each in done)
    # CMake takes files whose times differ by less than a second for the same. What an earlier call has generated
    # counts, too: it may be this part that installs it.
    global _ran
    _ran += edges
    install = {**os.environ, "CMAKE_INSTALL_ALWAYS": "1"} if _ran else None
    for part in targets:
        step.run(
            f"install {part}",
            ["cmake", "--install", str(FOLDER), "--prefix", str(PREFIX), "--component", part],
            log=LOGS / f"install-{part}.log",
            env=install,
            quiet=True,
        )
        # Headers that are no more would be found all the same.
        installed = _manifest(part).read_text().splitlines()
        for file in (PREFIX / "include" / known[part].headers).rglob("*"):
            if file.is_file() and str(file) not in installed:
                file.unlink()
    return edges


def _manifest(part):
    """CMake's list of what it has installed of a part."""
    return FOLDER / f"install_manifest_{part}.txt"


def remove(names):
    """Takes parts out of the prefix, if they are there."""
    for name in names:
        if not _manifest(name).exists():
            continue
        for file in map(pathlib.Path, _manifest(name).read_text().splitlines()):
            file.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # others have files there
                os.removedirs(file.parent)
        _manifest(name).unlink()


def built():
    """The parts that lie in the tree's own prefix, made in this environment."""
    return {part.name for part in parts(FEATURES).values() if part.file(PREFIX)} if is_ours() else set()
