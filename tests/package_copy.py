"""A copy of the torch under test that may be damaged, and Python run with it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import torch
from torch.utils import _mapped

PACKAGE = pathlib.Path(torch.__file__).parent


def copied(folder):
    """Copies the package to folder/torch, linked as in a wheel: libraries of ours by soname, found through $ORIGIN.

    The Nix package names them by absolute paths; in a copy such a name is cut down to the last part of it.
    """
    package = folder / "torch"
    # Compiled Python that does not look at its source would hide what a test edits.
    ignore = shutil.ignore_patterns("include", "__pycache__")
    shutil.copytree(PACKAGE, package, copy_function=shutil.copyfile, ignore=ignore)
    for path in [package, *package.rglob("*")]:
        path.chmod(0o755)
    for path in package.rglob("*.so*"):
        path.write_bytes(re.sub(rb"\0/[^\0]*/torch/lib/(lib[^/\0]*\.so\.1)(?=\0)", _shortened, path.read_bytes()))
    return package


def _shortened(match):
    return (b"\0" + match[1]).ljust(len(match[0]), b"\0")


def smallest_vendor():
    """The smallest library of others in this process that ours are linked with: which ones there are, a build decides."""
    vendors = (library for library in _mapped.libraries() if library.detail.startswith("linked with ours"))
    return min(vendors, key=lambda library: os.path.getsize(library.path))


def python(*arguments, folder, path=None, **variables):
    """Runs Python in `folder`, with `path` before all else on sys.path. Returns the finished process.

    An editable installation (setup.py develop) answers for every module of torch that the copy lacks; here it must not.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("LD_LIBRARY_PATH", "LD_PRELOAD", "OMP_NUM_THREADS")
    }
    environment.update(variables)
    if path:
        hook = pathlib.Path(path) / "sitecustomize.py"  # Python runs it after the .pth files
        hook.write_text("import sys\nsys.meta_path[:] = [f for f in sys.meta_path if '__editable__' not in repr(f)]\n")
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(path), environment.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        timeout=300,
    )
