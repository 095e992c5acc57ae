"""The cases that are answered otherwise on the device "meta" than on the CPU: PyTorch's meta tensors answer as
meta_differs.toml says, but to those of its last group. So this runs with either library."""

import pytest
import torch
from golden import meta
from golden.cases import FAMILIES

ROWS = [
    pytest.param(family, code, answers[0] if answers else {None: "refused"}, id=f"{family}: {code}"[:100])
    for group in meta.groups()
    if group["like"] != "ours"
    for family, code, *answers in group["rows"]
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code", "listed"), ROWS)
def test_answers_are_those_listed(family, code, listed):
    met, wrong = set(), []
    for row in FAMILIES[family]:
        for key, (_, answer) in meta.differing(row, torch).items() if row.code == code else ():
            known = meta.listed_as(listed, key, answer)
            met.add(known)
            if known is False and (key in listed or meta.operands_kind(key) in listed):
                wrong.append((key, answer))
    assert not wrong, f"{code}: {listed}"
    assert listed.keys() <= met, f"{code}: no case has the answer {[listed[key] for key in listed.keys() - met]}"


def test_groups_have_reasons():
    assert [group["like"] for group in meta.groups()] == ["refused", "no kernel", "unchecked", "device", "ours"]
    assert all(group["why"] and group["rows"] for group in meta.groups())
