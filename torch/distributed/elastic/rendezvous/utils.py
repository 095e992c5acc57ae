"""Addresses at which agents meet."""

from __future__ import annotations

from torch._absent import rest_of

__all__ = ["parse_rendezvous_endpoint"]


def parse_rendezvous_endpoint(endpoint: str | None, default_port: int) -> tuple[str, int]:
    """(host, port) of "HOST:PORT", "[IPV6]:PORT" or "HOST", with default_port; "localhost" without anything.

    ValueError: it is none of these.
    """
    text = (endpoint or "").strip()
    if not text:
        return "localhost", default_port
    host, colon, port = text, "", ""
    if not text.endswith("]") and text.count(":") == 1 or "]:" in text:
        host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or any(letter.isspace() or letter == "/" for letter in host):
        raise ValueError(f"{endpoint!r} is no address HOST:PORT")
    if colon and not (port.isdecimal() and int(port) < 2**16):
        raise ValueError(f"a port is a number from 0 to 65535, not that of {endpoint!r}")
    return host, int(port) if colon else default_port


__getattr__, __dir__ = rest_of(__name__)
