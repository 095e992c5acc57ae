"""Every operator against what the real PyTorch answered (golden/data, written by golden/generate.py).

One test per row of the tables in golden/cases; a failure lists the operands for which the answer differs.
"""

import json
import pathlib

import pytest
import torch
from golden.cases import FAMILIES
from golden.codec import same
from golden.row import evaluate

DATA = pathlib.Path(__file__).parent / "data"
SHOWN = 6  # differences listed per row


def load(family):
    return json.loads((DATA / f"{family}.json").read_text())


ROWS = [
    pytest.param(family, row, id=f"{family}:{row.code}"[:100]) for family, table in FAMILIES.items() for row in table
]
ANSWERS = {family: load(family) for family in FAMILIES}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "row"), ROWS)
def test_answers_like_pytorch(family, row):
    if family == "printing":  # a case that failed may have left its options behind
        torch.set_printoptions(profile="default")
    answers = ANSWERS[family][row.code]
    wrong = [
        f"[{key}]\n    want {answers[key]}\n    got  {got}"
        for key in row.inputs
        if not same(got := evaluate(row, key, torch), answers[key], row.tolerance)
    ]
    more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    assert not wrong, f"{row.code}: {len(wrong)} of {len(row.inputs)}\n" + "\n".join(wrong[:SHOWN]) + more


def test_data_belongs_to_the_tables():
    for family, table in FAMILIES.items():
        declared = {(row.code, key) for row in table for key in row.inputs}
        stored = {(code, key) for code, cases in ANSWERS[family].items() for key in cases}
        assert declared == stored, f"{family}: run golden/generate.py"
