"""One module on several devices: a batch is divided, every device has a copy of the module and a part."""

from torch.nn.parallel import comm
from torch.nn.parallel.data_parallel import DataParallel, data_parallel
from torch.nn.parallel.parallel_apply import parallel_apply
from torch.nn.parallel.replicate import replicate
from torch.nn.parallel.scatter_gather import gather, scatter

__all__ = ["DataParallel", "comm", "data_parallel", "gather", "parallel_apply", "replicate", "scatter"]
