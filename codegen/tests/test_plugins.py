"""Each plugin by itself, on the smallest declaration that shows what it does."""

import pytest
from blocks import ADD, one, parse

from codegen.errors import DeclarationError
from codegen.plugins import refine


def call(overload, name):
    return next(a.call for a in overload.arguments if a.name == name)


def kernel(arguments, extra=""):
    """A kernel with these arguments after its result and self."""
    head = f"name: f\ncname: f\ntypes: all\ndtype: self\nreturn: argument 0\n{extra}\narguments:\n"
    return one(head + "  - arg: THTensor* result\n    output: True\n  - THTensor* self\n" + arguments)


def test_kwargs_puts_keyword_only_arguments_last():
    assert [a.name for a in one(ADD).python] == ["self", "other", "alpha"]
    assert [a.name for a in one(ADD).arguments] == ["result", "self", "alpha", "other"]


def test_kwargs_refuses_required_after_optional():
    with pytest.raises(DeclarationError, match="'b' has no default but follows 'a', which has one"):
        kernel("  - arg: bool a\n    default: True\n  - bool b\n")


def test_argcount_sort():
    operators = refine(
        parse("""
        name: f
        return: THTensor*
        options:
          - cname: thpp::f
            arguments: [THTensor* self, int64_t a, int64_t b]
          - cname: thpp::f
            arguments: [THTensor* self, {arg: int64_t a, default: 1}]
    """)
    )
    assert [len(o.inputs) for o in operators["f"]] == [2, 3]


def test_wrap_dim():
    assert call(kernel("  - arg: int dim\n    wrap_dim: self\n"), "dim") == "TH_wrapDim(dim, self.dim())"


def test_dims():
    assert call(kernel("  - THDims dim\n"), "dim") == "dim_mask(dim, self.dim())"


def test_assert_ndim():
    assert kernel("  - arg: THTensor* m\n    assert_ndim: 2\n").statements == ('check_ndim(m, 2, "m");',)


def test_check_follows_assertions_and_gets_everything():
    f = kernel("  - arg: THTensor* m\n    assert_ndim: 2\n", "check: check_f")
    assert f.statements[1:] == ("check_f(t, self, m);",)


def test_broadcast():
    f = kernel("  - arg: THTensor* t\n    broadcast: self.0, self.1\n")
    assert f.statements == ("const Tensor t_expanded = expand_to(t, {self.size(0), self.size(1)}, result);",)
    assert call(f, "t") == "t_expanded.get()"


def test_nullable_generator_is_the_default_one():
    f = kernel("  - arg: THGenerator* g\n    nullable: True\n")
    assert call(f, "g") == "generator_of(on, g)"


def test_factory():
    f = one("name: f\ncname: thpp::f\nfactory: True\nreturn: THTensor*\narguments: [THSize* size]")
    assert [a.name for a in f.python] == ["size", "layout", "device", "pin_memory", "requires_grad"]
    assert [a.name for a in f.cpp_parameters] == ["size", "device"]


@pytest.mark.parametrize(("key", "kept"), [("view: self", True), ("derivative: composite", False)])
def test_gil_is_kept_for_views(key, kept):
    assert (
        one(f"name: f\ncname: THTensor_newSelect\n{key}\nreturn: THTensor*\narguments: [THTensor* self]").with_gil
        is kept
    )


def test_composites_check_for_themselves():
    f = one(
        "name: f\ncname: thpp::f\nreturn: THTensor*\narguments:\n  - THTensor* self\n  - arg: int64_t dim\n    wrap_dim: self\n"
    )
    assert call(f, "dim") == "dim"
