"""What the pages docs/adding-*.md say, done and tried. For tests/recipe, in a copy of the tree.

python tests/recipe.py apply        the blocks of all pages into the files that they name
python tests/recipe.py try PAGE     the session at the end of one, compared with what torch answers
python tests/recipe.py files PAGE   the files that one changes, a line each
"""

import doctest
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = (
    "adding-an-operator",
    "adding-an-nn-function",
    "adding-a-cuda-kernel",
    "adding-an-optimizer",
)


def page(name):
    return ROOT / "docs" / f"{name}.md"


def blocks(name):
    """(file's name or "", place in it or "", text) of each fenced block."""
    return re.findall(r"^```\w+ ?(\S*) ?(.*)\n((?s:.*?))^```$", page(name).read_text(), re.MULTILINE)


def end_of(path, before):
    """Where a block goes that names no place: the end, but before what closes namespaces, or a header of C."""
    closing = list(re.finditer(r"^(?:\n*}  // namespace.*\n)+", before, re.MULTILINE))
    if closing:
        return closing[-1].start()
    return before.rfind("#endif") if path.suffix == ".h" else len(before)


def place_of(place, before):
    """Where `above: TEXT` or `below: TEXT` is: at the only line that begins with that text."""
    side, _, text = place.partition(": ")
    lines = list(re.finditer(rf"^ *{re.escape(text)}.*\n", before, re.MULTILINE))
    if side not in ("above", "below") or len(lines) != 1:
        sys.exit(f"'{place}': {len(lines)} lines begin so; a place is `above: TEXT` or `below: TEXT`, of one line")
    return lines[0].start() if side == "above" else lines[0].end()


def apply():
    for page_name in PAGES:
        for name, place, text in blocks(page_name):
            if not name:
                continue
            path = ROOT / name
            before = path.read_text() if path.exists() else ""
            at = place_of(place, before) if place else end_of(path, before)
            text += "\n" * before[at:].startswith("#endif")
            path.write_text(before[:at] + text + before[at:])
            print(f"{page_name}: {'changed' if before else 'written'} {name}")


def attempt(name):
    session = "".join(text for file, _, text in blocks(name) if not file and ">>>" in text)
    examples = doctest.DocTestParser().get_doctest(session, {}, name, str(page(name)), 0)
    result = doctest.DocTestRunner().run(examples)
    if result.failed or not result.attempted:
        sys.exit(f"{name}: {result.failed} of {result.attempted} answers differ")
    print(f"{name}: {result.attempted} answers as on the page")


def files(name):
    print(*sorted({file for file, _, _ in blocks(name) if file}), sep="\n")


if __name__ == "__main__":
    {"apply": apply, "try": attempt, "files": files}[sys.argv[1]](*sys.argv[2:])
