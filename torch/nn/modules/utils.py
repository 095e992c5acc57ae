"""One number for every dimension."""

import collections.abc
import itertools
from typing import Any


def _ntuple(n, name="parse"):
    def parse(x):
        return tuple(x) if isinstance(x, collections.abc.Iterable) else tuple(itertools.repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Takes a prefix from all keys of a state dict that have it, and from those of its metadata, in place."""
    for key in list(state_dict.keys()):
        if key.startswith(prefix):
            state_dict[key.removeprefix(prefix)] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is None:
        return
    for key in list(metadata.keys()):
        if len(key) == 0:
            continue
        if key == prefix.rstrip(".") or key.startswith(prefix):
            # the module that the prefix names is the whole now, which has an entry of its own
            new = key.removeprefix(prefix) if key.startswith(prefix) else ""
            metadata[new] = metadata.pop(key)
