"""Pipes that yield items in another order."""

import random

import torch
from torch.utils.data.sampler import SequentialSampler

from .._checks import length
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe


class _Shuffling(IterDataPipe):
    """What pipes share whose order is random: the order of a pass follows from set_seed()'s number, or else from one drawn
    with torch's default generator."""

    def __init__(self):
        self._enabled = True
        self._seed = None
        self._rng = random.Random()

    def set_shuffle(self, shuffle=True):
        """Whether passes are in a random order. Returns the pipe."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """The seed of the next pass. Returns the pipe."""
        self._seed = seed
        return self

    def reset(self):
        if self._enabled:
            seed, self._seed = self._seed, None
            self._rng.seed(int(torch.empty((), dtype=torch.int64).random_().item()) if seed is None else seed)


@functional_datapipe("shuffle")
class ShufflerIterDataPipe(_Shuffling):
    """The items in a random order, as far as a buffer of buffer_size allows: each item that comes takes the place of one
    that is drawn from the full buffer. unbatch_level: items are those of so many lists within one another.

    The order of a pass follows from set_seed()'s number, or else from one drawn with torch's default generator.
    set_shuffle(False) leaves the order as it is; a DataLoader with `shuffle` calls it. AssertionError for a buffer_size
    below 1."""

    def __init__(self, datapipe, *, buffer_size=10000, unbatch_level=0):
        if buffer_size <= 0:
            raise AssertionError("buffer_size should be larger than 0")
        self.datapipe = datapipe if unbatch_level == 0 else datapipe.unbatch(unbatch_level=unbatch_level)
        self.buffer_size = buffer_size
        super().__init__()

    def __iter__(self):
        if not self._enabled:
            yield from self.datapipe
            return
        waiting = []
        for item in self.datapipe:
            if len(waiting) == self.buffer_size:
                place = self._rng.randint(0, len(waiting) - 1)
                item, waiting[place] = waiting[place], item
                yield item
            else:
                waiting.append(item)
        while waiting:
            yield waiting.pop(self._rng.randint(0, len(waiting) - 1))

    def __len__(self):
        return length(self.datapipe, self)


class SamplerIterDataPipe(IterDataPipe):
    """What a sampler yields that is made of the pipe: sampler(data_source=datapipe, *sampler_args, **sampler_kwargs)."""

    def __init__(self, datapipe, sampler=SequentialSampler, sampler_args=None, sampler_kwargs=None):
        self.datapipe = datapipe
        self.sampler_args = () if sampler_args is None else sampler_args
        self.sampler_kwargs = {} if sampler_kwargs is None else sampler_kwargs
        self.sampler_kwargs["data_source"] = datapipe
        self.sampler = sampler(*self.sampler_args, **self.sampler_kwargs)

    def __iter__(self):
        yield from self.sampler

    def __len__(self):
        return length(self.sampler, self)
