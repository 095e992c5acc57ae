"""save() and async_save()."""

from __future__ import annotations

import concurrent.futures
import sys
import threading
from dataclasses import dataclass
from enum import Enum

import torch
from torch._absent import rest_of
from torch.distributed.checkpoint._ranks import Ranks
from torch.distributed.checkpoint.default_planner import DefaultSavePlanner
from torch.distributed.checkpoint.filesystem import FileSystemWriter
from torch.distributed.checkpoint.staging import AsyncStager, BlockingAsyncStager
from torch.distributed.checkpoint.stateful import Stateful

__all__ = ["AsyncCheckpointerType", "AsyncSaveResponse", "async_save", "save", "save_state_dict"]


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


@dataclass
class AsyncSaveResponse:
    """What async_save() returns with a stager that copies by itself: Futures of the copy and of the checkpoint."""

    staging_completion: concurrent.futures.Future
    upload_completion: concurrent.futures.Future


def _told(future):
    """A Future of None, done when another one is."""
    told = concurrent.futures.Future()

    def tell(of):
        if of.exception() is None:
            told.set_result(None)
        else:
            told.set_exception(of.exception())

    future.add_done_callback(tell)
    return told


def async_save(state_dict, *, checkpoint_id=None, storage_writer=None, planner=None, process_group=None,
               async_checkpointer_type=AsyncCheckpointerType.THREAD, async_stager=None, no_dist=False,
               use_collectives=True):  # fmt: skip
    """save() of what there is now, by a thread: returns a concurrent.futures.Future of its Metadata.

    Ranks' threads speak in process_group, so nobody else may meanwhile: give it a group of its own. Writing is by a thread
    for AsyncCheckpointerType.PROCESS, too. async_stager: takes the copy that is written; if its stage() gives a Future, an
    AsyncSaveResponse is returned.
    """
    writer = _writer(storage_writer, checkpoint_id)
    if async_stager is None:
        async_stager = storage_writer if isinstance(storage_writer, AsyncStager) else BlockingAsyncStager()
    states = _states(state_dict)
    staged = async_stager.stage(states)
    future = concurrent.futures.Future()
    future.set_running_or_notify_cancel()

    def write():
        try:
            copy = staged.result() if isinstance(staged, concurrent.futures.Future) else staged
            future.set_result(_save(copy, writer, planner, process_group, 0, no_dist))
        except BaseException:
            future.set_exception(sys.exc_info()[1])

    threading.Thread(target=write, name="checkpoint").start()
    if isinstance(staged, concurrent.futures.Future):
        return AsyncSaveResponse(_told(staged), future)
    if async_stager.should_synchronize_after_execute:
        async_stager.synchronize_staging()
    return future


__getattr__, __dir__ = rest_of(__name__)
