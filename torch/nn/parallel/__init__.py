"""One module on several devices: a batch is divided, every device has a copy of the module and a part."""

from torch.nn.parallel import comm
from torch.nn.parallel.data_parallel import DataParallel, data_parallel
from torch.nn.parallel.parallel_apply import parallel_apply
from torch.nn.parallel.replicate import replicate
from torch.nn.parallel.scatter_gather import gather, scatter

__all__ = [
    "DataParallel",
    "DistributedDataParallel",
    "comm",
    "data_parallel",
    "gather",
    "parallel_apply",
    "replicate",
    "scatter",
]


def __getattr__(name):
    if name in ("DistributedDataParallel", "distributed"):  # loads what few programs need
        import importlib

        module = importlib.import_module("torch.nn.parallel.distributed")
        return module if name == "distributed" else module.DistributedDataParallel
    from torch._absent import rest_of

    return rest_of(__name__)[0](name)


def __dir__():
    return sorted({*globals(), *__all__})
