"""torch.nn against PyTorch's answers: results, gradients of inputs and parameters, states, texts and errors."""

import gzip
import io
import json
import pathlib
import pickle
import warnings

import pytest
import torch
from nn_asking import SPACE, ask_function, ask_module, flat, made
from nn_errors import REFUSED

DATA = pathlib.Path(__file__).resolve().parent / "data"


def stored(name, **options):
    return torch.load(io.BytesIO(gzip.decompress((DATA / f"{name}.pt.gz").read_bytes())), **options)


MODULES, FUNCTIONS = stored("modules"), stored("functions")
ERRORS, TEXTS = (json.loads((DATA / f"{name}.json").read_text()) for name in ("errors", "texts"))


def agree(mine, theirs, what, near=(1e-7, 1e-9)):
    """near: how far numbers may be off, relative and absolute."""
    if isinstance(theirs, dict):
        assert list(mine) == list(theirs), what
        for name, value in theirs.items():
            agree(mine[name], value, f"{what} {name}", near)
    elif isinstance(theirs, list):
        assert len(mine) == len(theirs), what
        for place, value in enumerate(theirs):
            agree(mine[place], value, f"{what} {place}", near)
    elif isinstance(theirs, torch.Tensor):
        assert isinstance(mine, torch.Tensor), f"{what}: {mine} instead of a tensor"
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), what
        close = torch.isclose(mine, theirs, rtol=near[0], atol=near[1], equal_nan=True)
        assert bool(close.all()), f"{what}:\n{mine}\ninstead of\n{theirs}"
    else:
        assert mine == theirs, what


@pytest.mark.parametrize("constructor", MODULES)
def test_module(constructor):
    row = MODULES[constructor]
    module = made(constructor)
    module.load_state_dict(row["before"])
    for mode in ("train", "eval"):
        agree(ask_module(module, row["inputs"], mode == "train"), row[mode], mode)


def test_pickled_models():
    for constructor, (module, inputs, result) in stored("models", weights_only=False).items():
        agree(flat(module(*inputs)), result, constructor)
        again = pickle.loads(pickle.dumps(module))
        agree(flat(again(*inputs)), result, constructor)
        assert type(made(constructor)) is type(module)


@pytest.mark.parametrize("call", FUNCTIONS)
def test_function(call):
    row = dict(FUNCTIONS[call])
    operands = row.pop("operands")
    agree(ask_function(call, operands), row, "")


@pytest.mark.parametrize("constructor", TEXTS)
def test_text(constructor):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert repr(eval(constructor, dict(SPACE))) == TEXTS[constructor]


@pytest.mark.parametrize("call", REFUSED)
def test_error(call):
    kind, text = ERRORS[call]
    with warnings.catch_warnings(), pytest.raises(Exception) as caught:  # noqa: B017 - compared below
        warnings.simplefilter("ignore")
        eval(call, dict(SPACE))
    assert type(caught.value).__name__ == kind, caught.value
    said = str(caught.value)
    assert said == text if REFUSED[call] is None else said.startswith(text)
