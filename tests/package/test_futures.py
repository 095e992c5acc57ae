"""torch.futures: results that are not there yet."""

import threading

import pytest
import torch
from torch.futures import Future, collect_all, wait_all


def test_a_value_is_waited_for():
    future = Future()
    assert not future.done()
    with pytest.raises(RuntimeError):
        future.value()
    threading.Timer(0.02, future.set_result, [3]).start()
    assert future.wait() == 3 == future.value() and future.done()
    with pytest.raises(RuntimeError, match="marked completed"):
        future.set_result(4)
    assert future.value() == 3


def test_an_exception_is_raised_by_who_waits():
    future = Future()
    with pytest.raises(AssertionError, match="is of type int, not an Exception"):
        future.set_exception(3)
    future.set_exception(ValueError("x"))
    for ask in (future.wait, future.value):
        with pytest.raises(ValueError, match="x"):
            ask()


def test_then_and_callbacks(capsys):
    future, seen = Future(), []
    after = future.then(lambda done: done.wait() + 1)
    failing = future.then(lambda done: 1 / 0)
    future.add_done_callback(lambda done: seen.append(done.value()))
    future.add_done_callback(lambda done: 1 / 0)
    assert not after.done() and not seen
    future.set_result(2)
    assert after.wait() == 3 and seen == [2] and future.then(lambda done: 5).wait() == 5
    with pytest.raises(ZeroDivisionError):
        failing.wait()
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_several():
    first, second = Future(), Future()
    together = collect_all([first, second])
    first.set_result(1)
    assert not together.done()
    second.set_result(2)
    assert together.wait() == [first, second] and wait_all([first, second]) == [1, 2] and collect_all([]).wait() == []
    broken = Future()
    broken.set_exception(KeyError("k"))
    with pytest.raises(KeyError):
        wait_all([first, broken])
    assert torch.futures.Future is torch.jit.Future and torch.jit.wait(torch.jit.fork(int, "3")) == 3
