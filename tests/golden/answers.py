"""What PyTorch answered (golden/data), and which cases of a row are answered otherwise here.

layout_differs.toml lists the rows whose results are laid out otherwise in memory; all else of them is compared.
answered.toml lists the cases that PyTorch refuses and that are answered here: test_golden_answered.py asks for those.
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


@functools.cache
def answered():
    """{(family, code): {operands: what the answer is like}} of answered.toml."""
    groups = tomllib.loads((HERE / "answered.toml").read_text())["group"]
    found = {}
    for group in groups:
        for family, code, keys in group["rows"]:
            found.setdefault((family, code), {}).update(dict.fromkeys(keys, group["like"]))
    return found


def asked(family, row):
    """(operands, PyTorch's answer) of the cases of a row that are answered as PyTorch does."""
    want, others = stored(family)[row.code], answered().get((family, row.code), ())
    return [(key, want[key]) for key in row.inputs if key not in others]


def differing(family, row, torch):
    """(operands, wanted, got) of every case of a row that is answered differently."""
    found = [(key, want, evaluate(row, key, torch)) for key, want in asked(family, row)]
    if (family, row.code) in other_layouts():
        found = [(key, without_layout(wanted), without_layout(got)) for key, wanted, got in found]
    return [(key, wanted, got) for key, wanted, got in found if not same(got, wanted, row.tolerance)]


def lies_alike(family, row, torch):
    """Whether every result of a row is laid out in memory as PyTorch's."""
    want = stored(family)[row.code]
    return all(same(evaluate(row, key, torch), want[key], row.tolerance) for key in row.inputs)
