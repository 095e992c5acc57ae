"""Every public name says what it is. Ours alone: PyTorch leaves some without."""

import inspect

import pytest
import torch

# Numbers, None and flags, whose types are Python's.
CONSTANTS = {"e", "inf", "nan", "newaxis", "pi", "TYPE_CHECKING"}


def public(place):
    return sorted(name for name in dir(place) if not name.startswith("_"))


def test_there_is_something_to_ask_about():
    assert len(public(torch)) > 500 and len(public(torch.Tensor)) > 500
    assert all(not callable(getattr(torch, name)) for name in CONSTANTS & set(dir(torch)))


@pytest.mark.parametrize(
    "place",
    [
        *(
            torch,
            torch.Tensor,
            torch.Generator,
            torch.Size,
            torch.UntypedStorage,
            torch.TypedStorage,
            torch.FloatStorage,
        ),
        *(torch.device, torch.dtype, torch.linalg, torch.fft, torch.special, torch.random, torch.serialization),
    ],
    ids=lambda place: place.__name__,
)
def test_public_names_have_docstrings(place):
    missing = []
    for name in public(place):
        value = inspect.getattr_static(place, name) if inspect.isclass(place) else getattr(place, name)
        value = getattr(value, "__func__", value)
        if place is torch and name in CONSTANTS or inspect.ismodule(value):
            continue
        if isinstance(value, (bool, int, float, str, type(None))):
            continue
        if not (getattr(value, "__doc__", None) or "").strip():
            missing.append(name)
    assert not missing
    assert (place.__doc__ or "").strip()


@pytest.mark.parametrize(
    "name", [n for n in public(torch.Tensor) if inspect.ismethoddescriptor(getattr(torch.Tensor, n))]
)
def test_methods_begin_with_their_signature(name):
    """`name(arguments) -> result`, as the signatures that inspect cannot know."""
    method = getattr(torch.Tensor, name)
    if type(method) is type(torch.Tensor.numel):
        first = method.__doc__.splitlines()[0]
        assert first.startswith(f"{name}(") and "->" in first, first


@pytest.mark.parametrize("name", "to item size stride numel dim cpu numpy tolist data_ptr".split())
def test_what_was_silent(name):
    assert len(getattr(torch.Tensor, name).__doc__) > 40


def test_docstrings_are_for_what_is_made_in_c():
    with pytest.raises(TypeError, match="don't know how to add a docstring to type 'int'"):
        torch._C._add_docstr(3, "three")
    with pytest.raises(TypeError, match="docstring to type 'type'"):
        torch._C._add_docstr(type("New", (), {}), "new")


def test_the_docstring_of_a_type_is_its_instances():
    assert torch.float32.__doc__ == torch.dtype.__doc__ and torch.dtype.__doc__.startswith("The type of")
    assert torch.Size([2]).__doc__ == torch.Size.__doc__
