"""What test_sparse_golden.py takes for the same, and what not."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import sparse_codec  # noqa: E402


def coo(indices, values, coalesced=True, size="3x4"):
    count = len(values.split())
    return {
        "layout": "coo",
        "size": size,
        "coalesced": coalesced,
        "indices": f"i64 2x{count}: {indices}",
        "values": f"f64 {count}: {values}",
    }


def csr(compressed, plain, values):
    count = len(values.split())
    return {
        "layout": "csr",
        "size": "2x4",
        "compressed": f"i64 3: {compressed}",
        "plain": f"i64 {count}: {plain}",
        "values": f"f64 {count}: {values}",
    }


ENTRIES = coo("0 1 1 2", "1.5 2")
SCATTERED = coo("1 0 2 1", "2 1.5", coalesced=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f64 2: 1 nan", "f64 2: 1.0000000000000002 nan"),
        ("f32 2: 1 inf", "f32 2: 1.0000001 inf"),
        ("c64 1: 1,2", "c64 1: 1,2.0000001"),
        ({"is": 1.5}, {"is": 1.5}),
        (ENTRIES, ENTRIES),
        (SCATTERED, coo("0 1 1 2", "1.5 2", coalesced=False)),
        (csr("0 1 2", "1 3", "1 2"), csr("0 1 2", "1 3", "1 2")),
        (["f64 1: 1", {"is": True}], ["f64 1: 1", {"is": True}]),
    ],
)
def test_same(one, other):
    assert sparse_codec.same(one, other)
    assert sparse_codec.same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f64 2: 1 2", "f64 2: 1 2.00000001"),
        ("f64 2: 1 2", "f64 2x1: 1 2"),
        ("f64 2: 1 2", "f32 2: 1 2"),
        ("f64 1: nan", "f64 1: 0"),
        ("i64 1: 1", "i64 1: 2"),
        ({"is": 1}, {"is": True}),
        ({"is": 1}, {"is": 1.0}),
        ({"is": "a"}, {"is": "b"}),
        (ENTRIES, "f64 3x4: 0 1.5 0 0 0 0 2 0 0 0 0 0"),
        (ENTRIES, SCATTERED),
        (ENTRIES, coo("0 1 1 2", "1.5 2", size="4x4")),
        (ENTRIES, coo("0 1 1 2", "1.5 3")),
        (ENTRIES, coo("0 1 1 3", "1.5 2")),
        (ENTRIES, coo("1 0 2 1", "2 1.5")),
        (SCATTERED, coo("1 0 0 2 1 2", "2 1.5 0", coalesced=False)),
        (SCATTERED, coo("1 0 2 2", "2 1.5", coalesced=False)),
        (csr("0 1 2", "1 3", "1 2"), csr("0 2 2", "1 3", "1 2")),
        (csr("0 1 2", "1 3", "1 2"), csr("0 1 2", "1 2", "1 2")),
        (csr("0 1 2", "1 3", "1 2"), {**csr("0 1 2", "1 3", "1 2"), "layout": "csc"}),
        (["f64 1: 1"], ["f64 1: 1", "f64 1: 1"]),
    ],
)
def test_not_the_same(one, other):
    assert not sparse_codec.same(one, other)
    assert not sparse_codec.same(other, one)


def test_flags_and_divided_entries_count_where_they_are_asked_for():
    assert sparse_codec.same(ENTRIES, SCATTERED, flags=False)
    divided = coo("1 0 1 2 2 1 2 0", "0.5 1.5 1.5 0", coalesced=False)
    assert not sparse_codec.same(SCATTERED, divided)
    assert sparse_codec.same(SCATTERED, divided, loose=True)
    assert not sparse_codec.same(SCATTERED, coo("1 0 1 2 2 1", "0.5 1.5 1", coalesced=False), loose=True)
    assert not sparse_codec.same(ENTRIES, divided, loose=True)
