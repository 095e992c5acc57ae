"""Between checkpoints of many files and those of torch.save()."""

import os

import torch
import torch.distributed as dist
from torch._absent import rest_of
from torch.distributed.checkpoint._nested_dict import flatten_state_dict
from torch.distributed.checkpoint.default_planner import DefaultLoadPlanner, _EmptyStateDictLoadPlanner
from torch.distributed.checkpoint.filesystem import FileSystemReader, FileSystemWriter, _done, _is_path
from torch.distributed.checkpoint.metadata import (
    ChunkStorageMetadata,
    Metadata,
    TensorProperties,
    TensorStorageMetadata,
)
from torch.distributed.checkpoint.planner import LoadItemType
from torch.distributed.checkpoint.state_dict_loader import _load_state_dict
from torch.distributed.checkpoint.state_dict_saver import _save
from torch.distributed.checkpoint.storage import StorageReader

__all__ = ["BroadcastingTorchSaveReader", "DynamicMetaLoadPlanner", "dcp_to_torch_save", "torch_save_to_dcp"]


class BroadcastingTorchSaveReader(StorageReader):
    """Reads a file of torch.save(), on one rank, which sends the others each tensor in turn; with DynamicMetaLoadPlanner.

    The file is unpickled: it must come from who is trusted.
    """

    def __init__(self, checkpoint_id=None, coordinator_rank: int = 0):
        self.checkpoint_id, self.coordinator_rank = checkpoint_id, coordinator_rank

    def reset(self, checkpoint_id=None) -> None:
        """Another file; None: the last one."""
        self.checkpoint_id = checkpoint_id or self.checkpoint_id

    def read_metadata(self) -> Metadata:
        """Nothing: the planner takes what the state dict has."""
        return Metadata({})

    def set_up_storage_reader(self, metadata, is_coordinator: bool) -> None:
        """Which rank reads. ValueError: there is no file."""
        if self.checkpoint_id is None:
            raise ValueError("checkpoint_id says which file is read")
        self.is_coordinator = is_coordinator

    def prepare_local_plan(self, plan):
        """The plan itself."""
        return plan

    def prepare_global_plan(self, plans):
        """The plans themselves."""
        return plans

    def read_data(self, plan, planner):
        """Each tensor of the file for all ranks, which copy the boxes that they need. KeyError: the file lacks one."""
        whole, told = {}, [None]
        if self.is_coordinator:
            whole = flatten_state_dict(torch.load(self.checkpoint_id, map_location="cpu", weights_only=False))[0]
            told = [{k: (v.shape, v.dtype) if isinstance(v, torch.Tensor) else None for k, v in whole.items()}]
        together = dist.is_initialized()
        if together:
            dist.broadcast_object_list(told, src=self.coordinator_rank)
        wanted = {}
        for item in plan.items:
            name = item.storage_index.fqn
            if told[0].get(name) is None:
                raise KeyError(f"the file has no tensor {name!r}")
            if item.type == LoadItemType.BYTE_IO:
                raise RuntimeError(f"{name} is no tensor: only tensors are read so")
            wanted.setdefault(name, []).append(item)
        for name, about in told[0].items():
            if about is None:
                continue
            tensor = whole[name].contiguous() if self.is_coordinator else torch.empty(about[0], dtype=about[1])
            if together:
                dist.broadcast(tensor, src=self.coordinator_rank)
            for item in wanted.get(name, ()):
                part, target = tensor, planner.resolve_tensor(item)
                for dim, (at, count) in enumerate(zip(item.storage_offsets, item.lengths)):
                    part = part.narrow(dim, at, count)
                target.copy_(part)
                planner.commit_tensor(item, target)
        return _done(None)

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id) -> bool:
        """Whether it is a file."""
        return _is_path(checkpoint_id) and os.path.isfile(checkpoint_id)


class DynamicMetaLoadPlanner(DefaultLoadPlanner):
    """Takes what the state dict has for what the checkpoint has."""

    def set_up_planner(self, state_dict, metadata=None, is_coordinator: bool = False) -> None:
        """Takes the state dict, of tensors. ValueError: it has something else."""
        super().set_up_planner(state_dict, metadata, is_coordinator)
        made = {}
        for name, value in self.state_dict.items():
            if not isinstance(value, torch.Tensor):
                raise ValueError(f"{name} is {type(value).__name__}: only tensors are read so")
            box = ChunkStorageMetadata(torch.Size([0] * value.dim()), torch.Size(value.shape))
            properties = TensorProperties(dtype=value.dtype)
            made[name] = TensorStorageMetadata(properties, torch.Size(value.shape), [box])
        self.metadata = Metadata(made)


def dcp_to_torch_save(dcp_checkpoint_dir: str | os.PathLike, torch_save_path: str | os.PathLike) -> None:
    """Writes all that a checkpoint has into one file, as whole tensors; this process needs the memory for it."""
    state_dict = {}
    reader = FileSystemReader(dcp_checkpoint_dir)
    _load_state_dict(state_dict, reader, no_dist=True, planner=_EmptyStateDictLoadPlanner())
    torch.save(state_dict, torch_save_path)


def torch_save_to_dcp(torch_save_path: str | os.PathLike, dcp_checkpoint_dir: str | os.PathLike) -> None:
    """Writes what a file of torch.save() has, a dict, as a checkpoint. It is unpickled: it must come from who is trusted."""
    state_dict = torch.load(torch_save_path, weights_only=False)
    _save(state_dict, FileSystemWriter(dcp_checkpoint_dir), None, None, 0, True)


__getattr__, __dir__ = rest_of(__name__)
