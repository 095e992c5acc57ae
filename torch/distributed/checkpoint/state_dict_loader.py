"""load()."""

from __future__ import annotations

import torch
from torch._absent import rest_of
from torch.distributed.checkpoint._ranks import Ranks
from torch.distributed.checkpoint.default_planner import DefaultLoadPlanner, _EmptyStateDictLoadPlanner
from torch.distributed.checkpoint.filesystem import FileSystemReader
from torch.distributed.checkpoint.stateful import Stateful

__all__ = ["load", "load_state_dict"]


def load(state_dict, *, checkpoint_id=None, storage_reader=None, planner=None, process_group=None, no_dist=False):
    """Fills a state dict from a checkpoint; all ranks of the group call this, each with the parts that it wants.

    Tensors are filled in place, whichever ranks wrote them and however they were divided; other values are replaced. What
    has load_state_dict() gets its entry. CheckpointException: an entry is lacking, its size differs, or it cannot be read.
    """
    if storage_reader is None:
        if checkpoint_id is None:
            raise ValueError("checkpoint_id or storage_reader must say where the checkpoint is")
        storage_reader = FileSystemReader(checkpoint_id)
    else:
        storage_reader.reset(checkpoint_id)
    stateful = {
        name: value
        for name, value in state_dict.items()
        if not isinstance(value, torch.Tensor) and isinstance(value, Stateful)
    }
    filled = {name: value.state_dict() if name in stateful else value for name, value in state_dict.items()}
    _load_state_dict(filled, storage_reader, process_group, 0, no_dist, planner)
    for name, value in filled.items():
        if name in stateful:
            stateful[name].load_state_dict(value)
        else:
            state_dict[name] = value


def _load_state_dict(state_dict, storage_reader, process_group=None, coordinator_rank=0, no_dist=False, planner=None):
    ranks = Ranks(process_group, coordinator_rank, no_dist)
    planner = planner or DefaultLoadPlanner()

    def local():
        metadata = storage_reader.read_metadata()
        planner.set_up_planner(state_dict, metadata, ranks.leads)
        storage_reader.set_up_storage_reader(metadata, ranks.leads)
        return storage_reader.prepare_local_plan(planner.create_local_plan())

    plans = ranks.every("planning", local)
    decided = ranks.lead("planning", lambda: storage_reader.prepare_global_plan(planner.create_global_plan(plans)))

    def read():
        storage_reader.read_data(planner.finish_plan(decided[ranks.rank]), planner).wait()

    ranks.every("reading", read)


def load_state_dict(state_dict, storage_reader, process_group=None, coordinator_rank=0, no_dist=False, planner=None):
    """load() by the name that it had."""
    storage_reader.reset()
    _load_state_dict(state_dict, storage_reader, process_group, coordinator_rank, no_dist, planner)


def _load_state_dict_from_keys(keys=None, *, checkpoint_id=None, storage_reader=None, process_group=None):
    """What a checkpoint has, or its entries whose names begin with those of `keys`, as a new state dict of plain tensors."""
    reader = storage_reader or FileSystemReader(checkpoint_id)
    keys = [keys] if isinstance(keys, str) else keys
    state_dict = {}
    _load_state_dict(state_dict, reader, process_group, planner=_EmptyStateDictLoadPlanner(keys))
    return state_dict


__getattr__, __dir__ = rest_of(__name__)
