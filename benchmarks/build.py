#!/usr/bin/env python3
"""How long it takes from saving an edit to a program that uses it, with Nix and in the development shell.

    benchmarks/build.py [--json FILE] [--only nix|shell] [--edit TEXT] [--rounds N]

Works in a copy of the tracked files, so that it can edit them. Every edit changes what the program
computes, and the time ends when a new Python process has seen the change: nothing that was left
unbuilt can look fast. Printed with each time: the derivations that Nix built, or the number of
commands that Ninja ran. "Clean" means that every derivation of ours is new, and for setup.py an
empty build folder and no ccache; the toolchain is present. Of several rounds the median is taken.
Times are those of a shared machine: read them as orders of magnitude, and the processor's time, which
is given beside each, as the steadier figure.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass

from report import write

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Edit:
    """`text` in `file` becomes `new`, and `check` holds in Python; `{n}` stands for a number never used before."""

    file: str
    text: str
    new: str
    check: str


EDITS = {
    "torch/*.py": Edit("torch/random.py", "", "EDITED = {n}\n", "torch.random.EDITED == {n}"),
    "csrc/python/<family>/*.cpp": Edit(
        "csrc/python/module/module.cpp",
        "PY_VERSION,",
        'PY_VERSION " edit {n}",',
        "torch._C._build_info()['python'].endswith('edit {n}')",
    ),
    "lib/THNN/src/<family>/*.cpp": Edit(
        "lib/THNN/src/activation/activation.cpp",
        "return g * (1 - y * y);",
        "return g * (1 - y * y) + T({n});",
        "(r := torch.empty(0), _THNN.FloatTanh_updateGradInput(None, torch.zeros(1), r, torch.zeros(1)), "
        "r.item() == {n})[2]",
    ),
    # A family of quick files, one of slow ones, and the headers of all families.
    "lib/TH/src/tensor/*.cpp": Edit(
        "lib/TH/src/tensor/view.cpp",
        "is invalid for input of size",
        "{n} is invalid for input of size",
        "'{n} is invalid' in raised(lambda: torch.ones(3).view(2))",
    ),
    "lib/TH/src/reduce/*.cpp": Edit(
        "lib/TH/src/reduce/reduce.cpp",
        "Expected reduction dim %d to have",
        "Expected reduction dim %d ({n}) to have",
        "'({n}) to have' in raised(lambda: torch.zeros(0).max(0))",
    ),
    "lib/TH/src/kit/*.hpp": Edit(
        "lib/TH/src/kit/define.hpp",
        '"c10::Half")',
        '"c10::Half{n}")',
        "'Half{n}' in raised(lambda: torch.zeros(2).set_(torch.zeros(2).half()))",
    ),
    # Above kernels: the body of an operator, and what a derivative's formula calls.
    "lib/THPP/src/<family>/*.cpp": Edit(
        "lib/THPP/src/linalg/linalg.cpp",
        'must be batches of square matrices, but they are %lld by %lld matrices", f,',
        'must be batches of square matrices ({n}), but they are %lld by %lld matrices", f,',
        "'matrices ({n}), but' in raised(lambda: torch.linalg.det(torch.zeros(2, 3)))",
    ),
    "csrc/autograd/formulas/*.cpp": Edit(
        "csrc/autograd/formulas/linear.cpp",
        "if (p == 0) return {};",
        "if (p == 0) return thpp::mul(x, wrapped_number({n}));",
        "(x := torch.ones(1, requires_grad=True), torch.linalg.vector_norm(x, 0).backward(), x.grad.item() == {n})[2]",
    ),
    "a declaration": Edit(
        "codegen/declarations/elementary.cwrap",
        "  func: tan(",
        "  aliases: [tan_{n}]\n  func: tan(",
        "torch.tan_{n}(torch.zeros(1)).item() == 0",
    ),
}

# What to touch for a clean build: each family of derivations reads at least one of these.
CLEAN = ("codegen/__init__.py", "lib/TH/include/TH/TH.h", "csrc/modules/stub.c")

# Run by the Python whose torch is asked; `raised` is for edits of messages.
PROGRAM = """
import torch
from torch._thnn import _THNN
def raised(f):
    try:
        f()
    except Exception as error:
        return str(error)
assert {check}, "the edit is not in what was imported"
"""


def cpu_seconds():
    """What all programs started from here, and theirs, have used. Those of a Nix daemon are not among them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Tree:
    """A copy of the tracked files, and edits of it."""

    def __init__(self, folder):
        self.folder = folder
        names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        for name in filter(None, names.decode().split("\0")):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        self.original = {}

    def edit(self, edit):
        """Applies it with a new number to the file as it was at first; returns the check in Python."""
        path, n = self.folder / edit.file, str(time.time_ns() % 1_000_000)
        text = self.original.setdefault(edit.file, path.read_text())
        if edit.text not in text:
            raise SystemExit(f"{edit.file} no longer holds {edit.text!r}; bring EDITS up to date")
        new = edit.new.replace("{n}", n)
        path.write_text(text.replace(edit.text, new, 1) if edit.text else text + new)
        return edit.check.replace("{n}", n)

    def restore(self):
        for name, text in self.original.items():
            (self.folder / name).write_text(text)
        self.original = {}

    def touch(self):
        """Makes every derivation of ours new."""
        for name in CLEAN:
            mark = "#" if name.endswith(".py") else "//"
            with open(self.folder / name, "a") as file:
                file.write(f"{mark} {time.time_ns()}\n")


