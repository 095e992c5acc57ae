"""What entering the development shell does to a checkout: a virtual environment, and an importable torch/.

Run by nix/shell.nix with the shell's own Python; TORCH_PREBUILT names the parts in the store. The
environment, .venv, is where `pip install -e .` can write; it sees the shell's packages and the checkout.
"""

import importlib.metadata
import os
import shutil
import stat
import sys
import sysconfig
import venv

from . import cmake, options, prebuilt, tree
from .parts import ROOT, parts

VENV = ROOT / ".venv"
_ORIGIN = VENV / "origin.txt"  # which Python the environment was made for


def environment():
    """Makes .venv unless it is there for this very Python. Raises FileExistsError for somebody else's."""
    packages = sysconfig.get_path("purelib")
    origin = f"{sys.executable}\n{packages}\n"
    if _ORIGIN.is_file() and _ORIGIN.read_text() == origin:
        return
    if VENV.exists() and not _ORIGIN.exists():
        raise FileExistsError(f"{VENV} was made by somebody else; move it away, or use another shell")
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir()
    _ORIGIN.touch()  # ours from the beginning: if this is interrupted, it is made again
    venv.EnvBuilder(symlinks=True, with_pip=False).create(VENV)
    site = VENV / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    (site / "shell.pth").write_text(f"{packages}\n{ROOT}\n")
    for entry in importlib.metadata.entry_points(group="console_scripts"):
        _script(entry)
    _ORIGIN.write_text(origin)


def _script(entry):
    """A command of the shell's Python packages, run by the environment's Python, which sees the checkout."""
    path = VENV / "bin" / entry.name
    path.write_text(
        f"#!{VENV}/bin/python\nimport sys\nfrom {entry.module} import {entry.attr}\nsys.exit({entry.attr}())\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def hook():
    """Has git ask tools/commit-msg about each subject, unless the checkout has a hook of that name."""
    hooks = ROOT / ".git/hooks"
    if hooks.parent.is_dir() and not os.path.lexists(hooks / "commit-msg"):
        hooks.mkdir(exist_ok=True)
        (hooks / "commit-msg").symlink_to("../../tools/commit-msg")


def message(wanted):
    """Four lines: what `import torch` is, and what to type."""
    here = [name for name in parts(wanted.features) if name in cmake.built()]
    stale = prebuilt.stale(wanted.prebuilt, wanted.features)
    late = [name for name in parts(wanted.features) if name in stale and name not in here]
    if late:
        state = f"edited and not built yet: {', '.join(late)} (python setup.py develop)"
    elif here and wanted.prebuilt:
        state = f"built in the tree: {', '.join(here)}; the rest from the store"
    else:
        state = "its compiled parts from the store" if wanted.prebuilt else "built in the tree"
    return (
        f"torch {wanted.version}: import torch is this checkout, {state}\n"
        f"  one test     pytest tests/test_tiny.py              Python files are live\n"
        f"  one library  python setup.py build_deps --only THNN what was edited: python setup.py develop\n"
        f"  everything   ./nixw flake check -L                  more: CONTRIBUTING.md"
    )


def main():
    """Whatever cannot be done is said in a line; the shell and its tools are of use all the same."""
    for do in (environment, hook, checkout):
        try:
            do()
        except (OSError, options.OptionError) as error:
            print(f"torch: the checkout could not be prepared: {error}", file=sys.stderr)


def checkout():
    """Makes torch/ importable, if its parts are there, and says what to type."""
    wanted = options.read()
    if wanted.prebuilt or set(parts()) <= cmake.built():
        tree.link(wanted)
        print(message(wanted), file=sys.stderr)
    else:
        print("torch: nothing is built yet: python setup.py develop", file=sys.stderr)


if __name__ == "__main__":
    main()
