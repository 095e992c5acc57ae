"""Algorithms of processes: uneven inputs (join), what is sent of gradients (ddp_comm_hooks), averages of modules
(model_averaging)."""

from torch._absent import rest_of

_PLACES = {"Join": "join", "Joinable": "join", "JoinHook": "join"}


def __getattr__(name):
    if name in _PLACES or name in ("join", "ddp_comm_hooks", "model_averaging"):
        import importlib

        module = importlib.import_module(f"torch.distributed.algorithms.{_PLACES.get(name, name)}")
        return getattr(module, name) if name in _PLACES else module
    return rest_of(__name__)[0](name)


def __dir__():
    return sorted({*rest_of(__name__)[1](), *_PLACES})
