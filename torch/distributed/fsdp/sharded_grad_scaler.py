"""ShardedGradScaler: a GradScaler whose ranks agree on which steps are left out."""

from __future__ import annotations

import torch.distributed as dist
from torch._absent import rest_of
from torch.amp.grad_scaler import GradScaler

__all__ = ["ShardedGradScaler"]


class ShardedGradScaler(GradScaler):
    """As GradScaler: a gradient that is not finite on one rank is one on all of the group, whose parts each rank has."""

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        backoff_factor: float = 0.5,
        growth_factor: float = 2.0,
        growth_interval: int = 2000,
        enabled: bool = True,
        process_group=None,
    ):
        super().__init__(device, init_scale, growth_factor, backoff_factor, growth_interval, enabled)
        self.process_group = process_group

    def _unscale_grads_(self, optimizer, inv_scale, found_inf, allow_fp16=True):
        found = super()._unscale_grads_(optimizer, inv_scale, found_inf, allow_fp16)
        if not found:  # a rank whose parts are empty takes part
            found = {found_inf.device: found_inf.clone()}
        for value in found.values():
            dist.all_reduce(value, dist.ReduceOp.MAX, group=self.process_group)
        return found


__getattr__, __dir__ = rest_of(__name__)
