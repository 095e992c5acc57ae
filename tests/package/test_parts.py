"""`pytest --part I/N`: each test is in one of the parts (tests/conftest.py)."""

import pathlib
import subprocess
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
FILE = TESTS / "golden/test_golden_layouts.py", TESTS / "golden/test_golden_codec.py"


def collected(*options):
    """(exit status, the tests' names, what was written)"""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--collect-only",
        *options,
        *map(str, FILE),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TESTS.parent)
    return done.returncode, [line for line in done.stdout.splitlines() if "::" in line], done.stdout + done.stderr


def test_parts_are_the_whole():
    _, whole, _ = collected()
    parts = [collected("--part", f"{i}/2")[1] for i in (1, 2)]
    assert len(whole) > 40 and all(parts) and sorted(parts[0] + parts[1]) == sorted(whole)
    assert collected("--part", "1/1")[1] == whole


@pytest.mark.parametrize("part", ["0/2", "3/2", "1", "1/0", "a/b", "-1/2"])
def test_no_such_part(part):
    status, names, said = collected(f"--part={part}")
    assert status == 4 and not names and f"--part is '{part}'; it must be I/N with 1 <= I <= N" in said
