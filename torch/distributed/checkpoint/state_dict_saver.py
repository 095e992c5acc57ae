"""save() and async_save()."""

from __future__ import annotations

import concurrent.futures
import copy
import sys
import threading
from enum import Enum

import torch
from torch._absent import rest_of
from torch.distributed.checkpoint._ranks import Ranks
from torch.distributed.checkpoint.default_planner import DefaultSavePlanner
from torch.distributed.checkpoint.filesystem import FileSystemWriter
from torch.distributed.checkpoint.stateful import Stateful

__all__ = ["AsyncCheckpointerType", "async_save", "save", "save_state_dict"]


class AsyncCheckpointerType(Enum):
    """What async_save() writes by; a thread here."""

    THREAD = "thread"
    PROCESS = "process"


def _states(state_dict):
    return {
        name: value.state_dict() if not isinstance(value, torch.Tensor) and isinstance(value, Stateful) else value
        for name, value in state_dict.items()
    }


def _writer(storage_writer, checkpoint_id):
    if storage_writer is None:
        if checkpoint_id is None:
            raise ValueError("checkpoint_id or storage_writer must say where the checkpoint goes")
        return FileSystemWriter(checkpoint_id)
    storage_writer.reset(checkpoint_id)
    return storage_writer


def save(state_dict, *, checkpoint_id=None, storage_writer=None, planner=None, process_group=None, no_dist=False,
         use_collectives=True):  # fmt: skip
    """Writes a checkpoint; all ranks of the group call this, each with what it has. Returns its Metadata.

    Args:
        state_dict: names to tensors, DTensors, dicts and lists of those, other values, and what has state_dict().
        checkpoint_id: a folder.
        storage_writer, planner: FileSystemWriter(checkpoint_id) and DefaultSavePlanner() otherwise.
        no_dist: this process alone writes it.

    An older checkpoint in the folder stays whole until the new one is. CheckpointException: ranks failed; nothing is left.
    """
    return _save(_states(state_dict), _writer(storage_writer, checkpoint_id), planner, process_group, 0, no_dist)


def _save(state_dict, writer, planner, group, coordinator, alone):
    ranks = Ranks(group, coordinator, alone)
    planner = planner or DefaultSavePlanner()

    def local():
        planner.set_up_planner(state_dict, writer.storage_meta(), ranks.leads)
        writer.set_up_storage_writer(ranks.leads)
        return writer.prepare_local_plan(planner.create_local_plan())

    plans = ranks.every("planning", local)

    def whole():
        decided, metadata = planner.create_global_plan(plans)
        return writer.prepare_global_plan(decided), metadata

    decided, metadata = ranks.lead("planning", whole)

    def write():
        return writer.write_data(planner.finish_plan(decided[ranks.rank]), planner).wait()

    try:
        results = ranks.every("writing", write)
        ranks.lead("finishing", lambda: writer.finish(metadata, results))
    except BaseException:
        getattr(writer, "abandon", lambda: None)()
        raise
    return metadata


def save_state_dict(state_dict, storage_writer, process_group=None, coordinator_rank=0, no_dist=False, planner=None):
    """save() by the name that it had."""
    storage_writer.reset()
    return _save(_states(state_dict), storage_writer, planner, process_group, coordinator_rank, no_dist)


def _copied(value):
    """The value as it is now."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(_copied(each) for each in value)
    return copy.deepcopy(value)


def async_save(state_dict, *, checkpoint_id=None, storage_writer=None, planner=None, process_group=None,
               async_checkpointer_type=AsyncCheckpointerType.THREAD, async_stager=None, no_dist=False,
               use_collectives=True):  # fmt: skip
    """save() of what there is now, by a thread: returns a concurrent.futures.Future of its Metadata.

    Ranks' threads speak in process_group, so nobody else may meanwhile: give it a group of its own. Writing is by a thread
    for AsyncCheckpointerType.PROCESS, too; async_stager is PyTorch's.
    """
    staged, writer = _copied(_states(state_dict)), _writer(storage_writer, checkpoint_id)
    future = concurrent.futures.Future()
    future.set_running_or_notify_cancel()

    def write():
        try:
            future.set_result(_save(staged, writer, planner, process_group, 0, no_dist))
        except BaseException:
            future.set_exception(sys.exc_info()[1])

    threading.Thread(target=write, name="checkpoint").start()
    return future


__getattr__, __dir__ = rest_of(__name__)
