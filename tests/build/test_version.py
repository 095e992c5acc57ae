"""The package's version: version.txt, and in a git checkout the commit that it is at."""

import os
import subprocess

import pytest

from tools import options, version_file
from tools.options import OptionError, read


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """checkout("ffd6138…") makes a folder a checkout at this commit, as far as a program called git says."""

    def make(commit, status=0, version="1.1.0a0"):
        (tmp_path / ".git").mkdir(exist_ok=True)
        (tmp_path / "version.txt").write_text(f"{version}\n")
        programs = tmp_path / "bin"
        programs.mkdir(exist_ok=True)
        (programs / "git").write_text(f'#!/bin/sh\ntest "$*" = "rev-parse HEAD" && echo {commit}\nexit {status}\n')
        (programs / "git").chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
        monkeypatch.setattr(version_file, "ROOT", tmp_path)
        monkeypatch.setattr(version_file, "VERSION", tmp_path / "version.txt")
        version_file.commit.cache_clear()
        return tmp_path

    yield make
    version_file.commit.cache_clear()


SHA = "ffd6138000111222333444555666777888999aaa"


def test_the_commit_stands_behind_the_version(checkout):
    checkout(SHA)
    assert read({}).version == "1.1.0a0+ffd6138"
    assert read({"TORCH_BUILD_VERSION": "2.0"}).version == "2.0"
    checkout(SHA, version="2.13.0+th1")
    assert read({}).version == "2.13.0+th1.ffd6138"


@pytest.mark.parametrize(
    "version,own",
    [
        ("2.13.0+th1", "1"),
        ("2.13.0+th12.cu130", "12"),
        ("2.13.0+th1.1234567", "1"),
        ("2.13.0+cu130", None),
        ("1.0.0", None),
        ("1.0+the1", None),
        ("1.0+th1a", None),
    ],
)
def test_our_part_of_a_version(version, own):
    assert version_file.own(version) == own
    said = {}
    exec(version_file.text(read({"TORCH_BUILD_VERSION": version})), said)
    assert said["th"] == own and said["__version__"] == version


def test_version_file(checkout):
    root = checkout(SHA)
    version_file.write(root, read({"DEBUG": "1"}))
    said = {}
    exec((root / "version.py").read_text(), said)
    assert (said["__version__"], said["git_version"], said["debug"], said["cuda"]) == (
        "1.1.0a0+ffd6138",
        SHA,
        True,
        None,
    )
    assert said["hip"] is said["rocm"] is said["xpu"] is None
    assert 'cuda = "13.0"\n' in version_file.text(read({}), "13.0")
    before = (root / "version.py").stat().st_mtime_ns
    version_file.write(root, read({"DEBUG": "1"}))
    assert (root / "version.py").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "sha,local",
    [("0123456789abcd", "0123456789a"), ("1234567890", "1234567"), ("00000000e1", "00000000e"), ("0" * 40, None)],
)
def test_digits_that_an_installer_would_rewrite(checkout, sha, local):
    """A local version that is a number has no zeros in front: more of the commit, until it is none."""
    checkout(sha)
    assert read({}).version == (f"1.1.0a0+{local}" if local else "1.1.0a0")
    packaging = pytest.importorskip("packaging.version")
    assert str(packaging.Version(read({}).version)) == read({}).version


def test_where_nothing_can_be_said_of_a_commit(checkout, monkeypatch):
    root = checkout(SHA, status=1)
    assert read({}).version == "1.1.0a0" and 'git_version = "Unknown"' in version_file.text(read({}))
    checkout(SHA)
    (root / ".git").rmdir()
    version_file.commit.cache_clear()
    assert read({}).version == "1.1.0a0"


def test_a_broken_version_file(checkout):
    checkout(SHA, version="one")
    with pytest.raises(OptionError, match="version.txt says 'one': not a canonical PEP 440 version; allowed: "):
        read({})
    assert read({"TORCH_BUILD_VERSION": "2.0"}).version == "2.0"


@pytest.mark.skipif(not (options.ROOT / ".git").exists(), reason="not a git checkout")
def test_this_checkout():
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=options.ROOT, capture_output=True, text=True).stdout
    assert version_file.commit() == head.strip()
    assert head.startswith(read({}).version.rpartition(".")[2])
