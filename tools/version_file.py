"""Writes torch/version.py."""

import subprocess

from .parts import ROOT


def text(options):
    """The file's text. `git_version` is the commit that a checkout is at, "Unknown" elsewhere."""
    commit = "Unknown"
    if (ROOT / ".git").exists():
        try:
            commit = subprocess.run(
                ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
            ).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            pass  # no git, or a checkout of somebody else's: the version is complete without it
    return (
        f'__version__ = "{options.version}"\n'
        f"debug = {options.build_type == 'Debug'}\n"
        f"cuda = None\n"
        f'git_version = "{commit}"\n'
    )


def write(package, options):
    """Writes version.py into the package folder, unless it says so already."""
    path, new = package / "version.py", text(options)
    if not path.is_file() or path.read_text() != new:
        path.write_text(new)
