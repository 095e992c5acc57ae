"""What the functions of torch.masked are of sparse tensors: computed of the entries that count, those where the mask, of any
layout, is True and, without a mask, those that there are. Elements that a mask has and the input lacks are 0 and count.

Results have an entry for each place of which anything counts, and none for others. They are by coordinates, or of the input's
compressed layout where they are matrices; all of recorded operators, so that gradients flow to the entries that count.
"""

# ruff: noqa: A001 - the functions are called sum, as those of torch
import math

import torch
from torch.masked._ops import _dims, _identity, _inexact, _variance_dtypes, _widened

_CONVERSIONS = {torch.sparse_csr: torch.Tensor.to_sparse_csr, torch.sparse_csc: torch.Tensor.to_sparse_csc}


# ---- what counts -------------------------------------------------------------------------------------------
def _coo(places, values, size, coalesced=True):
    return torch._sparse_coo_tensor_unsafe(places, values, tuple(size), coalesced)


def _all_sparse(tensor):
    """By coordinates and coalesced, each element an entry."""
    tensor = tensor.to_sparse().coalesce()
    if not tensor.dense_dim():
        return tensor
    places, values = tensor.indices(), tensor.values()
    inner = torch.ones(values.shape[1:], dtype=torch.bool, device=tensor.device).nonzero().t()
    outer = places.repeat_interleave(inner.size(1), 1)
    return _coo(torch.cat([outer, inner.repeat(1, places.size(1))]), values.reshape(-1), tensor.shape)


class _Counting:
    """The entries of `input` that count: their places (ndim, n), in order, and their values (n)."""

    def __init__(self, name, input, mask, needs_mask=True):
        from torch.masked.maskedtensor.core import data_of, is_masked_tensor

        if is_masked_tensor(input):
            input, mask = data_of(input), input.get_mask()
        self.like, self.shape, self.ndim = input, input.shape, input.dim()
        entries = _all_sparse(input)
        if mask is not None:
            entries = entries.sparse_mask(_pattern(mask, input))
        elif needs_mask and entries._nnz() < input.numel():
            raise ValueError(
                f"masked {name}: without a mask all elements of a tensor count, also those that one of the layout {input.layout} "
                "does not have; give it a mask, or make it a strided tensor"
            )
        self.places, self.values = entries.indices(), entries.values()

    def like_input(self, values):
        """A tensor of other values at the same places."""
        made = _with_blocks(_coo(self.places, values, self.shape), self.like.dense_dim())
        return _in_layout(made, self.like)


def _pattern(mask, input):
    """Where a mask of any layout is True, as a tensor by coordinates of the input's size."""
    if mask.dim() > input.dim():
        raise IndexError(
            f"mask has {mask.dim()} dimensions and the input {input.dim()}: a mask broadcasts to the input, not the other way "
            "round"
        )
    mask = mask.detach().to(torch.bool)
    mask = _all_sparse(mask if mask.shape == input.shape else mask.broadcast_to(input.shape))
    there = mask.values()
    return _coo(mask.indices()[:, there], there[there], mask.shape)


def _with_blocks(tensor, dense):
    """A tensor by coordinates, its last dimensions dense instead."""
    sparse = tensor.dim() - dense
    if not dense or not sparse:
        return tensor
    places = tensor._indices()
    outer, of = _distinct(places[:sparse])
    zeros = tensor._values().new_zeros(outer.size(1), *tensor.shape[sparse:])
    return _coo(outer, zeros.index_put((of, *places[sparse:]), tensor._values()), tensor.shape)


def _in_layout(tensor, like):
    if like.layout in _CONVERSIONS and tensor.dim() == 2:
        return _CONVERSIONS[like.layout](tensor)
    return tensor


def _distinct(places):
    """Places in order, each once; of each that is given, the number of its own."""
    n = places.size(1)
    if not places.size(0) or not n:
        return places[:, : min(n, 1)], places.new_zeros(n)
    return torch.unique(places, return_inverse=True, dim=1)


