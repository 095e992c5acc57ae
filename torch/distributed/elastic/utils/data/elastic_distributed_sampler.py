"""A sampler that begins in the middle of an epoch, where a run was interrupted."""

from __future__ import annotations

import itertools

import torch
from torch._absent import rest_of
from torch.utils.data.distributed import DistributedSampler

__all__ = ["ElasticDistributedSampler"]


class ElasticDistributedSampler(DistributedSampler):
    """DistributedSampler of the indices of an epoch's order from `start_index` on; ranks get equally many.

    ValueError: start_index is none of the dataset's.
    """

    def __init__(self, dataset, num_replicas: int | None = None, rank: int | None = None, start_index: int = 0):
        super().__init__(dataset, num_replicas=num_replicas, rank=rank)
        if not 0 <= start_index < len(dataset):
            raise ValueError(f"start_index must be 0 to {len(dataset) - 1}, not {start_index}")
        self.start_index = start_index
        self.num_samples = -(-(len(dataset) - start_index) // self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.epoch)
        order = torch.randperm(len(self.dataset) - self.start_index, generator=generator) + self.start_index
        padded = itertools.cycle(order.tolist())  # over again from the start, as often as it takes
        return itertools.islice(padded, self.rank, self.total_size, self.num_replicas)

    def __len__(self):
        return self.num_samples


__getattr__, __dir__ = rest_of(__name__)
