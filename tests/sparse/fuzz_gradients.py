"""Random programs that are recorded: gradients of the values of sparse tensors against those of the same program on dense ones.

A value's gradient is the dense gradient at its place, whatever the layout; and so is the gradient of that gradient."""

import random

import fuzz_steps
import torch
from fuzz_inputs import Difference, dense_tensor, is_sparse, members, shapes, sparse_tensor, to_dense, with_members

LENGTH = 4
SMOOTH = "abs neg sin tanh asinh square relu positive coalesce real conj_physical tril triu t diag trace".split()
PAIRS = "add sub mul maximum minimum div hypot".split()
# Where two elements are alike, it is a matter of taste which of them the result follows; zeros are.
TIES = ("maximum", "minimum", "amax", "amin", "max", "min", "clamp", "clamp to", "clamp two")
REFUSALS = (RuntimeError, TypeError, IndexError, ValueError, AttributeError)


class Leaf:
    """A sparse tensor of values that have gradients, and the dense one that it is."""

    def __init__(self, rng, shape, dtype):
        made = sparse_tensor(rng, self.without_ties(rng, dense_tensor(rng, shape, dtype)))
        if not is_sparse(made):
            self.values = made.clone().requires_grad_()
            self.sparse, self.dense, self.at = self.values, made.clone().requires_grad_(), lambda t: t
            return
        *indices, values = members(made)
        self.values = values.clone().requires_grad_()
        self.sparse = with_members(made, *indices, self.values)
        self.dense = to_dense(made).clone().requires_grad_()
        if made.layout == torch.sparse_coo:
            # Of no dimension, each entry stands in the same place.
            self.at = lambda t: t[tuple(indices[0])] if t.dim() else t.expand(values.shape[0])
        else:
            numbers = torch.arange(1.0, values.numel() + 1, dtype=torch.float64).reshape(values.shape)
            places = with_members(made, *indices, numbers).to_dense().flatten()
            order = places.nonzero()[:, 0][places[places != 0].argsort()]
            self.at = lambda t: t.flatten()[order].reshape(values.shape)
        self.spread = lambda weights: with_members(made, *indices, weights).to_dense()

    @staticmethod
    def without_ties(rng, dense):
        """No two elements alike, none of them a point where a function has no derivative."""
        noise = torch.tensor([rng.uniform(0.3, 0.7) for _ in range(dense.numel())], dtype=torch.float64)
        return dense * (1 + noise.reshape(dense.shape) / 4).to(dense.dtype)

    def weights(self, dense):
        """Those of gradients: of values as the sparse program has them, of elements as the dense one has."""
        own = self.at(dense)
        return (own, dense) if not is_sparse(self.sparse) else (own, self.spread(own))


def step_of(rng):
    kind = rng.choice(
        (fuzz_steps.unary, fuzz_steps.number, fuzz_steps.reduction, fuzz_steps.shape, fuzz_steps.shape)
        + (fuzz_steps.pair, fuzz_steps.product, fuzz_steps.product)
    )
    while True:
        name, function = kind(rng)
        word = name.split()[0]
        if kind is fuzz_steps.unary and word not in SMOOTH:
            continue
        if kind is fuzz_steps.pair and word not in PAIRS:
            continue
        if word in (
            "gt",
            "ge",
            "ne",
            "eq",
            "lt",
            "floor",
            "trunc",
            "mod",
            "fmod",
            "any",
            "all",
            "count_nonzero",
            "equal",
            "norm",
        ):
            continue
        return kind, name, function


def gradients(outputs, leaves, weights, create_graph):
    total = sum((to_dense(y) * w).real.sum() for y, w in zip(outputs, weights))
    if not total.requires_grad:  # of functions that are constant, to_sparse of nothing
        return [None] * len(leaves)
    return torch.autograd.grad(total, leaves, allow_unused=True, create_graph=create_graph)


