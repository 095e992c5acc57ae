"""What a shared object says about the libraries that it needs: the dynamic section of an ELF file.

Read with the standard library alone, since it is wanted most where nothing else can be imported. Little-endian 64-bit
files only, the ones that torch is built for.
"""

import dataclasses
import os
import struct

_PT_LOAD, _PT_DYNAMIC = 1, 2
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_STRSZ, _DT_SONAME, _DT_RPATH, _DT_RUNPATH = 0, 1, 5, 10, 14, 15, 29


class ElfError(ValueError):
    """The file is no ELF file that can be read; the message says why."""


@dataclasses.dataclass(frozen=True)
class Dynamic:
    path: str  # as it was opened: the folder of this name is $ORIGIN
    soname: str | None
    needed: tuple[str, ...]
    rpath: tuple[str, ...]  # DT_RPATH, $ORIGIN replaced
    runpath: tuple[str, ...]


def read(path):
    """The Dynamic of a file. Raises OSError if it cannot be opened, ElfError if it is not a whole ELF file."""
    with open(path, "rb") as file:
        start = file.read(64)
        if not start.startswith(b"\x7fELF"):
            raise ElfError(f"{path} is no shared object: it does not begin with the ELF signature")
        if start[4:6] != b"\x02\x01":
            raise ElfError(f"{path} is not for this machine: ELF class and byte order {start[4:6].hex(' ')}")
        try:
            return _dynamic(os.fspath(path), file, start)
        except (struct.error, IndexError, ValueError) as error:
            raise ElfError(f"{path} is damaged or was cut short: {error}") from None


def _dynamic(path, file, start):
    def part(offset, length):
        file.seek(offset)
        data = file.read(length)
        if len(data) != length:
            raise IndexError(f"bytes {offset} to {offset + length} are not there")
        return data

    (offset,), (size, count) = struct.unpack_from("<Q", start, 32), struct.unpack_from("<HH", start, 54)
    table = part(offset, size * count)
    # p_type, p_flags, p_offset, p_vaddr, p_paddr, p_filesz
    headers = [struct.unpack_from("<IIQQQQ", table, size * i) for i in range(count)]
    entries = []
    for kind, _, begin, _, _, length in headers:
        if kind == _PT_DYNAMIC:
            for tag, value in struct.iter_unpack("<qQ", part(begin, length // 16 * 16)):
                if tag == _DT_NULL:
                    break
                entries.append((tag, value))
    # The names are given by their address in memory; the segment that holds it says where in the file that is.
    address, length = (
        next((value for tag, value in entries if tag == wanted), 0) for wanted in (_DT_STRTAB, _DT_STRSZ)
    )
    place = next(
        (
            begin + address - base
            for kind, _, begin, base, _, held in headers
            if kind == _PT_LOAD and base <= address < base + held
        ),
        None,
    )
    if entries and place is None:
        raise IndexError("no table of names")
    names = part(place, length) if entries else b""

    def strings(wanted):
        return [
            names[value : names.index(b"\0", value)].decode(errors="surrogateescape")
            for tag, value in entries
            if tag == wanted
        ]

    origin = os.path.dirname(os.path.abspath(path))

    def folders(wanted):
        return tuple(
            folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)
            for joined in strings(wanted)
            for folder in joined.split(":")
            if folder
        )

    return Dynamic(
        path,
        next(iter(strings(_DT_SONAME)), None),
        tuple(strings(_DT_NEEDED)),
        folders(_DT_RPATH),
        folders(_DT_RUNPATH),
    )


def search_path(loaders):
    """Where the dynamic linker looks for what loaders[-1] needs, before the system's own folders.

    `loaders` is a list of Dynamic: the object in question last, before it who loaded it, and so on. DT_RPATH is passed
    on to what an object loads, comes before LD_LIBRARY_PATH and counts only where there is no DT_RUNPATH, which comes
    after it. LD_LIBRARY_PATH is left out here: what is found through it was not meant to be loaded.
    """
    asking = loaders[-1]
    if asking.runpath:
        return asking.runpath
    return tuple(folder for loader in reversed(loaders) if not loader.runpath for folder in loader.rpath)


def find(needed, loaders):
    """The file that `needed`, an entry of loaders[-1].needed, leads to; None if it is left to the system to find."""
    if "/" in needed:
        return needed
    candidates = (os.path.join(folder, needed) for folder in search_path(loaders))
    return next((candidate for candidate in candidates if os.path.exists(candidate)), None)
