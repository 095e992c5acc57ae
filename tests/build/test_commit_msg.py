"""The hook that judges a commit's subject, as a program."""

import pathlib
import shutil
import subprocess

import pytest

HOOK = pathlib.Path(__file__).resolve().parents[2] / "tools/commit-msg"


def judged(tmp_path, message):
    """(exit status, what is said)"""
    file = tmp_path / "message"
    file.write_text(message, encoding="utf-8")
    done = subprocess.run([shutil.which("bash"), HOOK, file], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "message",
    [
        "reduce: sum rows in blocks of 2048\n",
        "x" * 72 + "\n\nWhy, at any length: " + "y" * 200 + "\n",
        "é" * 72 + "\n",
        "Merge branch 'with a name that makes the subject a good deal longer than is allowed to others'\n",
        "# a comment of git's\nreduce: sum rows\n# another one\n",
    ],
)
def test_it_lets_pass(tmp_path, message):
    assert judged(tmp_path, message) == (0, "")


@pytest.mark.parametrize(
    "message, said",
    [
        ("x" * 73 + "\n", "has 73 characters"),
        ("é" * 73 + "\n", "has 73 characters"),
        ("reduce: sum rows.\n", "full stop"),
        ("\n", "empty"),
        ("reduce: sum rows\nand why\n", "an empty line stands between"),
    ],
)
def test_it_refuses(tmp_path, message, said):
    status, text = judged(tmp_path, message)
    assert status == 1 and said in text
