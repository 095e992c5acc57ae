"""Means in groups of growing size: of near ranks often, of all seldom."""

from __future__ import annotations

from torch.distributed._world import default_group, new_subgroups
from torch.distributed.algorithms.model_averaging import averagers, utils

__all__ = ["HierarchicalModelAverager"]


class HierarchicalModelAverager(averagers.ModelAverager):
    """period_group_size_dict: {period: ranks of a group}, both growing, each a divisor of the next; the last one is of all
    ranks. In a step whose number several periods divide, the greatest one counts. ValueError: they do not fit."""

    def __init__(self, period_group_size_dict=None, warmup_steps=0, process_group=None):
        super().__init__(process_group)
        if not period_group_size_dict:
            raise ValueError("period_group_size_dict must name at least one period")
        self._periods = list(period_group_size_dict)
        sizes = list(period_group_size_dict.values())
        if self._periods[0] < 1:
            raise ValueError(f"periods must be at least 1, not {self._periods[0]}")
        for what, values in (("periods", self._periods), ("sizes of groups", sizes)):
            for a, b in zip(values, values[1:]):
                if b <= a or b % a:
                    raise ValueError(f"{what} must grow, each a multiple of the one before: {values}")
        if warmup_steps < 0:
            raise ValueError(f"warmup_steps must not be negative: {warmup_steps}")
        whole = self.process_group if process_group is not None else default_group()
        if sizes[-1] != whole.size():
            raise ValueError(f"the last group must be of all {whole.size()} ranks, not of {sizes[-1]}")
        self.period_process_group_dict = {
            period: whole if size == whole.size() else new_subgroups(group_size=size, group=process_group)[0]
            for period, size in period_group_size_dict.items()
        }
        self.warmup_steps = warmup_steps

    def _find_process_group(self):
        for period in reversed(self._periods):
            if self.step % period == 0:
                return self.period_process_group_dict[period]
        return None

    def average_parameters(self, params):
        """One step: a mean in the group whose turn it is."""
        if self.step >= self.warmup_steps:
            group = self._find_process_group()
            if group is not None:
                utils.average_parameters_or_parameter_groups(params, group)
        self.step += 1
