"""Pipes to walk through. Each has a method of IterDataPipe but those that begin a chain."""

from .batching import BatcherIterDataPipe as Batcher, GrouperIterDataPipe as Grouper, UnBatcherIterDataPipe as UnBatcher
from .branching import DemultiplexerIterDataPipe as Demultiplexer, ForkerIterDataPipe as Forker
from .combining import (
    ConcaterIterDataPipe as Concater,
    MultiplexerIterDataPipe as Multiplexer,
    ZipperIterDataPipe as Zipper,
)
from .files import (
    FileListerIterDataPipe as FileLister,
    FileOpenerIterDataPipe as FileOpener,
    StreamReaderIterDataPipe as StreamReader,
)
from .functions import CollatorIterDataPipe as Collator, FilterIterDataPipe as Filter, MapperIterDataPipe as Mapper
from .order import SamplerIterDataPipe as Sampler, ShufflerIterDataPipe as Shuffler
from .sharding import ShardingFilterIterDataPipe as ShardingFilter
from .wrapper import IterableWrapperIterDataPipe as IterableWrapper

__all__ = [
    "Batcher",
    "Collator",
    "Concater",
    "Demultiplexer",
    "FileLister",
    "FileOpener",
    "Filter",
    "Forker",
    "Grouper",
    "IterableWrapper",
    "Mapper",
    "Multiplexer",
    "Sampler",
    "ShardingFilter",
    "Shuffler",
    "StreamReader",
    "UnBatcher",
    "Zipper",
]
