"""What the tests of extensions share. They compile, so they need a compiler, ninja, cmake and setuptools."""

import os
import subprocess
import sys

import pytest

# What children of the tests must not inherit: each test says what it wants.
POISON = ("LD_LIBRARY_PATH", "CFLAGS", "CXXFLAGS", "LDFLAGS", "MAX_JOBS", "TORCH_EXTENSIONS_DIR", "WITHOUT_NINJA")


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    """No settings of whoever runs the tests, and a build folder of the test's own."""
    for name in POISON:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path / "extensions"))


@pytest.fixture
def run():
    """Runs a command; on success its output, on failure an assertion with it."""

    def run(*command, cwd=None, fails=False, **environment):
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env={**os.environ, **environment},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert (done.returncode != 0) == fails, f"{command} exited with {done.returncode}\n{done.stdout}"
        return done.stdout

    return run


@pytest.fixture
def python(run):
    """Runs Python code in a fresh process."""
    return lambda code, **more: run(sys.executable, "-c", code, **more)
