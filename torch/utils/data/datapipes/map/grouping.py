"""Batches."""

from .._checks import length
from .._decorator import functional_datapipe
from ..datapipe import DataChunk, MapDataPipe


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
