#!/usr/bin/env python3
"""How long `nix build .#torch` takes: from clean sources, with nothing to do, after one edit.

Usage: benchmarks/build.py [--json FILE]

Works in a copy of the tracked files, so that it can edit them. "Clean" means that every derivation
of ours is new (each source file of the copy gets a comment with a number that was never built
before) while the toolchain is present. For each case it prints the wall time and the derivations
that were built. Times are those of a shared machine: read them as orders of magnitude.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What to touch for a clean build: each family of derivations reads at least one of these.
CLEAN = ["codegen/__init__.py", "lib/TH/include/TH/TH.h"]

EDITS = {
    "edit in lib/TH/src": "lib/TH/src/general.cpp",
    "edit in lib/THNN/src": "lib/THNN/src/activation.cpp",
    "edit in csrc/python": "csrc/python/args.cpp",
    "edit in torch/*.py": "torch/_tensor_str.py",
    "edit in README.md": "README.md",
}


def copy_tree(target):
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, names.decode().split("\0")):
        destination = target / name
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, destination)


def touch(path):
    """Append a comment that makes this file new to the store."""
    if not path.exists():
        raise SystemExit(f"there is no {path.name} to edit")
    mark = {".py": "#", ".md": "<!--"}.get(path.suffix, "//")
    end = " -->" if path.suffix == ".md" else ""
    with open(path, "a") as file:
        file.write(f"\n{mark} {time.time_ns()}{end}\n")


def build(tree):
    """(seconds, names of the derivations of ours that were built)"""
    start = time.perf_counter()
    result = subprocess.run(
        [str(tree / "nixw"), "build", "--no-link", "-L", f"path:{tree}#torch"],
        cwd=tree, capture_output=True, text=True, check=False,
    )
    seconds = time.perf_counter() - start
    if result.returncode:
        raise SystemExit(result.stderr)
    built = re.findall(r"building '/nix/store/[a-z0-9]+-(.*)\.drv'", result.stderr)
    return seconds, sorted(set(built))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(os.path.realpath(folder)) / "torch"
        copy_tree(tree)
        build(tree)  # brings in whatever is missing, so that only building is timed

        def case(name):
            seconds, built = build(tree)
            rows.append({"case": name, "seconds": round(seconds, 2), "built": built})
            print(f"{name:24} {seconds:8.2f} s  {len(built)} built: {' '.join(built)}", flush=True)

        case("nothing to do")
        for path in CLEAN:
            touch(tree / path)
        case("clean")
        for name, path in EDITS.items():
            touch(tree / path)
            case(name)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
