"""Ask the real PyTorch for every golden case and write data/<family>.json.

    python -m venv /tmp/oracle && /tmp/oracle/bin/pip install torch==2.13.0 numpy
    cd /tmp && /tmp/oracle/bin/python …/tests/golden/generate.py [family …]

To add an operator, add a line in cases/<family>.py and run this. The output depends on nothing but the tables and
PyTorch's version (the last digits of values on the processor too); `git diff` shows what a change in the tables has
changed.
"""

import json
import pathlib
import sys
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden.cases import FAMILIES  # noqa: E402
from golden.row import evaluate  # noqa: E402

VERSION = "2.13.0"


def recorded(row, key):
    """What is stored for one case: of an error only its class and the words that the table asks for."""
    result = evaluate(row, key, torch)
    raised = isinstance(result, str) and result.startswith("!")
    if row.words and not (raised and row.words in result):
        raise SystemExit(f"{row.code}\n  expected an error saying: {row.words}\n  got: {result}")
    if raised and result.startswith("!changed"):
        raise SystemExit(f"{row.code} [{key}] changes its operands and raises; choose another case: {result}")
    return f"{result.split()[0]} {row.words}".rstrip() if raised else result


def check_unique(family, table):
    seen = set()
    for row in table:
        for key in row.inputs:
            if (row.code, key) in seen:
                raise SystemExit(f"{family}: declared twice: {row.code} [{key}]")
            seen.add((row.code, key))


def text_of(groups):
    """One line per case, grouped by code."""
    blocks = []
    for code, cases in groups.items():
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in cases.items())
        blocks.append(f"{json.dumps(code)}: {{\n{lines}}}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def write(family, table):
    """data/<family>.json; (how many cases, characters)."""
    groups = {}
    for row in table:
        groups.setdefault(row.code, {}).update({key: recorded(row, key) for key in row.inputs})
    text = text_of(groups)
    (HERE / "data" / f"{family}.json").write_text(text)
    return sum(map(len, groups.values())), len(text)


def main(names):
    if torch.__version__.split("+")[0] != VERSION:
        raise SystemExit(f"golden data is made with PyTorch {VERSION}, this is {torch.__version__}")
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    total = 0
    for family in names or FAMILIES:
        check_unique(family, FAMILIES[family])
        cases, size = write(family, FAMILIES[family])
        total += cases
        print(f"{family:12} {cases:6} cases {size / 1000:8.1f} kB")
    print(f"{'total':12} {total:6} cases")


if __name__ == "__main__":
    main(sys.argv[1:])
