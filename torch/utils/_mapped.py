"""Which shared libraries this process has mapped, where each comes from, and which of them were not meant to be loaded.

What *should* be there is read from our own files: starting at torch's extension modules, every DT_NEEDED is followed
the way the dynamic linker follows it, by absolute path or RPATH. That gives one file for each name (soname) of ours and
of the libraries that we were linked with. What *is* there is in /proc/self/maps. A mapped library that has one of those
names and is another file is foreign: something else brought it in (LD_LIBRARY_PATH, LD_PRELOAD, another extension).
"""

import dataclasses
import importlib.machinery
import os
import re
import sys

from . import _elf

# What libc brings along has one home: beside the dynamic linker that started the program.
_LIBC = re.compile(
    r"(ld-linux.*|libc|libm|libdl|libpthread|librt|libutil|libresolv|libmvec|libanl|libnss_.*)\.so\.\d+$"
)
_SYSTEM = tuple(
    os.path.join(root, "") for root in ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
)
_SITE = re.compile(r"/(?:site|dist)-packages/([^/]+)/")
# Two of a kind in one process work, but each for itself: its own threads, its own settings.
_KINDS = {
    "OpenMP runtimes": re.compile(r"lib(gomp|omp|iomp5)\b"),
    "BLAS libraries": re.compile(r"lib(\w*openblas\w*|c?blas|mkl_rt|blis\w*)\b"),
}


@dataclasses.dataclass(frozen=True)
class Library:
    path: str  # the real one, links resolved
    origin: str  # ours, vendor, python, package, system, program or foreign
    detail: str  # the origin in words
    soname: str


@dataclasses.dataclass(frozen=True)
class Expected:
    """Our own files and what they lead to."""

    files: dict  # real path -> "ours" or "vendor"
    names: dict  # soname or file name -> set of real paths
    searched: frozenset  # names that no RPATH of ours settles, so the system's copy is right


def expected(package):
    """What the modules and libraries of the package in this folder lead to."""
    modules, folder = _modules(package), os.path.join(package, "lib")
    inside = _listing(folder, lambda name: ".so" in name)
    own = {os.path.realpath(path) for path in modules + inside}
    own_names = {os.path.basename(path) for path in inside}  # of a copied package the modules lead to the original
    files, names, searched = {}, {}, set()

    def follow(roots):
        for path, chain in _reachable(roots, searched):
            real = os.path.realpath(path)
            files[real] = "ours" if real in own or os.path.basename(path) in own_names else "vendor"
            soname = chain[-1].soname if chain else None
            for name in {os.path.basename(path), os.path.basename(real), soname} - {None}:
                names.setdefault(name, set()).add(real)

    follow(modules)
    follow([path for path in inside if os.path.basename(path) not in names])
    return Expected(files, names, frozenset(searched - set(names)))


def _modules(package):
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    folders = [package, os.path.join(package, "_thnn")]
    return [path for folder in folders for path in _listing(folder, lambda name: name.endswith(suffixes))]


def _listing(folder, wanted):
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if wanted(name)]
    except OSError:
        return []


def _reachable(roots, searched):
    """(path, chain of its loaders and itself) of the roots and of all that they need. Adds to `searched` the names that
    are left to the system; a file that cannot be read has an empty chain."""
    waiting, seen = [(root, []) for root in roots], set()
    while waiting:
        path, loaders = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        try:
            chain = [*loaders, _elf.read(path)]
        except (OSError, _elf.ElfError):
            yield path, []
            continue
        yield path, chain
        for needed in chain[-1].needed:
            found = _elf.find(needed, chain)
            if found is None:
                searched.add(needed)
            elif not _LIBC.match(os.path.basename(found)):
                waiting.append((found, chain))


def mapped_files(maps="/proc/self/maps"):
    """The programs and libraries that this process has mapped, by address; [] where the system does not tell.

    A file with code is one, and so is a library without any, such as a link stub.
    """
    try:
        with open(maps, encoding="utf-8", errors="surrogateescape") as lines:
            fields = [line.rstrip("\n").split(maxsplit=5) for line in lines]
    except OSError:
        return []
    files = [(field[1], field[5]) for field in fields if len(field) == 6 and field[5].startswith("/")]
    # Several mappings make up one file.
    return list(dict.fromkeys(path for rights, path in files if "x" in rights or ".so" in os.path.basename(path)))


