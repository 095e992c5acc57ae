"""Makes `tools` importable: the root comes last on sys.path, so that its torch/ hides no installed one."""

import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))

# What names a compiler, or a place where it looks.
VARIABLES = (
    "CC",
    "CXX",
    "CXXFLAGS",
    "LDFLAGS",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "CMAKE_PREFIX_PATH",
    "CMAKE_INCLUDE_PATH",
    "CMAKE_LIBRARY_PATH",
)


@pytest.fixture
def no_variables(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
