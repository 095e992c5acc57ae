"""CMake reads the same table of options as setup.py: a project that does nothing but include tools/options.cmake."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import venv

import pytest

from tools import dependencies, for_cmake, option_table
from tools.parts import ROOT, parts

NOT_OURS = {*option_table.spellings(), "TORCH_PREBUILT"} - {"CMAKE_PREFIX_PATH"}
PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(asked NONE)
include(tools/options.cmake)
foreach(name CMAKE_BUILD_TYPE BUILD_TEST Python3_EXECUTABLE TORCH_PARTS TORCH_PREBUILT TORCH_BUILD_VERSION
        TORCH_PACKAGE_NAME CMAKE_VERBOSE_MAKEFILE Python3_INCLUDE_DIR)
  file(APPEND "${CMAKE_BINARY_DIR}/chosen.txt" "${name}=${${name}}\\n")
endforeach()
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """What of the tree tools/for_cmake.py reads."""
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "lib").mkdir()
    for file in ("lib/libraries.toml", "version.txt"):
        shutil.copyfile(ROOT / file, root / file)
    (root / "CMakeLists.txt").write_text(PROJECT)
    return root


@pytest.fixture
def cmake(root, tmp_path):
    """cmake("-DUSE_CUDA=OFF", DEBUG="1") -> (what was chosen, what it said); `refused` where it must fail."""

    def run(*arguments, refused=False, again=False, **variables):
        folder = tmp_path / "build"
        if not again:
            shutil.rmtree(folder, ignore_errors=True)
        (folder / "chosen.txt").unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if name not in NOT_OURS} | variables
        if "EXECUTABLE=" not in "".join(arguments):
            arguments = (f"-DPython3_EXECUTABLE={sys.executable}", *arguments)
        # Parts are chosen, so no compiler is looked for.
        command = ["cmake", "-S", root, "-B", folder, "-DTORCH_PARTS=", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        said = done.stdout + done.stderr
        assert bool(done.returncode) == refused, said
        if refused:
            return None, said
        return dict(line.split("=", 1) for line in (folder / "chosen.txt").read_text().splitlines()), said

    run.refused = lambda *arguments, **variables: run(*arguments, refused=True, **variables)[1]
    return run


def test_what_is_given_is_chosen_and_only_what_is_nobodys_is_unused(cmake):
    chosen, said = cmake(
        "-DCMAKE_BUILD_TYPE=debug",
        "-DUSE_CUDA=OFF",
        "-DUSE_MKLDNN:BOOL=OFF",
        "-DWITH_DISTRIBUTED=0",
        "-DUSE_NUMPY=",
        "-DUSE_NNPACK=0",
        "-DCUDA_ARCH_LIST=",
        "-DCUDA_TOOLKIT_ROOT_DIR=",
        "-DTHD_SO_VERSION=1",
        "-DTORCH_PACKAGE_NAME=torch-nightly",
        "-DPYTORCH_BUILD_VERSION=1.1.0a0+ffd6138",
        "-DVERBOSE=1",
        "-DBUILD_TEST=on",
        "-DMINE=1",
    )
    assert "not used by the project" in said and re.findall("^ +([A-Z_]+)$", said, re.MULTILINE) == ["MINE"]
    assert chosen["CMAKE_BUILD_TYPE"] == "Debug" and chosen["BUILD_TEST"] == "ON"
    assert chosen["TORCH_BUILD_VERSION"] == "1.1.0a0+ffd6138" and chosen["TORCH_PACKAGE_NAME"] == "torch-nightly"
    assert chosen["CMAKE_VERBOSE_MAKEFILE"] == "ON"


def test_the_environment_is_read_and_the_command_line_goes_first(cmake):
    chosen, _ = cmake("-DUSE_CUDA=OFF", DEBUG="1", WITH_CUDA="1")
    assert chosen["CMAKE_BUILD_TYPE"] == "Debug"
    assert cmake("-DDEBUG=0", DEBUG="1")[0]["CMAKE_BUILD_TYPE"] == "Release"
    assert "USE_MPI=1: allowed only with USE_DISTRIBUTED=1" in cmake.refused(USE_MPI="1")


def test_all_that_cannot_be_had_is_named_at_once(cmake):
    """The seeds' CUDA scenario, and some mistakes."""
    said = cmake.refused(
        "-DUSE_CUDA=ON",
        "-DUSE_MKL=ON",
        "-DCUDNN_LIBRARY=/path/to/cudnn/lib64/libcudnn.so",
        "-DCUDA_ARCH_LIST=86;90",
        "-DUSE_FBGEMM=1",
        "-DUSE_CUDDA=1",
        "-DUSE_WHATEVER=1",
        "-DMAX_JOBS=3",
        "-DCMAKE_BUILD_TYPE=Relase",
    )
    for words in (
        "CUDNN_LIBRARY=/path/to/cudnn/lib64/libcudnn.so: nothing is compiled against cuDNN; leave it out",
        "USE_MKL=ON: matrices are multiplied by OpenBLAS; allowed: 0",
        "USE_FBGEMM=1: quantised kernels are not built; allowed: 0",
        "USE_CUDDA: unknown; did you mean USE_CUDA?",
        "USE_WHATEVER: unknown; python -m tools.options lists what there is",
        "MAX_JOBS=3: allowed only for setup.py",
        "CMAKE_BUILD_TYPE=Relase: no build type",
    ):
        assert words in said, words
    assert "CUDA_ARCH_LIST='86;90': allowed only with USE_CUDA=1" in cmake.refused("-DCUDA_ARCH_LIST=86;90")


