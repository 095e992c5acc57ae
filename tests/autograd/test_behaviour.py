"""Snippets of autograd do what PyTorch 2.13 does: values, names of nodes, versions, which errors (snippets.py). Where they
differ behaviour_differs.toml says why."""

import json
import pathlib
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


@pytest.mark.parametrize("code", EXPECTED)
def test_snippet(code):
    found = record(code)
    if code in DIFFERS:
        assert found != EXPECTED[code], f"as in PyTorch: strike it from behaviour_differs.toml ({DIFFERS[code]})"
    else:
        assert found == EXPECTED[code]
