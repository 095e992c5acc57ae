"""The type stubs beside the package name what is really there. Ours alone."""

import ast
import pathlib

import pytest
import torch
from torch._absent import is_absent

PACKAGE = pathlib.Path(torch.__file__).parent


def names(file):
    tree = ast.parse((PACKAGE / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("_functions.pyi", torch),
        ("_methods.pyi", torch.Tensor),
        ("_linalg_functions.pyi", torch.linalg),
        ("_nn_functions.pyi", torch._nn),
    ],
)
def test_every_stub_is_bound(file, place):
    found = names(file)
    assert len(found) > 30
    assert not [name for name in found if not hasattr(place, name)]


def exported(file):
    """The public names of a stub."""
    for node in ast.parse((PACKAGE / file).read_text()).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*":
                    yield from exported(node.module.removeprefix("torch.") + ".pyi")
                elif alias.asname:
                    yield alias.asname
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


def test_the_package_says_all_of_its_names():
    """What torch has is in its stub, and what is there torch has."""
    found = {name for name in exported("__init__.pyi") if not name.startswith("_")}
    assert not [name for name in found if not hasattr(torch, name)]
    there = {name for name in dir(torch) if not name.startswith("_") and not is_absent(getattr(torch, name))}
    assert there - found == {"torch"}


def test_named_tuples_have_their_fields():
    found = {}
    for node in ast.parse((PACKAGE / "return_types.pyi").read_text()).body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = [at.name for at in node.body if isinstance(at, ast.FunctionDef) and at.name != "__new__"]
    assert found["max"] == ["values", "indices"]
    for name, fields in found.items():
        result = getattr(torch.return_types, name)(range(len(fields)))
        assert [getattr(result, field) for field in fields] == list(range(len(fields)))


def test_every_method_of_tensor_has_a_stub():
    """But those whose names begin with an underscore, and what every object has."""
    found = set()
    for file, kind in (("_C.pyi", "Tensor"), ("_methods.pyi", "TensorMethods")):
        for node in ast.parse((PACKAGE / file).read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name == kind:
                found |= {at.name if isinstance(at, ast.FunctionDef) else at.target.id for at in node.body}
    assert set() == {name for name in dir(torch.Tensor) if not name.startswith("_")} - found


def test_the_module_itself():
    tree = ast.parse((PACKAGE / "_C.pyi").read_text())
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert classes and not [name for name in classes if not hasattr(torch._C, name)]
    assert (PACKAGE / "py.typed").exists()
