"""How many of PyTorch's public names are there (names-all.txt), how many are refused when they are used, and how many are
missing, with the reason for each that is left out (names-reasons.toml).

A function that says that it always raises (by torch._absent, or in its docstring: "RuntimeError here") is refused, with one
exception: where PyTorch's build for the CPU alone raises the same when the same is called, as the names of a device do that
is not there, and tests/package/test_devices.py replays that call, it does what PyTorch does, and is there.

    python tests/golden/all_names.py            a line per group of modules
    python tests/golden/all_names.py missing    the names that are missing, and those that refuse
"""

import collections
import fnmatch
import importlib
import io
import pathlib
import re
import sys
import tomllib
import warnings
from contextlib import redirect_stderr, redirect_stdout

import device_calls
import torch  # noqa: F401 - names are evaluated
from torch._absent import is_absent

HERE = pathlib.Path(__file__).resolve().parent


def listed():
    """{module: names} of names-all.txt."""
    lines = (line for line in (HERE / "names-all.txt").read_text().splitlines() if not line.startswith("#"))
    return {path: names.split() for path, _, names in (line.partition(": ") for line in lines)}


def reasons():
    """{pattern of dotted names: why they are left out}"""
    return tomllib.loads((HERE / "names-reasons.toml").read_text())


def _module(path):
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            return importlib.import_module(path)
    except (ImportError, AttributeError):
        return None


def _refuses(value):
    """Whether a function or class says that it does nothing here."""
    return (
        callable(value)
        and re.search(r"Error here\b|There are none here", str(getattr(value, "__doc__", ""))) is not None
    )


def _value(dotted):
    """What a dotted name is; None for none."""
    path, _, name = dotted.rpartition(".")
    return getattr(_module(path), name, None)


def states():
    """{dotted name: "there", "refused" or "missing"}"""
    found, replayed = {}, {id(_value(name)) for name in device_calls.names()}
    for path, names in listed().items():
        module = _module(path)
        for name in names:
            try:
                value = getattr(module, name)
            except (AttributeError, ImportError):
                found[f"{path}.{name}"] = "missing"
                continue
            refused = is_absent(value) or (_refuses(value) and id(value) not in replayed)
            found[f"{path}.{name}"] = "refused" if refused else "there"
    return found


def reason_of(name, patterns):
    """The first reason whose pattern fits."""
    return next((why for pattern, why in patterns.items() if fnmatch.fnmatchcase(name, pattern)), None)


def main(what=None):
    warnings.simplefilter("ignore")
    found, patterns = states(), reasons()
    if what == "missing":
        for name, state in found.items():
            if state != "there":
                print(state, name, reason_of(name, patterns) or "NO REASON", sep="\t")
        return
    groups = collections.defaultdict(collections.Counter)
    for name, state in found.items():
        groups[".".join(name.split(".")[: 3 if name.count(".") > 2 else 2][:2])][state] += 1
    for group, counts in sorted(groups.items()):
        print(f"{group:24}", *(f"{state} {counts[state]:5}" for state in ("there", "refused", "missing")))
    total = collections.Counter(found.values())
    print(f"{'of ' + str(len(found)):24}", *(f"{state} {total[state]:5}" for state in ("there", "refused", "missing")))


if __name__ == "__main__":
    main(*sys.argv[1:])
