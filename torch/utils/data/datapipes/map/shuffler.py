"""From items by index to items in a random order."""

import random

from ..datapipe import IterDataPipe, MapDataPipe
from ..iter.order import _seed_of_pass


class ShufflerIterDataPipe(IterDataPipe):
    """The items in a random order: a pipe to walk through. indices: what to read, 0 … len() - 1 unless told.

    The order of a pass follows from set_seed()'s number, or else from one drawn with torch's default generator."""

    def __init__(self, datapipe, *, indices=None):
        self.datapipe = datapipe
        self.indices = list(range(len(datapipe))) if indices is None else indices
        self._enabled = True
        self._seed = None
        self._rng = random.Random()
        self._shuffled_indices = self.indices

    def set_shuffle(self, shuffle=True):
        """Whether passes are in a random order. Returns the pipe."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """The seed of the next pass. Returns the pipe."""
        self._seed = seed
        return self

    def reset(self):
        self._shuffled_indices = list(self.indices)
        if self._enabled:
            self._rng.seed(_seed_of_pass(self))
            self._rng.shuffle(self._shuffled_indices)

    def __iter__(self):
        for index in self._shuffled_indices:
            yield self.datapipe[index]

    def __len__(self):
        return len(self.datapipe)


# What is called on a pipe with indices makes one without: it is registered with the former.
MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
