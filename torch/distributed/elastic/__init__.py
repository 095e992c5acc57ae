"""What torchrun is made of, for programs that start processes themselves: torch.distributed.launcher does it from Python,
elastic.multiprocessing starts processes of one machine, and elastic.multiprocessing.errors writes down why one failed."""

from torch._absent import rest_of

__getattr__, __dir__ = rest_of(__name__)