def wave(shape, dtype, start):
    count = 1
    for n in shape:
        count *= n
    made = torch.arange(start, start + count, dtype=torch.float64).sin().reshape(shape)
    return made.to(dtype) * (1 + 0.5j) if dtype.is_complex else made.to(dtype)


def far(got, want):
    """Whether they differ where the dense one is a number."""
    known = want.isfinite()
    return not torch.allclose(got[known], want[known], rtol=1e-7, atol=1e-7)


def check_gradients(seed):
    """How many gradients were compared."""
    rng = random.Random(f"gradients {seed}")
    dtype = rng.choice((torch.float64, torch.float64, torch.float64, torch.complex128))
    leaves = [Leaf(rng, shape, dtype) for shape in shapes(rng)]
    sparse, dense = [leaf.sparse for leaf in leaves], [leaf.dense for leaf in leaves]
    history = [f"seed {seed}: {[(str(t.layout), tuple(t.shape), t.dtype) for t in sparse]}"]
    names = []
    for _ in range(LENGTH):
        kind, name, function = step_of(rng)
        which = [rng.randrange(len(dense)) for _ in range(2 if kind in fuzz_steps.OF_TWO else 1)]
        try:
            want, got = function(*(dense[i] for i in which)), function(*(sparse[i] for i in which))
        except REFUSALS:
            continue
        values = to_dense(want.detach())
        if want.numel() > 2000 or want.dim() > 5 or not bool((values.abs() < 1e4).all()):
            continue
        history.append(f"{name} of {which} ({', '.join(str(sparse[i].layout) for i in which)}) -> {got.layout}")
        names.append(name)
        dense.append(want)
        sparse.append(got)
    results = range(len(leaves), len(dense))
    if not results or not any(dense[i].requires_grad and dense[i].numel() for i in results):
        return 0
    weights = [wave(dense[i].shape, dense[i].dtype, i) for i in results]
    twice = rng.random() < 0.5 and not any(name.startswith(TIES) for name in names)
    try:
        return take(leaves, sparse, dense, results, weights, twice, names, history)
    except RuntimeError as error:
        if "gradient of the gradient" in str(error):  # not known where several factors are zero
            return 0
        raise Difference(f"{type(error).__name__}", ", ".join(names), "\n  ".join([*history, str(error)])) from error


def take(leaves, sparse, dense, results, weights, twice, names, history):
    """The gradients, compared; how many."""
    mine = gradients([sparse[i] for i in results], [leaf.values for leaf in leaves], weights, twice)
    theirs = gradients([dense[i] for i in results], [leaf.dense for leaf in leaves], weights, twice)
    compared = compare(leaves, mine, theirs, "gradient", names, history)
    if twice:
        second = [wave(leaf.dense.shape, leaf.dense.dtype, 7 + k) for k, leaf in enumerate(leaves)]
        sums = [
            [
                (g * w[own]).real.sum()
                for g, w in zip(found, map(Leaf.weights, leaves, second))
                if g is not None and g.requires_grad
            ]
            for own, found in ((0, mine), (1, theirs))
        ]
        if not all(sums):
            return compared
        again = [
            torch.autograd.grad(sum(total), inputs, allow_unused=True)
            for total, inputs in zip(sums, ([leaf.values for leaf in leaves], [leaf.dense for leaf in leaves]))
        ]
        compared += compare(leaves, *again, "second gradient", names, history)
    return compared


def compare(leaves, mine, theirs, kind, names, history):
    compared = 0
    for k, (leaf, got, want) in enumerate(zip(leaves, mine, theirs)):
        if want is None and got is None:
            continue
        expected = leaf.at(torch.zeros_like(leaf.dense) if want is None else want.detach())
        found = torch.zeros_like(leaf.values) if got is None else to_dense(got.detach())
        if any(name.startswith(TIES) for name in names):
            expected = torch.where(leaf.at(leaf.dense.detach()) == 0, float("nan"), expected)
        if far(found, expected):
            raise Difference(kind, ", ".join(names), "\n  ".join([*history, f"leaf {k}", str(found), str(expected)]))
        compared += 1
    return compared
