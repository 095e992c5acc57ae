"""One iterator of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from torch._absent import rest_of

__all__ = ["CyclingIterator"]


class CyclingIterator(Iterator):
    """What generator_fn(epoch) yields for the epochs start_epoch to n - 1, one after the other."""

    def __init__(self, n: int, generator_fn: Callable[[int], Iterator], start_epoch: int = 0):
        self._n, self._epoch, self._generator_fn = n, start_epoch, generator_fn
        self._iter = generator_fn(start_epoch)

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            try:
                return next(self._iter)
            except StopIteration:
                if self._epoch >= self._n - 1:
                    raise
                self._epoch += 1
                self._iter = self._generator_fn(self._epoch)


__getattr__, __dir__ = rest_of(__name__)
