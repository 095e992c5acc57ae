"""torch.signal.windows: numbers and errors as PyTorch answered them."""

import json
import pathlib

import pytest
import torch
from torch.signal import windows as W  # noqa: N812
from window_cases import LINES, OPTIONS, told

TOLD = json.loads((pathlib.Path(__file__).resolve().parent / "data/windows.json").read_text())


@pytest.mark.parametrize("line", LINES)
def test_line(line):
    found, expected = told(line), TOLD[line]
    if not expected.startswith("torch.float"):
        # The error names the function that was called; PyTorch's, for some, the one that it calls.
        name = line.split("(")[0].removeprefix("W.")
        assert expected in (found, found.replace(f": {name} ", ": general_cosine "))
        return
    (kind, *numbers), (expected_kind, *expected_numbers) = found.split(), expected.split()
    assert kind == expected_kind and len(numbers) == len(expected_numbers)
    near = 2e-6 if kind == "torch.float32" else 1e-14
    assert all(abs(float(a) - float(b)) <= near for a, b in zip(numbers, expected_numbers))


@pytest.mark.parametrize("name", [name for name in OPTIONS if name != "general_cosine"])
def test_a_periodic_window_begins_a_longer_one(name):
    make = getattr(W, name)
    shorter, longer = make(8, sym=False, dtype=torch.float64), make(9, dtype=torch.float64)
    assert torch.allclose(shorter, longer[:8], rtol=0, atol=1e-15)
    assert torch.allclose(longer, longer.flip(0), rtol=0, atol=1e-15)


def test_those_that_torch_has_too():
    assert torch.allclose(W.hann(9, sym=False), torch.hann_window(9), atol=1e-6)
    assert torch.allclose(W.kaiser(9, beta=12.0), torch.kaiser_window(9, periodic=False, beta=12.0), atol=1e-6)
    assert set(W.__all__) == set(OPTIONS)