def run(command, tree, **environment):
    """(seconds, output); stops the benchmark if the command fails."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=tree.folder, capture_output=True, text=True, check=False, env=os.environ | environment
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return seconds, done.stdout + done.stderr


class Nix:
    """`nix build .#torch`, in a copy."""

    def __init__(self, tree):
        self.tree = tree
        _, text = run(["./nixw", "build", "--no-link", f"path:{tree.folder}#python"], tree)
        _, path = run(["./nixw", "eval", "--raw", f"path:{tree.folder}#python.environment.outPath"], tree)
        self.python = re.search(r"/nix/store/\S+?-env", path)[0] + "/bin/python3"  # numpy, and a torch that is not used
        self.site = None

    def build(self):
        """(seconds, processor's seconds, derivations built, their names)"""
        out, before = self.tree.folder / "result", cpu_seconds()
        seconds, text = run(["./nixw", "build", "-L", "-o", str(out), f"path:{self.tree.folder}#torch"], self.tree)
        built = sorted(set(re.findall(r"building '/nix/store/[a-z0-9]+-(.*)\.drv'", text)))
        self.site = next((out / "lib").glob("python3*/site-packages"))
        return seconds, cpu_seconds() - before, len(built), built

    def use(self, check):
        """Seconds that a program takes which sees the edit."""
        return run([self.python, "-P", "-c", PROGRAM.format(check=check)], self.tree, PYTHONPATH=str(self.site))[0]


class Shell:
    """`python setup.py develop` in the development shell; run inside of it."""

    name = "shell"

    def __init__(self, tree):
        self.tree = tree

    def build(self, *command, **environment):
        before = cpu_seconds()
        seconds, text = run(["python", "setup.py", *(command or ["develop"])], self.tree, **environment)
        ran = [int(n) for n in re.findall(r"(\d+) commands?,", text)]
        return seconds, cpu_seconds() - before, sum(ran), []

    def use(self, check):
        return run(["python", "-c", PROGRAM.format(check=check)], self.tree)[0]


def measure(kind, tree, edits, rounds, report):
    """Reports each edit: seconds from the saved file to the program's end, and what was rebuilt."""
    if isinstance(kind, Shell):
        kind.build()  # installs the checkout and configures for editors, once
    report("nothing to do", *kind.build())
    for name, edit in edits.items():
        if isinstance(kind, Shell):  # each first edit finds all parts in the store
            kind.build("clean")
            kind.build()
        results = []
        for _ in range(rounds):
            check = tree.edit(edit)
            took = kind.build() if name != "torch/*.py" or isinstance(kind, Nix) else (0, 0, 0, [])
            results.append((took[0] + kind.use(check), *took[1:]))
        # In the shell the first edit of a part brings it into the tree; those that follow are the loop.
        first, later = results[0], results[1:]
        if not isinstance(kind, Shell) or not later:
            later = results
        seconds, cpu = (statistics.median(column) for column in list(zip(*later))[:2])
        report(f"edit in {name}" if "/" in name else f"edit of {name}", seconds, cpu, *later[-1][2:])
        if later is not results and name != "torch/*.py":
            report("  the first such edit", *first)
        tree.restore()


def nix(tree, edits, rounds, report):
    kind = Nix(tree)
    report("clean", *(tree.touch(), kind.build())[1])
    measure(kind, tree, edits, rounds, report)


def shell(tree, edits, rounds, report):
    """Inside `nix develop`: the checkout begins with everything from the store."""
    kind = Shell(tree)
    measure(kind, tree, edits, rounds, report)
    kind.build("clean")
    alone = {"TORCH_PREBUILT": "", "CCACHE_DISABLE": "1"}
    report(
        "clean, setup.py build_deps build_ext --inplace", *kind.build("build_deps", "build_ext", "--inplace", **alone)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", choices=("nix", "shell"))
    parser.add_argument("--edit", metavar="TEXT", default="", help="edits whose name contains this")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)  # the copy, within its shell
    arguments = parser.parse_args()
    rows, edits = [], {name: edit for name, edit in EDITS.items() if arguments.edit in name}

    def report(way):
        def add(case, seconds, cpu, count, built):
            row = {"way": way, "case": case, "seconds": round(seconds, 2), "cpu": round(cpu, 2)}
            rows.append({**row, "rebuilt": count, "names": built})
            print(f"{way:6} {case:48} {seconds:8.2f} s {cpu:8.2f} s CPU {count:3} {' '.join(built)}", flush=True)

        return add

    if arguments.inside:
        tree = Tree.__new__(Tree)
        tree.folder, tree.original = arguments.inside, {}
        shell(tree, edits, arguments.rounds, report("shell"))
        arguments.json.write_text(json.dumps(rows))
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(pathlib.Path(os.path.realpath(folder)) / "torch")
        if arguments.only != "shell":
            nix(tree, edits, arguments.rounds, report("nix"))
        if arguments.only != "nix":
            tree.restore()
            result = pathlib.Path(folder) / "shell.json"
            subprocess.run(
                [
                    "./nixw",
                    "develop",
                    f"path:{tree.folder}",
                    "--command",
                    "python",
                    __file__,
                    "--inside",
                    str(tree.folder),
                    "--edit",
                    arguments.edit,
                    "--rounds",
                    str(arguments.rounds),
                    "--json",
                    str(result),
                ],
                cwd=tree.folder,
                check=True,
            )
            rows += json.loads(result.read_text())
    if arguments.json:
        for row in rows:
            del row["names"]
        write(arguments.json, {"rows": rows})


if __name__ == "__main__":
    main()
