"""Pipes of which every worker, and every process of a group, has its own items."""

import enum

from .._checks import length
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe


class SHARDING_PRIORITIES(enum.IntEnum):
    """Whom a pipe is divided among: the groups of processes first, then each one's workers."""

    DEFAULT = 1
    DISTRIBUTED = 2
    MULTIPROCESSING = 3


class _ShardingIterDataPipe(IterDataPipe):
    """What is told its part."""

    def apply_sharding(self, num_of_instances, instance_id, sharding_group):
        raise NotImplementedError


@functional_datapipe("sharding_filter")
class ShardingFilterIterDataPipe(_ShardingIterDataPipe):
    """Every num_of_instances-th item from instance_id on, as apply_sharding() has told; all of them before. A DataLoader tells
    each worker its own part. sharding_group_filter: the one group whose parts count."""

    def __init__(self, source_datapipe, sharding_group_filter=None):
        self.source_datapipe = source_datapipe
        self.sharding_group_filter = sharding_group_filter
        self.groups = {}
        self._update_num_of_instances()

    def apply_sharding(self, num_of_instances, instance_id, sharding_group=SHARDING_PRIORITIES.DEFAULT):
        """This is number instance_id of num_of_instances, in a group. ValueError for a number that is too large,
        RuntimeError for the default group beside others."""
        if instance_id >= num_of_instances:
            raise ValueError(f"instance_id({instance_id}) should be smaller than num_of_instances({num_of_instances})")
        default = SHARDING_PRIORITIES.DEFAULT
        if any((group == default) != (sharding_group == default) for group in self.groups):
            raise RuntimeError("ShardingFilter cannot mix DEFAULT and non DEFAULT groups")
        self.groups[sharding_group] = (num_of_instances, instance_id)
        self._update_num_of_instances()

    def _update_num_of_instances(self):
        # A number of several digits, the first group's being the highest.
        self.num_of_instances, self.instance_id = 1, 0
        for group in sorted(self.groups):
            if self.sharding_group_filter is None or group == self.sharding_group_filter:
                count, number = self.groups[group]
                self.instance_id = self.instance_id * count + number
                self.num_of_instances *= count

    def __iter__(self):
        for i, item in enumerate(self.source_datapipe):
            if i % self.num_of_instances == self.instance_id:
                yield item

    def __len__(self):
        whole, rest = divmod(length(self.source_datapipe, self), self.num_of_instances)
        return whole + (self.instance_id < rest)
