"""`python -m codegen TARGET`: every target, on this checkout's declarations and headers, as nix/ and CMake call it."""

import functools
import sys

import pytest
from conftest import ROOT

from codegen import __main__ as command_line
from codegen import headers

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
    "docs": {"_torch_docs.py": "add(input, ", "_python_bodies.py": "einsum", "_operators.py": "aten::add.Tensor("},
    "pyi": {"_functions.pyi": "def add(", "_methods.pyi": "def add_("},
    "site": {
        "ops/arithmetic.html": "float32",
        "index.html": "arithmetic",
        "readme.html": "<h1",
        "page.html": "<code>lib/file.h above: #endif</code>",
    },
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


@pytest.fixture
def documents(tmp_path, monkeypatch):
    """A checkout's documents, for the site: the real ones are no input of these tests."""
    for page in ("README.md", "CONTRIBUTING.md", "docs/page.md"):
        (tmp_path / "checkout" / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "checkout" / page).write_text(f"# {page}\n```c lib/file.h above: #endif\nint x;\n```\n")
    monkeypatch.setattr(command_line, "HERE", tmp_path / "checkout/codegen")


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize("target", command_line.TARGETS)
def test_every_target(target, tmp_path, monkeypatch, capsys):
    if target == "site":
        pytest.importorskip("mistune")
    options = NAMES.get(target, [])
    if "" not in WRITES[target]:
        options = [*options, "--out", tmp_path / "out"]
    monkeypatch.setattr(sys, "argv", ["codegen", target, *map(str, options)])
    command_line.main()
    printed = capsys.readouterr().out
    for name, text in WRITES[target].items():
        assert text in ((tmp_path / "out" / name).read_text() if name else printed), name


@pytest.mark.parametrize("target", ["thpp", "nn", "cuda", "cuda-coverage"])
def test_a_header_that_is_not_there_is_named(target, tmp_path, monkeypatch):
    options = ["--include", str(tmp_path), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["codegen", target, *options])
    with pytest.raises(SystemExit, match=f"THNN/THNN.h is in none of {tmp_path}; name its folder with --include"):
        command_line.main()
    assert not (tmp_path / "out").exists()
