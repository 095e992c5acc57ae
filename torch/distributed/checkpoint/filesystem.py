"""Checkpoints in a folder: a file of .distcp per rank, and .metadata, which is there when all else is.

Files are written under the names that they keep, and none of them is one that an older checkpoint in the folder has; that
one's files go when the new .metadata has taken the place of the old.
"""

from __future__ import annotations

import dataclasses
import io
import os
import pathlib
import pickle
import uuid
from collections.abc import Sequence
from enum import Enum

import torch
from torch._absent import rest_of
from torch.distributed.checkpoint.metadata import Metadata, StorageMeta
from torch.distributed.checkpoint.planner import LoadItemType, WriteItemType
from torch.distributed.checkpoint.storage import StorageReader, StorageWriter, WriteResult

__all__ = ["FileSystemReader", "FileSystemWriter", "SerializationFormat"]
_METADATA = ".metadata"
_VERSION = "1.0.0"


class SerializationFormat(Enum):
    """How items are written."""

    TORCH_SAVE = "torch_save"
    SAFETENSORS = "safetensors"


@dataclasses.dataclass
class _StorageInfo:
    """Where an item is."""

    relative_path: str
    offset: int
    length: int
    transform_descriptors: Sequence[str] | None = None

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if value is not None}


@dataclasses.dataclass
class _StoragePrefix:
    """What a rank's files are named by."""

    prefix: str


def _done(value):
    future = torch.futures.Future()
    future.set_result(value)
    return future


def _is_path(checkpoint_id):
    return isinstance(checkpoint_id, os.PathLike) or (isinstance(checkpoint_id, str) and "://" not in checkpoint_id)


def _sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class _OfAFolder:
    """What a writer and a reader of the folder `path` say of it."""

    @property
    def checkpoint_id(self):
        """The folder."""
        return self.path

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id) -> bool:
        """Whether it is a path."""
        return _is_path(checkpoint_id)


