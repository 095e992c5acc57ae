"""Rows of CUDA kernels: what THC.h declares, and no more, is filled in; docs/coverage-cuda.md says so."""

import re
import subprocess

import pytest
from conftest import ROOT

from codegen import headers
from codegen.__main__ import DECLARATIONS
from codegen.emitters import cuda, nn, thpp
from codegen.load import compiled

INCLUDE = sorted((ROOT / "lib").glob("*/include"))

# Made up, so that the answers below stay the same however many kernels THC has.
SAMPLE = """
#include <THC/THCGeneral.h>
THC_FUNCTION(cadd, all_complex)
THC_FUNCTION(sort, float_double)
THC_FUNCTION(sumall, float_double)
THC_FOR_ALL(zero)
"""


@pytest.fixture(scope="module")
def overloads():
    return [o for _, found in sorted(compiled(DECLARATIONS).items()) for o in found]


def own(header):
    return headers.declared_by(headers.read(header, INCLUDE), header.parent)


@pytest.fixture(scope="module")
def modules():
    return nn.declarations(own(ROOT / "lib/THNN/include/THNN/THNN.h"))[1]


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    header = tmp_path_factory.mktemp("THC") / "THC.h"
    header.write_text(SAMPLE)
    return own(header)


def test_names():
    assert cuda.name_of("TH", "Float", "Tensor_cadd") == "THCudaTensor_cadd"
    assert cuda.name_of("TH", "Long", "Tensor_cadd") == "THCudaLongTensor_cadd"
    assert cuda.name_of("THNN_", "Float", "SoftMax_updateOutput") == "THNN_CudaSoftMax_updateOutput"


def test_declared_rows_are_filled(overloads, modules, sample):
    found, whole = cuda.rows(*cuda.slots(overloads, modules), sample)
    assert sorted(found) == ["cadd", "sort"] and whole == {"THTensor_zero": "THCTensor_zero"}
    assert found["sort"] == ("TH", "Tensor_sort", {"Float": "Float", "Double": "Double"})
    served = found["cadd"][2]
    assert served["Long"] == "Long" and served["ComplexHalf"] == "ComplexFloat"  # a stored dtype, by another's


def test_functions_of_no_operator_are_named(overloads, modules, sample):
    assert cuda.unused(*cuda.slots(overloads, modules), sample) == ["THCudaDoubleTensor_sumall", "THCudaTensor_sumall"]
    page = cuda.coverage(overloads, modules, sample)
    assert re.search(r"\| `sort` \| .* \| 2 of 10 \| Bool, Byte, Char, Short, Int, Long, Half, BFloat16 \|", page)
    assert "| `cmul` |" in page and "| `THTensor_zero` | `zero_` | 1 of 1 | |" in page


def test_it_compiles(overloads, modules, sample, tmp_path):
    """A row that does not fit its slot would not: sort's type is compared with TH's."""
    cuda.emit(overloads, modules, sample, tmp_path)
    functions = headers.read(ROOT / "lib/THNN/include/THNN/THNN.h", INCLUDE)
    thpp.emit(compiled(DECLARATIONS), functions, modules, tmp_path)
    (tmp_path / "rows.h").write_text(
        "#include <THPP/Backend.h>\nnamespace torch::cuda { void fill(thpp::Kernels &); }\n"
    )
    (tmp_path / "THC").mkdir()
    (tmp_path / "THC/THC.h").write_text(SAMPLE)
    text = (tmp_path / "rows.cpp").read_text()
    command = ["g++", "-std=c++20", "-fsyntax-only", f"-I{tmp_path}", f"-I{tmp_path}/include", "-I", str(tmp_path)]
    command += [f"-I{folder}" for folder in INCLUDE] + ["-x", "c++", "-"]
    assert subprocess.run(command, input=text, text=True, capture_output=True, check=False).stderr == ""
    wrong = re.sub(r"kernels\.THTensor_zero = THCTensor_zero", "kernels.THTensor_zero = THCudaTensor_sort", text)
    found = subprocess.run(command, input=wrong, text=True, capture_output=True, check=False)
    assert "invalid conversion" in found.stderr


def test_the_page_is_current(overloads, modules):
    page = cuda.coverage(overloads, modules, own(ROOT / "lib/THC/include/THC/THC.h"))
    assert (ROOT / "docs/coverage-cuda.md").read_text() == page, "python -m codegen cuda-coverage --out docs"
