"""Programs of several statements, statement by statement as PyTorch answered (docs/fuzzing.md)."""

import subprocess
import sys

import pytest
from fuzz import agreement, programs

COUNT = len(agreement.recorded())


def test_recorded_programs():
    command = [sys.executable, "-B", agreement.HERE, "programs", str(COUNT), agreement.SEED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{COUNT} programs of" in done.stdout
    assert len(agreement.known()) < COUNT / 150


def test_programs_are_made_by_their_number():
    texts = [str(programs.make(number, 7)) for number in range(200)]
    assert texts == [str(programs.make(number, 7)) for number in range(200)]
    assert len(set(texts)) == 200
    assert texts[0] != str(programs.make(0, 8))


def program(*statements):
    return programs.Program(
        ("torch.tensor([1., 2.])", "torch.tensor([3, 4])", "torch.ones(3)", "torch.ones(())"), statements
    )


def words(*statements):
    return programs.answers(program(*statements))


def test_every_kind_of_difference_is_seen():
    same = words("a[0] = 5", "b.add_(1)")
    assert [word[0] for word in same] == [".", "."]
    assert agreement.difference(same, words("a[0] = 5", "b.add_(1)")) is None
    assert agreement.difference(same, words("a[0] = 5", "b.add_(2)")) == 1  # a value
    assert agreement.difference(same, words("a[0] = 5", "b = b.int() + 1")) == 1  # a dtype
    assert agreement.difference(words("a = a[:1]"), words("a = a[0]")) == 0  # a shape
    assert agreement.difference(words("a = a[::2]"), words("a = a[:1]")) == 0  # a stride
    assert agreement.difference(words("d = a[1]"), words("d = a[1].clone()")) == 0  # an offset
    assert agreement.difference(words("a[5]"), words("a.nothing(")) == 0  # an exception
    assert agreement.difference(same[:1], same) == 1  # the end of the process


def test_what_raises_and_changes_something_is_seen():
    changed = words("[a.add_(1), a[5]]", "a[0] = 1")
    assert changed == ["I!"]
    assert agreement.difference(changed, changed) == 0
    assert agreement.difference(words("a[5]"), changed) is None  # theirs may
    assert agreement.difference(words("a[0]"), changed) == 0


def test_what_is_not_defined_is_not_compared():
    assert agreement.difference(words("a[0] = 1"), ["~"]) is None
    assert agreement.difference(words("a[0] = 1", "a[0] = 2"), [*words("a[0] = 2"), "~"]) == 0


@pytest.mark.parametrize("number", range(5))
def test_a_program_is_made_smaller(number):
    whole = programs.make(number, "0")
    assert [len(p.statements) for p in whole.smaller()] == [len(whole.statements) - 1] * len(whole.statements)
