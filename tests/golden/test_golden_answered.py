"""The cases of answered.toml: PyTorch refused them, and they are answered here."""

import pytest
import torch
from golden.answers import answered, stored
from golden.cases import FAMILIES
from golden.row import evaluate


def is_refusal(answer):
    return isinstance(answer, str) and answer.startswith("!")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code"), [pytest.param(*at, id=": ".join(at)[:100]) for at in sorted(answered())])
def test_listed_cases_are_answered(family, code):
    listed = answered()[family, code]
    rows = {key: row for row in FAMILIES[family] if row.code == code for key in row.inputs}
    assert listed.keys() <= rows.keys(), f"{code}: strike {sorted(listed.keys() - rows.keys())} from answered.toml"
    for key, like in listed.items():
        assert is_refusal(stored(family)[code][key]), f"PyTorch answers [{key}]: strike it from answered.toml"
        got = evaluate(rows[key], key, torch)
        as_listed = not is_refusal(got) if like == "number" else is_refusal(got) and got.startswith(f"!{like}")
        assert as_listed, f"[{key}] is {got}, not like {like!r}"
