"""How processes find each other: a URL to (store, rank, world_size).

env://                          MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE of the environment
tcp://HOST:PORT?rank=&world_size=   a store that rank 0 serves there
file:///PATH?rank=&world_size=      a store in a file that all processes can open
"""

from __future__ import annotations

import os
import urllib.parse

from torch._absent import rest_of
from torch.distributed.constants import default_pg_timeout

__all__ = ["register_rendezvous_handler", "rendezvous"]

_handlers = {}


def register_rendezvous_handler(scheme, handler):
    """handler(url, **kwargs) serves URLs that begin with `scheme`: an iterator of (store, rank, world_size)."""
    if scheme in _handlers:
        raise RuntimeError(f"there is a rendezvous handler for {scheme}:// already")
    _handlers[scheme] = handler


def rendezvous(url: str, rank: int = -1, world_size: int = -1, **kwargs):
    """Yields (store, rank, world_size) of a URL. rank and world_size, where given, go before what the URL says.

    RuntimeError: the scheme has no handler. ValueError: what a scheme needs is not there.
    """
    if not isinstance(url, (str, bytes)):
        raise RuntimeError(f"a rendezvous is at a URL, a str, not {url!r}")
    parts = urllib.parse.urlparse(url)
    if parts.scheme not in _handlers:
        raise RuntimeError(f"No rendezvous handler for {parts.scheme}://; there are: {', '.join(sorted(_handlers))}")
    query = dict(urllib.parse.parse_qsl(parts.query))
    if rank != -1:
        query["rank"] = str(rank)
    if world_size != -1:
        query["world_size"] = str(world_size)
    url = parts._replace(query=urllib.parse.urlencode(query)).geturl()
    return _handlers[parts.scheme](url, **kwargs)


def _query(url, *names):
    """(parts of the URL, the query's numbers of these names)"""
    parts = urllib.parse.urlparse(url)
    said = dict(urllib.parse.parse_qsl(parts.query))
    numbers = []
    for name in names:
        if name not in said:
            raise ValueError(f"{parts.scheme}:// rendezvous: the URL lacks {name}")
        numbers.append(_number(said[name], name, parts.scheme))
    return parts, numbers


def _number(text, name, scheme):
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{scheme}:// rendezvous: {name} is no number: {text!r}") from None


def fitting(rank, world_size):
    """(rank, world_size), if there can be such a rank: asked before anybody is waited for."""
    if not 0 <= rank < world_size:
        raise ValueError(f"rank must be 0 to world_size - 1, not {rank} of {world_size}")
    return rank, world_size


def _served(host, port, rank, world_size, timeout):
    """The store that rank 0 serves; torchrun serves it itself where it says so."""
    from torch.distributed import PrefixStore, TCPStore

    if not 0 <= port < 2**16:
        raise ValueError(f"a port is a number from 0 to 65535, not {port}")
    agent = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    store = TCPStore(host, port, world_size, rank == 0 and not agent, timeout, multi_tenant=True)
    if not agent:
        return store
    # The agent's store may outlive a restart: each attempt has keys of its own.
    return PrefixStore(f"worker/attempt_{os.environ.get('TORCHELASTIC_RESTART_COUNT', '0')}", store)


def _env(url, timeout=default_pg_timeout, **_kwargs):
    said = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(url).query))

    def of(name, key=None):
        if key and key in said:
            return said[key]
        value = os.environ.get(name)
        if value is None:
            raise ValueError(f"env:// rendezvous: the environment variable {name} is not set")
        return value

    rank = _number(of("RANK", "rank"), "RANK", "env")
    world_size = _number(of("WORLD_SIZE", "world_size"), "WORLD_SIZE", "env")
    fitting(rank, world_size)
    host, port = of("MASTER_ADDR"), _number(of("MASTER_PORT"), "MASTER_PORT", "env")
    yield _served(host, port, rank, world_size, timeout), rank, world_size
    raise RuntimeError("env:// leads to one rendezvous")


def _tcp(url, timeout=default_pg_timeout, **_kwargs):
    parts, (rank, world_size) = _query(url, "rank", "world_size")
    if parts.port is None:
        raise ValueError("tcp:// rendezvous: the URL lacks a port")
    fitting(rank, world_size)
    yield _served(parts.hostname, parts.port, rank, world_size, timeout), rank, world_size
    raise RuntimeError("tcp:// leads to one rendezvous")


def _file(url, **_kwargs):
    from torch.distributed import FileStore

    parts, (rank, world_size) = _query(url, "rank", "world_size")
    if not parts.path:
        raise ValueError("file:// rendezvous: the URL lacks a path")
    fitting(rank, world_size)
    yield FileStore(urllib.parse.unquote(parts.path), world_size), rank, world_size
    raise RuntimeError("file:// leads to one rendezvous")


register_rendezvous_handler("env", _env)
register_rendezvous_handler("tcp", _tcp)
register_rendezvous_handler("file", _file)

__getattr__, __dir__ = rest_of(__name__)