def libraries(package=None, maps="/proc/self/maps"):
    """A Library for each that is mapped: ours first, foreign ones last."""
    package = package or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    wanted = expected(package)
    files = mapped_files(maps)
    linker = {os.path.dirname(path) for path in files if os.path.basename(path).startswith("ld-linux")}
    python = _closure([os.path.realpath(sys.executable), *(path for path in files if _of_python(path))])
    packages = {}
    for path in files:
        name = _package_of(path)
        if name and wanted.files.get(path) != "ours":
            for found in _closure([path]):
                packages.setdefault(found, name)

    found = [_library(path, wanted, files, linker, python, packages, package) for path in files]
    order = ["ours", "vendor", "python", "package", "program", "system", "foreign"]
    return sorted(found, key=lambda library: (order.index(library.origin), library.detail, library.path))


def _closure(roots):
    return {os.path.realpath(path) for path, _ in _reachable(roots, set())}


def _of_python(path):
    standard_library = os.path.join(os.path.dirname(os.path.realpath(os.__file__)), "")
    libpython = os.path.join(os.path.realpath(sys.base_prefix), "lib", "libpython")
    return path.startswith((standard_library, libpython)) and not _SITE.search(path)


def _package_of(path):
    """The Python package that a file belongs to: by its folder, or because it is one of the imported modules."""
    site = _SITE.search(path)
    if site:
        return site[1].split(".")[0]
    if _of_python(path) or path.startswith(_SYSTEM):
        return None
    for name, module in list(sys.modules.items()):
        if os.path.realpath(getattr(module, "__file__", None) or "/") == path:
            return name.partition(".")[0]
    return None


def _library(path, wanted, files, linker, python, packages, package):
    gone = path.endswith(" (deleted)")
    file = path.removesuffix(" (deleted)")
    name = os.path.basename(file)
    try:
        soname = _elf.read(file).soname or name
    except (OSError, _elf.ElfError):
        soname = name
    since = "; the file has been replaced since it was loaded" if gone else ""

    def made(origin, detail):
        return Library(file, origin, detail + since, soname)

    kind = wanted.files.get(file)
    if kind == "ours":
        return made("ours", "ours" + _how(file, package))
    if kind == "vendor":
        return made("vendor", "linked with ours")
    if os.path.dirname(file) in linker and _LIBC.match(name):
        return made("system", "C library")
    right = wanted.names.get(soname, wanted.names.get(name, set()))
    # Another package may bring a BLAS of its own; a second libTH is nobody's.
    if file in python and not right:
        return made("python", "Python's own")
    if file in packages and not any(wanted.files[path] == "ours" for path in right):
        return made("package", f"of the package {packages[file]}")
    if right:
        used = sorted(right.intersection(files))
        beside = f"loaded beside {used[0]}" if used else f"loaded instead of {sorted(right)[0]}"
        return made("foreign", f"FOREIGN: named {soname}, {beside}")
    if soname in wanted.searched or name in wanted.searched:
        if file.startswith(_SYSTEM) or os.path.dirname(file) in linker:
            return made("vendor", "linked with ours, the system's copy")
        return made("foreign", f"FOREIGN: named {soname}, which torch expects of the system")
    if file.startswith(_SYSTEM) or os.path.dirname(file) in linker:
        return made("system", "the system's")
    if file in python:
        return made("python", "Python's own")
    return made("program", "loaded by this program")


def _how(file, package):
    """For a checkout, whose torch/lib is made of links: which library has been built in the tree?"""
    root = os.path.realpath(os.path.dirname(package))
    if not os.path.exists(os.path.join(root, "lib", "libraries.toml")):
        return ""
    return ", built in this checkout" if file.startswith(root + os.sep) else f", prebuilt in {_prefix(file)}"


def _prefix(file):
    store = re.match(r"/nix/store/[^/]+", file)
    return "the store" if store else os.path.dirname(os.path.dirname(file))


# ---- the environment ----------------------------------------------------------------------------------------------


