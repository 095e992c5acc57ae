"""Optimisers of several processes: ZeroRedundancyOptimizer, of which each rank keeps a part of the state, and
PostLocalSGDOptimizer, which averages modules. DistributedOptimizer needs torch.distributed.rpc, and is refused."""

from torch._absent import rest_of

_PLACES = {
    "PostLocalSGDOptimizer": "post_localSGD_optimizer",
    "ZeroRedundancyOptimizer": "zero_redundancy_optimizer",
}
__all__ = ["PostLocalSGDOptimizer", "ZeroRedundancyOptimizer"]  # noqa: F822 - by __getattr__


def __getattr__(name):
    from torch.distributed import is_available

    if name in _PLACES and is_available():
        import importlib

        return getattr(importlib.import_module(f"torch.distributed.optim.{_PLACES[name]}"), name)
    return rest_of(__name__)[0](name)


def __dir__():
    return sorted({*rest_of(__name__)[1](), *_PLACES})
