"""Small things for programs that start processes."""

from torch._absent import rest_of
from torch.distributed.elastic.utils.api import get_env_variable_or_raise, get_socket_with_port, macros

__all__ = ["get_env_variable_or_raise", "get_socket_with_port", "macros"]
__getattr__, __dir__ = rest_of(__name__)
