"""What declarations say of derivatives, views and writes; and that they say it."""

import pytest
from blocks import ADD, one, parse

from codegen import derivatives
from codegen.emitters import thpp
from codegen.errors import DeclarationError
from codegen.plugins import refine

SAYS = "dtype: promote"
FORMULAS = "derivative:\n      self: grad\n      other: grad * alpha\n    "


def check(tmp_path, body, listed):
    todo = tmp_path / "derivatives.todo"
    todo.write_text("# a comment\n\n" + "".join(line + "\n" for line in listed))
    derivatives.check(refine(parse(body)), todo)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("", "formula"),
        (FORMULAS, "formula"),
        ("derivative: composite\n    ", "composite"),
        ("derivative: none (it is a test)\n    ", "none"),
        ("derivative: inner\n    ", "inner"),
    ],
)
def test_kinds(line, kind):
    assert one(ADD.replace(SAYS, line + SAYS)).derivative_kind == kind


def test_formulas():
    found = one(ADD.replace(SAYS, FORMULAS + SAYS)).derivative
    assert found.formulas == ((("self",), "grad"), (("other",), "grad * alpha"))
    text = "derivative:\n      node: Sum\n      self, other: f(grad, \"a 'b'\")\n    "
    found = one(ADD.replace(SAYS, text + SAYS)).derivative
    assert found.formulas == ((("self", "other"), "f(grad, \"a 'b'\")"),) and found.node == "Sum"
    assert one(ADD.replace(SAYS, "derivative: none (it is a test)\n    " + SAYS)).derivative.reason == "it is a test"


@pytest.mark.parametrize("change", [("dtype: promote", "dtype: bool"), ("types: all", "types: integral")])
def test_nothing_to_say_without_a_floating_result(change):
    assert one(ADD.replace(*change)).derivative_kind == "none"


def test_nothing_to_say_without_a_tensor():
    made = "func: f(int n) -> Tensor"
    assert one(made).derivative_kind == "none"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "derivative: none",
            r"t0.cwrap:\d+: derivative is a formula per input, `composite`, `inner`, or `none \(why\)`",
        ),
        ("derivative:\n      alpha: grad", "t0.cwrap:2: add: derivative has a formula for 'alpha', which is no tensor"),
        ("derivative:\n      self: grad\n      self, other: grad", "derivative has two formulas for 'self'"),
        ("derivative:\n      other: grad", "derivative needs a formula for 'self', which is written: zeros_like"),
        (
            "derivative:\n      self: grad_result",
            "a formula has 'grad_result', of which there is none here; there are: g",
        ),
        ("derivative:\n      self: grad * results", "a formula has 'results', of which there is none here"),
        ("derivative:\n      node: AddBackward1", "derivative names a node and has no formula"),
        ("view: self", "a result that is written into out= is no view"),
        ("writes: alpha", "writes names a tensor among the arguments, not 'alpha'"),
    ],
)
def test_mistakes(line, message):
    with pytest.raises(DeclarationError, match=message):
        parse(ADD.replace(SAYS, line + "\n    " + SAYS))


def test_who_returns_self_says_that_it_is_written():
    with pytest.raises(DeclarationError, match="say `writes: self`"):
        parse("func: f_(Tensor self) -> self")


@pytest.mark.parametrize(("writes", "macro"), [("self", "WRITES(BY_HAND, self, "), ("none", "PLAIN(BY_HAND, ")])
def test_a_write_is_counted_by_the_function(writes, macro):
    o = one(f"func: f_(Tensor self) -> self\nwrites: {writes}")
    (line,) = thpp._definitions(o, "f_")
    assert line == f"{macro}(const Tensor &), f_, f_, (const Tensor &self), self)\n"


def test_silence_is_refused(tmp_path):
    with pytest.raises(DeclarationError, match="t0.cwrap:2: add: key 'derivative' is missing"):
        check(tmp_path, ADD, [])
    check(tmp_path, ADD, ["add"])
    check(tmp_path, ADD.replace(SAYS, FORMULAS + SAYS), [])


@pytest.mark.parametrize(
    ("line", "listed", "message"),
    [
        (FORMULAS, "add", "derivatives.todo:3: 'add' says how it is differentiated"),
        ("derivative: none (it is a test)\n    ", "add", "says how it is differentiated"),
        (FORMULAS, "sub", "derivatives.todo:3: there is no operator 'sub'"),
    ],
)
def test_the_list_has_no_line_too_many(tmp_path, line, listed, message):
    with pytest.raises(DeclarationError, match=message):
        check(tmp_path, ADD.replace(SAYS, line + SAYS), [listed])
