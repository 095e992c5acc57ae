"""Pipes with items by index. Each has a method of MapDataPipe but SequenceWrapper, which begins a chain."""

from .pipes import BatcherMapDataPipe as Batcher
from .pipes import ConcaterMapDataPipe as Concater
from .pipes import MapperMapDataPipe as Mapper
from .pipes import SequenceWrapperMapDataPipe as SequenceWrapper
from .pipes import ZipperMapDataPipe as Zipper
from .shuffler import ShufflerIterDataPipe as Shuffler

__all__ = ["Batcher", "Concater", "Mapper", "SequenceWrapper", "Shuffler", "Zipper"]
