"""What is generated of formulas: nodes, what they keep, and the lines of the recorders' table."""

import re

import pytest
from blocks import ADD, one, parse

from codegen import formulas
from codegen.emitters import autograd
from codegen.errors import DeclarationError
from codegen.plugins import refine

MADE = """
    func: f(Tensor self, Tensor? weight, int[] dim, str mode, Scalar? beta=None) -> Tensor
    derivative:
      {}
"""
SEVERAL = """
    func: f(Tensor self, Tensor other) -> (Tensor values, IndexTensor indices)
    cname: thpp::f
    variants: [function, out]
    derivative:
      {}
"""


def generated(tmp_path, *bodies):
    """The text of t0's file, on one line, and that of the table."""
    autograd.emit(refine(parse(*bodies)), tmp_path)
    file = tmp_path / "autograd_t0.cpp"
    text = file.read_text() if file.exists() else ""
    return re.sub(r"\s+", " ", text), (tmp_path / "autograd_table.cpp").read_text()


def node(body, *lines):
    """The node's text, on one line."""
    return re.sub(r"\s+", " ", autograd._node(one(body.format("\n      ".join(lines))), "f"))


def test_forms(tmp_path):
    says = "derivative:\n      self: grad\n      other: grad * alpha\n    doc"
    text, table = generated(tmp_path, ADD.replace("doc", says, 1))
    assert "struct backward_add final : Recorded<backward_add> { using Inputs = std::index_sequence<0, 1>;" in text
    assert 'return "AddBackward0";' in text
    assert "if (needs(0)) of_inputs[0] = grad; if (needs(1)) of_inputs[1] = grad * alpha;" in text
    # Nobody keeps what no formula uses.
    assert "SavedAttribute<Scalar> alpha{};" in text and "Saved " not in text and "EACH_SAVED(V_(alpha))" in text
    assert (
        "void save(SnapshotOfWritten, const Tensor &, const Tensor &, const Scalar &alpha) { this->alpha = alpha; }"
        in text
    )
    assert "RECORD(backward_add, add, add); RECORD_WRITE(backward_add, add_, add_, 0); }" in text
    assert "    record_t0(made);\n" in table


def test_without_formulas_nothing_is_recorded(tmp_path):
    composite = ADD.replace("dtype", "derivative: composite\n    dtype", 1)
    text, table = generated(tmp_path, composite, composite.replace("add", "inner").replace("composite", "inner"))
    assert text == "" and "record_t0" not in table


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            ADD.replace("dtype", "derivative: none (it is a test)\n    dtype", 1),
            'RECORD_OVERWRITE("AddBackward0", add_, add_, 0)',
        ),
        (
            "func: draw_(Tensor self) -> self\nwrites: self\nderivative: none (random)",
            '"DrawBackward0", draw_, draw_, 0)',
        ),
        (
            "func: fill(int n, Tensor out) -> void\nwrites: out\nderivative: none (a test)",
            '"FillBackward0", fill, fill, 1)',
        ),
    ],
)
def test_what_overwrites_something_recorded(tmp_path, body, line):
    text, _ = generated(tmp_path, body)
    assert line in text and "struct" not in text


@pytest.mark.parametrize(
    "change", [("types: all", "types: integral"), ("[method, function, inplace, out]", "[function]")]
)
def test_what_overwrites_nothing_recorded(tmp_path, change):
    text, _ = generated(
        tmp_path, ADD.replace("dtype", "derivative: none (it is a test)\n    dtype", 1).replace(*change)
    )
    assert "RECORD_OVERWRITE" not in text


def test_a_write_comes_first(tmp_path):
    """Its edge is the one that a write through a view replaces."""
    text, _ = generated(
        tmp_path,
        "func: put_(Tensor mask, Tensor self, Tensor source) -> self\nwrites: self\n"
        "derivative:\n  mask: Tensor()\n  self: zeros_like(grad)\n  source: grad",
    )
    assert "using Inputs = std::index_sequence<1, 0, 2>;" in text
    assert "RECORD_WRITE(backward_put_, put_, put_, 1);" in text


def test_what_is_kept():
    text = node(MADE, "self: g(grad, weight, dim, mode, beta)", "weight: g(grad, self.sizes(), result)")
    assert "Saved weight_, result_; TensorInfo self_info;" in text
    assert (
        "SavedAttribute<IntList> dim{}; SavedAttribute<const char *> mode{}; SavedAttribute<std::optional<Scalar>> beta{};"
        in text
    )
    assert "if (needs(0)) weight_.save(old(weight)); if (needs(1)) self_info = TensorInfo(self);" in text
    assert "void save_results(const Tensor &result) { if (needs(1)) result_.save(result, this); }" in text
    assert "EACH_SAVED(T_(weight) T_(result)" in text
    assert "if (needs(0)) { const auto weight = weight_.unpack(this); of_inputs[0] = g(" in text