# ---- reductions --------------------------------------------------------------------------------------------
class _Groups:
    """Entries by groups, whose numbers `of` has."""

    def __init__(self, of, count):
        self.of, self.count = of, count

    def total(self, values):
        return values.new_zeros(self.count).index_add(0, self.of, values)

    def counts(self):
        return self.total(torch.ones_like(self.of))

    def scattered(self, reduce, values):
        # What a result begins with is not to be taken for one of the values, which share a gradient: nan is none.
        begin = values.new_full((self.count,), math.nan if values.is_floating_point() else 0)
        return begin.scatter_reduce(0, self.of, values, reduce, include_self=False)

    def mean(self, values):
        return self.total(values) / self.counts()

    def logsumexp(self, values):
        most = self.scattered("amax", torch.real(values).detach())
        most = torch.where(most.isfinite(), most, 0)
        return self.total((values - most[self.of]).exp()).log() + most

    def lengths(self, ord, values):
        """Norms."""
        sizes = values.abs()
        if math.isinf(ord):
            return self.scattered("amax" if ord > 0 else "amin", sizes)
        if ord == 0:
            return self.total((values != 0).to(sizes.dtype))
        if ord == 1:
            return self.total(sizes)
        total = self.total(torch.real(values * values.conj()) if ord == 2 else sizes**ord)
        if ord < 0:
            return total ** (1 / ord)
        # Of zeros alone it is 0, and its gradient too.
        none = total == 0
        return torch.where(none, 0, torch.where(none, 1, total) ** (1 / ord))


class _Reduced(_Groups):
    """The entries that count, by the elements of the result of a reduction over some dimensions."""

    def __init__(self, name, input, dim, mask, needs_mask=True):
        self.entries = _Counting(name, input, mask, needs_mask)
        self.places, self.values, ndim = self.entries.places, self.entries.values, self.entries.ndim
        self.gone = _dims(dim, ndim)
        self.kept = [d for d in range(ndim) if d not in self.gone]
        self.groups, of = _distinct(self.places[self.kept])
        super().__init__(of, self.groups.size(1))

    def result(self, values, keepdim):
        """The tensor that has a value for each group."""
        size = [n if d in self.kept else 1 for d, n in enumerate(self.entries.shape) if keepdim or d in self.kept]
        places = self.groups
        if keepdim:
            places = places.new_zeros(self.entries.ndim, self.count)
            places[self.kept] = self.groups
        like = self.entries.like
        dense = like.dense_dim()
        lost = len([d for d in self.gone if d >= self.entries.ndim - dense])
        # PyTorch does not say of these that they are in order.
        coalesced = len(self.gone) == self.entries.ndim
        made = _with_blocks(_coo(places, values, size, coalesced), dense if keepdim else dense - lost)
        return _in_layout(made, like)


def sum(input, dim, keepdim, dtype, mask):
    of = _Reduced("sum", input, dim, mask, needs_mask=False)
    return of.result(of.total(of.values.to(dtype or _widened(input.dtype))), keepdim)


def prod(input, dim, keepdim, dtype, mask):
    of = _Reduced("prod", input, dim, mask)
    return of.result(of.scattered("prod", of.values.to(dtype or _widened(input.dtype))), keepdim)


def _extreme(name):
    def reduced(input, dim, keepdim, dtype, mask):
        _identity(name, input.dtype)  # which some dtypes do not have
        of = _Reduced(name, input, dim, mask)
        return of.result(of.scattered(name, of.values).to(dtype or input.dtype), keepdim)

    return reduced


amax, amin = _extreme("amax"), _extreme("amin")


def _place_of_extreme(name):
    def reduced(input, dim, keepdim, dtype, mask):
        _identity(name, input.dtype)
        of = _Reduced(f"arg{name[1:]}", input, dim, mask)
        values = of.values.detach()
        best = of.scattered(name, values)[of.of]
        here = (values == best) | ((values != values) & (best != best))
        place = of.of.new_zeros(of.of.shape)  # along the dimensions that go, as one number
        for d in of.gone:
            place = place * of.entries.shape[d] + of.places[d]
        first = of.of.new_full((of.count,), torch.iinfo(torch.int64).max)
        first = first.scatter_reduce(0, of.of[here], place[here], "amin")
        return of.result(first.to(dtype or input.dtype), keepdim)

    return reduced


argmax, argmin = _place_of_extreme("amax"), _place_of_extreme("amin")


def mean(input, dim, keepdim, dtype, mask):
    dtype = _inexact(input.dtype, dtype)
    of = _Reduced("mean", input, dim, mask)
    return of.result(of.mean(of.values.to(dtype)), keepdim)


