"""The type stubs beside the package name what is really there. Ours alone."""

import ast
import pathlib

import pytest
import torch

PACKAGE = pathlib.Path(torch.__file__).parent


def names(file):
    tree = ast.parse((PACKAGE / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("file", "place"), [("_functions.pyi", torch), ("_methods.pyi", torch.Tensor)])
def test_every_stub_is_bound(file, place):
    found = names(file)
    assert len(found) > 100
    assert not [name for name in found if not hasattr(place, name)]


def test_the_module_itself():
    tree = ast.parse((PACKAGE / "_C.pyi").read_text())
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert classes and not [name for name in classes if not hasattr(torch._C, name)]
    assert (PACKAGE / "py.typed").exists()
