"""Each plugin by itself, on the smallest declaration that shows what it does."""

import pytest
from blocks import one, parse

from codegen.plugins import refine


def call(overload, name):
    return next(a.call for a in overload.arguments if a.name == name)


def kernel(arguments, extra=""):
    """A kernel with these arguments after self."""
    return one(f"func: f(Tensor self, {arguments}) -> Tensor result\ncname: f\ntypes: all\ndtype: self\n{extra}")


def test_argcount_sort():
    operators = refine(
        parse("""
        options:
          - func: f(Tensor self, int a, int b) -> Tensor
          - func: f(Tensor self, int a=1) -> Tensor
    """)
    )
    assert [len(o.inputs) for o in operators["f"]] == [2, 3]


def test_wrap_dim():
    assert call(kernel("int32 dim", "wrap_dim: dim"), "dim") == "TH_wrapDim(dim, self.dim())"
    assert call(kernel("int32 a, int32 b", "wrap_dim: [a, b]"), "b") == "TH_wrapDim(b, self.dim())"
    assert call(kernel("int32 dim"), "dim") == "int(dim)"


def test_dims():
    assert call(kernel("Dims dim"), "dim") == "dim_mask(dim, self.dim())"


def test_assert_ndim():
    assert kernel("Tensor m", "assert_ndim: {m: 2}").statements == ('check_ndim(m, 2, "m");',)


def test_check_follows_assertions_and_gets_everything():
    f = kernel("Tensor m", "assert_ndim: {m: 2}\ncheck: check_f")
    assert f.statements[1:] == ("check_f(t, self, m);",)


def test_broadcast():
    f = kernel("Tensor t", "broadcast: {t: [self.0, self.1]}")
    assert f.statements == ("const Tensor t_expanded = expand_to(t, {self.size(0), self.size(1)}, result);",)
    assert call(f, "t") == "t_expanded.get()"


def test_nullable_generator_is_the_default_one():
    f = kernel("Generator? g")
    assert call(f, "g") == "generator_of(on, g)"


def test_factory():
    f = one("func: f(int[] size) -> Tensor\nfactory: True")
    assert [a.name for a in f.python] == ["size", "layout", "device", "pin_memory", "requires_grad"]
    assert [a.name for a in f.cpp_parameters] == ["size", "device"]


@pytest.mark.parametrize(("key", "kept"), [("view: self", True), ("derivative: composite", False)])
def test_gil_is_kept_for_views(key, kept):
    assert one(f"func: f(Tensor self) -> Tensor\ncname: THTensor_newSelect\n{key}").with_gil is kept


def test_composites_check_for_themselves():
    assert call(one("func: f(Tensor self, int dim) -> Tensor\nwrap_dim: dim"), "dim") == "dim"
