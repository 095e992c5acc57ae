"""mypy and pyright say of programs what they say with PyTorch's own annotations: which lines are wrong, and the types that
they reveal. They are run where they are installed; checks.typing has both."""

import importlib.util
import json
import os
import pathlib
import shlex
import shutil
import sys

import checkers
import pytest

DATA = pathlib.Path(__file__).parent / "data"
# {(program, line): why}, where ours says more than PyTorch's.
STRICTER = {
    ("layers", 18): "a string is no shape: pyright sees it with both, mypy takes PyTorch's for Any",
    ("containers", 16): "pyright's answer with both; of PyTorch's a decorator joins the two types for mypy",
    ("containers", 17): "the same",
}


def installed():
    """The checkers that are here, with how they are called."""
    if importlib.util.find_spec("mypy"):
        yield "mypy", (sys.executable, "-m", "mypy")
    command = os.environ.get("PYRIGHT") or shutil.which("pyright")
    if command:
        yield "pyright", tuple(shlex.split(command))


def lines_of(program):
    return (checkers.HERE / "programs" / f"{program}.py").read_text().splitlines()


def unknown(shown):
    return "Any" in shown or "Unknown" in shown


@pytest.mark.parametrize(("name", "command"), list(installed()))
def test_verdicts_are_pytorchs(name, command):
    wanted = json.loads((DATA / f"{name}.json").read_text())
    found = checkers.CHECKERS[name](sys.executable, command=command)
    differ = []
    for program, expected in wanted.items():
        for i, text in enumerate(lines_of(program), 1):
            verdicts = [(i in report["errors"], report["types"].get(str(i))) for report in (expected, found[program])]
            (error, shown), (our_error, ours) = verdicts
            # Where PyTorch's says nothing of a type, ours may say what it is.
            same = error == our_error and (shown == ours or (shown and ours and unknown(shown)))
            if not same and (program, i) not in STRICTER:
                differ.append(f"{program}.py:{i}: {text.strip()}\n  PyTorch's: {verdicts[0]}\n  ours: {verdicts[1]}")
    assert not differ, "\n".join(differ)


@pytest.mark.parametrize("name", checkers.CHECKERS)
def test_planted_errors_are_recorded(name):
    """What PyTorch's annotations find is what was planted, but for what a checker cannot see."""
    wanted = json.loads((DATA / f"{name}.json").read_text())
    assert set(wanted) == {path.stem for path in checkers.PROGRAMS}
    planted = found = 0
    for program, expected in wanted.items():
        lines = {i for i, text in enumerate(lines_of(program), 1) if "# an error" in text}
        planted += len(lines)
        found += len(lines & set(expected["errors"]))
    assert planted > 60 and found >= planted - 2
