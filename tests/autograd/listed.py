"""What differs from PyTorch and is meant to (differs.toml), as the tests look it up.

A kind of difference: `raises` (one of both raises, or another class), `words` (of an error), `records` (nothing is recorded by
one of both), `names` (of nodes, or views), `backward` (one of both raises in it, or others words), `values`.
"""

import functools
import pathlib
import re
import tomllib

from golden import gradients

OUT = re.compile(r"\w+\(\): functions with out=")


@functools.cache
def table():
    """{"names": [{reason, pairs}], "cases": [{reason, kind, codes}], "finite": [{reason, said, codes}]}"""
    return tomllib.loads(pathlib.Path(__file__).with_name("differs.toml").read_text())


def plain(text):
    """An error's text; which of its operators refuses out= is no matter."""
    return OUT.sub("OP(): functions with out=", text)


def kind_of(got, want):
    """How an answer differs from PyTorch's, names aside; "" if it does not."""
    if isinstance(got, str) or isinstance(want, str):
        raised = [isinstance(answer, str) and answer.startswith("!") for answer in (got, want)]
        if raised == [True, True]:
            if got.split()[0] != want.split()[0]:
                return "raises"
            return "" if plain(got) == plain(want) else "words"
        if got == want:
            return ""
        return "raises" if any(raised) else "records"
    got, want = got["grads"], want["grads"]
    if isinstance(got, str) or isinstance(want, str):
        return "" if got == want else "backward"
    return "" if len(got) == len(want) and all(map(gradients.close, got, want)) else "values"


def pairs_of(got, want):
    """The nodes' names that differ: {(PyTorch's, ours)}."""
    if isinstance(got, str) or isinstance(want, str):
        return set()
    return {(theirs, ours) for theirs, ours in zip(want["names"], got["names"]) if theirs != ours}


@functools.cache
def listed_pairs():
    return {tuple(pair) for entry in table()["names"] for pair in entry["pairs"]}


@functools.cache
def listed_cases():
    """{(kind, family, code)}"""
    return {(entry["kind"], *code) for entry in table()["cases"] for code in entry["codes"]}


@functools.cache
def listed_finite():
    """{(what finite differences say, family, code)}"""
    return {(entry["said"], *code) for entry in table()["finite"] for code in entry["codes"]}
