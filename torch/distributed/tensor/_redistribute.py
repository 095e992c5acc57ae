"""From one placement to another, with gradients: functions of a rank's own part.

The gradient of a part lies as the part does, and whole where that is a term: so what several uses of a tensor give back
can be added up as it is.
"""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch.distributed.tensor import _sparse
from torch.distributed.tensor._dtensor_spec import in_order, local_shape_and_offset
from torch.distributed.tensor.placement_types import Partial, Replicate, Shard, _StridedShard

# The engine calls nodes of one kind in an order that all ranks share; the collectives in them meet.


def _sizes(size, dim, parts):
    for r in range(parts):
        part = list(size)
        part[dim] = Shard.local_shard_size_and_offset(size[dim], parts, r)[0]
        yield part


def gather_parts(local, mesh, i, dim, size):
    """The whole of parts along dimension `dim`, which has `size` elements."""
    if local.layout is not torch.strided:
        return _sparse.whole_of_parts(local, mesh, i, dim)
    parts, group = mesh.size(i), mesh.get_group(i)
    whole = list(local.shape)
    whole[dim] = size
    received = [local.new_empty(part) for part in _sizes(whole, dim, parts)]
    if len({tuple(r.shape) for r in received}) == 1:
        dist.all_gather(received, local.contiguous(), group=group)
        return torch.cat(received, dim)
    largest = received[0].shape  # parts of one size: the last ones are filled up
    padded = local.new_zeros(largest)
    padded.narrow(dim, 0, local.size(dim)).copy_(local)
    full = [torch.empty_like(padded) for _ in received]
    dist.all_gather(full, padded, group=group)
    return torch.cat([f.narrow(dim, 0, r.size(dim)) for f, r in zip(full, received)], dim)


def own_part(whole, mesh, i, dim):
    """This rank's part of what all have."""
    length, start = Shard.local_shard_size_and_offset(whole.size(dim), mesh.size(i), mesh.get_local_rank(i))
    return whole.narrow(dim, start, length)


def reduced(local, mesh, i, op="sum"):
    """All ranks' terms joined."""
    if local.layout is not torch.strided:
        return _sparse.sum_of_terms(local, mesh, i, op)
    made = local.detach().clone(memory_format=torch.contiguous_format)
    kind = made.dtype
    if kind is torch.bool:
        made = made.to(torch.uint8)
    dist.all_reduce(made, Partial(op).op(), group=mesh.get_group(i))
    return made.to(kind)


