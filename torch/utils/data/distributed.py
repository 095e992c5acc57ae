"""DistributedSampler: each of several processes sees its own part of a dataset."""

from __future__ import annotations

import itertools
import math

import torch
from torch.utils.data.sampler import Sampler

__all__ = ["DistributedSampler"]


def _group():
    """torch.distributed where this torch has it."""
    import torch.distributed as distributed

    if not distributed.is_available():
        raise RuntimeError(
            "Requires distributed package to be available: this torch was built without it; "
            "give DistributedSampler num_replicas and rank"
        )
    return distributed


class DistributedSampler(Sampler):
    """Every `num_replicas`-th index of `dataset`, from `rank` on; all ranks get equally many.

    num_replicas, rank: the size of the process group and this process's place in it; asked of torch.distributed where
    they are not given.
    shuffle: visit the dataset in the order of a permutation that depends on `seed` and the epoch alone, so that all
    ranks agree on it. Call set_epoch before each pass, or every pass has the same order.
    drop_last: leave out the last indices where the length is no multiple of `num_replicas`; without it the first ones
    are repeated.
    Raises ValueError for a rank out of range, RuntimeError where the group must be asked and there is none."""

    def __init__(
        self,
        dataset,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None:
            num_replicas = _group().get_world_size()
        if rank is None:
            rank = _group().get_rank()
        if not 0 <= rank < num_replicas:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        length = len(dataset)
        self.num_samples = length // num_replicas if drop_last else math.ceil(length / num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self):
        if self.shuffle:
            generator = torch.Generator()
            generator.manual_seed(self.seed + self.epoch)
            order = torch.randperm(len(self.dataset), generator=generator).tolist()
        else:
            order = range(len(self.dataset))
        padded = itertools.cycle(order)  # over again from the start, as often as it takes
        return itertools.islice(padded, self.rank, self.total_size, self.num_replicas)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of the next pass."""
        self.epoch = epoch
