"""Every operator on a GPU against what the real PyTorch answered on the CPU (golden/cuda.py). Rows without kernels are
those of cuda_differs.toml, and no others."""

import pytest
import torch
from golden import cuda
from golden.cases import FAMILIES

if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

SHOWN = 6  # differences listed per row
ROWS = [
    pytest.param(family, row, id=f"{family}:{row.code}"[:100])
    for family, table in FAMILIES.items()
    for row in table
    if family not in cuda.LEFT_OUT
]


def shown(row, wrong):
    listed = "\n".join(f"[{key}]\n    want {want}\n    got  {got}" for key, want, got in wrong[:SHOWN])
    more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    return f"{row.code}: {len(wrong)} of {len(row.inputs)}\n{listed}{more}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "row"), ROWS)
def test_answers_like_the_cpu(family, row):
    listed = cuda.differs().get((family, row.code))
    if listed is None:
        wrong = cuda.differing(family, row, torch)
        assert not wrong, shown(row, wrong)
        return
    like, answer = listed
    # The list knows rows by their code, which several with other operands may have.
    alike = [other for other in FAMILIES[family] if other.code == row.code]
    wrong = [case for other in alike for case in cuda.differing(family, other, torch)]
    assert wrong, f"{row.code} is answered alike: strike it from cuda_differs.toml"
    wrong = [(key, want, got) for key, want, got in wrong if not cuda.is_like(like, answer, key, got, want)]
    assert not wrong, f"like = {like!r}, answer = {answer!r}\n{shown(row, wrong)}"


def test_listed_rows_are_there():
    known = {(family, row.code) for family, table in FAMILIES.items() for row in table}
    assert not cuda.differs().keys() - known
