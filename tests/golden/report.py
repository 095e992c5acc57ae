"""How far the library that `import torch` finds is from PyTorch: the share of golden cases that it answers alike.

python tests/golden/report.py             a line per family
python tests/golden/report.py pointwise   … and every row that differs, with its first differing case
python tests/golden/report.py meta [pointwise]   the same on the device "meta"
"""

import json
import pathlib
import sys
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden import meta  # noqa: E402
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


def on_meta(family):
    """(number of cases, {code: what differs}) for the device "meta"."""
    answers = meta.answers()[family]
    wrong = {code: meta.differing(code, of_code, torch) for code, of_code in answers.items()}
    return sum(map(len, answers.values())), wrong


def on_cpu(family):
    """(number of cases, {code: what differs})"""
    answers = json.loads((HERE / "data" / f"{family}.json").read_text())
    wrong = {}
    for row in FAMILIES[family]:
        wrong.setdefault(row.code, []).extend(differing(row, answers[row.code]))
    return sum(map(len, answers.values())), wrong


def report(family, ask, details):
    cases, wrong = ask(family)
    missed = sum(map(len, wrong.values()))
    print(f"{family:12} {cases - missed:6} of {cases:6}  {(cases - missed) / cases:7.2%}")
    for code, different in wrong.items() if details else []:
        if different:
            key, want, got = different[0]
            print(f"  {code}   {len(different)}, for example [{key}]")
            print(f"      want {want}\n      got  {got}")


def main(names):
    warnings.simplefilter("ignore")
    print(f"torch {torch.__version__} from {pathlib.Path(torch.__file__).parent}")
    ask = on_meta if names[:1] == ["meta"] else on_cpu
    families = names[ask is on_meta :]
    for family in families or (FAMILIES if ask is on_cpu else meta.answers()):
        report(family, ask, details=bool(families))


if __name__ == "__main__":
    main(sys.argv[1:])
