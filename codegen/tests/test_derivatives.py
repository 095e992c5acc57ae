"""What declarations say of derivatives, views and writes; and that they say it."""

import pytest
from blocks import ADD, one, parse

from codegen import derivatives
from codegen.emitters import autograd, thpp
from codegen.errors import DeclarationError
from codegen.plugins import refine

SAYS = "dtype: promote"
FORMULAS = "derivative:\n      self: grad\n      other: grad * alpha\n    "


def check(body):
    derivatives.check(refine(parse(body)))


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
            r"t0.cwrap:\d+: derivative is a formula per input, `composite`, `fallback`, `inner`, or `none \(why\)`",
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


def test_silence_is_refused():
    with pytest.raises(DeclarationError, match="t0.cwrap:2: add: key 'derivative' is missing"):
        check(ADD)


@pytest.mark.parametrize("said", [FORMULAS, "derivative: composite\n    ", "derivative: none (it is a test)\n    "])
def test_what_is_said_is_enough(said):
    check(ADD.replace(SAYS, said + SAYS))


def test_formulas_may_be_cut_off_where_nobody_needs_them(tmp_path):
    body = ADD.replace(SAYS, "derivative:\n    " + SAYS)
    check(body)
    assert one(body).derivative_kind == "formula"
    with pytest.raises(DeclarationError, match="t0.cwrap:2: add: key 'derivative' is empty"):
        autograd.emit(refine(parse(body)), tmp_path)
