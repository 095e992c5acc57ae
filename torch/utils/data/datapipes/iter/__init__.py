"""Pipes to walk through. Each has a method of IterDataPipe but those that begin a chain."""

from .batching import BatcherIterDataPipe as Batcher
from .batching import GrouperIterDataPipe as Grouper
from .batching import UnBatcherIterDataPipe as UnBatcher
from .branching import DemultiplexerIterDataPipe as Demultiplexer
from .branching import ForkerIterDataPipe as Forker
from .combining import ConcaterIterDataPipe as Concater
from .combining import MultiplexerIterDataPipe as Multiplexer
from .combining import ZipperIterDataPipe as Zipper
from .files import FileListerIterDataPipe as FileLister
from .files import FileOpenerIterDataPipe as FileOpener
from .files import StreamReaderIterDataPipe as StreamReader
from .functions import CollatorIterDataPipe as Collator
from .functions import FilterIterDataPipe as Filter
from .functions import MapperIterDataPipe as Mapper
from .order import SamplerIterDataPipe as Sampler
from .order import ShufflerIterDataPipe as Shuffler
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