def exchanged(local, mesh, i, source, target, size):
    """Parts along `target`, of parts along `source`, which has `size` elements in all."""
    if local.layout is not torch.strided:
        return own_part(gather_parts(local, mesh, i, source, size), mesh, i, target)
    parts, rank = mesh.size(i), mesh.get_local_rank(i)
    whole = list(local.shape)
    whole[source] = size
    ceil = list(local.shape)  # what is sent has one size: the largest
    ceil[source], ceil[target] = -(-size // parts), -(-local.size(target) // parts)
    sent = []
    for piece in Shard(target)._split_tensor(local, parts, contiguous=False)[0]:
        padded = local.new_zeros(ceil)
        padded.narrow(source, 0, piece.size(source)).narrow(target, 0, piece.size(target)).copy_(piece)
        sent.append(padded)
    together = torch.stack(sent)
    received = torch.empty_like(together)
    dist.all_to_all_single(received, together, group=mesh.get_group(i))
    mine = Shard.local_shard_size_and_offset(local.size(target), parts, rank)[0]
    return torch.cat(
        [
            part.narrow(source, 0, sizes[source]).narrow(target, 0, mine)
            for part, sizes in zip(received, _sizes(whole, source, parts))
        ],
        source,
    )


class Gather(torch.autograd.Function):
    """Shard to Replicate."""

    @staticmethod
    def forward(ctx, local, mesh, i, dim, size):
        ctx.what = mesh, i, dim
        return gather_parts(local, mesh, i, dim, size)

    @staticmethod
    def backward(ctx, grad):
        mesh, i, dim = ctx.what
        return _sparse.copied(own_part(grad, mesh, i, dim)), None, None, None, None


class Split(torch.autograd.Function):
    """Replicate to Shard."""

    @staticmethod
    def forward(ctx, local, mesh, i, dim):
        ctx.what = mesh, i, dim, local.size(dim)
        return _sparse.copied(own_part(local, mesh, i, dim))

    @staticmethod
    def backward(ctx, grad):
        return gather_parts(grad, *ctx.what), None, None, None


class Exchange(torch.autograd.Function):
    """Shard to another Shard."""

    @staticmethod
    def forward(ctx, local, mesh, i, source, target, size):
        ctx.what = mesh, i, target, source, local.size(target)
        return exchanged(local, mesh, i, source, target, size)

    @staticmethod
    def backward(ctx, grad):
        return exchanged(grad, *ctx.what), None, None, None, None, None


class Reduce(torch.autograd.Function):
    """Partial to Replicate."""

    @staticmethod
    def forward(ctx, local, mesh, i, op):
        ctx.what = mesh, i, op
        made = reduced(local, mesh, i, op)
        if op in ("max", "min"):
            ctx.save_for_backward(local.detach(), made)
        return made

    @staticmethod
    def backward(ctx, grad):
        mesh, i, op = ctx.what
        if op == "avg":
            grad = grad / mesh.size(i)
        elif op in ("max", "min"):
            local, made = ctx.saved_tensors
            chosen = (local == made).to(grad.dtype)
            grad = grad * chosen / reduced(chosen, mesh, i)
        elif op != "sum":
            raise NotImplementedError(f"the gradient of what is joined by {op}")
        return grad, None, None, None


class ReduceScatter(torch.autograd.Function):
    """Partial (sum, avg) to Shard."""

    @staticmethod
    def forward(ctx, local, mesh, i, dim, op):
        ctx.what, ctx.scale = (mesh, i, dim, local.size(dim)), mesh.size(i) if op == "avg" else 1
        parts = Shard(dim)._split_tensor(local, mesh.size(i))[0]
        if len({tuple(part.shape) for part in parts}) > 1:
            return own_part(reduced(local, mesh, i, op), mesh, i, dim).contiguous()
        made = torch.empty_like(parts[0])
        dist.reduce_scatter(made, parts, Partial(op).op(), group=mesh.get_group(i))
        return made

    @staticmethod
    def backward(ctx, grad):
        whole = gather_parts(grad, *ctx.what)
        return whole / ctx.scale if ctx.scale != 1 else whole, None, None, None, None


class Spread(torch.autograd.Function):
    """Replicate to Partial: the first rank's term is all."""

    @staticmethod
    def forward(ctx, local, mesh, i, op):
        first = mesh.get_local_rank(i) == 0
        return local.clone() if first or op not in ("sum",) else torch.zeros_like(local)

    @staticmethod
    def backward(ctx, grad):
        return grad, None, None, None


class SumOfGradients(torch.autograd.Function):
    """The tensor itself, where ranks compute different things of what they all have: their gradients are terms."""

    @staticmethod
    def forward(ctx, local, mesh, dims):
        ctx.what = mesh, dims
        return local.view_as(local) if local.layout is torch.strided else local.clone()

    @staticmethod
    def backward(ctx, grad):
        mesh, dims = ctx.what
        for i in dims:
            grad = reduced(grad, mesh, i)
        return grad, None, None


def redistributed(local, spec, placements):
    """The part that this rank has of the tensor when it lies by `placements`."""
    mesh, now, placements = spec.mesh, spec.placements, tuple(placements)
    if now == placements or mesh.get_coordinate() is None:
        return local
    if not any(isinstance(p, _StridedShard) for p in (*now, *placements)):
        return _moved(local, spec, placements)

    def changed(i, ways):
        """Whether dimension i of the mesh splits, the strided way, what is not to be split in one way before and after."""
        if not isinstance(ways[i], _StridedShard):
            return False
        dim = ways[i].dim
        return any(a != b and (a.is_shard(dim) or b.is_shard(dim)) for a, b in zip(now, placements))

    # What has been split last is put together first, and split last again.
    middle, target = list(now), list(placements)
    for i in reversed(in_order(now)):
        if changed(i, now):
            dim, middle[i] = now[i].dim, Replicate()
            size = local_shape_and_offset(spec.shape, mesh, middle)[0][dim]
            local = Gather.apply(local, mesh, i, dim, size)
    later = [i for i in in_order(placements) if changed(i, placements)]
    for i in later:
        target[i] = Replicate()
    local = _moved(local, spec._replace(placements=tuple(middle)), target)
    for i in later:
        local = Split.apply(local, mesh, i, placements[i].dim)
    return local


def _moved(local, spec, placements):
    """redistributed() without strided parts, but those that stay as they are."""
    mesh, now = spec.mesh, list(spec.placements)

    def length(i, dim):
        return local_shape_and_offset(spec.shape, mesh, now[:i])[0][dim]  # of what dimension i of the mesh splits

    # What is split further along by a later dimension of the mesh is put together first.
    middle = list(now)
    for i, (a, b) in enumerate(zip(now, placements)):
        if a != b:
            for dim in [p.dim for p in (a, b) if p.is_shard()]:
                for j in range(i + 1, mesh.ndim):
                    if now[j].is_shard(dim):
                        middle[j] = Replicate()
    for i in reversed(range(mesh.ndim)):
        a, b = now[i], placements[i]
        if not a.is_shard() or (a == b and middle[i] == a):
            continue
        others = [p for j, p in enumerate(now) if j != i] + [p for j, p in enumerate(placements) if j != i]
        if b.is_shard() and a != b and not any(p.is_shard(a.dim) or p.is_shard(b.dim) for p in others):
            local = Exchange.apply(local, mesh, i, a.dim, b.dim, length(i, a.dim))
            now[i] = b
        else:
            local = Gather.apply(local, mesh, i, a.dim, length(i, a.dim))
            now[i] = Replicate()
    for i in range(mesh.ndim):
        a, b = now[i], placements[i]
        if a == b:
            continue
        if a.is_partial() and b.is_shard() and a.reduce_op in ("sum", "avg") and local.layout is torch.strided:
            local = ReduceScatter.apply(local, mesh, i, b.dim, a.reduce_op)
        else:
            if a.is_partial():
                local = Reduce.apply(local, mesh, i, a.reduce_op)
            if b.is_shard():
                local = Split.apply(local, mesh, i, b.dim)
            elif b.is_partial():
                if b.reduce_op not in ("sum", "avg", "max", "min"):
                    raise NotImplementedError(f"from {a!r} to {b!r}")
                local = Spread.apply(local, mesh, i, b.reduce_op)
        now[i] = b
    return local
