"""Rows of CUDA kernels: what THC.h, THCUNN.h and THCS.h declare, and no more, is filled in; docs/coverage-cuda.md says so."""

import json
import re
import subprocess

import pytest
from conftest import ROOT

from codegen import headers
from codegen.__main__ import DECLARATIONS
from codegen.emitters import cuda, kernels, nn, slots, thpp
from codegen.load import compiled

INCLUDE = sorted((ROOT / "lib").glob("*/include"))
HEADERS = [ROOT / f"lib/{name.split('/')[0]}/include/{name}" for name in cuda.HEADERS]

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


def declared_on_cpu():
    found = [headers.read(ROOT / f"lib/{name}/include/{name}/{name}.h", INCLUDE) for name in ("THNN", "THS")]
    return found[0] | found[1]


@pytest.fixture(scope="module")
def functions():
    return own(ROOT / "lib/THNN/include/THNN/THNN.h")


@pytest.fixture(scope="module")
def modules(functions):
    return nn.declarations(functions)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    header = tmp_path_factory.mktemp("THC") / "THC.h"
    header.write_text(SAMPLE)
    return own(header)


def test_names():
    assert cuda.name_of("TH", "Float", "Tensor_cadd") == "THCudaTensor_cadd"
    assert cuda.name_of("TH", "Long", "Tensor_cadd") == "THCudaLongTensor_cadd"
    assert cuda.name_of("THNN_", "Float", "SoftMax_updateOutput") == "THNN_CudaSoftMax_updateOutput"
    assert cuda.name_of("THS", "Float", "Tensor_coalesce") == "THCSFloatTensor_coalesce"


def test_declared_rows_are_filled(overloads, modules, sample):
    found, whole = cuda.rows(*cuda.slots(overloads), sample)
    assert sorted(found) == ["cadd", "sort"] and whole == {"THTensor_zero": "THCTensor_zero"}
    assert found["sort"] == ("TH", "Tensor_sort", {"Float": "Float", "Double": "Double"})
    served = found["cadd"][2]
    assert served["Long"] == "Long" and served["ComplexHalf"] == "ComplexFloat"  # a stored dtype, by another's


def test_functions_of_no_operator_are_named(overloads, modules, sample):
    assert cuda.unused(*cuda.slots(overloads), modules, sample) == [
        "THCudaDoubleTensor_sumall",
        "THCudaTensor_sumall",
    ]
    page = cuda.coverage(overloads, modules, sample)
    assert re.search(r"\| `sort` \| .* \| 2 of 10 \| Bool, Byte, Char, Short, Int, Long, Half, BFloat16 \|", page)
    assert "| `cmul` |" in page and "| `THTensor_zero` | `zero_` | 1 of 1 | |" in page


def test_it_compiles(overloads, modules, sample, tmp_path):
    """A row that does not fit its slot would not: sort's type is compared with TH's."""
    cuda.emit(overloads, modules, sample, tmp_path)
    functions = declared_on_cpu()
    thpp.emit(compiled(DECLARATIONS), functions, tmp_path)
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


def test_functions_of_thcunn_are_bound(overloads, modules, tmp_path):
    header = tmp_path / "THCUNN.h"
    header.write_text(
        "#include <THCUNN/THCUNN.h>\n"
        "#undef TH_FOR_floating\n"
        "#define TH_FOR_floating(X, ...) X(Half, __VA_ARGS__) X(Float, __VA_ARGS__)\n"
        "THCUNN_FUNCTION(Tanh_updateGradInput, floating)\n"
    )
    declared = own(header)
    assert sorted(declared) == ["THNN_CudaHalfTanh_updateGradInput", "THNN_CudaTanh_updateGradInput"]
    found, _ = cuda.rows(*cuda.slots(overloads), declared)
    assert found["Tanh_updateGradInput"] == ("THNN_", "Tanh_updateGradInput", {"Half": "Half", "Float": "Float"})
    cuda.emit(overloads, modules, declared, tmp_path)
    text = (tmp_path / "_THCUNN.cpp").read_text()
    assert "X(CudaHalf##op, op, Half)" in text and "X(Cuda##op, op, Float)" in text
    assert re.findall(r"  EACH_\d\(X, (\w+)\)", text) == ["Tanh_updateGradInput"]
    assert "PyInit__THCUNN" in text


def test_tables_of_slots(overloads, modules, sample, tmp_path):
    """What tests/slots counts: a slot of Kernels.h each, with the functions in it, each once."""
    cpu = slots.of_cpu(overloads)
    members = re.findall(r"THPP_(?:BY_DTYPE|FOR_ALL)\((\w+)", kernels.header(overloads).split("struct")[1])
    assert sorted(cpu) == sorted(members)
    declared = declared_on_cpu()
    functions = [f for row in cpu.values() for f in row]
    assert set(functions) <= declared.keys() and len(set(functions)) == len(functions)
    assert cpu["cadd"]["THComplexFloatTensor_cadd"] == "ComplexFloat" and "ComplexHalf" not in cpu["cadd"].values()
    found = slots.of_cuda(overloads, sample)
    assert found["sort"] == {"THCudaTensor_sort": "Float", "THCudaDoubleTensor_sort": "Double"}
    assert found["THTensor_zero"] == {"THCTensor_zero": "all"} and sorted(found) == ["THTensor_zero", "cadd", "sort"]
    slots.emit("cuda", "libtorch_cuda.so.1", found, tmp_path)
    written = json.loads((tmp_path / "slots-cuda.json").read_text())
    assert written == {"backend": "cuda", "library": "libtorch_cuda.so.1", "slots": found}


def test_the_page_is_current(overloads, modules):
    declared = {name: function for header in HEADERS for name, function in own(header).items()}
    page = cuda.coverage(overloads, modules, declared)
    assert (ROOT / "docs/coverage-cuda.md").read_text() == page, "python -m codegen cuda-coverage --out docs"
