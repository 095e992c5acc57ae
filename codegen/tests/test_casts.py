"""Policies of torch.autocast, and what is generated from them."""

import pathlib
import re

import pytest
from blocks import parse

from codegen import __main__, autocast, load
from codegen.emitters import autocast as emitter, table
from codegen.emitters.cpp import once
from codegen.errors import DeclarationError

CASES = pathlib.Path(__file__).resolve().parents[2] / "tests/amp/autocast_cases.py"


@pytest.fixture(scope="module")
def operators():
    return load.operators(__main__.DECLARATIONS)


def listed(operators):
    """{name without nn_: policies} of everything that has some."""
    declared = {name.removeprefix("nn_"): found[0].autocast for name, found in operators.items()}
    return {name: both for name, both in declared.items() if any(both)} | autocast.of_python(operators)


def test_everything_with_a_policy_is_tried(operators):
    """But what stands for others of the same kernels, whose names are no functions."""
    tried = set(re.findall(r'^    "(\w+)": lambda', CASES.read_text(), re.MULTILINE))
    parts = {*"_lu_with_info conv_tbc cross_entropy_loss grid_sampler grid_sampler_2d grid_sampler_3d".split()}
    assert listed(operators).keys() - tried - parts == {"lstm", "rnn_relu", "rnn_tanh"}


def test_overloads_of_a_name_have_one_policy(operators):
    for found in operators.values():
        assert len({o.autocast for o in found}) == 1, found[0].name
    assert operators["nn_huber_loss"][0].autocast == ("Float", "Float")
    assert operators["add"][0].autocast == (None, None)


def test_nothing_of_python_is_an_operator(operators):
    compiled = {name.removeprefix("nn_") for name, found in operators.items() if not found[0].in_python}
    assert not compiled & autocast.of_python(operators).keys()


def test_rows_are_what_is_declared(operators):
    overloads = once([o for name, found in sorted(operators.items()) if not found[0].in_python for o in found])
    text = emitter.tables(overloads, table.slots(overloads))
    for i, kind in enumerate(autocast.DEVICES):
        rows = re.findall(rf"ROW\(TH_{kind}, (\w+), \w+, (\w+)\)", text)
        assert rows == [(o.autocast[i], o.cpp_name) for o in overloads if o.autocast[i]]
    assert "    ROW(TH_CPU, Lower, mm, mm)\n" in text and "    ROW(TH_CUDA, FloatDtype, sum, sum)\n" in text


@pytest.mark.parametrize(
    "key, message",
    [
        ("Lower", "a policy for each of CPU, CUDA, not 'Lower'"),
        ("Lower Lower Lower", "a policy for each of CPU, CUDA"),
        ("Lower Higher", "unknown policy 'Higher'; allowed: AsGiven, Float, "),
    ],
)
def test_other_policies_are_refused(key, message):
    with pytest.raises(DeclarationError, match=message):
        parse(f"func: f(Tensor self) -> Tensor\nautocast: {key}")


def test_what_only_recorded_calls_call_has_none():
    with pytest.raises(DeclarationError, match="sees no operator below recorded calls"):
        parse("func: f(Tensor self) -> Tensor\nderivative: inner\nautocast: Lower Lower")
