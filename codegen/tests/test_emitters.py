"""What comes out: the same bytes every time, whatever the order of files and whatever the documentation says."""

import pathlib
import random
import re
import subprocess
import sys

import pytest
from blocks import ADD, one, parse
from conftest import ROOT

from codegen import headers
from codegen.__main__ import DECLARATIONS
from codegen.cwrap import parse_files
from codegen.emitters import autograd, c_functions, docs, nn, python, thpp
from codegen.errors import DeclarationError
from codegen.load import compiled, operators
from codegen.output import write
from codegen.plugins import refine

INCLUDE = sorted((ROOT / "lib").glob("*/include"))


@pytest.fixture(scope="session")
def th():
    """What the headers declare; each includes TH's."""
    return headers.read(ROOT / "lib/THNN/include/THNN/THNN.h", INCLUDE) | headers.read(
        ROOT / "lib/THS/include/THS/THS.h", INCLUDE
    )


def emit(parsed, th, out):
    parsed = {name: found for name, found in parsed.items() if not found[0].in_python}
    thpp.emit(parsed, th, out)
    python.emit(parsed, out)
    return {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_order_of_files_does_not_matter(th, tmp_path):
    files = sorted(DECLARATIONS.glob("*.cwrap"))
    first = emit(refine(parse_files(files)), th, tmp_path / "a")
    random.Random(1).shuffle(files)
    assert emit(refine(parse_files(files)), th, tmp_path / "b") == first


def cut(line, state):
    """Whether nix/generated.nix cuts the line off: documentation from `  doc: |` to `]]`, and what stands below `derivative:`."""
    state["doc"] = (state["doc"] or line.startswith("  doc: |")) and line.rstrip() != "]]"
    begins = re.fullmatch(r"( *)derivative:\n", line)
    if begins:
        state["indent"] = begins[1] + " "
    elif not line.startswith(state["indent"] or "\n\n"):
        state["indent"] = None
    return state["doc"] or (state["indent"] is not None and not begins)


def test_documentation_and_formulas_do_not_reach_cpp(th, tmp_path):
    stripped = tmp_path / "declarations"
    stripped.mkdir()
    for file in DECLARATIONS.glob("*.cwrap"):
        state = {"doc": False, "indent": None}
        lines = [line for line in file.read_text().splitlines(keepends=True) if not cut(line, state)]
        (stripped / file.name).write_text("".join(lines))
    complete, without = operators(DECLARATIONS), operators(stripped)
    left = [o for overloads in without.values() for o in overloads]
    assert not any(o.doc or o.derivative and o.derivative.formulas for o in left)
    assert any(o.derivative and o.derivative.formulas for overloads in complete.values() for o in overloads)
    assert emit(without, th, tmp_path / "a") == emit(complete, th, tmp_path / "b")


def test_generated_cpp_stays_small(th, tmp_path):
    """Operators, their recorders and bindings, and THNN's functions: the project's limit is 2 MB."""
    emit(operators(DECLARATIONS), th, tmp_path)
    autograd.emit(compiled(DECLARATIONS), tmp_path)
    modules = headers.declared_by(th, ROOT / "lib/THNN/include")
    nn.emit_python(nn.declarations(modules), tmp_path)
    sizes = {path.name: path.stat().st_size for path in tmp_path.rglob("*") if path.suffix in (".cpp", ".h")}
    assert {"Functions.cpp", "autograd_criterion.cpp", "_THNN.cpp"} <= set(sizes)
    assert sum(sizes.values()) < 2_000_000, sizes


LRN = """
    func: _lrn(Tensor self, bool keeps) -> (Tensor result, Tensor scale)
    cname: THNN SpatialCrossMapLRN(self, result, scale, 2, 1, 1, 1)
    variants: []
    types: floating
    dtype: self
    results: {scale: 'keeps ? without_elements(self) : Tensor()'}
"""


def test_results_are_made_as_declared(th, tmp_path):
    thpp.emit(refine(parse(LRN)), th, tmp_path)
    source = (tmp_path / "src/Functions.cpp").read_text()
    assert "if (!scale.defined()) scale = keeps ? without_elements(self) : Tensor();" in source
    assert "self.get(), exact_target(result, on.device, t), scale.get(), 2, 1, 1, 1);" in source
    with pytest.raises(DeclarationError, match="no form with out="):
        parse(LRN.replace("[]", "[function, out]"))
    with pytest.raises(DeclarationError, match="unknown key 'mean'; allowed: result, scale"):
        parse(LRN.replace("{scale", "{mean"))
    with pytest.raises(DeclarationError, match="cname hands 'keeps' to nobody"):
        parse(LRN.replace("keeps ?", "true ?"))
    parse(LRN.replace("keeps ?", "true ?") + "    fallback: lrn\n")  # which gets it


def test_complex_kernels(th, tmp_path):
    """They exist where a list says so; the result of promote_real is real."""
    sizes = ADD.replace("types: all", "types: complex").replace("cadd", "abs").replace("promote", "promote_real")
    lines = sizes.replace(", Tensor|Number other, *, Scalar alpha=1", "").replace(", alpha, other)", ")")
    thpp.emit(refine(parse(lines)), th, tmp_path)
    source = (tmp_path / "src/Functions.cpp").read_text()
    assert "nullptr, b##ComplexFloat##a, b##ComplexDouble##a}" in source
    assert "OF_TH(abs, ComplexFloat, complex, " in source
    assert "k_abs.pointwise(on, t, result, self)(target(result, on.device, real_dtype(t)), self.get())" in source
    assert "static_assert((0 TH_FOR_number_complex(BIT, )) == (1u << TH_Byte |" in source


def test_stored_dtypes(th, tmp_path):
    """They are computed by another dtype's kernel, of operands that have theirs; a function for every dtype refuses those that are not named."""
    thpp.emit(refine(parse(ADD.replace("types: all", "types: all\n    stored: [unsigned]"))), th, tmp_path)
    source = (tmp_path / "src/Functions.cpp").read_text()
    (row,) = [line for line in source.splitlines() if line.startswith("#define ROW_all_unsigned(")]
    assert "b##Long##a, b##Short##a, b##Int##a, b##Long##a, nullptr" in row
    assert "OF_TH(cadd, Bool, all_unsigned, " in source
    assert "ROUNDED(t, result, add_out, (by[0], by[1], alpha), &self, &other)" in source
    assert "const Scalar alpha_in_t = factor_in(t, alpha, self);" in source
    assert (
        "k_cadd.pointwise(on, t, result, self, other)(target(result, on.device, t), self.get(), alpha_in_t, other.get());"
        in source
    )
    thpp.emit(refine(parse(ADD)), th, tmp_path)
    assert "ROUNDED(t" not in (tmp_path / "src/Functions.cpp").read_text()
    every = "func: zero_(Tensor self) -> self\ncname: THTensor_zero\nwrites: self\nstored: [float8]"
    thpp.emit(refine(parse(every)), th, tmp_path)
    (line,) = [line for line in (tmp_path / "src/Functions.cpp").read_text().splitlines() if "require_kernel" in line]
    assert '("zero", self, 1u << TH_UInt16 | ' in line and "TH_ComplexHalf" in line and "Float8" not in line


def test_unsigned_integers(th, tmp_path):
    """By uint64's kernel; or by signed ones, to which operands, factors and results go by their bits or their order."""
    larger = ADD.replace(", *, Scalar alpha=1", "").replace("cadd(result, self, alpha, other)", "cmax")
    thpp.emit(refine(parse(larger.replace("types: all", "types: all\n    stored: [uint64]"))), th, tmp_path)
    (row,) = [
        line
        for line in (tmp_path / "src/Functions.cpp").read_text().splitlines()
        if line.startswith("#define ROW_all_uint64(")
    ]
    assert "b##Long##a, b##UInt64##a, b##UInt64##a, b##UInt64##a, nullptr" in row
    thpp.emit(refine(parse(ADD.replace("types: all", "types: all\n    unsigned: order"))), th, tmp_path)
    source = (tmp_path / "src/Functions.cpp").read_text()
    for line in (
        "  BY_SIGNED(Order, false)",
        "    OF(target, result, on.device, t)",
        "    add_out(flags, of_result, by(self), by(other), by(alpha, self));",
        "    INTO(result)",
    ):
        assert line in source.splitlines()
    for more, message in (
        ("stored: [uint64]\n    unsigned: bits", "`unsigned` is for kernels that are handed operands"),
        ("unsigned: width", "allowed: bits, order"),
    ):
        with pytest.raises(DeclarationError, match=message):
            parse(ADD.replace("types: all", f"types: all\n    {more}"))


def test_unchanged_files_are_not_written_again(tmp_path):
    write(tmp_path / "f", "text")
    before = (tmp_path / "f").stat().st_mtime_ns
    write(tmp_path / "f", "text")
    assert (tmp_path / "f").stat().st_mtime_ns == before


def test_kernels_that_no_header_declares(th):
    parsed = refine(parse(ADD.replace("cadd", "cfrobnicate")))
    with pytest.raises(DeclarationError, match=r"t0.cwrap:2: add: no header declares 'THBoolTensor_cfrobnicate'"):
        c_functions.check(parsed["add"], th)


def test_kernels_must_exist_for_every_dtype_listed(th):
    with pytest.raises(
        DeclarationError, match="no header declares 'THBoolTensor_csub'; declared: THBFloat16Tensor_csub"
    ):
        c_functions.check(refine(parse(ADD.replace("cadd", "csub")))["add"], th)


def test_kernels_must_take_what_they_are_handed(th):
    parsed = refine(parse(ADD.replace("Scalar alpha", "float alpha")))
    with pytest.raises(
        DeclarationError, match=r"takes \(THTensor\*, THTensor\*, THScalar, THTensor\*\) at .*/THTensorMath.h:"
    ):
        c_functions.check(parsed["add"], th)


def test_every_declared_kernel_exists(th):
    declared = compiled(DECLARATIONS)
    for overloads in declared.values():
        c_functions.check(overloads, th)


def test_add(th, tmp_path):
    parsed = refine(parse(ADD))
    files = {str(p): text.decode() for p, text in emit(parsed, th, tmp_path).items()}
    header, source, table = (files[n] for n in ("include/THPP/Functions.h", "src/Functions.cpp", "python_t0.cpp"))
    assert "THPP_API Tensor add(const Tensor &self, const Tensor &other, const Scalar &alpha = 1);" in header
    assert (
        "k_cadd.pointwise(on, t, result, self, other)(target(result, on.device, t), self.get(), alpha, other.get());"
        in source
    )
    assert '{"other", ArgType::TensorOrNumber, 0, nullptr}' in table
    assert "if (a.has(3)) return into(a, 3, thpp::add_out, a.tensor(0), a.tensor(1), a.scalar(2, 1));" in table
    assert 'TORCH_OPERATOR(add, "add", kFunction, {p0, 4, ' in table  # out= is for functions only
    assert 'TORCH_OPERATOR(add__method, "add", kMethod, {p0, 3, ' in table


SPLIT = """
  func: linalg_split(Tensor self, str mode='half') -> (Tensor a, Tensor b, Tensor c)
  variants: [function, out]
  doc: |
    Splits.
"""


def test_several_results_and_a_default_text(th, tmp_path):
    parsed = refine(parse(SPLIT))
    files = {str(p): text.decode() for p, text in emit(parsed, th, tmp_path).items()}
    declared = files["include/THPP/Functions.h"]
    assert 'Tensor, Tensor, Tensor> linalg_split(const Tensor &self, const char * mode = "half");' in declared.replace(
        "char *mode", "char * mode"
    )
    table = files["python_t0.cpp"]
    call = 'into_tuple(a, 2, "linalg_split", {"a", "b", "c"}, thpp::linalg_split_out, a.tensor(0), a.string(1, "half"))'
    assert call in table
    docs.emit(parsed, tmp_path)
    signature = "split(input, mode='half', *, out=None)"
    expected = f'add_docstr(torch.linalg.split, """\\\nlinalg_{signature}\n--\n\n{signature} -> '
    assert expected in (tmp_path / "_torch_docs.py").read_text()


def test_docs(tmp_path):
    docs.emit(refine(parse(ADD)), tmp_path)
    text = (tmp_path / "_torch_docs.py").read_text()
    inspected, shown = (
        "add(input, other, *, alpha=1, out=None)\n--\n",
        "add(input, other, *, alpha=1, out=None) -> Tensor",
    )
    assert f'add_docstr(torch.add, """\\\n{inspected}\n{shown}\n\nAdds.\n""")' in text
    assert "add_docstr(torch.Tensor.add_" in text
    compile(text, "_torch_docs.py", "exec")


def test_every_operator_has_documentation(tmp_path):
    docs.emit(operators(DECLARATIONS), tmp_path)
    with pytest.raises(DeclarationError, match=r"t0\.cwrap:2: add: key 'doc' is missing"):
        docs.emit(refine(parse(ADD.partition("doc:")[0])), tmp_path)


def test_a_file_of_declarations_is_a_file_of_calls(tmp_path):
    """Each Python name stands in one file; an edit changes that one; the output of a removed file is removed, too."""
    other = ADD.replace("func: add(", "func: plus(")
    assert {family: set(t.functions) for family, t in python.tables(refine(parse(ADD, other))).items()} == {
        "t0": {"add"},
        "t1": {"plus"},
    }

    def written():
        return {path.name: path.read_text() for path in tmp_path.iterdir()}

    python.emit(refine(parse(ADD, other)), tmp_path)
    before = written()
    assert set(before) == {"python_operators.cpp", "python_t0.cpp", "python_t1.cpp"}
    assert "    t0_functions,\n    t1_functions,\n    nullptr};" in before["python_operators.cpp"]
    python.emit(refine(parse(ADD, other.replace("alpha=1", "alpha=2"))), tmp_path)
    after = written()
    assert {name for name in before if before[name] != after[name]} == {"python_t1.cpp"}
    python.emit(refine(parse(ADD)), tmp_path)
    assert set(written()) == {"python_operators.cpp", "python_t0.cpp"}


def test_command_line(tmp_path):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "codegen", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )

    done = run("python", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    families = {f"python_{family}.cpp" for family in python.tables(compiled(DECLARATIONS))}
    assert {p.name for p in pathlib.Path(tmp_path).iterdir()} == {"python_operators.cpp", *families}
    (tmp_path / "bad.cwrap").write_text("[[\n  nam: f\n]]\n")
    done = run("docs", "--out", str(tmp_path), "--declarations", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith(f"codegen: {tmp_path}/bad.cwrap:2: unknown key 'nam'; allowed:")


def test_inplace_functions():
    made = {name for family in python.tables(compiled(DECLARATIONS)).values() for name in family.functions}
    assert {"exp_", "arccos_", "exp"} <= made
    assert not {"add_", "absolute_"} & made  # methods only


def test_messages_about_complex_numbers(th, tmp_path):
    refused = ADD.replace("dtype: promote", "dtype: promote\n    no_complex: 'RuntimeError: not complex'")
    thpp.emit(refine(parse(refused)), th, tmp_path)
    source = (tmp_path / "src/Functions.cpp").read_text()
    assert 'OF_TH(cadd, Bool, all, "add", {TH_ERROR_RUNTIME, "not complex"})' in source


def test_checks_are_declared_once(th, tmp_path):
    checked = ADD.replace("dtype: promote", "dtype: promote\n    check: check_f")
    thpp.emit(refine(parse(checked, checked.replace("func: add(", "func: sum_of("))), th, tmp_path)
    declared = "void check_f(THDtype t, const Tensor &self, const Tensor &other, const Scalar &alpha);"
    assert (tmp_path / "src/bodies.h").read_text().count(declared) == 1


# ---- pairs of THNN

SOFTMAX = """
    func: softmax(Tensor self, int dim, Dtype? dtype=None) -> Tensor result
    cname: THNN SoftMax(self, result, dim)
    types: floating
    dtype: keep
    variants: [function, out]
"""
KEPT = SOFTMAX.replace("keep", "self").replace(", Dtype? dtype=None", "")


@pytest.mark.parametrize(
    ("body", "call"),
    [
        (
            SOFTMAX,
            "k_SoftMax_updateOutput.at(on, t)(nn_state_of(on), thpp::to(self, t).get(), exact_target(result, on.device, t), dim);",
        ),
        (
            KEPT,
            "k_SoftMax_updateOutput.at(on, t)(nn_state_of(on), self.get(), exact_target(result, on.device, t), dim);",
        ),
    ],
)
def test_a_kernel_of_thnn(th, tmp_path, body, call):
    """The kernel gets its state, and inputs of its own dtype."""
    thpp.emit(refine(parse(body)), th, tmp_path)
    source = (tmp_path / "src/Functions.cpp").read_text()
    name = "SoftMax_updateOutput"
    assert f'OF_NN({name}, Half, floating, "softmax")' in source
    assert call in source
    kernels = (tmp_path / "include/THPP/Kernels.h").read_text()
    assert "THPP_BY_DTYPE(SoftMax_updateOutput, THNN_HalfSoftMax_updateOutput)" in kernels


def test_a_kernel_of_thnn_must_exist(th):
    with pytest.raises(
        DeclarationError, match="no header declares 'THNN_HalfSoftMin_updateOutput'; declared: .*THNN_FloatTanh_updateO"
    ):
        c_functions.check([one(SOFTMAX.replace("SoftMax", "SoftMin"))], th)


def test_a_kernel_of_thnn_must_take_what_it_is_handed(th):
    with pytest.raises(
        DeclarationError, match=r"takes \(THNNState\*, THTensor\*, THTensor\*, int64_t\) at .*/SoftMax.h:"
    ):
        c_functions.check([one(SOFTMAX.replace("int dim", "float dim"))], th)
