"""The key `sharding`: what it may say, what follows from others, and the table that is generated."""

import pytest
from blocks import one, parse

from codegen import __main__, load, sharding
from codegen.emitters import sharding as emitter
from codegen.errors import DeclarationError

F = "func: f(Tensor self, Tensor other, Tensor? bias=None, int dim=0) -> Tensor\nderivative: composite\n"


@pytest.fixture(scope="module")
def operators():
    return load.operators(__main__.DECLARATIONS)


@pytest.mark.parametrize(
    "text",
    [
        "pointwise",
        "pointwise; linear self other",
        "along dim",
        "reduce sum; linear self; unless dim",
        "*mk,*kn->*mn | k,k->; linear self other",
        "n~,_->n~ | n_,_,_->n_",
        "whole (it looks at all)",
        "parts something",
    ],
)
def test_what_is_said_survives(text):
    (block,) = parse(f"{F}sharding: {text!r}")
    assert str(block.overloads[0].sharding) == text


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "unknown sharding ''; allowed: letters such as mk,kn->mn"),
        ("sideways", "unknown sharding 'sideways'; .*pointwise"),
        ("pointwise dim", "'pointwise' has 0 words behind it, not 'dim'"),
        ("along", "'along' has 1 to 3 words"),
        ("along dims", "f: sharding names no argument: 'dims'; allowed: bias, dim, other, self"),
        ("reduce mean", "unknown way to join parts 'mean'; allowed: max, min, product, sum"),
        ("pointwise; linear dim", "f: sharding says it is linear in 'dim'; tensors are: bias, other, self"),
        ("pointwise; linear", "option 'linear' of sharding names an argument"),
        ("pointwise; additive self", "option 'additive' of sharding names no argument"),
        ("pointwise; unless size", "names no argument: 'size'"),
        ("pointwise; twice", "unknown option of sharding 'twice'"),
        ("mk,kn->mx", "has the letters x of its result"),
        ("mm,mn->mn", "'mm' of 'mm,mn->mn' has a letter twice"),
        ("*~,n->n", "has a letter twice"),
        ("m1,n->m", "letters of dimensions are such as"),
        ("m->m", "f: sharding 'm->m' has 1 tensors, where 2 to 3 are given"),
        ("m,m,m,m->m", "has 4 tensors"),
        ("join dim", "belongs to lists of tensors"),
        ("fills", "belongs to operators that write self"),
        ("whole (why); additive", "has no options"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(DeclarationError, match=message) as caught:
        parse(f"{F}sharding: {text!r}")
    assert str(caught.value).startswith("t0.cwrap:")


def test_results_are_counted():
    with pytest.raises(DeclarationError, match="has 1 results, and there are 2"):
        parse(
            """
            func: f(Tensor self) -> (Tensor values, IndexTensor indices)
            cname: f
            types: floating
            dtype: self
            derivative: none (a test)
            sharding: n_->n
            """
        )


def test_operators_without_tensors_have_none():
    with pytest.raises(DeclarationError, match="belongs to operators with tensors"):
        parse("func: f(int n) -> Tensor\nderivative: none (a test)\nsharding: pointwise")


def test_what_follows_from_other_keys():
    def rule(keys, func="f(Tensor self, Tensor other) -> Tensor result"):
        found = sharding.rule_of(one(f"func: {func}\nderivative: none (a test)\n{keys}"))
        return None if found is None else str(found)

    kernel = "cname: f\ntypes: all\n"
    assert rule(kernel + "dtype: promote") == rule(kernel + "dtype: bool") == "pointwise"
    assert rule(kernel + "dtype: self") is None
    assert rule(kernel + "dtype: self\nsparse: values") == "pointwise"
    assert rule(kernel + "dtype: self\nsparse: linear") == "pointwise; linear self"
    assert rule(kernel + "dtype: promote\nsharding: whole (rows)") is None
    assert rule("view: self", "f(Tensor self) -> Tensor") == "strided"


def test_the_table(operators):
    rows = emitter.rules(operators)
    assert rows["mm"] == ['("+input +mat2", "letters", ("mk,kn->mn",), {"linear": ("input", "mat2",)})']
    assert [eval(row)[1] for row in rows["max"]] == ["reduce", "along", "pointwise"]
    assert rows["gelu"] == rows["nn_gelu"] and rows["clip"] == rows["clamp"]
    assert "nonzero" not in rows
    for name, found in rows.items():
        for row in found:
            arguments, form, words, options = eval(row)
            assert form in (None, "letters", *sharding.FORMS) and isinstance(options, dict), name


def test_most_of_what_is_pointwise_says_nothing(operators):
    said = sum(o.sharding is not None and o.sharding.form == "pointwise" for found in operators.values() for o in found)
    follows = sum(
        o.sharding is None and str(sharding.derived(o)) == "pointwise" for found in operators.values() for o in found
    )
    assert follows > 3 * said, (follows, said)
