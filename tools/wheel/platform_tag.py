"""The lowest manylinux tag that is true of some shared objects: which glibc a machine must have at least."""

import pathlib
import re

from .elf import SharedObject
from .libraries import Beside, found_beside

# GCC's runtime libraries have versions of their own, and the policies pair each with the glibc of the
# first distribution that has it: version of glibc, newest GLIBCXX, CXXABI and GCC symbols there.
PAIRED = [
    ((2, 5), (3, 4, 8), (1, 3, 1), (4, 2, 0)),
    ((2, 12), (3, 4, 13), (1, 3, 3), (4, 3, 0)),
    ((2, 17), (3, 4, 19), (1, 3, 7), (4, 8, 0)),
    ((2, 24), (3, 4, 22), (1, 3, 10), (4, 8, 0)),
    ((2, 27), (3, 4, 24), (1, 3, 11), (7, 0, 0)),
    ((2, 31), (3, 4, 28), (1, 3, 12), (7, 0, 0)),
    ((2, 34), (3, 4, 29), (1, 3, 13), (7, 0, 0)),
    ((2, 35), (3, 4, 30), (1, 3, 13), (12, 0, 0)),
    ((2, 39), (3, 4, 33), (1, 3, 15), (14, 0, 0)),
]
COLUMNS = {"GLIBCXX": 1, "CXXABI": 2, "GCC": 3}


def glibc_for(symbol_version: str) -> tuple[int, ...]:
    """GLIBC_2.38 -> (2, 38); GLIBCXX_3.4.31 -> (2, 39). ValueError for versions that nobody promises."""
    match = re.fullmatch(r"([A-Z]+)_(\d+(?:\.\d+)*)", symbol_version)
    if match:
        family, version = match[1], tuple(map(int, match[2].split(".")))
        if family == "GLIBC":
            return version[:2]
        for row in PAIRED if family in COLUMNS else ():
            if version <= row[COLUMNS[family]]:
                return row[0]
    raise ValueError(f"no glibc is known to come with {symbol_version}")


def lowest(paths: list[pathlib.Path], beside: list[Beside] = ()) -> str:
    """The tag, such as manylinux_2_39_x86_64. Versions that a file of the list, or one beside, defines do not count."""
    objects = [SharedObject(path) for path in paths]
    ours = {name for item in objects for name in item.soname}
    required = (2, 5)
    for item in objects:
        for library, versions in item.versions.items():
            if library in ours or found_beside(library, beside):
                continue
            for version in versions:
                try:
                    required = max(required, glibc_for(version))
                except ValueError as error:
                    raise ValueError(f"{item.path.name} needs {library}: {error}") from None
    return "manylinux_{}_{}_x86_64".format(*required)
