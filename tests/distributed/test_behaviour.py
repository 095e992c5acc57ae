"""The calls of behaviour.py, which ranks that are threads answer as PyTorch 2.13's processes do."""

import builtins
import json
import pathlib
import re
import tomllib

import behaviour
import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads

HERE = pathlib.Path(__file__).parent / "data"
WANTED = {int(size): calls for size, calls in json.loads((HERE / "behaviour.json").read_text()).items()}


def answers(family, call, size, path):
    """What the ranks answer, a text where they agree; of a process alone where size is 0."""
    if size:
        found = _threads.run(lambda: behaviour.evaluate(family, call, path), size, timeout=20)
    else:
        found = [behaviour.evaluate(family, call, path)]
        if dist.is_initialized():
            dist.destroy_process_group()
    found = [answer.replace("'threaded'", "'gloo'") for answer in found]
    return found[0] if len(set(found)) == 1 else found


def each(answer, size):
    return answer if isinstance(answer, list) else [answer] * max(size, 1)


def is_as(found, wanted):
    """Whether an answer is the one that is wanted; an exception may be of a class that is derived from that."""
    if not (found.startswith("!") and wanted.startswith("!")):
        return found == wanted
    classes = [getattr(torch._distributed, text[1:], getattr(builtins, text[1:], None)) for text in (found, wanted)]
    return found == wanted or all(isinstance(c, type) for c in classes) and issubclass(*classes)


def differs():
    """[(calls, PyTorch's answer, ours)]: patterns of data/behaviour_differs.toml, which says why."""
    rows = tomllib.loads((HERE / "behaviour_differs.toml").read_text())["differs"]
    return [tuple(re.compile(row[key]) for key in ("calls", "theirs", "ours")) for row in rows]


def explains(row, call, theirs, ours):
    """Whether a row is of such a call."""
    return row[0].search(call) and any(map(row[1].search, theirs)) and all(map(row[2].fullmatch, ours))


def disagreements(size, family, path, known):
    """[(call, PyTorch's answer, ours)] that no row of `known` explains, and which rows did."""
    found, used = [], set()
    for i, (its, call) in enumerate(behaviour.calls(size)):
        if its != family:
            continue
        wanted, ours = WANTED[size][call], answers(family, call, size, f"{path}/{i}")
        if all(map(is_as, each(ours, size), each(wanted, size))):
            continue
        rows = {row for row in known if explains(row, call, each(wanted, size), each(ours, size))}
        used |= rows
        if not rows:
            found.append((call, wanted, ours))
    return found, used


USED, ASKED = set(), set()
PARTS = [(size, family) for family, (sizes, _) in behaviour.FAMILIES.items() for size in sizes]


@pytest.mark.parametrize(("size", "family"), PARTS)
def test_answers_are_those_of_pytorch(size, family, tmp_path):
    found, used = disagreements(size, family, tmp_path, differs())
    USED.update(row[0].pattern for row in used)
    ASKED.add((size, family))
    assert not found, "\n".join(f"{call}\n    PyTorch: {wanted}\n    ours: {ours}" for call, wanted, ours in found)


def test_the_recorded_calls_are_these():
    for size, recorded in WANTED.items():
        assert set(recorded) == {call for _, call in behaviour.calls(size)}


def test_what_differs_is_still_so():
    """After all parts: a row that explains nothing is to go."""
    if ASKED != set(PARTS):
        pytest.skip("the tests before this one have not been run")
    busy = {row[0].pattern for row in differs() if row[2].pattern == "!DistNetworkError"}
    assert {row[0].pattern for row in differs()} - USED - busy == set()
