"""find_package(Torch): the project in cmake/, a program without Python and an extension module."""

import os
import pathlib
import shutil
import sys

import pytest
import torch.utils
from torch.utils._extension import locations

HERE = pathlib.Path(__file__).parent


@pytest.fixture
def configure(tmp_path, run):
    def configure(*more, source=HERE / "cmake", prefix=torch.utils.cmake_prefix_path, fails=False):
        return run(
            "cmake",
            "-G",
            "Ninja",
            "-S",
            source,
            "-B",
            tmp_path / "build",
            f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DPython3_EXECUTABLE={sys.executable}",
            "-DCMAKE_BUILD_TYPE=Release",
            *more,
            fails=fails,
        )

    return configure


def test_consumer(configure, run, python, tmp_path):
    output = configure()
    assert f"prefix: {locations.PACKAGE}" in output
    assert f"python: {locations.LIB}/libtorch_python.so.1" in output
    assert f"version: {torch.__version__.partition('+')[0]}" in output
    run("cmake", "--build", tmp_path / "build")
    lines = run(tmp_path / "build/sum").splitlines()
    assert lines[0] == "36"
    assert "cannot be multiplied (2x3 and 2x3)" in lines[1]
    assert lines[2:] == [
        *(" 0 1 2", " 3 4 5", "[ CPUDoubleType{2,3} ]"),
        *("(1,.,.) = ", " 0 1", " 2 3", "(2,.,.) = ", " 4 5", " 6 7", "[ CPULongType{2,2,2} ]"),
        *(" 2.5", "[ CPUFloatType{} ][ Tensor (undefined) ]"),
        "66",
        "Could not run 'program::by_device' with arguments from the 'Meta' backend: nothing registered a kernel for it there. "
        "'program::by_device' is only available for these backends: [CPU].",
        "Could not find schema for program::none: no TORCH_LIBRARY that is loaded, and nothing in Python, defines it",
    ]
    entries = run("readelf", "-d", tmp_path / "build/sum")
    assert "(RPATH)" in entries and "(RUNPATH)" not in entries
    assert "torch_python" not in entries and "libpython" not in entries
    assert (
        python(
            "import doubled, torch; print(doubled.doubled(torch.ones(2)).tolist())",
            PYTHONPATH=os.pathsep.join([str(tmp_path / "build"), os.environ.get("PYTHONPATH", "")]),
        )
        == "[2.0, 2.0]\n"
    )


def test_moved(configure, run, tmp_path):
    """The package may lie anywhere: what CMake needs of it is copied, and the copy is found."""
    copy = tmp_path / "elsewhere/torch"
    (copy / "lib").mkdir(parents=True)
    for part in ("lib/include", "share"):
        shutil.copytree(locations.PACKAGE / part, copy / part)
    shutil.copy(locations.PACKAGE / "version.py", copy)
    for library in locations.libraries():
        shutil.copy(library, copy / "lib")
    assert f"prefix: {copy}" in configure(prefix=copy / "share/cmake")
    run("cmake", "--build", tmp_path / "build", "--target", "sum")
    assert str(copy / "lib") in run("readelf", "-d", tmp_path / "build/sum")
    assert run(tmp_path / "build/sum").startswith("36\n")


@pytest.mark.parametrize(
    "wanted, fits",
    [
        ("", True),
        ("1", True),
        ("1.10", True),
        ("2.13", True),
        ("2.13.1", False),
        ("3", False),
        ("1.9...2.12", False),
        ("1.9...2.13", True),
        ("1.9...<2.13", False),
        ("2.0...<3", True),
    ],
)
def test_versions(configure, tmp_path, wanted, fits):
    project = tmp_path / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX)\nfind_package(Torch {wanted} REQUIRED)\n"
    )
    output = configure(source=project, fails=not fits)
    assert fits or f"version: {torch.__version__.partition('+')[0]}" in output


def test_unbuilt(configure, tmp_path):
    empty = tmp_path / "torch/share/cmake"
    shutil.copytree(locations.PACKAGE / "share/cmake", empty)
    (tmp_path / "torch/version.py").write_text('__version__ = "1.0.0"\n')
    assert "a checkout that has not been built" in " ".join(configure(prefix=empty, fails=True).split())
