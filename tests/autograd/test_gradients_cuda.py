"""The gradients of every golden case on a GPU, as PyTorch answered on the CPU (golden/gradients.py).

A row without kernels there stands in golden/cuda_differs.toml. What else is otherwise, and why, stands in cuda_differs.toml
beside this file; a row of it that is answered alike is a failure, too."""

import pathlib
import tomllib

import listed
import pytest
import torch
from golden import cuda, gradients
from golden.cases import FAMILIES

if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

SHOWN = 6  # differences listed per row
ANSWERS = gradients.answers()
TABLE = {(family, row.code): row for family in ANSWERS for row in reversed(FAMILIES[family])}
ROWS = [pytest.param(family, code, id=f"{family}:{code}"[:100]) for family, codes in ANSWERS.items() for code in codes]
NO_ROW = {row for row, (like, _) in cuda.differs().items() if like == "no row"}
GROUPS = tomllib.loads(pathlib.Path(__file__).with_name("cuda_differs.toml").read_text())["group"]
OTHERWISE = {tuple(code): group for group in GROUPS for code in group["codes"]}
REFUSED = "!NotImplementedError"


def is_refused(got):
    """Whether an answer is that an operator has no kernel, in the row or in its gradient."""
    text = got if isinstance(got, str) else got["grads"]
    return isinstance(text, str) and text.startswith(REFUSED)


def differing(family, code):
    """(operands, kind of difference, our answer, PyTorch's) of the cases that are answered otherwise than on the CPU."""
    found = []
    for key, want in ANSWERS[family][code].items():
        got = gradients.evaluate_on("cuda", TABLE[family, code], key, torch)
        kind = listed.kind_of(got, want)
        if kind and (kind, family, code) not in listed.listed_cases():
            found.append((key, kind, got, want))
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code"), ROWS)
def test_gradients_are_those_of_the_cpu(family, code):
    found = differing(family, code)
    if group := OTHERWISE.get((family, code)):
        assert found, f"{code} is answered alike: strike it from cuda_differs.toml"
        allowed = is_refused if group["like"] == "no row" else lambda got: True
        kinds = {kind for _, kind, got, _ in found if not allowed(got)}
        assert kinds <= {group["like"]}, f"{group['reason']}\n{found}"
        return
    if (family, code) in NO_ROW:
        found = [case for case in found if not is_refused(case[2])]
    lines = [f"[{key}] {kind}\n    want {want}\n    got  {got}" for key, kind, got, want in found]
    more = f"\n… and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
    assert not lines, f"{code}\n" + "\n".join(lines[:SHOWN]) + more


def test_listed_rows_are_there():
    assert not OTHERWISE.keys() - {(family, code) for family, codes in ANSWERS.items() for code in codes}


def test_most_gradients_are_there():
    """What is refused is a small part: of 9,500 cases about a tenth."""
    listed_rows = (NO_ROW | OTHERWISE.keys()) & TABLE.keys()
    refused = sum(len(ANSWERS[family].get(code, ())) for family, code in listed_rows)
    assert refused < 0.2 * sum(len(cases) for codes in ANSWERS.values() for cases in codes.values())
