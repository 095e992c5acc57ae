"""The gradients of every golden case (golden/gradients.py): as PyTorch answered, and as finite differences say.

What is different, and why, stands in differs.toml; a line of it that no case needs is a failure too.
"""

import functools
import warnings

import finite
import listed
import pytest
import torch
from golden import gradients
from golden.cases import FAMILIES, OURS

SHOWN = 6  # differences listed per row
ANSWERS = gradients.answers()
TABLE = {(family, row.code): row for family in ANSWERS for row in reversed(FAMILIES[family])}
ROWS_OF_OURS = [
    pytest.param(row, key, id=f"{family}:{row.code} [{key}]"[:100])
    for family in sorted(OURS)
    for row in FAMILIES[family]
    for key in gradients.keys_of(row)
]
ROWS = [pytest.param(family, code, id=f"{family}:{code}"[:100]) for family, codes in ANSWERS.items() for code in codes]


@functools.cache
def answer(family, code, key):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gradients.evaluate(TABLE[family, code], key, torch)


def cases(family, code):
    """(operands, our answer, PyTorch's)"""
    return [(key, answer(family, code, key), want) for key, want in ANSWERS[family][code].items()]


def refuse(code, wrong):
    more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    assert not wrong, f"{code}\n" + "\n".join(wrong[:SHOWN]) + more


@pytest.mark.parametrize(("family", "code"), ROWS)
def test_gradients_are_pytorchs(family, code):
    refuse(
        code,
        [
            f"[{key}] {kind}\n    want {want}\n    got  {got}"
            for key, got, want in cases(family, code)
            if (kind := listed.kind_of(got, want)) and (kind, family, code) not in listed.listed_cases()
        ],
    )


@pytest.mark.parametrize(("family", "code"), ROWS)
def test_nodes_are_called_as_pytorchs(family, code):
    refuse(
        code,
        [
            f"[{key}] want {theirs}, got {ours}"
            for key, got, want in cases(family, code)
            for theirs, ours in listed.pairs_of(got, want) - listed.listed_pairs()
        ],
    )


def said(family, code):
    """What finite differences say against the cases that were recorded and can be differentiated: {operands: text}"""
    found = {}
    for key, got, _ in cases(family, code):
        if isinstance(got, str) or isinstance(got["grads"], str):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if text := finite.judge(TABLE[family, code], key, torch):
                found[key] = text
    return found


@pytest.mark.parametrize(("family", "code"), ROWS)
def test_gradients_are_slopes(family, code):
    kinds = {(kind, where, c) for kind, where, c in listed.listed_finite() if (where, c) == (family, code)}
    found = said(family, code)
    wrong = [f"[{k}] {text}" for k, text in found.items() if (text.partition(":")[0], family, code) not in kinds]
    refuse(code, wrong)
    unneeded = kinds - {(text.partition(":")[0], family, code) for text in found.values()}
    assert not unneeded, f"differs.toml lists what is not so: {unneeded}"


@pytest.mark.parametrize(("row", "key"), ROWS_OF_OURS)
def test_gradients_of_what_pytorch_has_not_are_slopes(row, key):
    """Where it raises nothing is differentiated; the golden test compares that."""
    found = gradients.evaluate(row, key, torch)
    if not isinstance(found, str):
        assert not isinstance(found["grads"], str), found["grads"]
        assert not finite.judge(row, key, torch)


def test_every_listed_difference_is_one():
    kinds, pairs = set(), set()
    for family, codes in ANSWERS.items():
        for code in codes:
            for _, got, want in cases(family, code):
                kinds.add((listed.kind_of(got, want), family, code))
                pairs |= listed.pairs_of(got, want)
    assert not listed.listed_cases() - kinds
    assert not listed.listed_pairs() - pairs


def test_data_belongs_to_the_tables():
    for family, table in FAMILIES.items():
        if family in gradients.LEFT_OUT or family in OURS:
            continue
        declared = {(row.code, key) for row in table for key in gradients.keys_of(row)}
        stored = {(code, key) for code, found in ANSWERS[family].items() for key in found}
        assert declared == stored, f"{family}: run golden/generate_gradients.py {family}"


def test_a_wrong_gradient_is_found():
    """The judges, of functions whose gradients are wrong on purpose."""

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return grad

    row = next(row for row in FAMILIES["pointwise"] if row.inputs)._replace(code="torch.wrong(a)")

    class Library:
        """torch with one more function."""

        wrong = staticmethod(Twice.apply)

        def __getattr__(self, name):
            return getattr(torch, name)

    assert finite.judge(row, "f64 2x3", Library()).startswith("wrong 1: ")
    assert finite.judge(row._replace(code="torch.mul(a, a)"), "f64 2x3", Library()) == ""
    right = gradients.evaluate(row._replace(code="torch.mul(a, a)"), "f64 2x3", torch)
    assert listed.kind_of(gradients.evaluate(row, "f64 2x3", Library()), right) == "values"
