"""Brings in the libraries that a bare machine lacks, and makes the files find each other there.

In the store every DT_NEEDED is an absolute path. In a wheel it is a soname again, which the loader
looks up in the DT_RPATH: `$ORIGIN`, or the way from a module to torch/lib. Bundled libraries get
private sonames (libblas-torch.so.3), because a library of the public name that the process has
loaded already, say by another wheel, would otherwise be taken for ours.
"""

import os
import pathlib
import shutil
import subprocess

from .elf import SharedObject
from .libraries import HOST, Beside, found_beside, resolve, shared_objects


def private_name(soname: str, package: str) -> str:
    """libgomp.so.1 -> libgomp-torch.so.1"""
    stem, separator, version = soname.partition(".so")
    if not separator:
        raise ValueError(f"the soname {soname!r} does not hold .so")
    return f"{stem}-{package}.so{version}"


def bundle(installed: pathlib.Path, copy: pathlib.Path, beside: list[Beside] = ()) -> dict[pathlib.Path, str]:
    """Copies into copy/lib what `installed` needs from outside, and what that needs, and so on.

    Returns the private name of each, by its real path. Libraries of the host and of other distributions stay out.
    """
    bundled: dict[pathlib.Path, str] = {}
    todo = shared_objects(installed)
    while todo:
        user = SharedObject(todo.pop())
        for needed in user.needed:
            if pathlib.Path(needed).name in HOST or found_beside(pathlib.Path(needed).name, beside):
                continue
            path = resolve(needed, user).resolve()
            if path.is_relative_to(installed) or path in bundled:
                continue
            soname = SharedObject(path).soname
            name = private_name(soname[0] if soname else path.name, copy.name)
            if name in bundled.values():
                raise ValueError(f"{path} and another library would both be called {name}")
            bundled[path] = name
            todo.append(path)
    for path, name in bundled.items():
        shutil.copyfile(path, copy / "lib" / name)
        (copy / "lib" / name).chmod(0o644)
    return bundled


# What a program is started by: the machine's, as pip's own Python is.
LOADER = "/lib64/ld-linux-x86-64.so.2"


def relink(
    installed: pathlib.Path, copy: pathlib.Path, bundled: dict[pathlib.Path, str], beside: list[Beside] = ()
) -> list[str]:
    """Gives every shared object of `copy` its DT_NEEDED, DT_RPATH and, if bundled, soname.

    Returns the requirements whose libraries are needed. Other distributions are installed where this one is.
    """
    used = set()
    origins = {copy / "lib" / name: path for path, name in bundled.items()}
    for path in shared_objects(copy):
        # The original says where its libraries are: its rpath may be relative to where it lies.
        original = SharedObject(origins.get(path, installed / path.relative_to(copy)))
        renamed = []
        places, added = [copy / "lib"], set()
        for needed in original.needed:
            name = pathlib.Path(needed).name
            if other := found_beside(name, beside):
                used.add(other.requirement)
                places.append(copy.parent / other.folder)
                added |= fellows(resolve(needed, original), other, beside) - set(map(os.path.basename, original.needed))
            elif name not in HOST:
                name = bundled.get(resolve(needed, original).resolve(), name)
            if name != needed:
                renamed += ["--replace-needed", needed, name]
        ways = (os.path.relpath(place, path.parent) for place in dict.fromkeys(places))
        rpath = ":".join("$ORIGIN" if way == "." else f"$ORIGIN/{way}" for way in ways)
        # One kind of edit at a time: of several, patchelf 0.14 drops all but the first, without a word.
        if renamed:
            edit(path, *renamed)
        for name in sorted(added):
            edit(path, "--add-needed", name)
        if path in origins:
            edit(path, "--set-soname", path.name)
        if path.parent == copy / "bin":
            edit(path, "--set-interpreter", LOADER)
        # --force-rpath: DT_RPATH, which the loader searches before LD_LIBRARY_PATH. DT_RUNPATH comes after.
        edit(path, "--force-rpath", "--set-rpath", rpath)
    return sorted(used)


def fellows(library: pathlib.Path, other: Beside, beside: list[Beside]) -> set[str]:
    """The other libraries of that distribution that lie beside this one. Whoever needs one of them needs them all: they
    find each other by a DT_RUNPATH, which LD_LIBRARY_PATH goes before, unless they have been found already."""
    stems = [row.stem for row in beside if row.requirement == other.requirement and row != other]
    return {SharedObject(path).soname[0] for stem in stems for path in library.parent.glob(f"{stem}.so.[0-9]*")}


def edit(path: pathlib.Path, *arguments: str):
    result = subprocess.run(["patchelf", *arguments, str(path)], capture_output=True, text=True)
    if result.returncode != 0:
        raise ValueError(f"patchelf {' '.join(arguments)} {path}: {result.stderr.strip()}")
