"""C headers: what is read from them, the link stub, and the functions of THNN."""

import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

from codegen import headers
from codegen.emitters import nn, stub
from codegen.errors import DeclarationError

INCLUDE = sorted((ROOT / "lib").glob("*/include"))

SAMPLE = """
#include <TH/TH.h>
typedef void THNNState;
typedef THTensor THIndexTensor;
typedef THTensor THNullableTensor;
#define THNN_FUNCTION(op, dtypes, args) TH_FOR_##dtypes(THNN_FUNCTION_, op, args)
#define THNN_FUNCTION_(Name, op, args) TH_API void THNN_##Name##op args;
THNN_FUNCTION(BatchNormalization_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output,
              const THNullableTensor *weight, THTensor *running_mean, bool train, double momentum))
THNN_FUNCTION(Lookup_updateOutput, floating, (THNNState *state, const THTensor *input,
              const THIndexTensor *index, THTensor *output))
"""


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    header = tmp_path_factory.mktemp("sample") / "SAMPLE.h"
    header.write_text(SAMPLE)
    return headers.declared_by(headers.read(header, INCLUDE), header.parent)


def test_parameters(sample):
    f = sample["THNN_FloatBatchNormalization_updateOutput"]
    assert [p.type for p in f.parameters] == [
        "THNNState*",
        "const THTensor*",
        "THTensor*",
        "const THNullableTensor*",
        "THTensor*",
        "bool",
        "double",
    ]
    assert f.returns == "void"


def test_only_the_librarys_own_functions_count(sample):
    assert len(sample) == 8
    assert not any(name.startswith("TH_") for name in sample)


def test_preprocessor_errors_are_shown(tmp_path):
    (tmp_path / "bad.h").write_text("#include <nothing.h>\n")
    with pytest.raises(DeclarationError, match=r"the preprocessor failed: .*\n.*nothing\.h"):
        headers.read(tmp_path / "bad.h")


@pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")
@pytest.mark.parametrize("library", ["TH", "THNN"])
def test_stub_has_exactly_the_headers_symbols(library, tmp_path):
    header = ROOT / f"lib/{library}/include/{library}/{library}.h"
    symbols = headers.declared_by(headers.read(header, INCLUDE), header.parent)
    assert symbols
    soname = f"lib{library}.so.1"
    stub.emit(symbols, soname, tmp_path)
    made = tmp_path / soname
    subprocess.run(["gcc", "-shared", "-nostdlib", f"-Wl,-soname,{soname}", "-o", made, f"{made}.s"], check=True)
    listed = subprocess.run(["nm", "-D", "--defined-only", made], capture_output=True, text=True, check=True).stdout
    assert {line.split()[-1] for line in listed.splitlines()} == set(symbols)
    needed = subprocess.run(["readelf", "-d", made], capture_output=True, text=True, check=True).stdout
    assert f"[{soname}]" in needed
    assert "NEEDED" not in needed


def test_cwrap_of_a_header(sample):
    text = nn.cwrap(sample)
    assert (
        """\
[[
  func: FloatBatchNormalization_updateOutput(NNState state, Tensor input, Tensor output, Tensor? weight, \
Tensor running_mean, bool train, float momentum) -> void
  cname: THNN_FloatBatchNormalization_updateOutput
  variants: [function]
  writes: none
]]
"""
        in text
    )


def test_the_module(sample, tmp_path):
    nn.emit_python(nn.declarations(sample), tmp_path)
    module = (tmp_path / "_THNN.cpp").read_text()
    assert "TENSOR(2, index, TH_Long)" in module
    assert "NULLABLE(Tensor, weight)" in module and "PARAM(Tensor, running_mean)" in module
    assert "X(BFloat16##op, op, BFloat16)" in module and "EACH_0(X, Lookup_updateOutput)" in module


@pytest.mark.parametrize(
    ("declaration", "words"),
    [
        ("TH_API void THNN_Sigmoid(THTensor *input);", "'THNN_Sigmoid' is not THNN_<dtype><Module>"),
        (
            "TH_API void THNN_FloatSigmoid(long double x);",
            "unknown type 'long double' of parameter 'x'; allowed: THGenerator*, THIndexTensor*",
        ),
        (
            "TH_API void THNN_FloatF(THTensor *a); TH_API void THNN_DoubleF(THTensor *a, int b);",
            "F does not take the same arguments",
        ),
    ],
)
def test_unexpected_functions_are_refused(declaration, words, tmp_path):
    (tmp_path / "X.h").write_text(f"#include <TH/TH.h>\n{declaration}\n")
    found = headers.declared_by(headers.read(tmp_path / "X.h", INCLUDE), tmp_path)
    with pytest.raises(DeclarationError, match=r"X.h:2: ") as caught:
        nn.declarations(found)
    assert words in str(caught.value)


def test_stub_needs_no_yaml_and_no_declarations(tmp_path):
    """nix/mk-library.nix hands the stub's derivation these files only."""
    for name in (
        "__init__.py",
        "__main__.py",
        "emitters/__init__.py",
        "emitters/stub.py",
        "errors.py",
        "headers.py",
        "output.py",
    ):
        (tmp_path / "codegen" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "codegen" / name, tmp_path / "codegen" / name)
    shutil.copytree(ROOT / "codegen/fake", tmp_path / "codegen/fake")
    (tmp_path / "yaml.py").write_text("raise ImportError\n")
    header = ["--header", ROOT / "lib/TH/include/TH/TH.h", "--include", ROOT / "lib/TH/include"]
    run = [sys.executable, "-m", "codegen"]
    subprocess.run([*run, "stub", *header, "--soname", "libTH.so.1", "--out", tmp_path], cwd=tmp_path, check=True)
    listed = subprocess.run(
        [*run, "symbols", *header], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert listed == sorted(listed)
    assert [line[:-1] for line in (tmp_path / "libTH.so.1.s").read_text().splitlines() if line.endswith(":")] == listed
