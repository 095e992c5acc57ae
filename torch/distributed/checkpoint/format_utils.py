"""Between checkpoints of many files and those of torch.save()."""

import os

import torch
from torch._absent import rest_of
from torch.distributed.checkpoint.default_planner import _EmptyStateDictLoadPlanner
from torch.distributed.checkpoint.filesystem import FileSystemReader, FileSystemWriter
from torch.distributed.checkpoint.state_dict_loader import _load_state_dict
from torch.distributed.checkpoint.state_dict_saver import _save

__all__ = ["dcp_to_torch_save", "torch_save_to_dcp"]


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
