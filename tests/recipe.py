"""What docs/adding-an-operator.md says, done and tried. For tests/recipe, in a copy of the tree.

python tests/recipe.py apply    its blocks into the files that they name
python tests/recipe.py try      the session at its end, compared with what torch answers
"""

import doctest
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "adding-an-operator.md"


def blocks():
    """(file's name or "", text) of each fenced block."""
    return re.findall(r"^```\w+ ?(\S*)\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def apply():
    for name, text in blocks():
        if not name:
            continue
        path = ROOT / name
        before = path.read_text() if path.exists() else ""
        end = before.rfind("#endif") if path.suffix == ".h" else len(before)
        path.write_text(before[:end] + text + ("\n" if before[end:] else "") + before[end:])
        print(f"{'changed' if before else 'written'}: {name}")


def attempt():
    session = "".join(text for name, text in blocks() if not name and ">>>" in text)
    examples = doctest.DocTestParser().get_doctest(session, {}, PAGE.name, str(PAGE), 0)
    result = doctest.DocTestRunner().run(examples)
    if result.failed or not result.attempted:
        sys.exit(f"{result.failed} of {result.attempted} answers differ")
    print(f"{result.attempted} answers as on the page")


{"apply": apply, "try": attempt}[sys.argv[1]]()
