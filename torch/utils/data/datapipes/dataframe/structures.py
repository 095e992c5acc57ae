"""Batches of data frames."""

from ..datapipe import DataChunk
from . import dataframe_wrapper as frames

__all__ = ["DataChunkDF"]


class DataChunkDF(DataChunk):
    """A batch that holds frames and whose items are their rows; `raw_iterator` gives the frames."""

    def __iter__(self):
        for frame in self.items:
            yield from frames.iterate(frame)

    def __len__(self):
        return sum(frames.get_len(frame) for frame in self.items)
