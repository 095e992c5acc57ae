"""What ranks do together for a checkpoint: each its part, and one of them the rest."""

from __future__ import annotations

import torch.distributed as dist
from torch.distributed.checkpoint.api import CheckpointException


class Ranks:
    """The ranks of a group, or this process alone."""

    def __init__(self, group, coordinator, alone):
        self.group = group
        self.alone = alone or not dist.is_initialized()
        self.rank = 0 if self.alone else dist.get_rank(group)
        self.size = 1 if self.alone else dist.get_world_size(group)
        self.coordinator = 0 if self.alone or group is None else dist.get_group_rank(group, coordinator)
        if group is None and not self.alone:
            self.coordinator = coordinator
        self.leads = self.rank == self.coordinator

    def every(self, step, function):
        """What the function gives on all ranks, in their order, for all. CheckpointException on all: it raised on some."""
        try:
            mine, failed = function(), None
        except Exception as error:
            mine, failed = None, error
        if self.alone:
            everyone = [(mine, failed)]
        else:
            everyone = [None] * self.size
            dist.all_gather_object(everyone, (mine, _sendable(failed)), self.group)
        failures = {rank: (error, None) for rank, (_, error) in enumerate(everyone) if error is not None}
        if failures:
            raise CheckpointException(step, failures) from failed
        return [value for value, _ in everyone]

    def lead(self, step, function):
        """What the function gives at the coordinator, for all. CheckpointException on all: it raised."""
        return self.every(step, lambda: function() if self.leads else None)[self.coordinator]


def _sendable(error):
    """The exception, or where others could not unpickle it one of its text."""
    import pickle

    if error is None:
        return None
    try:
        return pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
