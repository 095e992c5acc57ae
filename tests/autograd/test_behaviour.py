"""Snippets of autograd do what PyTorch 2.13 does: values, names of nodes, versions, which errors (snippets.py). Where they
differ behaviour_differs.toml says why."""

import json
import pathlib
import subprocess
import sys
import tomllib
import warnings

import pytest
import torch
from snippets import record, snippets

HERE = pathlib.Path(__file__).parent
EXPECTED = json.loads((HERE / "data/behaviour.json").read_text())
DIFFERS = {
    code: reason["reason"]
    for reason in tomllib.loads((HERE / "behaviour_differs.toml").read_text())["differs"]
    for code in reason["codes"]
}


def test_all_are_there():
    assert list(EXPECTED) == snippets()
    assert set(DIFFERS) <= set(EXPECTED)


@pytest.fixture(scope="module", autouse=True)
def warned_once():
    """A process says once that a tensor that requires grad becomes a number. The answers were recorded in one that had."""
    with warnings.catch_warnings(record=True):
        float(torch.ones(1, requires_grad=True))


SAID_ONCE = "Casting complex values to real"
HOME = str(pathlib.Path(torch.__file__).parents[1])


def record_alone(code):
    """In a process that has said nothing yet."""
    program = (
        f"import json, sys; sys.path[:0] = {[HOME, str(HERE)]!r}\n"
        "from snippets import record\nprint(json.dumps(record(sys.stdin.read())))"
    )
    ran = subprocess.run([sys.executable, "-c", program], input=code, text=True, capture_output=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("code", EXPECTED)
def test_snippet(code):
    said_once = any(SAID_ONCE in line for line in EXPECTED[code])
    found = (record_alone if said_once else record)(code)
    if code in DIFFERS:
        assert found != EXPECTED[code], f"as in PyTorch: strike it from behaviour_differs.toml ({DIFFERS[code]})"
    else:
        assert found == EXPECTED[code]
