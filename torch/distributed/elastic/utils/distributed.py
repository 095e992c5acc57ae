"""Free ports, and a store at one."""

from __future__ import annotations

import datetime
import errno
import socket

from torch._absent import rest_of

__all__ = ["create_c10d_store", "get_free_port", "get_socket_with_port"]


def get_socket_with_port() -> socket.socket:
    """A socket that listens at a free port of this machine; whoever has it closes it.

    OSError: the machine has no loopback address with a free port.
    """
    failure = OSError("this machine has no loopback address")
    for family, kind, protocol, _, _ in socket.getaddrinfo("localhost", None, socket.AF_UNSPEC, socket.SOCK_STREAM):
        made = socket.socket(family, kind, protocol)
        try:
            made.bind(("localhost", 0))
            made.listen(0)
        except OSError as error:
            made.close()
            failure = error
        else:
            return made
    raise failure


def get_free_port():
    """The number of a port that was free a moment ago; another program may take it in between."""
    with get_socket_with_port() as made:
        return made.getsockname()[1]


def create_c10d_store(
    is_server: bool,
    server_addr: str,
    server_port: int = -1,
    world_size: int = 1,
    timeout: float = 60 * 10,
    wait_for_workers: bool = True,
    retries=3,
    use_libuv: bool | None = None,
):
    """A TCPStore: served here (is_server), at a free port where none is given, or somewhere else.

    retries: how often another free port is tried, where the one that was chosen has been taken. ValueError: who does not
    serve must know the port. DistNetworkError: the port is in use, or nobody answers.
    """
    from torch.distributed import DistNetworkError, TCPStore

    if server_port == -1 and not is_server:
        raise ValueError(f"server_port must be given where the store is served elsewhere, at {server_addr}")
    wait = datetime.timedelta(seconds=timeout)
    for left in range(retries if server_port == -1 else 1, 0, -1):
        port = get_free_port() if server_port == -1 else server_port
        try:
            return TCPStore(server_addr, port, world_size, is_server, wait, wait_for_workers)
        except DistNetworkError as error:
            if left == 1 or errno.EADDRINUSE != getattr(error, "errno", errno.EADDRINUSE):
                raise
    raise ValueError(f"retries must be at least 1, not {retries}")


__getattr__, __dir__ = rest_of(__name__)