def test_the_python_that_is_named(cmake, tmp_path):
    venv.EnvBuilder(symlinks=True).create(tmp_path / "venv")
    named = tmp_path / "venv/bin/python"
    site = tmp_path / f"venv/lib/python{sysconfig.get_python_version()}/site-packages"
    (site / "packages.pth").write_text(f"{pathlib.Path(pytest.__file__).parent.parent}\n")
    include = sysconfig.get_path("include")
    chosen, _ = cmake(f"-DPYTHON_EXECUTABLE={sys.executable}", f"-DPYTHON_INCLUDE_DIR={include}")
    assert (chosen["Python3_EXECUTABLE"], chosen["Python3_INCLUDE_DIR"]) == (sys.executable, include)
    # Another one in the same build folder; and the first of this name on PATH.
    assert cmake(f"-DPYTHON_EXECUTABLE={named}", again=True)[0]["Python3_EXECUTABLE"] == str(named)
    chosen, _ = cmake("-DPYTHON_EXECUTABLE=python3", PATH=f"{named.parent}:{os.environ['PATH']}")
    assert pathlib.Path(chosen["Python3_EXECUTABLE"]) == named.with_name("python3")
    said = cmake.refused("-DPYTHON_EXECUTABLE=/nowhere/python")
    assert "PYTHON_EXECUTABLE=/nowhere/python: there is no such program" in said


def test_parts_that_are_prebuilt(monkeypatch, tmp_path):
    """Without -DTORCH_PARTS what differs from the prefixes is built: all, where they say nothing of their sources."""
    for name in NOT_OURS:
        monkeypatch.delenv(name, raising=False)
    asked = []
    monkeypatch.setattr(dependencies, "check", lambda *arguments: asked.append(arguments))
    for name in ("a", "b"):
        (tmp_path / name / "lib").mkdir(parents=True)
    monkeypatch.setenv("TORCH_PREBUILT", f"{tmp_path}/a:{tmp_path}/b")
    code = for_cmake.code({}, whole=True)
    assert f"set(TORCH_PREBUILT [==[{tmp_path}/a;{tmp_path}/b]==])" in code
    assert f"set(TORCH_PARTS [==[{';'.join(parts())}]==])" in code
    rows = {row.name for row in asked[0][3]}
    assert {"pip", "wheel", "OpenBLAS"} <= rows and "ninja" not in rows, "make does without"
    monkeypatch.setattr(for_cmake.prebuilt, "stale", lambda prefixes, cuda, mkldnn: set())
    assert "set(TORCH_PARTS [==[]==])" in for_cmake.code({"TORCH_PREBUILT": f"{tmp_path}/a"}, whole=True)
    assert len(asked) == 1, "nothing is compiled, so nothing is needed"
