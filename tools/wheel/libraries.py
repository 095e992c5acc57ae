"""Shared objects of a package: find them, find what they need, remove what nobody refers to."""

import dataclasses
import pathlib
import re

from .elf import SharedObject, is_elf

# What every machine with this glibc has beside it. The manylinux policies allow them; a second copy
# of any in one process would be a mistake (two heaps, two sets of type infos).
HOST = {
    "libc.so.6",
    "libm.so.6",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "libgcc_s.so.1",
    "libstdc++.so.6",
}


@dataclasses.dataclass(frozen=True)
class Beside:
    """A library that another distribution brings, and that is found where that one is installed."""

    requirement: str  # the distribution, as Requires-Dist names it
    folder: str  # in site-packages
    stem: str  # libcudart of libcudart.so.13


def found_beside(name: str, beside: list[Beside]) -> Beside | None:
    return next((other for other in beside if name.startswith(f"{other.stem}.so")), None)


def shared_objects(package: pathlib.Path) -> list[pathlib.Path]:
    """All ELF files in a folder; what is called .so is one, or ValueError."""
    found = []
    for path in sorted(package.rglob("*")):
        if path.is_file() and is_elf(path):
            found.append(path)
        elif path.is_file() and re.search(r"\.so(\.\d+)*$", path.name):
            raise ValueError(f"{path} is no ELF file")
    return found


def resolve(needed: str, by: SharedObject) -> pathlib.Path:
    """The file that the loader takes for a DT_NEEDED; ValueError with the folders where it is in none."""
    if needed.startswith("/"):
        return pathlib.Path(needed)
    folders = [
        entry.replace("$ORIGIN", str(by.path.parent)) for rpath in by.rpath + by.runpath for entry in rpath.split(":")
    ]
    for folder in folders:
        if (pathlib.Path(folder) / needed).exists():
            return pathlib.Path(folder) / needed
    raise ValueError(f"{by.path} needs {needed}, which is in none of {folders}")


def erase_dead(path: pathlib.Path, text: str):
    """Blanks the strings in the dynamic string table that hold `text` and that nobody refers to.

    patchelf appends the new name of a DT_NEEDED and leaves the old one where it was.
    """
    before = SharedObject(path)
    alive = [string.decode() for string in before.used if text.encode() in string]
    if alive:
        raise ValueError(f"{path} still refers to {sorted(alive)}")
    start, size = before.strings
    table = before.data[start : start + size]
    holds = re.compile(rb"[^\0]*" + re.escape(text.encode()) + rb"[^\0]*")
    clean = holds.sub(lambda dead: bytes(len(dead[0])), table)
    path.write_bytes(before.data[:start] + clean + before.data[start + size :])
    # A live string may be the tail of a dead one: the linker shares them so.
    lost = before.used - SharedObject(path).used
    if lost:
        raise ValueError(f"{path}: {sorted(lost)} end a string that holds {text}")
