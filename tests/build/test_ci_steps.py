"""The table of steps at the end of .ci/run: each step's time, and which one failed."""

import functools
import os
import pathlib
import shutil
import signal
import subprocess

import pytest

STEPS = pathlib.Path(__file__).resolve().parents[2] / ".ci/steps.sh"


def run(script, tmp_path):
    """(exit status, the lines written after the table's head), of a script that sources the steps."""
    text = f"set -euo pipefail\n. {STEPS}\ntrap step_table EXIT\n{script}\n"
    # What a shell has started in the background ignores interrupts, as do all of its children.
    interruptible = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    bash = [shutil.which("bash"), "-c", text]
    done = subprocess.run(bash, capture_output=True, text=True, cwd=tmp_path, preexec_fn=interruptible)
    _, _, table = done.stdout.partition("== the time of each step, in seconds\n")
    return done.returncode, [line.split(maxsplit=1) for line in table.splitlines()]


def test_each_step_has_a_line(tmp_path):
    status, table = run('step "one thing" sleep 1\nstep another true', tmp_path)
    assert status == 0
    assert [name for _, name in table] == ["one thing", "another", "all of it"]
    assert int(table[0][0]) >= 1 and int(table[2][0]) >= int(table[0][0])


@pytest.mark.parametrize("failing", ["false", "fails"])
def test_a_failing_step_is_the_last_one_and_ends_the_run(failing, tmp_path):
    status, table = run(
        f"fails() {{ false; touch went-on; }}\nstep first true\nstep second {failing}\nstep third true", tmp_path
    )
    assert status == 1
    assert [name for _, name in table] == ["first", "second  FAILED", "all of it"]
    assert not (tmp_path / "went-on").exists()


def test_an_interrupted_step_is_told(tmp_path):
    status, table = run("step first kill -INT $$\n", tmp_path)
    assert status in (130, -2) and [name for _, name in table] == ["first  FAILED", "all of it"]


def test_a_failure_between_steps_fails_the_run(tmp_path):
    status, table = run("step first true\nfalse", tmp_path)
    assert status == 1 and [name for _, name in table] == ["first", "all of it"]


def test_longest_builds(tmp_path):
    """By birth and last change of Nix's logs; those that were there before do not count."""
    logs = tmp_path / "logs"
    for folder, name, took in (
        ("ab", "cd-THPP-1.0.0.drv.bz2", 70),
        ("ab", "ef-TH-1.0.0.drv", 300),
        ("gh", "i-torch.drv", 5),
    ):
        (logs / folder).mkdir(parents=True, exist_ok=True)
        (logs / folder / name).touch()
        born = os.stat(logs / folder / name).st_mtime
        os.utime(logs / folder / name, (born, born + took))
    status, _ = run("true", tmp_path)
    born = subprocess.run(
        ["stat", "--format=%W", logs / "gh/i-torch.drv"], capture_output=True, text=True
    ).stdout.strip()
    if born in ("0", "-", "?"):
        pytest.skip("the file system keeps no time of birth")
    script = f"longest_builds {int(born) - 5} 2 {logs}; echo --; longest_builds {int(born) + 60} 2 {logs}"
    done = subprocess.run([shutil.which("bash"), "-c", f". {STEPS}\n{script}"], capture_output=True, text=True)
    assert status == 0 and not done.stderr
    found, later = done.stdout.split("--\n")
    names = [line.split()[1] for line in found.splitlines()]
    seconds = [int(line.split()[0]) for line in found.splitlines()]
    assert names == ["TH-1.0.0", "THPP-1.0.0"] and 299 <= seconds[0] <= 301 and 69 <= seconds[1] <= 71
    assert later == ""
