"""Pooling against PyTorch's answers: results, gradients of both orders, options, texts and errors."""

import gzip
import io
import json
import pathlib

import pytest
import torch
from nn_asking import SPACE, ask_function, ask_module, made
from nn_pooling import REFUSED
from pooling_asking import ask_twice
from test_golden_nn import agree

DATA = pathlib.Path(__file__).resolve().parent / "data"
ROWS = torch.load(io.BytesIO(gzip.decompress((DATA / "pooling.pt.gz").read_bytes())))
TOLD = json.loads((DATA / "pooling.json").read_text())


@pytest.mark.parametrize("constructor", ROWS["modules"])
def test_module(constructor):
    row = ROWS["modules"][constructor]
    agree(ask_module(made(constructor), row["inputs"], True), row["answer"], "")


@pytest.mark.parametrize("call", ROWS["functions"])
def test_function(call):
    row = ROWS["functions"][call]
    agree(ask_function(call, row["operands"]), row["answer"], "")


@pytest.mark.parametrize("call", ROWS["twice"])
def test_gradient_of_the_gradient(call):
    row = ROWS["twice"][call]
    agree(ask_twice(call, row["operands"]), row["answer"], "")


@pytest.mark.parametrize("expression", TOLD["texts"])
def test_text(expression):
    assert str(eval(expression, dict(SPACE))) == TOLD["texts"][expression]


@pytest.mark.parametrize("call", REFUSED)
def test_error(call):
    kind, text = TOLD["errors"][call]
    with pytest.raises(Exception) as caught:  # noqa: B017 - compared below
        eval(call, dict(SPACE))
    assert type(caught.value).__name__ == kind, caught.value
    said = str(caught.value)
    assert said == text if REFUSED[call] is None else said.startswith(text)


def test_samples_are_drawn_as_torch_rand_draws_them():
    x = torch.arange(72.0).view(2, 1, 6, 6)
    torch.manual_seed(0)
    drawn = torch.nn.functional.fractional_max_pool2d(x, 2, 3)
    torch.manual_seed(0)
    samples = torch.rand(2, 1, 2)
    again = torch.nn.functional.fractional_max_pool2d(x, 2, 3, _random_samples=samples)
    assert torch.equal(drawn, again)


def test_without_elements_on_meta():
    x = torch.empty(2, 3, 6, 7, device="meta")
    values, indices = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    assert (values.shape, indices.dtype, values.device.type) == ((2, 3, 3, 3), torch.int64, "meta")
    assert torch.nn.functional.adaptive_avg_pool2d(x, (4, 2)).shape == (2, 3, 4, 2)
