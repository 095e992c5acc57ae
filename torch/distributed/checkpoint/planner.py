"""Plans: which rank writes or reads what."""

from __future__ import annotations

import abc
import io
from dataclasses import dataclass
from enum import Enum, auto
from functools import reduce
from typing import Any

from torch._absent import rest_of
from torch.distributed.checkpoint.metadata import ChunkStorageMetadata, MetadataIndex, TensorProperties

__all__ = [
    "BytesIOWriteData",
    "LoadItemType",
    "LoadPlan",
    "LoadPlanner",
    "ReadItem",
    "SavePlan",
    "SavePlanner",
    "TensorWriteData",
    "WriteItem",
    "WriteItemType",
]


class WriteItemType(Enum):
    """A whole tensor, a part of one, or bytes."""

    TENSOR = auto()
    SHARD = auto()
    BYTE_IO = auto()


class LoadItemType(Enum):
    """A tensor, or bytes."""

    TENSOR = auto()
    BYTE_IO = auto()


@dataclass(frozen=True)
class BytesIOWriteData:
    """How many bytes."""

    nbytes: int


@dataclass(frozen=True)
class TensorWriteData:
    """A box, of a tensor of this size with these properties."""

    chunk: ChunkStorageMetadata
    properties: TensorProperties
    size: Any


@dataclass(frozen=True)
class WriteItem:
    """Something to write."""

    index: MetadataIndex
    type: WriteItemType
    bytes_io_data: BytesIOWriteData | None = None
    tensor_data: TensorWriteData | None = None

    def tensor_storage_size(self) -> int | None:
        """Its bytes, where it is a tensor."""
        if self.tensor_data is None:
            return None
        return reduce(int.__mul__, self.tensor_data.chunk.sizes, 1) * self.tensor_data.properties.dtype.itemsize


@dataclass(frozen=True)
class ReadItem:
    """A box of a stored one, and where it goes."""

    type: LoadItemType
    dest_index: MetadataIndex
    dest_offsets: Any
    storage_index: MetadataIndex
    storage_offsets: Any
    lengths: Any


@dataclass(frozen=True)
class SavePlan:
    """What one rank writes."""

    items: list[WriteItem]
    storage_data: Any = None
    planner_data: Any = None
    usable: bool = True


@dataclass
class LoadPlan:
    """What one rank reads."""

    items: list[ReadItem]
    storage_data: Any = None
    planner_data: Any = None


class SavePlanner(abc.ABC):
    """Says what is written; methods are called in this order, create_global_plan() at the coordinator alone."""

    @abc.abstractmethod
    def set_up_planner(self, state_dict, storage_meta=None, is_coordinator: bool = False) -> None:
        """Takes the state dict."""

    @abc.abstractmethod
    def create_local_plan(self) -> SavePlan:
        """What this rank would write."""

    @abc.abstractmethod
    def create_global_plan(self, all_plans: list[SavePlan]):
        """(what each rank writes, Metadata) of what all ranks would."""

    @abc.abstractmethod
    def finish_plan(self, new_plan: SavePlan) -> SavePlan:
        """Takes what was decided for this rank."""

    @abc.abstractmethod
    def resolve_data(self, write_item: WriteItem):
        """The tensor, or an io.BytesIO."""


class LoadPlanner:
    """Says what is read, and where it goes; create_global_plan() is called at the coordinator alone."""

    @abc.abstractmethod
    def set_up_planner(self, state_dict, metadata=None, is_coordinator: bool = False) -> None:
        """Takes the state dict that is to be filled, and what the checkpoint has."""

    @abc.abstractmethod
    def create_local_plan(self) -> LoadPlan:
        """What this rank needs."""

    @abc.abstractmethod
    def create_global_plan(self, global_plan: list[LoadPlan]) -> list[LoadPlan]:
        """What each rank reads."""

    @abc.abstractmethod
    def finish_plan(self, central_plan: LoadPlan) -> LoadPlan:
        """Takes what was decided for this rank."""

    @abc.abstractmethod
    def load_bytes(self, read_item: ReadItem, value: io.BytesIO) -> None:
        """Takes bytes that were read."""

    def resolve_bytes(self, read_item: ReadItem) -> io.BytesIO:
        """Where bytes go."""
        raise NotImplementedError("this planner has no buffer for bytes: load_bytes() takes them")

    @abc.abstractmethod
    def resolve_tensor(self, read_item: ReadItem):
        """The tensor that elements are copied into."""

    @abc.abstractmethod
    def commit_tensor(self, read_item: ReadItem, tensor) -> None:
        """Called when they have been."""


__getattr__, __dir__ = rest_of(__name__)
