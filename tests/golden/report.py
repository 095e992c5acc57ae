"""How far the library that `import torch` finds is from PyTorch: the share of golden cases that it answers alike.

python tests/golden/report.py             a line per family
python tests/golden/report.py pointwise   … and every row that differs, with its first differing case
python tests/golden/report.py meta [pointwise]   the same of the device "meta" and the CPU
"""

import pathlib
import sys
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden import answers, meta  # noqa: E402
from golden.cases import FAMILIES  # noqa: E402


def on_meta(family):
    """(number of cases, {code: what differs}) of the device "meta" from the CPU."""
    wrong = {}
    for row in FAMILIES[family]:
        found = meta.differing(row, torch).items()
        wrong.setdefault(row.code, []).extend((key, *both) for key, both in found)
    return sum(len(row.inputs) for row in FAMILIES[family]), wrong


def on_cpu(family):
    """(number of cases, {code: what differs})"""
    wrong = {}
    for row in FAMILIES[family]:
        wrong.setdefault(row.code, []).extend(answers.differing(family, row, torch))
    return sum(map(len, answers.stored(family).values())), wrong


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
    for family in families or FAMILIES:
        report(family, ask, details=bool(families))


if __name__ == "__main__":
    main(sys.argv[1:])
