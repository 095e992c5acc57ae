"""The golden comparison notices what it must: a test that cannot fail proves nothing."""

import math

import pytest
import torch
from golden.codec import bf16, encode, narrow, same, shortest, without_layout
from golden.inputs import build
from golden.row import Row, evaluate


@pytest.mark.parametrize(
    ("want", "got"),
    [
        ("f32 2: 1 2", "f64 2: 1 2"),
        ("f32 2: 1 2", "f32 2x1: 1 2"),
        ("f32 2: 1 2", "f32 2: 1 2.0000002"),
        ("f32 2x3: 1", "f32 2x3 @1,2: 1"),
        ("f32 2x3 @1,2: 1", "f32 2x3 @1,2+4: 1"),
        ("f32 1: 0", "f32 1: -0"),
        ("f32 1: nan", "f32 1: inf"),
        ("i64 1: 3", "i64 1: 4"),
        ("f32 2x3 @3,1+0 =a: 1", "f32 2x3 @1,2+0 =a: 1"),
        ("f32 2x3 @3,1+0 =a: 1", "f32 2x3 @3,1+0 =: 1"),
        ("!IndexError", "!RuntimeError index out of range"),
        ("!IndexError out of range", "!IndexError too large"),
        ("!IndexError", "f32 1: 1"),
        ("int 1", "bool True"),
        (["int 1", "int 2"], ["int 1"]),
    ],
)
def test_differences_are_noticed(want, got):
    assert not same(got, want)
    assert same(want, want)


def test_tolerances():
    next_up = f"f32 1: {1 + 2**-23}"
    assert same(next_up, "f32 1: 1", "ulp") and not same(next_up, "f32 1: 1", "exact")
    assert not same("f32 1: 1.000001", "f32 1: 1", "ulp")
    assert same("f32 1: -0", "f32 1: 0", "equal") and not same("f32 1: 1.0000001", "f32 1: 1", "equal")
    assert same("!KeyError 'key x is missing'", "!KeyError is missing")


def test_layouts_are_told_and_can_be_left_out():
    a = build("f32 2x3 T", torch)
    assert encode(a, torch) == "f32 2x3 @1,2: 1.5 0 -0.5 -2.25 3 0.125"
    assert encode(a[1:], torch) == "f32 1x3 @1,2+1: -2.25 3 0.125" and encode(a.sum(), torch) == "f32 -: 1.875"
    assert encode(a[1, 2], torch) == "f32 - @+5: 0.125"
    told = encode((a, a[1, 2], a.shape, None, "f32 2 @1: no tensor"), torch)
    assert without_layout(told) == ["f32 2x3: 1.5 0 -0.5 -2.25 3 0.125", "f32 -: 0.125", *told[2:]]
    view = evaluate(Row("a.T", view=True), "f32 2x3", torch)
    assert without_layout(view) == view == "f32 3x2 @1,3+0 =a: 1.5 3 -2.25 -0.5 0 0.125"


def test_rounding_helpers():
    assert bf16(1 + 2**-8) == 1.0 and bf16(1 + 3 * 2**-8) == 1 + 2**-6
    assert bf16(3.4e38) == math.inf and bf16(-1e-45) == 0
    assert narrow(70000.0, "f16") == math.inf and narrow(0.1, "f64") == 0.1
    assert shortest(narrow(0.1, "f32"), "f32") == "0.1"


def test_an_operation_that_raises_after_writing_is_caught():
    answer = evaluate(Row("a.zero_(); a.view(7)"), "f32 3", torch)
    assert "changed a" in answer and not same(answer, "!RuntimeError")


def test_layouts_of_operands():
    assert build("f32 2x3 T", torch).stride() == (1, 2)
    assert build("f32 2x3 S", torch).stride() == (7, 2) and build("f32 2x3 S", torch).storage_offset() == 1
    assert build("f32 2x3 E", torch).stride() == (0, 1)
    assert encode(build("i64 0x3", torch), torch) == "i64 0x3:"
