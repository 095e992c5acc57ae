"""Data pipes answer each case of pipes_steps.py and pipes_rules.py as PyTorch does: values, orders, draws of random numbers, errors, warnings."""

import json
import pathlib
import pickle

import pipes_oracle
import pipes_rules  # noqa: F401 - its cases
import pipes_steps  # noqa: F401 - its cases
import pytest
import stream
import torch
from torch.utils.data import DataLoader, IterDataPipe
from torch.utils.data.datapipes.iter import IterableWrapper

GOLDEN = json.loads((pathlib.Path(__file__).parent / "pipes.json").read_text(encoding="utf-8"))
_PHRASE = 28  # so many characters of an error's or a warning's text are what programs match on
_PYTHONS = ("Can't ",)  # its own text, which is another in each version


def is_error(value):
    return isinstance(value, list) and len(value) == 2 and str(value[0]).endswith(("Error", "Exception"))


def same(said, expected, path=()):
    """`said` is `expected`, with errors compared by their type and the phrase that they begin with."""
    if is_error(expected):
        assert said[0] == expected[0], (path, said, expected)
        assert said[1].startswith(expected[1][:_PHRASE]) or expected[1].startswith(_PYTHONS), (path, said, expected)
    elif isinstance(expected, list):
        assert isinstance(said, list) and len(said) == len(expected), (path, said, expected)
        for i, pair in enumerate(zip(said, expected)):
            same(*pair, (*path, i))
    else:
        assert said == expected, (path, said, expected)


def test_golden_pipes_are_of_these_cases():
    assert [row["name"] for row in GOLDEN["cases"]] == list(pipes_oracle.CASES)


@pytest.mark.parametrize("row", [pytest.param(row, id=row["name"]) for row in GOLDEN["cases"]])
def test_a_pipe_answers_as_pytorch(row):
    with stream.played(row["draws"]):
        said = json.loads(json.dumps(pipes_oracle.answer(pipes_oracle.CASES[row["name"]])))
    same(said["value"], row["said"]["value"])
    kinds = [[kind, text[:_PHRASE]] for kind, text in row["said"]["warnings"]]
    assert [[kind, text[:_PHRASE]] for kind, text in said["warnings"]] == kinds


def test_workers_that_persist_get_another_order_in_each_pass_and_share_the_items():
    torch.manual_seed(0)
    pipe = IterableWrapper(range(64)).shuffle().sharding_filter()
    loader = DataLoader(pipe, batch_size=4, num_workers=2, shuffle=True, persistent_workers=True)
    passes = [torch.cat(list(loader)).tolist() for _ in range(3)]
    assert all(sorted(order) == list(range(64)) for order in passes)
    assert len({tuple(order) for order in passes}) == 3
    torch.manual_seed(0)
    again = DataLoader(pipe, batch_size=4, num_workers=2, shuffle=True, persistent_workers=True)
    assert [torch.cat(list(again)).tolist() for _ in range(3)] == passes


def test_shuffle_of_what_has_no_shuffler_adds_one():
    # PyTorch says so too, but reads the pipe without it.
    with pytest.warns(UserWarning, match="does not contain a `Shuffler`"):
        loader = DataLoader(IterableWrapper(range(50)), batch_size=50, shuffle=True)
    (order,) = loader
    assert sorted(order.tolist()) == list(range(50)) != order.tolist()


def test_an_error_in_a_worker_says_in_which_pipe():
    loader = DataLoader(IterableWrapper(range(4)).map(pipes_oracle.failing), num_workers=1)
    with pytest.raises(ValueError, match="(?s)no item.*thrown by __iter__ of MapperIterDataPipe"):
        list(loader)


def test_spawned_workers_take_pipes():
    pipe = IterableWrapper(range(8)).map(pipes_oracle.double).shuffle().sharding_filter()
    loader = DataLoader(pipe, batch_size=2, num_workers=2, multiprocessing_context="spawn", shuffle=False)
    assert sorted(torch.cat(list(loader)).tolist()) == list(range(0, 16, 2))


def test_a_copy_begins_a_pass_of_its_own():
    pipe = IterableWrapper(range(4)).batch(2)
    walk = iter(pipe)
    next(walk)
    copy = pickle.loads(pickle.dumps(pipe))
    assert list(copy) == [[0, 1], [2, 3]] and next(walk) == [2, 3]


def test_a_class_that_inherits_its_iterator_keeps_the_rule():
    class Derived(type(IterableWrapper([]))):
        pass

    pipe = Derived([1, 2])
    first, second = iter(pipe), iter(pipe)
    next(first), next(second)
    with pytest.raises(RuntimeError, match="has been invalidated"):
        next(first)
    assert isinstance(pipe, IterDataPipe)