def _variance(input, dim, unbiased, correction, keepdim, dtype, mask):
    dtype, computed, correction = _variance_dtypes(input.dtype, unbiased, correction, dtype)
    of = _Reduced("std/var", input, dim, mask)
    values = of.values.to(computed)
    centred = values - of.mean(values)[of.of]
    total = of.total(centred * centred.conj())
    count = (of.counts().to(torch.real(total).dtype) - correction).clamp(min=0)
    return of.result((total / count).to(dtype), keepdim)


def median(input, dim, keepdim, dtype, mask):
    of = _Reduced("median", input, (_dims(dim, input.dim())[0],), mask)
    order = of.values.detach().sort(stable=True).indices
    order = order[~of.values[order].isnan()]
    by_group = of.of[order].sort(stable=True)
    order = order[by_group.indices]
    counts = _Groups(by_group.values, of.count).counts()
    at = counts.cumsum(0) - counts + (counts - 1).clamp(min=0) // 2
    found = of.values[order]
    if found.is_floating_point():  # of nothing but nan it is nan
        found = torch.where(counts > 0, torch.cat([found, found.new_full((1,), math.nan)])[at], math.nan)
        return of.result(found, keepdim)
    return of.result(found[at].to(dtype or input.dtype), keepdim)


def logsumexp(input, dim, keepdim, dtype, mask):
    of = _Reduced("logsumexp", input, dim, mask)
    return of.result(of.logsumexp(of.values).to(dtype or input.dtype), keepdim)


def norm(input, ord, dim, keepdim, dtype, mask):
    ord = 2.0 if ord is None else float(ord)
    of = _Reduced("norm", input, dim, mask, needs_mask=ord < 0)
    return of.result(of.lengths(ord, of.values.to(dtype or input.dtype)), keepdim)


# ---- of the input's shape ----------------------------------------------------------------------------------
def _softmax(name):
    def normalized(input, dim, dtype, mask):
        of = _Reduced(name, input, (_dims(dim, input.dim())[0],), mask)
        values = of.values.to(dtype or input.dtype)
        if name == "softmin":
            values = -values
        logs = values - of.logsumexp(values)[of.of]
        return of.entries.like_input(logs if name == "log_softmax" else logs.exp())

    return normalized


softmax, log_softmax, softmin = _softmax("softmax"), _softmax("log_softmax"), _softmax("softmin")


def normalize(input, ord, dim, eps, dtype, mask):
    of = _Reduced("normalize", input, (_dims(dim, input.dim())[0],), mask, needs_mask=ord < 0)
    lengths = of.lengths(float(ord), of.values.to(dtype or input.dtype))
    return of.entries.like_input(of.values / lengths.clamp(min=eps)[of.of])


def _cumulative(name, combine, neutral):
    def scanned(input, dim, dtype, mask):
        of = _Reduced(name, input, (_dims(dim, input.dim())[0],), mask)
        # By group, in each in the order that they have; how many are before each in its group.
        order = of.of.sort(stable=True)
        counts = of.counts()
        rank = torch.arange(len(order.values), device=of.of.device) - (counts.cumsum(0) - counts)[order.values]
        values, step = of.values.to(dtype or input.dtype)[order.indices], 1
        longest = int(counts.max()) if of.count else 0
        while step < longest:
            before = torch.cat([values[:step], values[:-step]])
            values = combine(values, torch.where(rank >= step, before, neutral))
            step *= 2
        back = torch.empty_like(order.indices).scatter_(0, order.indices, torch.arange(len(rank), device=rank.device))
        return of.entries.like_input(values[back])

    return scanned


cumsum, cumprod = _cumulative("cumsum", torch.add, 0), _cumulative("cumprod", torch.mul, 1)


# ---- of two ------------------------------------------------------------------------------------------------
def logaddexp(input, other, dtype, input_mask, other_mask):
    both = [_Counting("logaddexp", *pair) for pair in ((input, input_mask), (other, other_mask))]
    if both[0].shape != both[1].shape:
        raise ValueError(
            f"masked logaddexp: sparse tensors have to have the same size, got {tuple(both[0].shape)} and {tuple(both[1].shape)}"
        )
    # Those of one place share a group; a place that one of them has alone keeps its value.
    places = torch.cat([each.places for each in both], 1)
    values = torch.cat([each.values for each in both])
    groups, of = _distinct(places)
    pairs = _Groups(of, groups.size(1))
    made = _coo(groups, pairs.logsumexp(values).to(dtype or input.dtype), both[0].shape)
    return _in_layout(_with_blocks(made, input.dense_dim()), input)
