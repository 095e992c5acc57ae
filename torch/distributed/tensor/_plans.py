"""How arguments of one call have to lie, in letters as of einsum: each dimension of an argument or a result that may be
split has one, dimensions with the same letter are split alike, and a letter that no result has is joined by the plan's
reduction. Of all ways that a plan allows that one is taken which moves the fewest elements."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from torch.distributed.tensor._dtensor_spec import parts_by_later
from torch.distributed.tensor.placement_types import Partial, Replicate, Shard, _StridedShard


@dataclasses.dataclass
class Plan:
    """What _rules.py makes of one call."""

    ins: list[tuple]  # a letter or None for each dimension of each tensor that is given
    outs: list[tuple]
    reduce: str | None = None  # how terms are joined that are made by splitting a letter no result has
    additive: bool = False  # of terms of all arguments the results are terms
    linear: tuple[int, ...] = ()  # of terms of one of these arguments, the others being whole, the results are terms
    even: dict[Any, tuple[int, ...]] = dataclasses.field(
        default_factory=dict
    )  # letters split into equal parts alone: sizes
    arguments: Callable | None = None  # (args, kwargs, mesh, results, wanted) -> those of the call on parts
    function: Callable | None = None  # called on parts, instead of the one that was called


def whole(tensors):
    """Of what has no rule: everything is whole."""
    return Plan([(None,) * t.dim() for t in tensors], [])


# ---- the choice ------------------------------------------------------------------------------------------------------
def _cost(now, wanted, numel):
    if now == wanted:
        return 0.0
    if now.is_replicate():
        return 0.01 * numel
    if now.is_shard():
        return float("inf") if wanted.is_partial() else numel * (0.9 if wanted.is_shard() else 1.0)
    return float("inf") if wanted.is_partial() else numel * (1.0 if wanted.is_shard() else 2.0)


def _candidates(plan):
    n, m = len(plan.ins), len(plan.outs)
    yield (Replicate(),) * n, (Replicate(),) * m, None
    letters = dict.fromkeys(letter for term in plan.ins for letter in term if letter is not None)
    for letter in letters:
        missing = [letter not in term for term in plan.outs]
        if any(missing) and plan.reduce is None:
            continue
        ins = tuple(Shard(term.index(letter)) if letter in term else Replicate() for term in plan.ins)
        outs = tuple(Shard(t.index(letter)) if letter in t else Partial(plan.reduce) for t in plan.outs)
        yield ins, outs, letter
    for op in ("sum", "avg"):
        if plan.additive:
            yield (Partial(op),) * n, (Partial(op),) * m, None
        for k in plan.linear:
            yield tuple(Partial(op) if j == k else Replicate() for j in range(n)), (Partial(op),) * m, None


def choose(plan, specs, i, mesh, fixed=None):
    """(placements of the arguments, of the results, letter) along dimension i of the mesh."""
    best, least = None, float("inf")
    split = fixed is not None or any(s.placements[i].is_shard() for s in specs)  # nothing is split that was not
    for ins, outs, letter in _candidates(plan):
        if letter is not None and not split:
            continue
        if fixed is not None and (ins[0] != fixed or any(o != fixed for o in outs)):
            continue
        cost = sum(_cost(s.placements[i], p, max(s.shape.numel(), 1)) for s, p in zip(specs, ins))
        if cost < least:
            best, least = (ins, outs, letter), cost
    return best or next(_candidates(plan))


def even(plan, specs, choice, mesh):
    """The choice without letters whose parts would be of several sizes, where these must not be."""
    for letter, sizes in plan.even.items():
        parts = 1
        for i, (_, _, chosen) in enumerate(choice):
            if chosen == letter:
                parts *= mesh.size(i)
        if any(size % parts for size in sizes):
            choice = [next(_candidates(plan)) if c[2] == letter else c for c in choice]
    return choice


# ---- parts of parts, where a later dimension of the mesh splits first ------------------------------------------------------
def unstrided(spec):
    """The spec with Shards alone, by which a choice is made."""
    if not any(isinstance(p, _StridedShard) for p in spec.placements):
        return spec
    return spec._replace(placements=tuple(Shard(p.dim) if p.is_shard() else p for p in spec.placements))


def strided(ways, specs, mesh):
    """Ways to lie that were chosen by unstrided() specs, as `specs` do: a letter is split in one order everywhere."""
    first = [i for i in range(mesh.ndim) if any(isinstance(s.placements[i], _StridedShard) for s in specs)]
    for way in ways:
        for i in first:
            factor = parts_by_later(way, i, mesh) if way[i].is_shard() else 1
            if factor > 1:
                way[i] = _StridedShard(way[i].dim, split_factor=factor)
