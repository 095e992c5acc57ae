"""Every operator against what the real PyTorch answered (golden/data, written by golden/generate.py).

One test per row of the tables in golden/cases; a failure lists the operands for which the answer differs.
"""

import pytest
import torch
from golden.answers import differing, stored
from golden.cases import FAMILIES

SHOWN = 6  # differences listed per row
ROWS = [
    pytest.param(family, row, id=f"{family}:{row.code}"[:100]) for family, table in FAMILIES.items() for row in table
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "row"), ROWS)
def test_answers_like_pytorch(family, row):
    if family == "printing":  # a case that failed may have left its options behind
        torch.set_printoptions(profile="default")
    wrong = differing(family, row, torch)
    listed = "\n".join(f"[{key}]\n    want {want}\n    got  {got}" for key, want, got in wrong[:SHOWN])
    more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    assert not wrong, f"{row.code}: {len(wrong)} of {len(row.inputs)}\n" + listed + more


def test_data_belongs_to_the_tables():
    for family, table in FAMILIES.items():
        declared = {(row.code, key) for row in table for key in row.inputs}
        answered = {(code, key) for code, cases in stored(family).items() for key in cases}
        assert declared == answered, f"{family}: run golden/generate.py"
