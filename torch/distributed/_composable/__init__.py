"""The name that fully_shard() had first."""

from torch._absent import rest_of
from torch.distributed.fsdp import fully_shard

__all__ = ["fully_shard"]
__getattr__, __dir__ = rest_of(__name__)
