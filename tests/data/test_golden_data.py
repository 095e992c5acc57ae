"""What PyTorch answers to each line of cases.py: values, orders, draws of random numbers, errors, warnings."""

import json
import pathlib
import random

import cases
import numpy
import pytest
import stream
import torch
from torch.utils.data._utils.worker import _generate_state

GOLDEN = json.loads((pathlib.Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
_PHRASE = 28  # so many characters of an error's or a warning's text are what programs match on
_OF_OPERATOR = "[len(s) for s in random_split(R, [3.0, 7.0])]"  # whose text lists its overloads
# Python's own text, which is another in each version.
_PYTHONS = ("IterableDataset()", "Lacking()", "Sampler([1])", "DataLoader(R, 1, False, None")


def same(said, expected, line):
    """`said` is what PyTorch says, with texts compared by the phrase that they begin with."""
    if "error" in expected:
        assert said.get("error") == expected["error"], said
        if line != _OF_OPERATOR and not line.startswith(_PYTHONS):
            assert expected["text"][:_PHRASE] in said["text"]
    else:
        assert said.get("value") == expected["value"], said
    assert [kind for kind, _ in said["warnings"]] == [kind for kind, _ in expected["warnings"]], said
    for (_, text), (_, phrase) in zip(said["warnings"], expected["warnings"]):
        assert phrase[:_PHRASE] in text


def by_line(rows):
    return [pytest.param(row, id=row["line"]) for row in rows]


def test_golden_data_is_of_these_lines():
    assert [row["line"] for row in GOLDEN["cases"]] == cases.lines(cases.CASES)
    assert [row["line"] for row in GOLDEN["streams"]] == cases.lines(cases.STREAMS)


@pytest.mark.parametrize("row", by_line(GOLDEN["cases"]))
def test_case(row):
    same(json.loads(json.dumps(cases.answer(row["line"]))), row["said"], row["line"])


@pytest.mark.parametrize("row", by_line(GOLDEN["streams"]))
def test_stream(row):
    """The same draws, and with PyTorch's numbers in them the same indices."""
    torch.manual_seed(0)
    with stream.played(row["draws"]):
        said = cases.answer(row["line"])
    same(json.loads(json.dumps(said)), row["said"], row["line"])


@pytest.mark.parametrize("base_seed, worker, of_python, of_numpy", GOLDEN["seeds"])
def test_seeds_of_workers(base_seed, worker, of_python, of_numpy):
    assert random.Random(base_seed + worker).random() == of_python
    assert numpy.random.RandomState(_generate_state(base_seed, worker)).rand() == of_numpy
