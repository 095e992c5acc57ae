"""Graphs and generated code are PyTorch's, and do what the program does."""

import json
import pathlib
import sys

import pytest
import torch
from torch import fx

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from generate import recorded  # noqa: E402
from programs import PROGRAMS  # noqa: E402

GOLDEN = json.loads((HERE / "data" / "programs.json").read_text())


def assert_same(found, expected):
    if isinstance(expected, torch.Tensor):
        torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            assert_same(found[key], expected[key])
    elif isinstance(expected, (list, tuple)) and not isinstance(expected, torch.Size):
        assert len(found) == len(expected)
        for one, other in zip(found, expected):
            assert_same(one, other)
    else:
        assert found == expected


def test_data_belong_to_the_programs():
    assert GOLDEN.keys() == PROGRAMS.keys()


@pytest.mark.parametrize("name", PROGRAMS)
def test_graph_and_code_are_pytorchs(name):
    program, _, concrete = PROGRAMS[name]
    assert recorded(program, concrete) == GOLDEN[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_traced_program_does_the_same(name):
    program, arguments, concrete = PROGRAMS[name]
    traced = fx.symbolic_trace(program, concrete_args=concrete or None)
    traced.graph.lint()
    fixed = {k: v for k, v in concrete.items() if isinstance(v, bool)}
    expected = program(*arguments, **fixed)
    placed = {n.target: fixed[n.target.rpartition("_")[0]] for n in traced.graph.nodes if n.target == "flag_1"}
    assert_same(traced(*arguments, **placed), expected)
    if not placed:
        assert_same(fx.Interpreter(traced).run(*arguments), expected)
        assert_same(fx.Transformer(traced).transform()(*arguments), expected)