class FileSystemWriter(_OfAFolder, StorageWriter):
    """Writes into a folder, which is made.

    Args:
        path: the folder.
        sync_files: files are on the disk when the checkpoint is there.
        overwrite: False: RuntimeError where the folder has a checkpoint.
        single_file_per_rank, thread_count, per_thread_copy_ahead, cache_staged_state_dict: PyTorch's; a rank writes one file.
    """

    def __init__(
        self,
        path,
        single_file_per_rank: bool = True,
        sync_files: bool = True,
        thread_count: int = 1,
        per_thread_copy_ahead: int = 10_000_000,
        cache_staged_state_dict: bool = False,
        overwrite: bool = True,
        _extensions=None,
        serialization_format: SerializationFormat = SerializationFormat.TORCH_SAVE,
    ):
        if serialization_format != SerializationFormat.TORCH_SAVE or _extensions:
            raise NotImplementedError("checkpoints are written by torch.save() alone, without extensions")
        self.path, self.sync_files, self.overwrite = pathlib.Path(path), sync_files, overwrite
        self.save_id, self._written = str(uuid.uuid4()), None

    def reset(self, checkpoint_id=None) -> None:
        """A new checkpoint begins."""
        if checkpoint_id:
            self.path = pathlib.Path(checkpoint_id)
        self.save_id, self._written = str(uuid.uuid4()), None

    def set_up_storage_writer(self, is_coordinator: bool, *args, **kwargs) -> None:
        """Makes the folder. RuntimeError: there is a checkpoint that is not to be overwritten."""
        self.path.mkdir(parents=True, exist_ok=True)
        if not self.overwrite and (self.path / _METADATA).exists():
            raise RuntimeError(f"{self.path} has a checkpoint, and overwrite is False")

    def prepare_local_plan(self, plan):
        """The plan itself."""
        return plan

    def prepare_global_plan(self, plans):
        """Names of files that the folder does not have."""
        taken = {each.name for each in self.path.iterdir()}
        prefix = "__"
        if any(f"__{rank}_0.distcp" in taken for rank in range(len(plans))):
            prefix = f"__{self.save_id[:8]}_"
        return [
            dataclasses.replace(plan, storage_data=_StoragePrefix(f"{prefix}{rank}_"))
            for rank, plan in enumerate(plans)
        ]

    def write_data(self, plan, planner):
        """Writes the rank's file; what cannot be written whole is removed."""
        if not plan.items:
            return _done([])
        name = f"{plan.storage_data.prefix}0.distcp"
        path, results = self.path / name, []
        self._written = path
        items = sorted(plan.items, key=lambda item: item.type != WriteItemType.BYTE_IO)
        try:
            with open(path, "wb") as stream:
                for item in items:
                    data = planner.resolve_data(item)
                    if isinstance(data, torch.Tensor):
                        text = io.BytesIO()
                        # A view would bring its whole storage along.
                        torch.save(data.cpu().clone(memory_format=torch.contiguous_format), text)
                        data = text
                    begin = stream.tell()
                    with data.getbuffer() as written:
                        stream.write(written)
                        size = len(written)
                    results.append(WriteResult(item.index, size, _StorageInfo(name, begin, size)))
                stream.flush()
                if self.sync_files:
                    os.fsync(stream.fileno())
        except BaseException:
            self.abandon()
            raise
        return _done(results)

    def abandon(self):
        """Removes what this rank has written: the checkpoint does not come about."""
        if self._written is not None:
            self._written.unlink(missing_ok=True)

    def finish(self, metadata, results) -> None:
        """.metadata takes the place of an older one; then files that only that one had are removed."""
        metadata = dataclasses.replace(metadata, version=_VERSION)
        metadata.storage_data = {result.index: result.storage_data for part in results for result in part}
        metadata.storage_meta = self.storage_meta()
        path, temporary = self.path / _METADATA, self.path / f"{_METADATA}.tmp"
        before = _files_of(path)
        try:
            with open(temporary, "wb") as stream:
                pickle.dump(metadata, stream)
                stream.flush()
                if self.sync_files:
                    os.fsync(stream.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        if self.sync_files:
            _sync(self.path)
        for name in before - {info.relative_path for info in metadata.storage_data.values()}:
            if os.sep not in name:
                (self.path / name).unlink(missing_ok=True)

    def storage_meta(self) -> StorageMeta:
        """Which checkpoint it is."""
        # A str: Python 3.13 pickles paths by a name that older ones do not have.
        return StorageMeta(checkpoint_id=str(self.path), save_id=self.save_id)


def _files_of(path):
    """The names of the files of the checkpoint that a .metadata describes; none where it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return {info.relative_path for info in pickle.load(stream).storage_data.values()}
    except Exception:
        return set()


class FileSystemReader(_OfAFolder, StorageReader):
    """Reads from a folder."""

    def __init__(self, path, _extension_registry=None):
        self.path, self.storage_data = pathlib.Path(path), {}

    def reset(self, checkpoint_id=None) -> None:
        """Another checkpoint; None: the last one."""
        self.storage_data = {}
        if checkpoint_id:
            self.path = pathlib.Path(checkpoint_id)

    def read_metadata(self, *args, **kwargs) -> Metadata:
        """What it has. FileNotFoundError: there is none, or one that was not finished."""
        with open(self.path / _METADATA, "rb") as stream:
            metadata = pickle.load(stream)
        if metadata.storage_meta is None:
            metadata.storage_meta = StorageMeta()
        return metadata

    def set_up_storage_reader(self, metadata, is_coordinator: bool, *args, **kwargs) -> None:
        """Takes where things are."""
        self.storage_data = metadata.storage_data

    def prepare_local_plan(self, plan):
        """The plan itself."""
        return plan

    def prepare_global_plan(self, plans):
        """The plans themselves."""
        return plans

    def read_data(self, plan, planner):
        """Reads items file by file, in the order in which they lie; a box that is read in parts is loaded once."""
        found = sorted(
            ((self.storage_data[item.storage_index], item) for item in plan.items),
            key=lambda pair: (pair[0].relative_path, pair[0].offset),
        )
        last = tensor = stream = None
        try:
            for info, item in found:
                if getattr(info, "transform_descriptors", None):
                    raise NotImplementedError(f"{self.path}: extensions {info.transform_descriptors} are not known")
                if last is None or last.relative_path != info.relative_path:
                    if stream is not None:
                        stream.close()
                    stream = open(self.path / info.relative_path, "rb")  # noqa: SIM115 - closed below
                if last is not info:
                    stream.seek(info.offset)
                    found_bytes = stream.read(info.length)
                    text = io.BytesIO(found_bytes)
                    if len(found_bytes) != info.length:
                        raise EOFError(f"{info.relative_path} ends before the {info.length} bytes at {info.offset}")
                    tensor = None
                last = info
                if item.type == LoadItemType.BYTE_IO:
                    planner.load_bytes(item, text)
                    continue
                if tensor is None:
                    tensor = torch.load(text, map_location="cpu", weights_only=True)
                part, target = tensor, planner.resolve_tensor(item)
                for dim, (at, count) in enumerate(zip(item.storage_offsets, item.lengths)):
                    part = part.narrow(dim, at, count)
                if target.shape != part.shape:
                    raise ValueError(f"{item.storage_index.fqn}: {list(part.shape)} do not fit {list(target.shape)}")
                target.copy_(part)
                planner.commit_tensor(item, target)
        finally:
            if stream is not None:
                stream.close()
        return _done(None)


__getattr__, __dir__ = rest_of(__name__)
