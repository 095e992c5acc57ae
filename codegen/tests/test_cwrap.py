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
    assert str(declared.where) == "x.cwrap:4"  # that of its name
    assert declared.overloads[0].where.file == "x.cwrap"


def test_overloads_share_keys_and_may_override_them():
    (declared,) = parse("""
        name: f
        variants: [function]
        return: THTensor*
        options:
          - cname: thpp::f
            arguments: [THTensor* self]
          - cname: thpp::f
            variants: [method]
            arguments: [THTensor* self, int64_t dim]
    """)
    assert [o.variants for o in declared.overloads] == [("function",), ("method",)]


def test_dataclasses_are_frozen():
    (declared,) = parse(ADD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        declared.overloads[0].name = "sub"


PLAIN = "name: f\ncname: thpp::f\nreturn: THTensor*\narguments:\n  - THTensor* self\n"
REFUSED = [
    # (block, line of the error, words of the message)
    (PLAIN + "colour: red", 7, "unknown key 'colour'; allowed: aliases, any_device, arguments"),
    (
        PLAIN.replace("THTensor* self", "THTenso* self"),
        6,
        "unknown type 'THTenso*' of argument 'self'; allowed: PyBool, THDevice",
    ),
    (
        PLAIN.replace("- THTensor* self", "- arg: THTensor* self\n    shape: 3"),
        7,
        "unknown key 'shape'; allowed: arg, assert_ndim",
    ),
    (PLAIN.replace("THTensor* self", "THTensor* 3x"), 6, "'3x' is not a name"),
    (PLAIN + "name: g", 7, "key 'name' stands here twice"),
    (PLAIN.replace("name: f\n", ""), 1, "key 'name' is missing"),
    (PLAIN.replace("cname: thpp::f\n", ""), 2, "key 'cname' is missing"),
    (
        PLAIN.replace("return: THTensor*", "return: argument 0"),
        4,
        "must name the arguments that are outputs: there are none",
    ),
    (
        PLAIN.replace("return: THTensor*", "return: tensor"),
        4,
        "unknown return 'tensor'; allowed: argument <number>, THTensor*",
    ),
    (
        PLAIN + "variants: [method, inline]",
        7,
        "unknown variant 'inline'; allowed: function, inplace, inplace_function, method, out",
    ),
    (PLAIN + "variants: [out]", 2, "variants out and inplace need an output argument"),
    (PLAIN + "backends: [TPU]", 7, "unknown backend 'TPU'; allowed: CPU"),
    (PLAIN + "with_gil: yes", 7, "unknown truth value 'yes'; allowed: False, True"),
    (PLAIN + "types: all", 2, "`types` belongs to kernels"),
    (PLAIN + "check: check_f", 2, "`dtype` must say which"),
    (PLAIN + "deprecated: [other]", 2, "deprecated order 'other' must have each of: self"),
    (PLAIN + "deprecated: [self self]", 2, "deprecated order 'self self' must have each of: self"),
    (PLAIN + "out_with: self", 2, "out_with is for operators with out=, and names an optional argument, not 'self'"),
    (PLAIN + "doc: Adds.", 7, "write the text below a line '  doc: |'"),
    (PLAIN + "doc: |\n  Adds.\ndtype: self", 7, "doc must be the last key of its block, but 'dtype: self' follows"),
    (PLAIN.replace("thpp::f", "f"), 2, "`types` must say for which dtypes it exists"),
    (PLAIN.replace("thpp::f", "f") + "types: [Float, Quarter]", 7, "unknown dtype 'Quarter'; allowed: BFloat16, Bool"),
    (
        PLAIN.replace("thpp::f", "f") + "types: reals",
        7,
        "unknown list of dtypes 'reals'; allowed: all, all_complex, bits",
    ),
    (
        PLAIN.replace("thpp::f", "f") + "types: all\ndtype: biggest",
        8,
        "unknown dtype rule 'biggest'; allowed: accumulate, bool",
    ),
    (PLAIN.replace("thpp::f", "f") + "types: all", 2, "`dtype` must say which kernel is called"),
    (PLAIN + "  - THTensor* self", 2, "two arguments are called 'self'"),
    (
        PLAIN + "  - arg: int64_t dim\n    wrap_dim: other",
        2,
        "wrap_dim of 'dim' names no argument: 'other'; allowed: dim, self",
    ),
    (PLAIN + "  - arg: int64_t dim\n    number: True", 2, "number belongs to tensors, and 'dim' is int64_t"),
    (PLAIN + "  - arg: THTensor* t\n    assert_ndim: two", 8, "assert_ndim is a number of dimensions, not 'two'"),
    (PLAIN + "  - arg: PyBool flag\n    nullable: True", 2, "cannot be nullable: PyBool has no empty value"),
    (PLAIN + "a: b: c", 7, "mapping values are not allowed"),  # YAML's own words
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
        ("[[\n  name: f\n", 1, "[[ without ]]"),
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
    (tmp_path / "a.cwrap").write_text(block(ADD) + block(ADD.replace("name: add", "name: plus\n    aliases: [add]")))
    with pytest.raises(DeclarationError, match="duplicate signature add"):
        parse_files([tmp_path / "a.cwrap"])
