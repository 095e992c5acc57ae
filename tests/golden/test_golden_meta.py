"""Every operator on the device "meta" has the CPU's shapes, strides, dtypes and errors; the cases that differ are listed, with
the answer that they have there (golden/meta.py).

One test per row of the tables in golden/cases.
"""

import pytest
import torch
from golden import meta
from golden.cases import FAMILIES

SHOWN = 6  # differences listed per row
ROWS = [
    pytest.param(family, row, id=f"{family}:{row.code}"[:100])
    for family, table in FAMILIES.items()
    for row in table
    if family not in meta.LEFT_OUT
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "row"), ROWS)
def test_answers_like_the_cpu(family, row):
    listed = meta.differs().get((family, row.code), {})
    found = meta.differing(row, torch)
    wrong = [(key, *answers) for key, answers in found.items() if meta.listed_as(listed, key, answers[1]) is False]
    shown = "\n".join(f"[{key}]\n    CPU  {cpu}\n    meta {got}" for key, cpu, got in wrong[:SHOWN])
    more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    assert not wrong, f"{row.code}: {len(wrong)} of {len(row.inputs)}\n{shown}{more}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code"), [pytest.param(*at, id=": ".join(at)[:100]) for at in meta.differs()])
def test_listed_cases_differ(family, code):
    listed = meta.differs()[family, code]
    met = {
        meta.listed_as(listed, key, answer)
        for row in FAMILIES[family]
        if row.code == code
        for key, (_, answer) in meta.differing(row, torch).items()
    }
    assert listed.keys() <= met, (
        f"{code} is answered as on the CPU: strike it from meta_differs.toml, or `python -m golden.meta`"
    )


def test_what_is_left_out_is_there():
    assert meta.LEFT_OUT.keys() <= FAMILIES.keys()
    assert not {family for family, _ in meta.differs()} & meta.LEFT_OUT.keys()
