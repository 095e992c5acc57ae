"""Small things for agents: variables that must be set, sockets, and words in arguments that stand for ranks."""

from __future__ import annotations

import os
import string

from torch._absent import rest_of
from torch.distributed.elastic.utils.distributed import get_socket_with_port

__all__ = ["get_env_variable_or_raise", "get_socket_with_port", "macros"]


def get_env_variable_or_raise(env_name: str) -> str:
    """What the environment says. ValueError: it says nothing of `env_name`."""
    value = os.environ.get(env_name)
    if value is None:
        raise ValueError(f"the environment variable {env_name} is not set")
    return value


class macros:  # noqa: N801 - torch's name
    """Words in a worker's arguments: ${local_rank} becomes its local rank."""

    local_rank = "${local_rank}"

    @staticmethod
    def substitute(args: list, local_rank: str) -> list[str]:
        """Arguments in which the words are replaced; those that are no str stay as they are."""
        return [
            string.Template(arg).safe_substitute(local_rank=local_rank) if isinstance(arg, str) else arg for arg in args
        ]


__getattr__, __dir__ = rest_of(__name__)
