"""A body in C++ stands in a file named after the file that declares it: fft.cpp, or fft_stft.cpp, has those of fft.cwrap."""

import collections
import re

from conftest import ROOT

from codegen.__main__ import DECLARATIONS
from codegen.load import compiled

STEMS = {path.stem for path in DECLARATIONS.glob("*.cwrap")}


def family(stem):
    """The declaration file that a source is a part of: the one with the longest name that begins its own."""
    return max((s for s in STEMS if f"{stem}_".startswith(f"{s}_")), key=len, default=None)


def misplaced(declared, sources):
    """[(file, body, where it is declared)]. declared: {body: files}; sources: {file: text}."""
    return [
        (stem, name, sorted(declared[name]))
        for stem, text in sources.items()
        for name in re.findall(r"^[A-Za-z].*?\bbody::(\w+)\(", text, re.MULTILINE)
        if family(stem) not in declared[name]
    ]


def test_what_is_found():
    declared = {"stft": {"fft"}, "potrf_out": {"linalg_legacy"}, "det": {"linalg"}}
    right = {
        "fft_stft": "Tensor body::stft(…",
        "linalg_legacy": "void body::potrf_out(…",
        "linalg_solve": "Tensor body::det(",
    }
    assert misplaced(declared, right) == []
    wrong = {"stft": "Tensor body::stft(…", "linalg": "\nvoid body::potrf_out(…", "linalg_legacy": "Tensor body::det("}
    assert [name for _, name, _ in misplaced(declared, wrong)] == ["stft", "potrf_out", "det"]


def test_bodies_stand_where_they_are_declared():
    declared = collections.defaultdict(set)
    for overloads in compiled(DECLARATIONS).values():
        for o in overloads:
            if o.composite:
                stem = o.where.file.rpartition("/")[2].removesuffix(".cwrap")
                declared[o.cpp_name + "_out" * bool(o.outputs)].add(stem)
    sources = {path.stem: path.read_text() for path in (ROOT / "lib/THPP/src").rglob("*.cpp")}
    assert len(declared) > 300
    assert misplaced(declared, sources) == []
