"""What PyTorch answered (golden/data), and which cases of a row are answered otherwise here.

layout_differs.toml lists the rows whose results are laid out otherwise in memory; all else of them is compared.
"""

import functools
import json
import pathlib
import tomllib

from .codec import same, without_layout
from .row import evaluate

HERE = pathlib.Path(__file__).parent


@functools.cache
def stored(family):
    """{code: {operands: answer}}"""
    return json.loads((HERE / "data" / f"{family}.json").read_text())


@functools.cache
def other_layouts():
    """{(family, code)} of layout_differs.toml."""
    groups = tomllib.loads((HERE / "layout_differs.toml").read_text())["group"]
    return {tuple(row) for group in groups for row in group["rows"]}


def differing(family, row, torch):
    """(operands, wanted, got) of every case of a row that is answered differently."""
    want = stored(family)[row.code]
    found = [(key, want[key], evaluate(row, key, torch)) for key in row.inputs]
    if (family, row.code) in other_layouts():
        found = [(key, without_layout(wanted), without_layout(got)) for key, wanted, got in found]
    return [(key, wanted, got) for key, wanted, got in found if not same(got, wanted, row.tolerance)]


def lies_alike(family, row, torch):
    """Whether every result of a row is laid out in memory as PyTorch's."""
    want = stored(family)[row.code]
    return all(same(evaluate(row, key, torch), want[key], row.tolerance) for key in row.inputs)
