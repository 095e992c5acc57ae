"""Counts that say how far the tree keeps its own rules: `python -m codegen facts` prints them, codegen/tests/test_facts.py
holds them to their goals.

Sources are read as text: a sentence is the text of an error (a call of THError), a helper a function that a header of
csrc/autograd/formulas declares.
"""

import collections
import pathlib
import re

from .emitters.cpp import once

ROOT = pathlib.Path(__file__).parent.parent
# What is judged once: no sentence may stand on both sides of a row.
LAYERS = {
    "TH, THNN, THS / THPP": (
        ("lib/TH/src", "lib/TH/include", "lib/THNN/src", "lib/THS/src"),
        ("lib/THPP/src", "lib/THPP/include"),
    ),
    "csrc/autograd / csrc/python": (("csrc/autograd",), ("csrc/python",)),
}
_SOURCES = (".cpp", ".hpp", ".h", ".c")


def road(o):
    """Who writes the body of an overload."""
    if o.in_python:
        return "Python function"
    if o.by_hand:
        return "by hand"
    if o.body is not None:
        return "call of another operator"
    if o.of_sparse:
        return "kernel of THS"
    return "kernel of THNN" if o.module else "kernel of TH" if o.kernel else "function of TH"


def roads(operators):
    """{road: number of overloads}, those first of which there are most."""
    overloads = once([o for name in sorted(operators) for o in operators[name]])
    return dict(collections.Counter(road(o) for o in overloads).most_common())


def sentences(text):
    """The texts of errors in a C++ source, adjacent literals joined."""
    for call in re.finditer(r"\bTHError\(\s*[\w:.]+\s*,\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+)", text):
        yield "".join(re.findall(r"\"((?:[^\"\\]|\\.)*)\"", call[1]))


def _sentences_below(folders):
    found = collections.defaultdict(set)
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _SOURCES:
                for sentence in sentences(path.read_text()):
                    found[sentence].add(str(path.relative_to(ROOT)))
    return found


def repeated_sentences():
    """{row of LAYERS: {sentence: files}} of those that stand in both layers. Formats without words are none."""
    repeated = {}
    for row, (below, above) in LAYERS.items():
        one, other = _sentences_below(below), _sentences_below(above)
        common = {s: sorted(one[s] | other[s]) for s in one.keys() & other.keys() if re.search(r"[a-z]{3}", s)}
        repeated[row] = dict(sorted(common.items()))
    return repeated


def device_questions():
    """[(file, line)] where a body of THPP or a formula asks on which device a tensor is."""
    found = []
    for folder in ("lib/THPP/src", "csrc/autograd/formulas"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _SOURCES:
                for line in path.read_text().splitlines():
                    if re.search(r"device\(\)\.kind", line):
                        found.append((str(path.relative_to(ROOT)), line.strip()))
    return found


def family(stem, declarations=None):
    """The file of declarations that a source is a part of: the one with the longest name that begins its own, or None."""
    stems = declarations or [path.stem for path in (ROOT / "codegen/declarations").glob("*.cwrap")]
    return max((s for s in stems if f"{stem}_".startswith(f"{s}_")), key=len, default=None)


def misplaced_helpers(operators):
    """{helper: (its file, family)} of those that one family's formulas call and that stand in no file of its name."""
    helpers = {}
    for path in sorted((ROOT / "csrc/autograd/formulas").glob("*.h")):
        for name in re.findall(
            r"^(?:\[\[noreturn\]\] )?(?:inline )?[A-Za-z][\w:<>, ]*[ &*](\w+)\(", path.read_text(), re.MULTILINE
        ):
            helpers[name] = path.stem
    users = collections.defaultdict(set)
    for overloads in operators.values():
        for o in overloads:
            for _, text in o.derivative.formulas if o.derivative else ():
                for word in re.findall(r"\b(\w+)\(", text):
                    if word in helpers:
                        users[word].add(pathlib.Path(o.where.file).stem)
    return {
        name: (helpers[name], *families)
        for name, families in sorted(users.items())
        if len(families) == 1 and family(helpers[name]) not in families
    }


def written_nodes(operators):
    """[overload] of those whose node is named in the declaration."""
    overloads = once([o for name in sorted(operators) for o in operators[name] if not o.in_python])
    return [o for o in overloads if o.derivative and o.derivative.node]


def report(operators):
    """The text that the command prints."""
    counted = roads(operators)
    total = sum(counted.values())
    lines = [f"{total} overloads, by who writes their bodies"]
    lines += [f"  {number:4} {100 * number / total:5.1f} %  {name}" for name, number in counted.items()]
    lines.append(f"{len(written_nodes(operators))} node names in declarations")
    for row, found in repeated_sentences().items():
        lines.append(f"{len(found)} sentences in two layers: {row}")
        lines += [f"  {sentence!r}: {', '.join(files)}" for sentence, files in found.items()]
    asked = device_questions()
    lines.append(f"{len(asked)} lines of bodies and formulas ask for a device")
    lines += [f"  {file}: {line}" for file, line in asked]
    misplaced = misplaced_helpers(operators)
    lines.append(f"{len(misplaced)} helpers of formulas outside of the file of the family that calls them")
    lines += [f"  {name}: {file}, called by {caller}" for name, (file, caller) in misplaced.items()]
    return "\n".join(lines)
