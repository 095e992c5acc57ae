"""The golden data of torch.nn: which there are, how they are read, and how answers are compared with them.

A family's cases stand in nn_FAMILY.py, PyTorch's answers in data/FAMILY.pt.gz (operands and results) and data/FAMILY.json
(texts, errors, names of nodes); `generate.py FAMILY` writes them.
"""

import functools
import gzip
import importlib
import io
import json
import pathlib
import types
import typing

import torch
from nn_oracle import ask_dtype, ask_function, ask_lists, ask_lists_twice, ask_module, ask_twice, made

DATA = pathlib.Path(__file__).resolve().parent / "data"


def ask_in_training(constructor, inputs):
    return ask_module(made(constructor), inputs, True)


class Family(typing.NamedTuple):
    seed: int
    kinds: dict  # {a table of the cases' module: who asks for its rows}
    shares: bool = False  # whether operands of the same text are the same, and stored once


FAMILIES = {
    "attention": Family(7, {"FUNCTIONS": ask_function}, shares=True),
    "normalization": Family(6, {"FUNCTIONS": ask_function, "TWICE": ask_twice}),
    "pointwise": Family(12, {"TWICE": ask_twice, "ONCE": ask_function, "FLOATS": ask_function}),
    "pooling": Family(5, {"MODULES": ask_in_training, "FUNCTIONS": ask_function, "TWICE": ask_twice}),
    "sequences": Family(11, {"FUNCTIONS": ask_lists, "TWICE": ask_lists_twice}),
    "vision": Family(6, {"FUNCTIONS": ask_function, "TWICE": ask_twice, "DTYPES": ask_dtype}),
}


def cases(family) -> types.ModuleType:
    return importlib.import_module(f"nn_{family}")


@functools.cache
def stored(name, **options):
    return torch.load(io.BytesIO(gzip.decompress((DATA / f"{name}.pt.gz").read_bytes())), **options)


@functools.cache
def told(name):
    return json.loads((DATA / f"{name}.json").read_text())


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


def agree_on_refusal(mine, theirs, shared):
    """`shared`: how PyTorch's text begins, if no more of it is wanted."""
    assert mine[0] == theirs[0], mine[1]
    assert mine[1] == theirs[1] if shared is None else mine[1].startswith(shared)
