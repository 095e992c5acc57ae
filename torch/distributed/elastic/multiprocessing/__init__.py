"""torch.distributed.elastic.multiprocessing: this torch starts no processes. The names are there for whoever imports them."""

from torch._absent import rest_of

__getattr__, __dir__ = rest_of(__name__)
