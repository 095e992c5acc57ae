"""Which pipes a pipe is made of."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from torch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe

__all__ = ["traverse", "traverse_dps"]


def _pipes_in(value):
    """The pipes in an attribute: itself, or what containers hold."""
    if isinstance(value, (IterDataPipe, MapDataPipe)):
        yield value
    elif isinstance(value, Mapping):
        for part in (*value.keys(), *value.values()):
            yield from _pipes_in(part)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for part in value:
            yield from _pipes_in(part)


def traverse_dps(datapipe):
    """{id(pipe): (pipe, the same of the pipes that its attributes hold)}. RuntimeError for what is no pipe."""
    if not isinstance(datapipe, (IterDataPipe, MapDataPipe)):
        raise RuntimeError(f"Expected `IterDataPipe` or `MapDataPipe`, but {type(datapipe)} is found")
    return _traverse(datapipe, set())


def _traverse(pipe, above):
    if id(pipe) in above:
        return {}
    above = above | {id(pipe)}
    below = {}
    for value in vars(pipe).values():
        for part in _pipes_in(value):
            below.update(_traverse(part, above))
    return {id(pipe): (pipe, below)}


def traverse(datapipe, only_datapipe: bool | None = None):
    """traverse_dps(datapipe), with a warning that this name is deprecated."""
    warnings.warn(
        "`traverse` function is deprecated and will be removed after 1.13. Please use `traverse_dps` instead.",
        FutureWarning,
        stacklevel=2,
    )
    return traverse_dps(datapipe)