def test_a_shape_for_one_formula_and_a_tensor_for_another():
    text = node(MADE, "self: g(grad, weight.sizes())", "weight: g(grad, weight)")
    assert "if (needs(1)) weight_.save(old(weight)); if (needs(0)) weight_info = TensorInfo(weight);" in text
    assert "if (needs(0)) { const auto &weight = weight_info; of_inputs[0] = g(grad, weight.sizes()); }" in text
    assert "if (needs(1)) { const auto weight = weight_.unpack(this); of_inputs[1] = g(grad, weight); }" in text


def test_what_several_formulas_need_is_unpacked_once():
    text = node(MADE, "self: grad * result", "weight: grad - result")
    assert text.count("result_.unpack(this)") == 1 and "result_.save(result, this);" in text


def test_an_argument_without_a_formula_may_not_be_recorded():
    text = node(MADE, "self: grad")
    assert 'throw_derivative("weight", weight);' in text
    assert "throw_derivative" not in node(MADE, "self: grad", "weight: Tensor()")


def test_several_at_once():
    text = node(MADE, "node: Other", "self, weight: both(grad, wanted)")
    assert 'return "Other";' in text
    assert (
        "if (needs(0) || needs(1)) { const std::vector<bool> wanted{needs(0), needs(1)}; put(of_inputs, {0, 1}, both("
        in text
    )


def test_several_results():
    text = node(SEVERAL, "self: f(grad_values, indices)", "other: f(grad_values, grad_indices)")
    assert "const Tensor &grad_values = grads[0]; const Tensor &grad_indices = grads[1];" in text
    assert "if (needs(0) && grad_values.defined()) {" in text and "if (needs(1)) of_inputs[1] =" in text
    assert "void save_results(const std::tuple<Tensor, Tensor> &made)" in text
    assert "&[values, indices] = made; if (needs(0)) indices_.save(indices, this);" in text


def test_lists():
    body = "func: cat(Tensor first, Tensor[] tensors, int dim) -> Tensor[]\nderivative:\n      {}"
    text = node(body, "first: grads[0]", "tensors: split_as(grads, infos(tensors), dim, wanted)")
    assert "size_t n_tensors = 0; std::vector<TensorInfo> tensors_info;" in text
    assert "if (needs_any(*this, 1, n_tensors)) tensors_info = infos_of(tensors);" in text
    assert "n_tensors = tensors.size();" in text and "Grads of_inputs(n_tensors + 1);" in text
    assert "put(of_inputs, 1, n_tensors, split_as(grads, infos(tensors), dim, wanted));" in text
    text = node(body, "first: Tensor()", "tensors: g(grads, tensors, results)")
    assert "SavedList tensors_, results_;" in text and "void save_results(TensorList results) {" in text


def test_names_of_functions_and_members_are_no_words():
    o = one(MADE.format("self: thpp::weight(grad) + self.dim() + weight(grad) + x.mode + result.numel()"))
    (found,) = formulas.parse(o)
    assert found.infos == ("self", "result") and found.tensors == () and found.others == ()


@pytest.mark.parametrize(
    ("name", "camel"),
    [("add", "AddBackward0"), ("log1p", "Log1PBackward0"), ("_fft_c2c", "FftC2CBackward0"), ("fill_", "FillBackward0")],
)
def test_names_of_nodes(name, camel):
    end = "self\nwrites: self" if name.endswith("_") else "Tensor"
    assert autograd.node_name(one(f"func: {name}(Tensor self) -> {end}\nderivative:\n  self: grad")) == camel


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "func: f(Tensor self) -> int\nderivative:\n  self: grad",
            "t0.cwrap:2: f: derivative has formulas, but nothing",
        ),
        ("func: f(Tensor grad) -> Tensor\nderivative:\n  grad: grad", "'grad' is a word of formulas"),
        ("func: f(Tensor self, Tensor[] a) -> Tensor\nderivative:\n  self, a: grad", "the list 'a' needs a formula of"),
        ("func: f(IndexTensor self) -> Tensor\nderivative:\n  self: grad", "'self', which is no tensor among"),
        (
            "func: f(Tensor self, Generator? generator=None) -> Tensor\nderivative:\n  self: g(grad, generator)",
            "a formula has 'generator', a generator, which gives other numbers by then",
        ),
        (
            "func: f(Tensor self) -> Tensor\ncname: torch.functional.f\nderivative:\n  self: grad",
            "its body is Python, which calls operators that are differentiated",
        ),
    ],
)
def test_mistakes(body, message):
    with pytest.raises(DeclarationError, match=message):
        parse(body)


def test_a_choice_of_names():
    text = node(MADE, "node: 'dim.empty() ? FBackward0 : FBackward1'", "self, weight: both(grad)")
    assert "const char *name() const override { return called; }" in text
    assert 'called = dim.empty() ? "FBackward0" : "FBackward1";' in text
