"""Parsing: what survives a round trip, and what is refused with which words and where."""

import dataclasses
import pathlib

import pytest
from blocks import ADD, block, parse

from codegen.__main__ import DECLARATIONS
from codegen.cwrap import parse_files, parse_text
from codegen.errors import DeclarationError


def test_every_declaration_survives_printing():
    blocks = parse_files(DECLARATIONS.glob("*.cwrap"))
    assert len(blocks) > 150
    for declared in blocks:
        (again,) = parse_text(str(declared), "again")
        assert again == declared
        assert str(again) == str(declared)


def test_places_are_remembered():
    (declared,) = parse_text("A comment.\n\n" + block(ADD), "x.cwrap")
    assert str(declared.where) == "x.cwrap:4"  # that of its signature
    assert declared.overloads[0].where.file == "x.cwrap"


def test_overloads_share_keys_and_may_override_them():
    (declared,) = parse("""
        options:
          - func: f(Tensor self) -> Tensor
          - func: f(Tensor self, int dim) -> Tensor
            variants: [method]
        variants: [function]
    """)
    assert [o.variants for o in declared.overloads] == [("function",), ("method",)]


def test_dataclasses_are_frozen():
    (declared,) = parse(ADD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        declared.overloads[0].name = "sub"


def test_a_body_in_cpp_has_the_operators_name():
    (declared,) = parse("func: f(Tensor self) -> Tensor")
    assert declared.overloads[0].cname == "thpp::f"


def test_the_c_call_has_its_own_order_and_constants():
    body = (
        "func: f(Tensor self, Dtype dtype, int n) -> Tensor r\ncname: g(self, r, nullptr, n)\ntypes: all\ndtype: keep"
    )
    (declared,) = parse(body)
    (o,) = declared.overloads
    assert (o.cname, [a.name for a in o.arguments]) == ("g", ["self", "r", "nullptr", "n", "dtype"])
    assert [a.name for a in o.python] == ["self", "dtype", "n"]
    assert [a.name for a in o.arguments if a.constant] == ["nullptr"]


PLAIN = "func: f(Tensor self) -> Tensor\ncname: thpp::f\n"
KERNEL = "func: f(Tensor self, Tensor other, int n) -> Tensor r\ntypes: all\ndtype: self\n"
REFUSED = [
    # (block, line of the error, words of the message)
    (PLAIN + "colour: red", 4, "unknown key 'colour'; allowed: aliases, any_device, assert_ndim"),
    (PLAIN.replace("Tensor self", "Tenso self"), 2, "unknown type 'Tenso' of argument 'self'; allowed: Device, Dims"),
    (PLAIN + "func: g() -> void", 4, "key 'func' stands here twice"),
    ("func: f(Tensor self) -> void", 2, "f: it returns nothing, so it changes something: say `writes:`"),
    ("func: f(Tensor self) -> self", 2, "f: it returns self, so it changes it: say `writes: self`"),
    (
        "func: f(Tensor self) -> Tensor r\nwrites: self",
        2,
        "f: an operator with outputs writes these, or says `writes: none`",
    ),
    ("cname: thpp::f", 1, "key 'func' is missing"),
    ("options:\n  - func: f() -> int\n  - cname: thpp::f", 4, "key 'func' is missing"),
    ("options:\n  - func: f() -> int\n  - func: g() -> int", 4, "'g' stands among the overloads of 'f'"),
    ("options: []", 2, "options is empty"),
    (PLAIN + "variants: [method, inline]", 4, "unknown variant 'inline'; allowed: function, inplace, inplace_function"),
    (PLAIN + "variants: [out]", 2, "variants out and inplace need an output, a result with a name"),
    (PLAIN + "with_gil: yes", 4, "unknown truth value 'yes'; allowed: False, True"),
    (PLAIN + "types: all", 2, "`types` belongs to kernels"),
    (PLAIN + "check: check_f", 2, "`dtype` must say which"),
    (PLAIN + "deprecated: [other]", 2, "deprecated order 'other' must have each of: self"),
    (PLAIN + "deprecated: [self self]", 2, "deprecated order 'self self' must have each of: self"),
    (PLAIN + "out_with: self", 2, "out_with is for operators with out=, and names an optional argument, not 'self'"),
    (PLAIN + "doc: Adds.", 4, "write the text below a line '  doc: |'"),
    (PLAIN + "doc: |\n  Adds.\ndtype: self", 4, "doc must be the last key of its block, but 'dtype: self' follows"),
    (PLAIN.replace("thpp::f", "f"), 2, "`types` must say for which dtypes it exists"),
    (PLAIN.replace("thpp::f", "f") + "types: [Float, Quarter]", 4, "unknown dtype 'Quarter'; allowed: BFloat16, Bool"),
    (
        PLAIN.replace("thpp::f", "f") + "types: reals",
        4,
        "unknown list of dtypes 'reals'; allowed: all, all_complex, bits",
    ),
    (
        PLAIN.replace("thpp::f", "f") + "types: all\ndtype: biggest",
        5,
        "unknown dtype rule 'biggest'; allowed: accumulate, bool",
    ),
    (PLAIN.replace("thpp::f", "f") + "types: all", 2, "`dtype` must say which kernel is called"),
    (PLAIN + "stored: [unsigned]", 2, "`stored` belongs to functions of TH"),
    (
        PLAIN.replace("thpp::f", "THTensor_f") + "stored: [uint16]",
        4,
        "unknown group of dtypes 'uint16'; allowed: complex32",
    ),
    (KERNEL + "cname: f\nstored: [complex32]", 2, "no kernel of `types` computes for the stored dtypes 'complex32'"),
    (PLAIN + "wrap_dim: dim", 4, "wrap_dim names no argument: 'dim'; allowed: self"),
    (PLAIN + "wrap_dim: self", 4, "wrap_dim is for a dimension, an int, not 'Tensor self'"),
    (KERNEL + "cname: f\nwrap_dim: [n, dim]", 6, "wrap_dim names no argument: 'dim'"),
    (KERNEL + "cname: f\nwrap_dim: [n, other]", 6, "wrap_dim is for a dimension, an int, not 'Tensor other'"),
    (PLAIN + "assert_ndim: {other: 2}", 4, "assert_ndim names no argument: 'other'"),
    (PLAIN + "assert_ndim: {self: two}", 4, "assert_ndim is a number of dimensions, not 'two'"),
    (PLAIN + "broadcast: {self: [mat.0]}", 4, "broadcast is a list of sizes such as mat.0, not 'mat.0'"),
    (PLAIN + "broadcast: {self: [self]}", 4, "broadcast is a list of sizes such as mat.0, not 'self'"),
    (KERNEL + "cname: g(r, self, n)", 5, "cname hands 'other' to nobody: g(r, self, n)"),
    (KERNEL + "cname: g(self, other, n)", 5, "cname hands 'r' to nobody"),
    (KERNEL + "cname: g(r, self, other, n, n)", 5, "cname has 'n' twice"),
    (KERNEL + "cname: g(r, self, other, n", 5, "the brackets of cname do not match: 'g(r, self, other, n'"),
    ("func: f(Tensor self, int n) -> Tensor\ncname: thpp::g(n, self)", 2, "in the order of the signature"),
    (PLAIN + "a: b: c", 4, "mapping values are not allowed"),  # YAML's own words
    ("just text", 2, "expected `key: value` lines"),
]


@pytest.mark.parametrize(("text", "line", "words"), REFUSED)
def test_refused(text, line, words):
    with pytest.raises(DeclarationError) as caught:
        parse(text)
    place, _, message = str(caught.value).partition(": ")
    assert place == f"t0.cwrap:{line}"
    assert words in message


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[[\n  func: f(Tensor self) -> Tensor\n", 1, "[[ without ]]"),
        ("\n]]\n", 2, "]] without [["),
        ("[[\n[[\n]]\n", 2, "[[ inside the block that begins at line 1"),
    ],
)
def test_brackets(text, line, words):
    with pytest.raises(DeclarationError, match=f"^b.cwrap:{line}: ") as caught:
        parse_text(text, "b.cwrap")
    assert words in str(caught.value)


def test_duplicate_signature_names_both_places(tmp_path):
    (tmp_path / "a.cwrap").write_text(block(ADD))
    (tmp_path / "b.cwrap").write_text(block(ADD))
    with pytest.raises(
        DeclarationError, match=r"b\.cwrap:2: duplicate signature add\(.*\), declared at .*a\.cwrap:2 already"
    ):
        parse_files(sorted(pathlib.Path(tmp_path).glob("*.cwrap")))


def test_alias_counts_as_duplicate(tmp_path):
    (tmp_path / "a.cwrap").write_text(block(ADD) + block(ADD.replace("func: add(", "aliases: [add]\n    func: plus(")))
    with pytest.raises(DeclarationError, match="duplicate signature add"):
        parse_files([tmp_path / "a.cwrap"])


def test_overload_names_are_a_word_or_what_tells_them():
    (declared,) = parse("""
        options:
          - func: f(Tensor self) -> Tensor
          - func: f(Tensor self, int dim) -> Tensor
            overload: dim
          - func: f(Tensor self, Tensor|Number other) -> Tensor r
            overload: {other: Scalar, else: Tensor, out: names_out, also: [Scalar_mode]}
            aten: g
          - func: f(Tensor self, Tensor other, int n) -> Tensor
            aten: none
    """)
    first, dim, other, last = declared.overloads
    assert first.overload.all == ("default",) and first.overload.out == "out" and first.aten_name == "f"
    assert dim.overload.all == ("dim",) and dim.overload.out == "dim_out"
    assert other.overload.all == ("Tensor", "Scalar", "Scalar_mode") and other.overload.out == "names_out"
    assert other.overload.where == (("other", "Scalar"),) and other.aten_name == "g" and last.aten_name == ""


@pytest.mark.parametrize(
    "key, message",
    [
        ("{other: Scalar}", "overload names no argument: 'other'; allowed: also, dim, else, out, self"),
        ("{self: Scalar}", "'self' is always given, and no number stands for it"),
        ("{dim: dim, also: [dim]}", "overload says 'dim' twice"),
        ("{dim: dim, else: 1}", "'1' is not a name"),
    ],
)
def test_overload_names_that_tell_nothing_are_refused(key, message):
    with pytest.raises(DeclarationError, match=message):
        parse(f"func: f(Tensor self, int? dim=None) -> Tensor\noverload: {key}")
