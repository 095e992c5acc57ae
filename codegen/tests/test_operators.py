"""Names and schemas of operators, as PyTorch's dispatcher has them."""

import hashlib
import pathlib

import pytest
from blocks import parse

from codegen import __main__, load
from codegen.emitters import operators as emitter
from codegen.emitters.cpp import once

LIST = pathlib.Path(__file__).with_name("schemas.txt")


@pytest.fixture(scope="module")
def schemas():
    compiled = load.compiled(__main__.DECLARATIONS)
    found = emitter.schemas(once([o for name in sorted(compiled) for o in compiled[name]]))
    return {f"{name}.{overload}": text for name, by in found.items() for overload, text in by.items() if text}


def test_schemas_that_were_pytorchs_still_are(schemas):
    rows = [line.split() for line in LIST.read_text().splitlines()[1:]]
    listed = {name for name, _, *equal in rows if equal}
    found = {name for name, digest, *_ in rows if name in schemas and _digest(schemas[name]) == digest}
    print(f"{len(found)} of {len(schemas)} schemas are PyTorch's")
    lost = sorted(listed - found)
    assert not lost, f"no longer PyTorch's: {', '.join(lost)}"
    assert found == listed, f"mark as equal (generate_schemas.py): {', '.join(sorted(found - listed))}"
    assert len(found) >= 1000


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def test_a_schema_of_each_kind(schemas):
    for text in (
        "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
        "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
        "eq.Scalar(Tensor self, Scalar other) -> Tensor",
        "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
        "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        "view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
        "unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]",
        "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    ):
        name, _, rest = text.partition("(")
        assert schemas[name if "." in name else f"{name}.default"] == f"aten::{name}({rest}"


def test_parts_have_no_name_there():
    (block,) = parse("func: _part(Tensor self) -> Tensor\nderivative: inner")
    assert block.overloads[0].aten_name == "" and emitter.schemas(block.overloads) == {}


def test_another_name_there():
    (block,) = parse("""
        func: nn_f(Tensor self, Tensor|Number other) -> Tensor result
        variants: [function, out]
        overload: {other: Scalar, else: Tensor, out: out, also: [names]}
        aten: native_f
    """)
    assert emitter.schemas(block.overloads) == {
        "native_f": {
            "Tensor": "aten::native_f.Tensor(Tensor self, Tensor other) -> Tensor",
            "Scalar": "aten::native_f.Scalar(Tensor self, Scalar other) -> Tensor",
            "names": None,
            "out": "aten::native_f.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
        }
    }
