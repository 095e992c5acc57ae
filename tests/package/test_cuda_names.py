"""The names of PyTorch's modules of CUDA: each is there with PyTorch's parameters, in builds with CUDA and without, or
docs/differences.md says why not."""

import importlib
import inspect
import pathlib
import re

import pytest

TESTS = pathlib.Path(__file__).parents[1]
MODULES = {
    module: names.split("; ")
    for line in (TESTS / "names/cuda.txt").read_text().splitlines()
    if not line.startswith("#")
    for module, names in [line.split(": ", 1)]
}


def parameters(found):
    """ "(a, b=1)" of a function or class, or None."""
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return None
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def wrong(module, entry):
    """What is the matter with an entry such as "seed(device=None)", or None."""
    name, expected = re.fullmatch(r"(\w+)(\(.*\))?", entry).groups()
    found = getattr(importlib.import_module(module), name, parameters)
    if found is parameters:
        return f"{module}.{name} is missing"
    if expected is None or isinstance(found, type):  # what a class takes, its own tests say
        return None
    return None if parameters(found) == expected else f"{module}.{name}{parameters(found)}, not {expected}"


@pytest.mark.parametrize("module", MODULES)
def test_names(module):
    assert not [problem for entry in MODULES[module] if (problem := wrong(module, entry))]


def test_the_question_has_both_answers():
    assert wrong("torch.cuda", "seed()") is None and wrong("torch.cuda", "seed") is None
    assert wrong("torch.cuda", "sseed()") == "torch.cuda.sseed is missing"
    assert wrong("torch.cuda", "seed(device)") == "torch.cuda.seed(), not (device)"
