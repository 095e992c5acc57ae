"""The package's version, and torch/version.py, which says it."""

import functools
import re
import subprocess

from .option_table import CANONICAL
from .parts import ROOT

VERSION = ROOT / "version.txt"
DIGITS = 7  # of the commit, as git abbreviates it


@functools.cache
def commit():
    """The commit that a git checkout is at; None elsewhere (in a source distribution, in Nix)."""
    if not (ROOT / ".git").exists():
        return None
    command = ["git", "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None  # no git, or a checkout of somebody else's: the version is complete without it


def version():
    """version.txt, in a git checkout with the commit: 2.13.0+th1.ffd6138. ValueError where the file is wrong."""
    written = VERSION.read_text(encoding="utf-8").strip()
    if not CANONICAL.fullmatch(written):
        raise ValueError(f"{VERSION.name} says {written!r}: not a canonical PEP 440 version")
    if (sha := commit()) is None:
        return written
    # A number has no zeros in front, so digits alone may need a letter to follow.
    mark = "." if "+" in written else "+"
    versions = (f"{written}{mark}{sha[:length]}" for length in range(DIGITS, len(sha) + 1))
    return next(filter(CANONICAL.fullmatch, versions), written)


def own(version):
    """Our part of a version, "1" of 2.13.0+th1.ffd6138: before it stands the PyTorch that behaves so. None without one."""
    match = re.search(r"\+th([0-9]+)(?![0-9a-z])", version)
    return match and match[1]


def text(options, cuda=None):
    """The file's text. `git_version` is the commit that a checkout is at, "Unknown" elsewhere.

    cuda: the version of CUDA that the package was compiled with; None without.
    """

    def quoted(text):
        return f'"{text}"' if text else None

    return (
        f'__version__ = "{options.version}"\n'
        f"th = {quoted(own(options.version))}\n"
        f"debug = {options.build_type == 'Debug'}\n"
        f"cuda = {quoted(cuda)}\n"
        "hip = rocm = xpu = None\n"  # what programs ask, too, before they choose a device
        f'git_version = "{commit() or "Unknown"}"\n'
    )


def write(package, options, cuda=None):
    """Writes version.py into the package folder, unless it says so already."""
    path, new = package / "version.py", text(options, cuda)
    if not path.is_file() or path.read_text() != new:
        path.write_text(new)