def environment(found, threads=None):
    """Lines about variables that are set and decide what is loaded or how many threads run, each with its effect.

    `found` are the libraries(); `threads` is how many torch uses, if that is known.
    """
    start = _environment_at_start()  # the dynamic linker read it then; os.environ may have changed
    lines = []
    if start.get("LD_LIBRARY_PATH"):
        folders = [os.path.realpath(folder or ".") for folder in re.split("[:;]", start["LD_LIBRARY_PATH"])]
        inside = [lib.path for lib in found if os.path.dirname(lib.path) in folders]
        lines.append(
            _effect("LD_LIBRARY_PATH", start, inside, "came from there", "no effect: nothing that is loaded lies there")
        )
    for variable in ("LD_PRELOAD", "LD_AUDIT"):
        if start.get(variable):
            asked = re.split("[: ]", start[variable])
            real, names = {os.path.realpath(path) for path in asked}, {path for path in asked if "/" not in path}
            lines.append(
                _effect(
                    variable,
                    start,
                    [lib.path for lib in found if lib.path in real or names & {lib.soname, os.path.basename(lib.path)}],
                    "is loaded, its symbols before all others",
                    "no effect: it is not loaded",
                )
            )
    if os.environ.get("PYTHONPATH"):
        folders = [os.path.abspath(folder) for folder in os.environ["PYTHONPATH"].split(os.pathsep)]
        here = [name for name in ("torch", "numpy") if _home(name) in folders]
        ignored = sys.flags.ignore_environment or not any(
            folder in map(os.path.abspath, sys.path) for folder in folders
        )
        lines.append(
            _effect(
                "PYTHONPATH",
                os.environ,
                here,
                "came from there",
                "no effect: Python ignores it" if ignored else "neither torch nor numpy came from there",
            )
        )
    if os.environ.get("PYTHONHOME"):
        lines.append(f"PYTHONHOME={os.environ['PYTHONHOME']} (where Python takes its standard library from)")
    for variable in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "OMP_THREAD_LIMIT",
        "OMP_PROC_BIND",
        "OMP_WAIT_POLICY",
        "GOMP_SPINCOUNT",
        "GOMP_CPU_AFFINITY",
    ):
        if os.environ.get(variable):
            effect = ""
            if variable == "OMP_NUM_THREADS" and threads is not None:
                first = os.environ[variable].split(",")[0].strip()
                effect = " (in effect)" if first == str(threads) else f" (not in effect: torch uses {threads})"
            lines.append(f"{variable}={os.environ[variable]}{effect}")
    return lines


def _effect(variable, values, witnesses, then, otherwise):
    effect = f"{', '.join(witnesses)} {then}" if witnesses else otherwise
    return f"{variable}={values[variable]} ({effect})"


def _home(name):
    """The folder on sys.path that a package was imported from."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return os.path.dirname(os.path.dirname(os.path.abspath(file))) if file else None


def _environment_at_start():
    try:
        with open("/proc/self/environ", "rb") as file:
            pairs = [os.fsdecode(entry).partition("=") for entry in file.read().split(b"\0")]
    except OSError:
        return dict(os.environ)
    return {name: value for name, _, value in pairs}


# ---- the report -----------------------------------------------------------------------------------------------------


def warnings(found):
    """A line for each library that is not what torch was linked with."""
    return [
        f"{library.path} ({library.detail.removeprefix('FOREIGN: ')})"
        for library in found
        if library.origin == "foreign"
    ]


def _passes_on(library, others):
    """Whether it is a name for one of the others: Debian's libblas calls OpenBLAS."""
    try:
        needed = _elf.read(library.path).needed
    except (OSError, _elf.ElfError):
        return False
    return any(os.path.basename(name) == other.soname for name in needed for other in others)


def notes(found):
    """Lines about what is allowed and still worth knowing: two runtimes of one kind in the process."""
    lines = []
    for kind, pattern in _KINDS.items():
        same = [library for library in found if pattern.match(library.soname) and library.origin != "foreign"]
        same = [library for library in same if not _passes_on(library, same)]
        if len(same) > 1:
            lines.append(
                f"{len(same)} {kind}, each with its own threads: "
                + ", ".join(f"{library.path} ({library.detail})" for library in same)
            )
    return lines


def report(found, threads=None):
    """All of the above as lines for people: libraries with their origin, environment, notes, and a WARNING block."""
    lines = ["Libraries in this process:" if found else "Libraries in this process: not told by this system"]
    origins = [library.detail.partition(":")[0] for library in found]
    width = max(map(len, origins), default=0)
    lines += [f"  - {origin:{width}}  {library.path}" for origin, library in zip(origins, found)]
    variables = environment(found, threads)
    lines.append("Environment variables that matter:" + ("" if variables else " none is set"))
    lines += [f"  - {line}" for line in variables]
    lines += [f"Note: {line}" for line in notes(found)]
    foreign = warnings(found)
    if foreign:
        lines += [
            "",
            f"WARNING: {len(foreign)} librar{'ies are' if len(foreign) > 1 else 'y is'} not torch's own, "
            "though named as if:",
        ]
        lines += [f"WARNING:   {line}" for line in foreign]
    return lines
