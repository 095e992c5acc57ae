"""Functions of torch.distributed.rpc: this torch has none, and what needs an agent says that there is none."""

import functools

from torch._absent import rest_of


def _require_initialized(func):
    """A function that raises RuntimeError before init_rpc(), and there is no init_rpc() here."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        raise RuntimeError(
            "RPC has not been initialized. Call torch.distributed.rpc.init_rpc first. This torch is built without it."
        )

    return wrapper


def _is_current_rpc_agent_set():
    """Whether the process takes part: no."""
    return False


__getattr__, __dir__ = rest_of(__name__)
