"""How much of PyTorch's CPU tensor is there: every public name, whether it is bound, its golden cases.

    python tests/golden/coverage.py                     a line per page, then the names that lack something
    python tests/golden/coverage.py docs/coverage.md    the same as a page
    python tests/golden/coverage.py names               a line per name: bound, golden, and whether finite differences
                                                        have judged its gradient, and the gradient's gradient

A case counts for a name if the row's code uses it: `torch.add(…)` for torch.add, `a.add_(…)` for
torch.Tensor.add_, `a[0] = b` for torch.Tensor.__setitem__. Names that cannot have one say why in
reasons.toml.
"""

import ast
import pathlib
import sys
import tomllib
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

sys.path[1:1] = [str(HERE.parent / "autograd"), str(HERE.parent / "nn")]

import listed  # noqa: E402
import nn_golden  # noqa: E402
import test_finite_differences  # noqa: E402
from golden import gradients  # noqa: E402
from golden.answers import differing  # noqa: E402
from golden.cases import FAMILIES  # noqa: E402
from torch._absent import is_absent  # noqa: E402

# A tensor type's own page lists methods that every tensor has.
TYPES = ("ByteTensor", "FloatTensor")
# As the cases of tests/nn call them.
SHORT = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "P": "torch.nn.utils.parametrizations"}


def pages():
    """{page: names} of names.txt. A page that golden cases do not ask about names the tests that do, after a
    semicolon."""
    result, names = {}, None
    for line in (HERE / "names.txt").read_text().splitlines():
        if line.startswith("["):
            names = result[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            names.append(line)
    return result


def bound(name):
    """Whether `import torch` gives the name, and not only a function that says why it is not there."""
    found = torch
    for part in name.split(".")[1:]:
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                __import__(f"{found.__name__}.{part}")
                found = getattr(found, part)
            except (AttributeError, ImportError):
                return False
    return not is_absent(found)


def _chain(node):
    """("torch", "linalg", "norm") for torch.linalg.norm; None if it does not begin with a name."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        inner = _chain(node.value)
        return inner and (*inner, node.attr)
    return None


def used(code):
    """The public names that a row's code uses."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute):
            chain = _chain(node)
            if chain and chain[0] in SHORT:
                found.add(".".join([SHORT[chain[0]], *chain[1:]]))
            else:
                found.add(f"torch.Tensor.{node.attr}")
        elif isinstance(node, ast.Subscript):
            found.add("torch.Tensor." + ("__setitem__" if isinstance(node.ctx, ast.Store) else "__getitem__"))
    return found


def cases():
    """{name: [cases, cases that differ]}"""
    counts = {}
    for family, table in FAMILIES.items():
        for row in table:
            if family == "printing":
                torch.set_printoptions(profile="default")
            wrong = len(differing(family, row, torch))
            for name in used(row.code):
                count = counts.setdefault(name, [0, 0])
                count[0] += len(row.inputs)
                count[1] += wrong
    return counts


def of_modules():
    """The names that the golden cases of torch.nn use."""
    tables = (
        test_finite_differences.MODULES,
        test_finite_differences.FUNCTIONS,
        *(nn_golden.stored(family)[kind] for family, of in nn_golden.FAMILIES.items() for kind in of.kinds),
    )
    return {name for table in tables for code in table for name in used(code)}


def differentiated():
    """[names whose gradient is what finite differences say, those of which the gradient's gradient is]"""
    once, twice = set(), set()
    for family, codes in gradients.answers().items():
        for code, found in codes.items():
            if all(isinstance(answer, str) or isinstance(answer["grads"], str) for answer in found.values()):
                continue
            said = {text.split()[1] for text, *where in listed.listed_finite() if where == [family, code]}
            if "1" not in said:
                once |= used(code)
                twice |= used(code) if not said else set()
    for code in test_finite_differences.CASES:
        verdicts = test_finite_differences.verdicts_of(code)
        once |= used(code) if verdicts[0] == "" else set()
        twice |= used(code) if verdicts == ["", ""] else set()
    return [once, twice]


def plain(name):
    """torch.ByteTensor.all is Tensor.all."""
    parts = name.split(".")
    return "torch.Tensor." + parts[2] if parts[1] in TYPES and len(parts) > 2 else name


def of(name, counts):
    return counts.get(plain(name), [0, 0])


def table():
    """(lines of the summary, lines about names that lack something)"""
    counts, reasons = cases(), tomllib.loads((HERE / "reasons.toml").read_text())
    golden, (once, twice) = of_modules(), differentiated()
    summary = [
        "| page | names | bound | with golden cases | cases | passing | with gradients | of both orders |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lacking = []
    for page, names in pages().items():
        there = [name for name in names if bound(name)]
        page, _, tests = page.partition("; ")  # noqa: PLW2901
        slopes = " | ".join(str(sum(plain(name) in found for name in there)) for found in (once, twice))
        if tests:
            tested = sum(name in golden for name in there)
            summary.append(f"| {page} | {len(names)} | {len(there)} | {tested or ''} | {tests} | | {slopes} |")
            missing = ", ".join(f"`{name}`" for name in names if name not in there)
            if missing:
                lacking.append(f"| {missing} | missing | {reasons.get(page, 'not written yet')} |")
            continue
        tested = [name for name in there if of(name, counts)[0]]
        total, wrong = (sum(of(name, counts)[i] for name in tested) for i in (0, 1))
        summary.append(
            f"| {page} | {len(names)} | {len(there)} | {len(tested)} | {total} | {total - wrong} | {slopes} |"
        )
        for name in names:
            reason = reasons.get(name)
            if name not in there:
                lacking.append(f"| `{name}` | missing | {reason or 'not written yet'} |")
            elif name not in tested:
                lacking.append(f"| `{name}` | no golden case | {reason or 'not written yet'} |")
            elif of(name, counts)[1]:
                lacking.append(
                    f"| `{name}` | {of(name, counts)[1]} of {of(name, counts)[0]} cases differ | {reason or ''} |"
                )
    return summary, lacking


def names():
    """A line per name."""
    counts, golden, (once, twice) = cases(), of_modules(), differentiated()
    for page, found in pages().items():
        print(f"[{page}]")
        for name in found:
            has = {
                "bound": bound(name),
                "golden": bool(of(name, counts)[0]) or name in golden,
                "gradcheck": plain(name) in once,
                "gradgradcheck": plain(name) in twice,
            }
            print(f"{name:60}", *(word if yes else "-" * len(word) for word, yes in has.items()))


def main(path=None):
    warnings.simplefilter("ignore")
    if path == "names":
        return names()
    summary, lacking = table()
    lines = [
        "# Coverage",
        "",
        "Names of `tests/golden/names.txt` against this library and the answers of PyTorch 2.13.",
        "Written by `python tests/golden/coverage.py docs/coverage.md`.",
        "",
        *summary,
        "",
        "## What is missing, or has no golden case, and why",
        "",
        "| name | what | why |",
        "|---|---|---|",
        *lacking,
    ]
    text = "\n".join(lines) + "\n"
    if path:
        pathlib.Path(path).write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
