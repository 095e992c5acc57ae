"""The rows of layout_differs.toml: their results are laid out in memory otherwise than PyTorch's."""

import pytest
import torch
from golden.answers import lies_alike, other_layouts
from golden.cases import FAMILIES


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code"), sorted(other_layouts()))
def test_listed_layouts_differ(family, code):
    rows = [row for row in FAMILIES[family] if row.code == code]
    assert rows, f"{code} is no row of {family}: strike it from layout_differs.toml"
    assert not all(lies_alike(family, row, torch) for row in rows), f"{code}: strike it from layout_differs.toml"
