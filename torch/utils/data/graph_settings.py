"""What a DataLoader tells the pipes that its dataset is made of: order, seeds, parts."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import torch
from torch.utils.data.datapipes.iter.sharding import SHARDING_PRIORITIES, _ShardingIterDataPipe
from torch.utils.data.graph import traverse_dps

__all__ = ["apply_random_seed", "apply_sharding", "apply_shuffle_seed", "apply_shuffle_settings", "get_all_graph_pipes"]


def get_all_graph_pipes(graph):
    """The pipes of a graph as traverse_dps() gives it, each once, from the last step to the first."""
    found = {}

    def collect(graph):
        for number, (pipe, below) in graph.items():
            if number not in found:
                found[number] = pipe
                collect(below)

    collect(graph)
    return list(found.values())


def _has(pipe, name):
    return inspect.ismethod(getattr(pipe, name, None))


def apply_sharding(datapipe, num_of_instances: int, instance_id: int, sharding_group=SHARDING_PRIORITIES.DEFAULT):
    """Tells every pipe that is divided which part is this one's. RuntimeError for two of them in one chain. Returns the
    pipe."""

    def apply(graph, above):
        for pipe, below in graph.values():
            divided = isinstance(pipe, _ShardingIterDataPipe) or _has(pipe, "apply_sharding")
            if divided and above is not None:
                raise RuntimeError(
                    "Sharding twice on a single pipeline is likely unintended and will cause data loss. "
                    f"Sharding already applied to {above} while trying to apply to {pipe}"
                )
            if divided:
                arguments = (num_of_instances, instance_id)
                takes_group = len(inspect.signature(pipe.apply_sharding).parameters) > 2
                pipe.apply_sharding(*arguments, **({"sharding_group": sharding_group} if takes_group else {}))
            apply(below, pipe if divided else above)

    apply(traverse_dps(datapipe), None)
    return datapipe


def apply_shuffle_settings(datapipe, shuffle: bool | None = None):
    """Tells every shuffler whether to shuffle; None: nothing. To shuffle what has no shuffler one is added at the end, with a
    warning. Returns the pipe, or the one that was added."""
    if shuffle is None:
        return datapipe
    shufflers = [
        pipe
        for pipe in get_all_graph_pipes(traverse_dps(datapipe))
        if _has(pipe, "set_shuffle") and _has(pipe, "set_seed")
    ]
    if not shufflers and shuffle:
        warnings.warn(
            "`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at the end. Be aware that "
            "the default buffer size might not be sufficient for your task.",
            stacklevel=2,
        )
        datapipe = datapipe.shuffle()
        shufflers = [datapipe]
    for shuffler in shufflers:
        shuffler.set_shuffle(shuffle)
    return datapipe


def apply_shuffle_seed(datapipe, rng: Any):
    """apply_random_seed(datapipe, rng), with a warning that this name is deprecated."""
    warnings.warn(
        "`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. Please use "
        "`apply_random_seed` instead.",
        FutureWarning,
        stacklevel=2,
    )
    return apply_random_seed(datapipe, rng)


def apply_random_seed(datapipe, rng: torch.Generator):
    """Gives every pipe that has set_seed() a number drawn from rng, a torch.Generator. Returns the pipe."""
    for pipe in get_all_graph_pipes(traverse_dps(datapipe)):
        if _has(pipe, "set_seed"):
            pipe.set_seed(int(torch.empty((), dtype=torch.int64).random_(generator=rng).item()))
    return datapipe
