"""Every operator on the device "meta" against what the real PyTorch answered (golden/data/meta, golden/meta.py).

One test per row of the tables in golden/cases; test_golden_meta_differs.py asks for the others, those of meta_differs.toml.
"""

import pytest
import torch
from golden import meta
from golden.cases import FAMILIES

SHOWN = 6  # differences listed per row
ANSWERS = meta.answers()
ROWS = [
    pytest.param(family, code, id=f"{family}:{code}"[:100])
    for family, codes in ANSWERS.items()
    for code, answers in codes.items()
    if answers and (family, code) not in meta.differs()
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code"), ROWS)
def test_answers_like_pytorch(family, code):
    answers = ANSWERS[family][code]
    wrong = meta.differing(code, answers, torch)
    listed = "\n".join(f"[{key}]\n    want {want}\n    got  {got}" for key, want, got in wrong[:SHOWN])
    more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    assert not wrong, f"{code}: {len(wrong)} of {len(answers)}\n{listed}{more}"


def test_data_belongs_to_the_tables():
    for family, stored in ANSWERS.items():
        declared = {}
        for row in FAMILIES[family]:
            declared.setdefault(row.code, set()).update(row.inputs)
        assert declared.keys() == stored.keys(), f"{family}: run golden/generate.py --meta"
        for code, answers in stored.items():
            assert answers.keys() <= declared[code], f"{family}: run golden/generate.py --meta for {code}"
