"""Pipes of data frames: rows, several frames as one, in a random order, some of them."""

import random

from .._decorator import functional_datapipe
from ..datapipe import DFIterDataPipe, IterDataPipe
from . import dataframe_wrapper as frames

__all__ = [
    "ConcatDataFramesPipe",
    "DataFramesAsTuplesPipe",
    "ExampleAggregateAsDataFrames",
    "FilterDataFramesPipe",
    "PerRowDataFramesPipe",
    "ShuffleDataFramesPipe",
]


def _groups(items, size):
    """Lists of `size` items; the last one may be shorter."""
    group = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def _rows(frame):
    """A frame of each row."""
    return (frames.get_item(frame, index) for index in range(frames.get_len(frame)))


@functional_datapipe("_dataframes_as_tuples")
class DataFramesAsTuplesPipe(IterDataPipe):
    """The rows of frames, as tuples."""

    def __init__(self, source_datapipe):
        self.source_datapipe = source_datapipe

    def __iter__(self):
        for frame in self.source_datapipe:
            yield from frames.iterate(frame)


@functional_datapipe("_dataframes_per_row", enable_df_api_tracing=True)
class PerRowDataFramesPipe(DFIterDataPipe):
    """A frame of each row."""

    def __init__(self, source_datapipe):
        self.source_datapipe = source_datapipe

    def __iter__(self):
        for frame in self.source_datapipe:
            yield from _rows(frame)


@functional_datapipe("_dataframes_concat", enable_df_api_tracing=True)
class ConcatDataFramesPipe(DFIterDataPipe):
    """A frame of each `batch` frames; the last one may be of fewer."""

    def __init__(self, source_datapipe, batch=3):
        self.source_datapipe = source_datapipe
        self.n_batch = batch

    def __iter__(self):
        for group in _groups(self.source_datapipe, self.n_batch):
            yield frames.concat(group)


@functional_datapipe("_dataframes_shuffle", enable_df_api_tracing=True)
class ShuffleDataFramesPipe(DFIterDataPipe):
    """The rows of all frames in an order of the module `random`, in frames as long as the first one."""

    def __init__(self, source_datapipe):
        self.source_datapipe = source_datapipe

    def __iter__(self):
        size, rows = None, []
        for frame in self.source_datapipe:
            size = frames.get_len(frame) if size is None else size
            rows.extend(_rows(frame))
        random.shuffle(rows)
        for group in _groups(rows, size):
            yield frames.concat(group)


@functional_datapipe("_dataframes_filter", enable_df_api_tracing=True)
class FilterDataFramesPipe(DFIterDataPipe):
    """The rows for which filter_fn, of a row, is true, in frames as long as the first one."""

    def __init__(self, source_datapipe, filter_fn):
        self.source_datapipe = source_datapipe
        self.filter_fn = filter_fn

    def __iter__(self):
        size, kept = None, []
        for frame in self.source_datapipe:
            size = len(frame.index) if size is None else size
            kept += [frame[i : i + 1] for i in range(len(frame.index)) if self.filter_fn(frame.iloc[i])]
        for group in _groups(kept, size):
            yield frames.concat(group)


@functional_datapipe("_to_dataframes_pipe", enable_df_api_tracing=True)
class ExampleAggregateAsDataFrames(DFIterDataPipe):
    """A frame of each `dataframe_size` items, which are rows, or values of one column."""

    def __init__(self, source_datapipe, dataframe_size=10, columns=None):
        self.source_datapipe = source_datapipe
        self.columns = columns
        self.dataframe_size = dataframe_size

    def _as_list(self, item):
        try:
            return list(item)
        except TypeError:
            return [item]

    def __iter__(self):
        for group in _groups(map(self._as_list, self.source_datapipe), self.dataframe_size):
            yield frames.create_dataframe(group, columns=self.columns)
