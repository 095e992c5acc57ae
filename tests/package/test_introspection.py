"""What torch says of itself to programs that ask is what PyTorch says."""

import inspect
import json
import pathlib
import re
import tomllib
import typing

import introspection
import pytest
import torch
import torch.nn as nn

HERE = pathlib.Path(__file__).parent
RECORDED = json.loads((HERE / "data" / "introspection.json").read_text())
DIFFERS = tomllib.loads((HERE / "introspection_differs.toml").read_text())
OURS = not hasattr(torch._C, "_jit_init")
PRESENT = [
    name
    for path in introspection.MODULES
    for name in (f"{path}.{own}" for own, _ in introspection.public_functions(path))
    if name in RECORDED["signatures"]
]


def found(name):
    path, _, own = name.rpartition(".")
    return getattr(introspection.place_of(path), own)


def same(got, want):
    """Defaults that are no literals are whatever they are."""
    return got is not None and re.fullmatch(re.escape(want).replace(re.escape(introspection.ANY), ".+"), got)


def test_most_names_are_there():
    assert len(PRESENT) > 800 and len(set(PRESENT)) == len(PRESENT)


@pytest.mark.parametrize("name", PRESENT)
def test_signatures(name):
    """Of a method made in C, `self` cannot be named; PyTorch's in Python could."""
    got = introspection.signature_text(found(name))
    if name.startswith("torch.Tensor.") and got:
        got = got.replace("(self, /", "(self")
    want = RECORDED["signatures"][name]
    if OURS and name in DIFFERS:
        assert not same(got, want) and got == DIFFERS[name]["here"], f"{name}{got}"
    else:
        assert same(got, want), f"{name}: {got} instead of {want}"


# Of the protocol for other types; PyTorch's has no signature either.
WITHOUT = {"has_torch_function_variadic"}


@pytest.mark.parametrize("path", introspection.MODULES)
def test_everything_public_has_a_signature(path):
    missing = {
        name for name, value in introspection.public_functions(path) if introspection.signature_text(value) is None
    }
    assert not missing - WITHOUT


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (torch.add, "(input, other, *, alpha=1, out=None)"),
        (torch.Tensor.add, "(self, /, other, *, alpha=1)"),
        (torch.max, "(input, *args, **kwargs)"),
        (torch.fft.fft, "(input, n=None, dim=-1, norm=None, *, out=None)"),
        (torch.Tensor.view, "(self, /, *args, **kwargs)"),
        (torch.Tensor.to, "(self, /, *args, **kwargs)"),
        (nn.functional.linear, "(input, weight, bias=None, *, out=None)"),
        (torch.tensor, "(data, *, dtype=None, device=None, pin_memory=False, requires_grad=False)"),
        (torch.Tensor.random_, "(self, /, *args, **kwargs)"),
    ],
)
def test_signatures_of_what_is_made_in_c(function, expected):
    """Of several forms: what they begin with."""
    assert str(inspect.signature(function)) == expected


def test_a_method_of_an_object_has_no_self():
    tensor = torch.zeros(4)
    assert list(inspect.signature(tensor.split).parameters) == ["split_size", "dim"]
    assert list(inspect.signature(tensor.register_hook).parameters) == ["hook"]


@pytest.mark.parametrize("name", ["split", "norm", "meshgrid", "stft", "unique"])
def test_the_signature_is_not_shown_as_documentation(name):
    assert "\n--\n" not in getattr(torch, name).__doc__


def test_arguments_have_the_names_of_the_signature():
    x = torch.arange(6.0)
    assert [len(part) for part in torch.split(tensor=x, split_size_or_sections=4, dim=0)] == [4, 2]
    assert [len(part) for part in torch.split(x, split_size_or_sections=[1, 5])] == [1, 5]
    assert [len(part) for part in x.split(split_size=4, dim=0)] == [4, 2]
    for wrong in (lambda: torch.split(x, split_size=4), lambda: x.split(split_size_or_sections=4)):
        with pytest.raises(TypeError):
            wrong()


def test_norm_takes_out_by_place():
    x, out = torch.tensor([3.0, 4.0]), torch.zeros(())
    assert torch.norm(x, 2, 0, False, out) is out and out == 5
    assert torch.norm(x, "fro", None, False, None, torch.float64).dtype == torch.float64
    assert x.norm("fro", None, False, torch.float64).dtype == torch.float64
    with pytest.raises(TypeError):
        x.norm("fro", None, False, None, torch.float64)


def test_names_of_functions():
    function = nn.functional.scaled_dot_product_attention
    assert function.__name__ == "scaled_dot_product_attention" and function.__module__ == "torch._C._nn"
    assert repr(function) == "<built-in function scaled_dot_product_attention>"
    assert torch.fft.fft.__name__ == "fft_fft" and torch.add.__name__ == "add"


# ---- annotations -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", RECORDED["hints"])
def test_annotations_of_modules(name):
    hints = introspection.hints_of(getattr(nn, name))
    common = RECORDED["hints"]["Module"]
    if name != "Module":
        hints = {key: text for key, text in hints.items() if common.get(key) != text}
    assert hints == RECORDED["hints"][name]


def test_annotations_of_instances():
    assert typing.get_type_hints(nn.CrossEntropyLoss()) == {"ignore_index": int, "label_smoothing": float}
    assert nn.Module.__annotations__["training"] is bool and nn.Linear.__annotations__["in_features"] is int
