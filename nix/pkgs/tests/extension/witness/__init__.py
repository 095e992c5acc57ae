"""Tells which files the running interpreter has mapped and imported."""

import sys

from ._native import dot


def foreign_files():
    """Mapped libraries and imported modules that are not in the store."""
    with open("/proc/self/maps") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if "/" in line}
    files |= {m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)}
    return sorted(f for f in files if f.startswith("/") and not f.startswith("/nix/store/"))


def main():
    print(dot([1, 2, 3], [4, 5, 6]), *foreign_files())
