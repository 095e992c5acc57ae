"""Headers of Python packages that the build includes, in a place that stays."""

import importlib.util
import pathlib
import shutil

from .parts import ROOT

HEADERS = ROOT / "build/headers"
_VARIABLES = {"numpy": "Python3_NumPy_INCLUDE_DIR", "pybind11": "PYBIND11_INCLUDE_DIR"}


def bring():
    """Copies numpy's and pybind11's headers to build/headers, and returns the arguments that tell CMake.

    The environment that pip builds in has another path each time, and is gone afterwards. Only what
    differs is written, so that nothing is compiled again without a reason.
    """
    arguments = []
    for name, variable in _VARIABLES.items():
        source = _folder(name)
        if source is not None:  # else it may be the system's, which CMake finds
            _copy(source, HEADERS / name)
            arguments.append(f"-D{variable}={HEADERS / name}")
    return arguments


def _folder(name):
    """The include folder inside the Python package, or None."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        return None
    candidates = [
        pathlib.Path(root, inner)
        for root in spec.submodule_search_locations
        for inner in ("_core/include", "core/include", "include")
    ]
    return next((folder for folder in candidates if (folder / name).is_dir()), None)


def _copy(source, target):
    wanted = {file.relative_to(source): file for file in source.rglob("*.h")}
    for path in target.rglob("*.h"):
        if path.relative_to(target) not in wanted:
            path.unlink()
    for path, file in wanted.items():
        copy = target / path
        if not copy.exists() or copy.read_bytes() != file.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
