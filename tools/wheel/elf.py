"""Reads what the loader reads of a shared object: which libraries and versions it needs, its rpath.

Only 64-bit little-endian ELF, which is all that this project makes. Sections are used, not segments:
the linker and patchelf keep both.
"""

import dataclasses
import pathlib
import struct

# Tags of the dynamic section whose value is an offset into its string table.
STRING_TAGS = {1: "needed", 14: "soname", 15: "rpath", 29: "runpath", 0x7FFFFEFD: "auxiliary", 0x7FFFFEFF: "filter"}
DYNAMIC, DYNSYM, VERDEF, VERNEED = 6, 11, 0x6FFFFFFD, 0x6FFFFFFE


@dataclasses.dataclass(frozen=True)
class Section:
    """One line of the section table: the kind, and where its bytes lie in the file."""

    type: int
    offset: int
    size: int
    link: int  # for those below: the index of the string table's section
    info: int  # for versions: how many entries


def is_elf(path: pathlib.Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


class SharedObject:
    """A parsed file. ValueError, naming it, where it is not what we can read.

    needed, soname, rpath, runpath   strings of the dynamic section, each a list in the file's order
    versions                         {library: {version}}, as `readelf -V` prints them
    strings                          where the dynamic string table lies in the file: (offset, size)
    used                             every string that anything refers to, symbols' names included
    """

    def __init__(self, path: pathlib.Path):
        self.path, self.data = path, path.read_bytes()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path} is no 64-bit little-endian ELF file")
        (table,) = struct.unpack_from("<Q", self.data, 0x28)
        size, count = struct.unpack_from("<HH", self.data, 0x3A)
        self.sections = []
        for index in range(count):
            fields = struct.unpack_from("<IIQQQQII", self.data, table + index * size)
            self.sections.append(Section(fields[1], *fields[4:]))
        dynamic = self._only(DYNAMIC)
        if dynamic is None:
            raise ValueError(f"{path} has no dynamic section, so it is no shared object")
        self.strings = self.sections[dynamic.link].offset, self.sections[dynamic.link].size
        self.used: set[bytes] = set()
        self.needed: list[str] = []
        self.soname: list[str] = []
        self.rpath: list[str] = []
        self.runpath: list[str] = []
        self._read_dynamic(dynamic)
        self.versions = self._read_versions()
        self._read_definitions()
        symbols = self._only(DYNSYM)
        for offset in range(symbols.offset, symbols.offset + symbols.size, 24) if symbols else ():
            self._string(*struct.unpack_from("<I", self.data, offset))

    def _only(self, kind: int) -> Section | None:
        found = [section for section in self.sections if section.type == kind]
        if len(found) > 1:
            raise ValueError(f"{self.path} has {len(found)} sections of type {kind:#x}")
        return found[0] if found else None

    def _string(self, offset: int) -> str:
        start = self.strings[0] + offset
        text = self.data[start : self.data.index(b"\0", start)]
        self.used.add(text)
        return text.decode()

    def _read_dynamic(self, section: Section):
        for offset in range(section.offset, section.offset + section.size, 16):
            tag, value = struct.unpack_from("<QQ", self.data, offset)
            if tag == 0:
                break
            if tag in STRING_TAGS:
                getattr(self, STRING_TAGS[tag], []).append(self._string(value))

    def _read_versions(self) -> dict[str, set[str]]:
        versions: dict[str, set[str]] = {}
        section = self._only(VERNEED)
        entry = section.offset if section else 0
        for _ in range(section.info if section else 0):
            _, count, library, auxiliary, following = struct.unpack_from("<HHIII", self.data, entry)
            names = versions.setdefault(self._string(library), set())
            auxiliary += entry
            for _ in range(count):
                _, _, _, name, step = struct.unpack_from("<IHHII", self.data, auxiliary)
                names.add(self._string(name))
                auxiliary += step
            entry += following
        return versions

    def _read_definitions(self):
        section = self._only(VERDEF)
        entry = section.offset if section else 0
        for _ in range(section.info if section else 0):
            _, _, _, count, _, auxiliary, following = struct.unpack_from("<HHHHIII", self.data, entry)
            auxiliary += entry
            for _ in range(count):
                name, step = struct.unpack_from("<II", self.data, auxiliary)
                self._string(name)
                auxiliary += step
            entry += following
