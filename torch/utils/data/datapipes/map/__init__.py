"""Pipes with items by index. Each has a method of MapDataPipe but SequenceWrapper, which begins a chain."""

from .pipes import (
    BatcherMapDataPipe as Batcher,
    ConcaterMapDataPipe as Concater,
    MapperMapDataPipe as Mapper,
    SequenceWrapperMapDataPipe as SequenceWrapper,
    ZipperMapDataPipe as Zipper,
)
from .shuffler import ShufflerIterDataPipe as Shuffler

__all__ = ["Batcher", "Concater", "Mapper", "SequenceWrapper", "Shuffler", "Zipper"]
