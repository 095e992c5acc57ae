"""Results that are not there yet: a thread waits for them, or says what is to be done with them."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable

    import torch


__all__ = ["Future", "collect_all", "wait_all"]

T = TypeVar("T")
S = TypeVar("S")


class Future(Generic[T]):
    """A value, or an exception, that some thread sets once.

    devices: the devices that the value may lie on; there is one stream on the CPU, so nothing has to be synchronised."""

    def __init__(self, *, devices: list[int | str | torch.device] | None = None) -> None:
        import torch

        self._devices = [torch.device(device) for device in devices or ()]
        self._changed = threading.Condition()
        self._done, self._value, self._error, self._callbacks = False, None, None, []

    def done(self) -> bool:
        """Whether a value or an exception has been set."""
        return self._done

    def wait(self) -> T:
        """The value, as soon as there is one; an exception that was set is raised."""
        with self._changed:
            self._changed.wait_for(lambda: self._done)
        return self._result()

    def value(self) -> T:
        """The value; RuntimeError where there is none yet; an exception that was set is raised."""
        if not self._done:
            raise RuntimeError("value() of a Future that is not completed: call wait() instead")
        return self._result()

    def _result(self) -> T:
        if self._error is not None:
            raise self._error
        return self._value

    def then(self, callback: Callable[[Future[T]], S]) -> Future[S]:
        """A Future of `callback(self)`, which is called when this one is completed; at once if it is already. What the
        callback raises is that Future's exception."""
        following = Future()

        def run(completed):
            try:
                value = callback(completed)
            except Exception as error:
                following.set_exception(error)
            else:
                following.set_result(value)

        self._when_done(run)
        return following

    def add_done_callback(self, callback: Callable[[Future[T]], object]) -> None:
        """Calls `callback(self)` when it is completed; at once if it is already. What the callback raises is printed."""

        def run(completed):
            try:
                callback(completed)
            except Exception as error:
                import sys
                import traceback

                print("a callback of a Future has raised:", file=sys.stderr)
                traceback.print_exception(error)

        self._when_done(run)

    def _when_done(self, run):
        with self._changed:
            if not self._done:
                self._callbacks.append(run)
                return
        run(self)

    def set_result(self, result: T) -> None:
        """Completes it with a value. RuntimeError if it is completed already."""
        self._complete(result, None)

    def set_exception(self, result: Exception) -> None:
        """Completes it with an exception, which wait() and value() raise."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result).__name__}, not an Exception.")
        self._complete(None, result)

    def _complete(self, value, error):
        with self._changed:
            if self._done:
                raise RuntimeError("Future can only be marked completed once: it has been, and keeps its result")
            self._value, self._error, self._done = value, error, True
            callbacks, self._callbacks = self._callbacks, []
            self._changed.notify_all()
        for run in callbacks:
            run(self)


def collect_all(futures: list[Future]) -> Future[list[Future]]:
    """A Future of the list `futures`, completed when all of them are."""
    futures = list(futures)
    collected = Future()
    remaining = [len(futures)]
    lock = threading.Lock()

    def one_done(_):
        with lock:
            remaining[0] -= 1
            last = remaining[0] == 0
        if last:
            collected.set_result(futures)

    if not futures:
        collected.set_result(futures)
    for future in futures:
        future._when_done(one_done)
    return collected


def wait_all(futures: list[Future]) -> list:
    """The values of all, when the last one is there. If one is an exception, it is raised."""
    return [future.wait() for future in collect_all(futures).wait()]
