"""Means over all ranks in the first steps, then over a small group or none: modules are averaged instead."""

from __future__ import annotations

import torch
from torch.distributed._world import default_group, new_subgroups
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import _allreduce_fut

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]


class PostLocalSGDState:
    """process_group: of the first start_localSGD_iter steps (None: the default group). subgroup: of the later ones (None:
    the ranks of one machine). post_local_gradient_allreduce: whether later ones send anything."""

    def __init__(self, process_group, subgroup, start_localSGD_iter, post_local_gradient_allreduce=True):
        self.process_group, self.subgroup = process_group, subgroup
        self.start_localSGD_iter = start_localSGD_iter
        self.post_local_gradient_allreduce = post_local_gradient_allreduce
        self.iter = 0

    def maybe_increase_iter(self, bucket):
        """Counts a step, with its last bucket."""
        if bucket.is_last():
            self.iter += 1


def post_localSGD_hook(state, bucket):
    """The mean over the state's group of this step."""
    buffer = bucket.buffer()
    early = state.iter < state.start_localSGD_iter
    state.maybe_increase_iter(bucket)
    if early:
        return _allreduce_fut(state.process_group or default_group(), buffer)
    if not state.post_local_gradient_allreduce:
        future = torch.futures.Future()
        future.set_result(buffer)
        return future
    if state.subgroup is None:
        state.subgroup = new_subgroups()[0]
    return _allreduce_fut(state.subgroup, buffer)
