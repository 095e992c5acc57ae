"""The type stubs: valid Python, one function for each name and signature."""

import ast
import pathlib
import sys
import types

import pytest

from codegen.cwrap import parse_text
from codegen.emitters import pyi
from codegen.load import operators
from codegen.plugins import refine

DECLARATIONS = pathlib.Path(__file__).parents[1] / "declarations"

BLOCK = """
[[
  func: add(Tensor self, Tensor|Number other, *, Scalar alpha=1) -> Tensor result
  aliases: [plus]
  variants: [method, function, inplace, out]
]]
[[
  options:
    - func: view(Tensor self, int... size) -> Tensor
    - func: view(Tensor self, Dtype dtype) -> Tensor
      cname: thpp::view_dtype
  variants: [method]
]]
"""


def stubs(operators, folder):
    pyi.emit(operators, folder)
    return [(folder / name).read_text() for name in ("_functions.pyi", "_methods.pyi")]


def test_signatures(tmp_path):
    functions, methods = stubs(refine(parse_text(BLOCK, "x.cwrap")), tmp_path)
    assert (
        "def add(input: Tensor, other: Tensor | _Number, *, alpha: _Number | Tensor = ..., out: Tensor | None = ...)"
        " -> Tensor: ...\n" in functions
    )
    assert "def plus(" in functions and "view" not in functions
    assert "    def add_(self, other: Tensor | _Number, *, alpha: _Number | Tensor = ...) -> Tensor: ...\n" in methods
    assert methods.count("    @overload\n    def view(self, ") == 2
    assert "    def view(self, *size: int | Sequence[int]) -> Tensor: ...\n" in methods


NAMED = """
[[
  options:
    - func: max(Tensor self) -> Tensor result
    - func: max(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
]]
[[
  func: linalg_lu(Tensor A) -> (Tensor P, Tensor L, Tensor U)
  variants: [function]
]]
"""


def test_named_tuples(tmp_path):
    functions, methods = stubs(refine(parse_text(NAMED, "x.cwrap")), tmp_path)
    assert "def max(input: Tensor) -> Tensor: ...\n" in functions
    assert "    def max(self, dim: int, keepdim: bool = ...) -> return_types.max: ...\n" in methods
    types = (tmp_path / "return_types.pyi").read_text()
    assert "class max(tuple[Tensor, Tensor]):\n    @property\n    def values(self) -> Tensor: ...\n" in types
    linalg = (tmp_path / "_linalg_functions.pyi").read_text()
    assert "def lu(A: Tensor) -> return_types.linalg_lu: ...\n" in linalg and "lu" not in functions


def test_all_declarations_give_valid_python(tmp_path):
    for text in stubs(operators(DECLARATIONS), tmp_path):
        tree = ast.parse(text)
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert {"add", "sum"} <= names


def test_a_body_in_python_is_declared_like_any_other(tmp_path):
    block = """
[[
  func: einsum(str equation, object... operands) -> Tensor
  cname: torch.functional.einsum
  variants: [function]
  doc: |
    Sums of products.
]]
"""
    from codegen.emitters import docs, python_bodies

    found = refine(parse_text(block, "x.cwrap"))
    functions, methods = stubs(found, tmp_path)
    assert "def einsum(equation: str, *operands: Any) -> Tensor: ...\n" in functions and "einsum" not in methods
    docs.emit(found, tmp_path)
    text = (tmp_path / "_torch_docs.py").read_text()
    ast.parse(text)
    assert 'describe("torch.functional.einsum", """\\\neinsum(equation, *operands) -> Tensor' in text
    python_bodies.emit(found, tmp_path)
    text = (tmp_path / "_python_bodies.py").read_text()
    ast.parse(text)
    assert 'bind("torch.functional.einsum", ["einsum"], ["function"])\n' in text


def test_a_body_in_python_takes_no_name_that_is_bound(tmp_path, monkeypatch):
    """Whatever else binds torch.einsum, a binding by hand would be hidden, or hide the declared one."""
    from codegen.emitters import python_bodies

    block = "[[\n  func: einsum(str equation) -> Tensor\n  cname: torch.functional.einsum\n  variants: [function]\n]]\n"
    python_bodies.emit(refine(parse_text(block, "x.cwrap")), tmp_path)
    text = (tmp_path / "_python_bodies.py").read_text()
    torch = types.ModuleType("torch")
    torch.Tensor, torch.functional = type("Tensor", (), {}), types.ModuleType("torch.functional")
    torch.functional.einsum = lambda equation: None
    autocast = types.ModuleType("torch._autocast")
    autocast.cast = lambda function, policy: function
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch._autocast", autocast)
    monkeypatch.setitem(sys.modules, "torch.functional", torch.functional)
    exec(text, {})
    assert torch.einsum is torch.functional.einsum
    with pytest.raises(SystemError, match=r"^torch\.einsum is bound already, and is declared with the body torch\.fu"):
        exec(text, {})
