"""Pipes with items by index: a sequence, a function of each item, batches, several pipes as one."""

import copy
import warnings

from .._checks import length, require_kind, warn_of_local
from .._decorator import functional_datapipe
from ..datapipe import DataChunk, MapDataPipe


def default_fn(data):
    """The item itself."""
    return data


class SequenceWrapperMapDataPipe(MapDataPipe):
    """The items of a sequence or a mapping; of a copy of it, so that nothing that is done to items changes the original,
    unless deepcopy is False or it cannot be copied (which a warning says)."""

    def __init__(self, sequence, deepcopy=True):
        self.sequence = sequence
        if deepcopy:
            try:
                self.sequence = copy.deepcopy(sequence)
            except TypeError:  # it holds what cannot be copied: a file, a generator
                warnings.warn(
                    "The input sequence can not be deepcopied, please be aware of in-place modification would affect "
                    "source data",
                    stacklevel=2,
                )

    def __getitem__(self, index):
        return self.sequence[index]

    def __len__(self):
        return len(self.sequence)


@functional_datapipe("map")
class MapperMapDataPipe(MapDataPipe):
    """fn of each item."""

    def __init__(self, datapipe, fn=default_fn):
        self.datapipe = datapipe
        warn_of_local(fn)
        self.fn = fn

    def __getitem__(self, index):
        return self.fn(self.datapipe[index])

    def __len__(self):
        return len(self.datapipe)


@functional_datapipe("batch")
class BatcherMapDataPipe(MapDataPipe):
    """Lists of batch_size items, as wrapper_class makes them; the last one may be shorter, unless drop_last.
    AssertionError for a batch_size below 1, IndexError for an index past the end."""

    def __init__(self, datapipe, batch_size, drop_last=False, wrapper_class=DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"Index {index} is out of bound.")
        begin = index * self.batch_size
        end = min(begin + self.batch_size, len(self.datapipe))
        return self.wrapper_class([self.datapipe[i] for i in range(begin, end)])

    def __len__(self):
        whole, rest = divmod(length(self.datapipe, self), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)


class _Several(MapDataPipe):
    """What is made of several pipes."""

    def __init__(self, *datapipes):
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        require_kind(datapipes, MapDataPipe, "Expected all inputs to be `MapDataPipe`")
        for pipe in datapipes:
            length(pipe, pipe)
        self.datapipes = datapipes


@functional_datapipe("concat")
class ConcaterMapDataPipe(_Several):
    """The items of the first pipe, then those of the second, and so on. IndexError for an index past the end."""

    def __getitem__(self, index):
        place = index
        for pipe in self.datapipes:
            if place < len(pipe):
                return pipe[place]
            place -= len(pipe)
        raise IndexError(f"Index {index} is out of range.")

    def __len__(self):
        return sum(len(pipe) for pipe in self.datapipes)


@functional_datapipe("zip")
class ZipperMapDataPipe(_Several):
    """Tuples of the items of one index. IndexError for an index that one of the pipes has not."""

    def __getitem__(self, index):
        row = []
        for pipe in self.datapipes:
            try:
                row.append(pipe[index])
            except IndexError as error:
                raise IndexError(f"Index {index} is out of range for one of the input MapDataPipes {pipe}.") from error
        return tuple(row)

    def __len__(self):
        return min(len(pipe) for pipe in self.datapipes)
