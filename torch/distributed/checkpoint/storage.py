"""Where checkpoints are written to and read from."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import Any

from torch._absent import rest_of
from torch.distributed.checkpoint.metadata import MetadataIndex, StorageMeta

__all__ = ["StorageReader", "StorageWriter", "WriteResult"]


@dataclass(frozen=True)
class WriteResult:
    """Where an item has been put."""

    index: MetadataIndex
    size_in_bytes: int
    storage_data: Any


class StorageWriter(abc.ABC):
    """Writes a checkpoint; methods are called in this order, prepare_global_plan() and finish() at the coordinator alone."""

    @abc.abstractmethod
    def reset(self, checkpoint_id=None) -> None:
        """A new checkpoint begins; None: where the last one was."""

    @abc.abstractmethod
    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Gets ready."""

    @abc.abstractmethod
    def prepare_local_plan(self, plan):
        """A rank's plan, with what the storage adds."""

    @abc.abstractmethod
    def prepare_global_plan(self, plans):
        """All ranks' plans, with what the storage adds."""

    @abc.abstractmethod
    def write_data(self, plan, planner):
        """Writes; a Future of a list of WriteResult."""

    @abc.abstractmethod
    def finish(self, metadata, results) -> None:
        """Makes the checkpoint one: what all ranks have written is there."""

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id) -> bool:
        """Whether this storage knows how to write there."""
        raise NotImplementedError(f"{cls.__name__} does not say which checkpoints it writes")

    def storage_meta(self) -> StorageMeta | None:
        """What is known of the checkpoint."""
        return None


class StorageReader(abc.ABC):
    """Reads a checkpoint; methods are called in this order, prepare_global_plan() at the coordinator alone."""

    @abc.abstractmethod
    def reset(self, checkpoint_id=None) -> None:
        """Another checkpoint; None: the last one."""

    @abc.abstractmethod
    def read_metadata(self, *args: Any, **kwargs: Any):
        """What it has."""

    @abc.abstractmethod
    def set_up_storage_reader(self, metadata, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Gets ready."""

    @abc.abstractmethod
    def prepare_local_plan(self, plan):
        """A rank's plan, with what the storage adds."""

    @abc.abstractmethod
    def prepare_global_plan(self, plans):
        """All ranks' plans, with what the storage adds."""

    @abc.abstractmethod
    def read_data(self, plan, planner):
        """Reads; a Future of None."""

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id) -> bool:
        """Whether this storage knows how to read there."""
        raise NotImplementedError(f"{cls.__name__} does not say which checkpoints it reads")


__getattr__, __dir__ = rest_of(__name__)
