"""Data of runs that are interrupted."""

from torch._absent import rest_of
from torch.distributed.elastic.utils.data.cycling_iterator import CyclingIterator
from torch.distributed.elastic.utils.data.elastic_distributed_sampler import ElasticDistributedSampler

__all__ = ["CyclingIterator", "ElasticDistributedSampler"]
__getattr__, __dir__ = rest_of(__name__)
