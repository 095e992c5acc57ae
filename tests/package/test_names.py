"""The operators that .cwrap files declared in 2017: each is there, or docs/th-names.toml says what became of it."""

import fnmatch
import pathlib
import tomllib

import pytest
import torch
from torch._absent import is_absent

TESTS = pathlib.Path(__file__).parents[1]
GROUPS = tomllib.loads((TESTS.parent / "docs/th-names.toml").read_text())["operators"]
FILES = {
    file: names.split()
    for line in (TESTS / "names/cwrap.txt").read_text().splitlines()
    if not line.startswith("#")
    for file, names in [line.split(": ")]
}


def missing(name):
    """Where it ought to be and is not: `.add_` is a method, `zeros` a function, `+add` both."""
    bare = name.lstrip(".+")
    places = {".": [torch.Tensor], "+": [torch, torch.Tensor]}.get(name[0], [torch])
    return [place.__name__ for place in places if not hasattr(place, bare) or is_absent(getattr(place, bare))]


def covers(group, file, name):
    return file in group["files"].split() and any(
        fnmatch.fnmatchcase(name.lstrip(".+"), pattern) for pattern in group["names"].split()
    )


@pytest.mark.parametrize("file", FILES)
def test_there_or_explained(file):
    assert not [
        name for name in FILES[file] if missing(name) and not any(covers(group, file, name) for group in GROUPS)
    ]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["names"])
def test_explanations_hold(group):
    assert set(group) == {"files", "names", "why"} and group["why"].endswith(".")
    about = [(file, name) for file, names in FILES.items() for name in names if covers(group, file, name)]
    assert about
    there = [f"{file}: {name}" for file, name in about if not missing(name)]
    assert not there, "these exist: docs/th-names.toml must not say that they do not"


def test_the_question_has_both_answers():
    assert not missing("+add") and not missing(".add_") and not missing("zeros")
    assert missing("+zeros") == ["Tensor"] and missing("add_") == ["torch"] and missing("+ad") == ["torch", "Tensor"]
