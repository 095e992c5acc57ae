"""Pipes that are made of several: one after another, side by side, in turns."""

from collections.abc import Sized

from .._checks import require_kind
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from .branching import DemultiplexerIterDataPipe as DemultiplexerIterDataPipe, ForkerIterDataPipe as ForkerIterDataPipe


class _Several(IterDataPipe):
    """What is made of several pipes."""

    _refusal = "Expected all inputs to be `IterDataPipe`"

    def __init__(self, *datapipes):
        require_kind(datapipes, IterDataPipe, self._refusal)
        self.datapipes = datapipes

    def _lengths(self):
        if not all(isinstance(pipe, Sized) for pipe in self.datapipes):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        return [len(pipe) for pipe in self.datapipes]


@functional_datapipe("concat")
class ConcaterIterDataPipe(_Several):
    """The items of the first pipe, then those of the second, and so on."""

    def __init__(self, *datapipes):
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        super().__init__(*datapipes)

    def __iter__(self):
        for pipe in self.datapipes:
            yield from pipe

    def __len__(self):
        return sum(self._lengths())


@functional_datapipe("zip")
class ZipperIterDataPipe(_Several):
    """Tuples of an item of each, as long as all of them have one."""

    _refusal = "All inputs are required to be `IterDataPipe` for `ZipIterDataPipe`."

    def __iter__(self):
        yield from zip(*(iter(pipe) for pipe in self.datapipes))

    def __len__(self):
        return min(self._lengths())


@functional_datapipe("mux")
class MultiplexerIterDataPipe(_Several):
    """One item of each in turn, as long as all of them have one."""

    def __init__(self, *datapipes):
        self.datapipes = datapipes
        self.buffer = []

    def reset(self):
        self.buffer = []

    def __iter__(self):
        for row in zip(*(iter(pipe) for pipe in self.datapipes)):
            yield from row

    def __len__(self):
        return min(self._lengths()) * len(self.datapipes)
