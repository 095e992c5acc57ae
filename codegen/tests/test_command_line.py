"""`python -m codegen TARGET`: every target, on this checkout's declarations and headers, as nix/ and CMake call it."""

import functools
import shutil
import sys

import pytest
from conftest import ROOT

from codegen import __main__ as command_line, headers, output

# What each target must have written, or printed (""), and a text in it that comes out of its input.
WRITES = {
    "thpp": {
        "include/THPP/Functions.h": "Tensor add(",
        "include/THPP/Kernels.h": "(cadd, TH",
        "include/THPP/TorchFunctions.h": "add",
        "include/THPP/TorchMethods.h": "add_",
        "src/Functions.cpp": "zeros_like",
    },
    "autograd": {"autograd_arithmetic.cpp": "AddBackward0", "autograd_table.cpp": "record_arithmetic"},
    "python": {"python_arithmetic.cpp": "add", "python_operators.cpp": "arithmetic"},
    "nn": {"_THNN.cpp": "SoftMax_updateOutput"},
    "cuda": {"rows.cpp": "(cadd, Tensor_cadd)", "_THCUNN.cpp": "PyInit__THCUNN"},
    "cuda-coverage": {"coverage-cuda.md": "| `cadd` |"},
    "slots": {"slots-cpu.json": '"cadd": {"TH'},
    "cuda-slots": {"slots-cuda.json": '"cadd": {"THC'},
    "facts": {"": "overloads, by who writes their bodies"},
    "docs": {
        "_torch_docs.py": "add(input, ",
        "_python_bodies.py": "einsum",
        "_operators.py": "aten::add.Tensor(",
        "_sharding.py": '"*mk,*kn->*mn"',
    },
    "pyi": {"_functions.pyi": "def add(", "_methods.pyi": "def add_("},
    "stub": {"libTH.so.1.s": "THFloatTensor_cadd"},
    "symbols": {"": "THNN_FloatSoftMax_updateOutput\n"},
}
NAMES = {
    "stub": ["--header", ROOT / "lib/TH/include/TH/TH.h", "--soname", "libTH.so.1"],
    "symbols": ["--header", ROOT / "lib/THNN/include/THNN/THNN.h"],
}


@pytest.fixture(scope="module", autouse=True)
def each_header_read_once():
    """Preprocessing and parsing a header is most of what a target takes; four targets read the same."""
    read = functools.cache(headers.read)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(headers, "read", lambda header, include, cpp: read(header, tuple(include), cpp))
        yield


@pytest.mark.parametrize("target", command_line.TARGETS)
def test_every_target(target, tmp_path, monkeypatch, capsys):
    options = NAMES.get(target, [])
    if "" not in WRITES[target]:
        options = [*options, "--out", tmp_path / "out"]
    monkeypatch.setattr(sys, "argv", ["codegen", target, *map(str, options)])
    command_line.main()
    printed = capsys.readouterr().out
    for name, text in WRITES[target].items():
        assert text in ((tmp_path / "out" / name).read_text() if name else printed), name


@pytest.mark.parametrize("target", ["thpp", "autograd", "python", "docs", "pyi"])
def test_what_a_declaration_that_is_gone_left_is_removed(target, tmp_path, monkeypatch):
    """With --clean, which builds in the tree say; in a folder of somebody's, only on demand."""
    folder = tmp_path / "declarations"
    shutil.copytree(command_line.DECLARATIONS, folder)
    (folder / "arithmetic.cwrap").rename(folder / "gone.cwrap")
    options = ["codegen", target, "--out", str(tmp_path / "out"), "--declarations", str(folder)]

    def written(*more):
        monkeypatch.setattr(sys, "argv", [*options, *more])
        monkeypatch.setattr(output, "_written", set())  # as in a process of its own
        command_line.main()
        return {path.name for path in (tmp_path / "out").rglob("*") if path.is_file()}

    before = written("--clean")
    (folder / "gone.cwrap").rename(folder / "arithmetic.cwrap")
    after = written("--clean")
    assert before - after == {name for name in before if "gone" in name}
    assert before != after or target != "autograd"


@pytest.mark.parametrize("target", ["thpp", "nn", "cuda", "cuda-coverage"])
def test_a_header_that_is_not_there_is_named(target, tmp_path, monkeypatch):
    options = ["--include", str(tmp_path), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["codegen", target, *options])
    with pytest.raises(SystemExit, match=f"THNN/THNN.h is in none of {tmp_path}; name its folder with --include"):
        command_line.main()
    assert not (tmp_path / "out").exists()
