"""What C++ extensions see of the operators: torch's types, PyTorch's order of parameters, no crash on nothing."""

import re

import pytest

from codegen.__main__ import DECLARATIONS
from codegen.emitters import extension
from codegen.load import compiled


@pytest.fixture(scope="module")
def emitted(tmp_path_factory):
    out = tmp_path_factory.mktemp("extension")
    extension.emit(compiled(DECLARATIONS), out)
    return {path.name: path.read_text() for path in (out / "include/THPP").iterdir()}


@pytest.mark.parametrize(
    "line",
    [
        # a number will do for the second operand
        "inline Tensor add(const Tensor &self, const Operand &other, const Scalar &alpha = 1) "
        "{ return thpp::add(detail::defined(self), detail::defined(other), alpha); }",
        # unless a sibling takes one: x.pow(2) must not be ambiguous
        "inline Tensor pow(const Tensor &self, const Scalar &exponent) "
        "{ return thpp::pow(detail::defined(self), exponent); }",
        # what may be left out is handed on as it is
        "inline Tensor clamp(const Tensor &self, const Operand &min = Operand(), const Operand &max = Operand()) "
        "{ return thpp::clamp(detail::defined(self), min, max); }",
        # an alias calls the same function
        "inline Tensor clip(const Tensor &self, const Operand &min = Operand(), const Operand &max = Operand()) "
        "{ return thpp::clamp(detail::defined(self), min, max); }",
        # options before the generator, and back in thpp's order
        "inline Tensor rand(IntArrayRef size, const TensorOptions &options = {}, THGenerator *generator = nullptr) "
        "{ return detail::leaf(thpp::rand(size, generator, detail::native(options), detail::device(options)), "
        "options); }",
        # results in torch's types
        "inline std::vector<Tensor> chunk(const Tensor &self, int64_t chunks, int64_t dim = 0) "
        "{ return detail::lifted(thpp::chunk(detail::defined(self), chunks, dim)); }",
        "inline std::tuple<Tensor &, Tensor &> topk_out(Tensor &values, Tensor &indices, const Tensor &self, "
        "int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) "
        "{ thpp::topk_out(values, indices, detail::defined(self), k, dim, largest, sorted); "
        "return {values, indices}; }",
    ],
)
def test_functions(emitted, line):
    assert line + "\n" in emitted["TorchFunctions.h"]


@pytest.mark.parametrize(
    "line",
    [
        "const Tensor &add_(const Operand &other, const Scalar &alpha = 1) const "
        "{ thpp::add_(checked(), detail::defined(other), alpha); return *this; }",
        "Tensor sum(IntArrayRef dim = {}, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) const "
        "{ return thpp::sum(checked(), dim, keepdim, detail::native(dtype)); }",
        "Tensor where(const Tensor &condition, const Operand &other) const "
        "{ return thpp::where_self(checked(), detail::defined(condition), detail::defined(other)); }",
    ],
)
def test_methods(emitted, line):
    assert line + "\n" in emitted["TorchMethods.h"]


def test_every_operator_is_there(emitted):
    """Public ones, as a function, a method or both, as its declaration says."""
    files = {"function": "TorchFunctions.h", "method": "TorchMethods.h", "inplace": "TorchMethods.h"}
    missing = [
        (name, variant)
        for name, overloads in compiled(DECLARATIONS).items()
        for o in overloads
        if not name.startswith("_") and o.returns != extension.SKIPPED
        for variant in o.variants
        if variant in files
        if not re.search(rf"[ &]{name}{'_' if variant == 'inplace' else ''}\(", emitted[files[variant]])
    ]
    assert missing == []


def test_no_signature_twice(emitted):
    for name, text in emitted.items():
        signatures = [line.split(") const {")[0].split(") {")[0] for line in text.splitlines() if "{ " in line]
        assert len(signatures) == len(set(signatures)), name
