"""How far the library that `import torch` finds is from PyTorch: the share of golden cases that it answers alike.

python tests/golden/report.py             a line per family
python tests/golden/report.py pointwise   … and every row that differs, with its first differing case
"""

import json
import pathlib
import sys
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden.cases import FAMILIES  # noqa: E402
from golden.codec import same  # noqa: E402
from golden.row import evaluate  # noqa: E402


def differing(row, answers):
    """(operands, wanted, got) of every case of a row that is answered differently."""
    return [
        (key, answers[key], got)
        for key in row.inputs
        if not same(got := evaluate(row, key, torch), answers[key], row.tolerance)
    ]


def report(family, details):
    answers = json.loads((HERE / "data" / f"{family}.json").read_text())
    table = FAMILIES[family]
    cases = sum(len(row.inputs) for row in table)
    wrong = [(row, different) for row in table if (different := differing(row, answers[row.code]))]
    missed = sum(len(different) for _, different in wrong)
    print(f"{family:12} {cases - missed:6} of {cases:6}  {(cases - missed) / cases:7.2%}")
    for row, different in wrong if details else []:
        key, want, got = different[0]
        print(f"  {row.code}   {len(different)} of {len(row.inputs)}, for example [{key}]")
        print(f"      want {want}\n      got  {got}")


def main(families):
    warnings.simplefilter("ignore")
    print(f"torch {torch.__version__} from {pathlib.Path(torch.__file__).parent}")
    for family in families or FAMILIES:
        report(family, details=bool(families))


if __name__ == "__main__":
    main(sys.argv[1:])
