"""From items by index to items in a random order."""

from ..datapipe import MapDataPipe
from ..iter.combinatorics import _Shuffling


class ShufflerIterDataPipe(_Shuffling):
    """The items in a random order: a pipe to walk through. indices: what to read, 0 … len() - 1 unless told.

    The order of a pass follows from set_seed()'s number, or else from one drawn with torch's default generator."""

    def __init__(self, datapipe, *, indices=None):
        self.datapipe = datapipe
        self.indices = list(range(len(datapipe))) if indices is None else indices
        self._shuffled_indices = self.indices
        super().__init__()

    def reset(self):
        self._shuffled_indices = list(self.indices)
        super().reset()
        if self._enabled:
            self._rng.shuffle(self._shuffled_indices)

    def __iter__(self):
        for index in self._shuffled_indices:
            yield self.datapipe[index]

    def __len__(self):
        return len(self.datapipe)


# What is called on a pipe with indices makes one without: it is registered with the former.
MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
