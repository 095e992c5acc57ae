"""nixw: what it says when there is nothing to do, while it waits, and of a file that cannot be had; what it leaves behind when it
is interrupted; flakes of others that have torch for an input."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from box import failed

QUIET = ["--quiet"] * 3


def test_a_built_target_is_run_without_a_word(box):
    box.add_target(".#x")
    (box.fake / "store/torch").write_text("built")
    for _ in range(2):  # evaluated, and remembered
        assert box.run("build", ".#x").stderr == ""
        assert box.last()["args"] == ["build", *box.override, *QUIET, ".#x"]


@pytest.mark.parametrize("option", ["-v", "--debug", "-L", "--verbose"])
def test_who_asks_for_words_gets_them(box, option):
    box.add_target(".#x")
    (box.fake / "store/torch").write_text("built")
    box.run("build", option, ".#x")
    assert "--quiet" not in box.last()["args"]


def test_what_is_to_be_built_is_told(box):
    box.add_target(".#x")
    assert "nixw: package set: debian" in box.run("build", ".#x").stderr
    assert "--quiet" not in box.last()["args"]


def test_why_apt_did_not_get_a_file(box):
    """apt writes the + of a name as %2b."""
    box.add_file("busybox_1+b9.deb", serve=False)
    box.add_target(".#x")
    box.hide("apt-helper")
    box.environment["TORCH_DEBIAN_MIRROR"] = "http://127.0.0.1:9/debian"
    box.add_tool(
        "apt-helper",
        '#!/bin/sh\necho "E: Failed to fetch $(echo "$7" | sed s/+/%2b/)  Could not connect" >&2\nexit 100\n',
    )
    failed(box.run("build", ".#x"), "cannot get busybox_1+b9.deb", "busybox_1+b9.deb", "Could not connect")


def start(box, *arguments):
    return subprocess.Popen(
        [str(box.repository / "nixw"), *arguments],
        cwd=box.repository,
        env=box.environment,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def processes_of(box):
    """Those that run this machine's nixw."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text().split("\0")
        except OSError:  # it has ended
            continue
        if str(box.repository / "nixw") in words:
            found.append(folder.name)
    return found


@pytest.fixture
def slow(box):
    """A mirror whose file takes its time."""
    box.add_file("slow.deb")
    box.add_target(".#x")
    box.serve()
    helper = f"#!{sys.executable}\nimport time\ntime.sleep(60)\n"
    box.add_tool("apt-helper", helper)
    return box


def until(condition):
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_process(slow, how):
    running = start(slow, "build", ".#x")
    assert until(lambda: len(processes_of(slow)) > 1), "nobody shows the progress"
    # What a terminal's Ctrl-C does: to everybody in the group.
    os.killpg(running.pid, how)
    running.communicate(timeout=20)
    assert running.returncode != 0
    assert until(lambda: not processes_of(slow)), processes_of(slow)


def test_who_waits_for_the_lock_says_so(slow):
    first = start(slow, "build", ".#x")
    # That it runs says nothing of the lock yet.
    assert any("fetching 1 file" in line for line in first.stderr)
    second = start(slow, "build", ".#x")
    try:
        lines = [second.stderr.readline() for _ in range(2)]
        assert any("another nixw is bringing in files; waiting for it" in line for line in lines), lines
    finally:
        for process in (second, first):
            os.killpg(process.pid, signal.SIGTERM)
            process.communicate(timeout=20)


def test_a_flake_that_has_torch_for_an_input(box, tmp_path):
    project = tmp_path / "my project"
    project.mkdir()
    (project / "flake.nix").write_text('{ inputs.torch.url = "flake:torch"; outputs = _: { }; }\n')
    box.run("build", cwd=project)
    assert box.last()["args"] == [
        "build",
        "--override-input",
        "torch",
        f"path:{box.repository}",
        "--override-input",
        "torch/nixpkgs",
        f"path:{box.repository}/nix/pkgs",
    ]
    (project / "flake.nix").write_text('{ inputs.other.url = "flake:other"; outputs = _: { }; }\n')
    box.run("build", cwd=project)
    assert box.last()["args"] == ["build", *box.override]
