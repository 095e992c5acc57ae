"""The dependency check asks this machine's own compiler: prefixes, variables, flags, arguments."""

import os
import shutil
import subprocess
import types

import pytest

from tools import dependencies
from tools.dependencies import DEPENDENCIES, Dependency, MissingDependencies, Vendor, check

compiler = pytest.mark.skipif(not shutil.which("c++"), reason="needs a compiler")


@pytest.fixture
def real(monkeypatch, no_variables):
    """This machine's own compiler, and a vendor that no machine has: its header and its library."""
    vendor = Vendor(headers=(("invented/invented.h", "invented.h"),), libraries=(("invented_torch",),))
    row = Dependency("Invented", "for this test", dependencies._vendor("invented"), vendor="invented")
    monkeypatch.setattr(dependencies, "VENDORS", {"invented": vendor})
    kept = tuple(row for row in DEPENDENCIES if row.name in ("C++ compiler", "OpenMP"))
    monkeypatch.setattr(dependencies, "DEPENDENCIES", (*kept, row))
    return types.SimpleNamespace(libraries={"THI": {"vendor": ["invented", "openmp"]}}, monkeypatch=monkeypatch)


def make_prefix(prefix, lib="lib"):
    (prefix / "include/invented").mkdir(parents=True)
    (prefix / "include/invented/invented.h").touch()
    (prefix / lib).mkdir()
    source = prefix / "invented.c"
    source.write_text("int invented(void) { return 1; }\n")
    subprocess.run(
        ["c++", "-x", "c", "-shared", "-fPIC", source, "-o", prefix / lib / "libinvented_torch.so"],
        check=True,
    )
    return prefix


@compiler
def test_header_and_library_are_found_in_prefixes_and_missed_elsewhere(real, tmp_path):
    with pytest.raises(
        MissingDependencies, match=r"no invented/invented.h, no libinvented_torch.so in CMAKE_PREFIX_PATH"
    ):
        check(None, real.libraries, cache=None)
    with pytest.raises(MissingDependencies, match=rf"no invented/invented.h, .*CMAKE_PREFIX_PATH \({tmp_path}\)"):
        check(types.SimpleNamespace(cmake_prefix_path=(str(tmp_path),)), real.libraries, cache=None)
    prefix = make_prefix(tmp_path / "prefix")
    check(types.SimpleNamespace(cmake_prefix_path=(str(prefix),)), real.libraries, cache=None)
    real.monkeypatch.setenv("CMAKE_PREFIX_PATH", f"/nowhere:{prefix}")
    check(None, real.libraries, cache=None)
    (prefix / "lib/libinvented_torch.so").unlink()
    with pytest.raises(MissingDependencies, match=r"      no libinvented_torch.so in"):
        check(None, real.libraries, cache=None)


@compiler
@pytest.mark.parametrize(
    "variables",
    [
        {"CMAKE_PREFIX_PATH": "/nowhere;{0}"},
        {"CMAKE_INCLUDE_PATH": "{0}/include", "CMAKE_LIBRARY_PATH": "{0}/lib64"},
        {"CPATH": "{0}/include", "LIBRARY_PATH": "{0}/lib64"},
        {"CXXFLAGS": "-I{0}/include", "LDFLAGS": "-L{0}/lib64"},
        {"PATH": os.environ["PATH"] + ":{0}/bin"},
    ],
    ids=lambda variables: "-".join(variables),
)
def test_all_ways_to_name_a_place_that_cmake_or_the_compiler_knows(real, tmp_path, variables):
    prefix = make_prefix(tmp_path, "lib64")
    for name, value in variables.items():
        real.monkeypatch.setenv(name, value.format(prefix))
    check(None, real.libraries, cache=None)


@compiler
def test_a_compiler_without_cxx20_and_one_that_gets_wrong_flags(real):
    real.monkeypatch.setenv("CXXFLAGS", "-std=c++17")
    with pytest.raises(MissingDependencies, match="it has no C\\+\\+20"):
        check(None, real.libraries, cache=None)
    real.monkeypatch.setenv("CXXFLAGS", "-fno-such-flag-anywhere")
    with pytest.raises(MissingDependencies, match="fails on a tiny C\\+\\+20 program: .*-fno-such-flag-anywhere"):
        check(None, real.libraries, cache=None)


@compiler
def test_a_compiler_with_arguments_as_ccache_is_started(real, tmp_path):
    launcher = tmp_path / "launcher"
    launcher.write_text('#!/bin/sh\nexec "$@"\n')
    launcher.chmod(0o755)
    real.monkeypatch.setenv("CXX", f"{launcher} c++")
    prefix = make_prefix(tmp_path / "prefix")
    check(types.SimpleNamespace(cmake_prefix_path=(str(prefix),)), real.libraries, cache=None)
    real.monkeypatch.setenv("CXX", f"{launcher} no-such-compiler")
    with pytest.raises(MissingDependencies, match="C\\+\\+ compiler: .*\n.*no-such-compiler"):
        check(None, {}, cache=None)
