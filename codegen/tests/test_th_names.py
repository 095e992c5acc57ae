"""TH's names of 2017: each is in the public headers, or docs/th-names.toml says what became of it."""

import fnmatch
import re
import tomllib

import pytest
from conftest import ROOT

from codegen import headers

GROUPS = tomllib.loads((ROOT / "docs/th-names.toml").read_text())["functions"]
HEADERS = {
    header: names.split()
    for line in (ROOT / "tests/names/th.txt").read_text().splitlines()
    if not line.startswith("#")
    for header, names in [line.split(": ")]
}


@pytest.fixture(scope="module")
def symbols():
    return headers.read(ROOT / "lib/TH/include/TH/TH.h", [ROOT / "lib/TH/include"])


def is_there(symbols, header, name):
    """THTensor_narrow, or a kernel's function for some dtype: THFloatTensor_cadd. THTensorMath.h is about tensors."""
    kind = re.match("TH.*/TH(C|S|CS)?(Tensor|Storage|[A-Z][a-z]+)", header)
    library = re.match("(.*)/", header)[1]
    pattern = re.compile(f"{library}([A-Z][A-Za-z]*)?{kind[2]}_{name}")
    return any(pattern.fullmatch(symbol) for symbol in symbols)


def covers(group, header, name):
    return any(fnmatch.fnmatchcase(header, h) for h in group["headers"].split()) and any(
        fnmatch.fnmatchcase(name, n) for n in group["names"].split()
    )


@pytest.mark.parametrize("header", HEADERS)
def test_there_or_explained(symbols, header):
    missing = [
        name
        for name in HEADERS[header]
        if not is_there(symbols, header, name) and not any(covers(group, header, name) for group in GROUPS)
    ]
    assert not missing, f"of {header}: neither in the headers of TH nor in docs/th-names.toml"


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group['headers']}: {group['names']}")
def test_explanations_hold(symbols, group):
    """A sentence is about something that is missing, and about nothing that is there."""
    assert set(group) == {"headers", "names", "why"} and group["why"].endswith(".")
    about = [(header, name) for header, names in HEADERS.items() for name in names if covers(group, header, name)]
    assert about
    there = [f"{header}: {name}" for header, name in about if is_there(symbols, header, name)]
    assert not there, "these exist: docs/th-names.toml must not say that they do not"


def test_the_question_has_both_answers(symbols):
    assert is_there(symbols, "TH/THTensor.h", "newNarrow")
    assert is_there(symbols, "TH/THTensorMath.h", "cadd")
    assert is_there(symbols, "TH/THStorage.h", "resize")
    assert not is_there(symbols, "TH/THTensor.h", "newNarro")
    assert not is_there(symbols, "TH/THStorage.h", "narrow")
    assert not is_there(symbols, "THC/THCTensor.h", "newNarrow")
