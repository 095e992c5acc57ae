"""Gradients judged by finite differences, of the first and of the second order.

A case (golden/gradients.py) is a function of its leaves: the sum of its results, each element with a weight of its own. Along
a fixed direction its slope is measured with steps of two lengths, whose difference says how smooth it is there, and compared
with the gradient's product with that direction. Then the same of the function "that product, along another direction".
The operands are moved off the round numbers of the tables, where many functions are not smooth.
"""

from finite_differences import slope
from golden import gradients

SHIFT = 0.17
# Relative to the size of the gradient: how far the slope may be off, and when it is not measured well enough to say.
NEAR = (1e-6, 1e-5)
ROUGH = (1e-5, 1e-4)


def finite(t, torch):
    return torch.isfinite(t.real) & torch.isfinite(t.imag) if t.dtype.is_complex else torch.isfinite(t)


def only_where(ok, t, torch):
    return torch.where(ok, t, torch.zeros_like(t))


def product(a, b, torch):
    """The sum of Re(conj(a) b), leaving out what is infinite or NaN."""
    ok = finite(a, torch) & finite(b, torch)
    a, b = only_where(ok, a, torch), only_where(ok, b, torch)
    each = a.conj() * b if a.dtype.is_complex or b.dtype.is_complex else a * b
    return (each.real if each.dtype.is_complex else each).sum().item()


def wide(t, torch):
    return t.to(torch.complex128 if t.dtype.is_complex else torch.float64)


def direction(leaves, turn, torch):
    """Numbers of both signs, like the leaves."""
    made = []
    for i, leaf in enumerate(leaves):
        signs = [1.0 if (7 * k + 3 * turn + i) % 3 else -1.0 for k in range(leaf.numel())]
        sign = torch.tensor(signs, dtype=torch.float64).reshape(leaf.shape)
        made.append(gradients.weight_of(leaf, 11 + 5 * i + turn, torch) * sign.to(leaf.dtype))
    return made


def size_of(tensors, torch):
    return sum(only_where(finite(t, torch), t, torch).abs().sum().item() for t in tensors if t is not None)


class Judged:
    """One case."""

    def __init__(self, row, key, torch):
        self.row, self.torch = row, torch
        self.case = gradients.Case(key, torch, SHIFT)
        self.leaves = [leaf.detach() for leaf in self.case.leaves]

    def weights(self, results):
        """Of each result's elements; 0 of those that are not finite."""
        return [
            only_where(finite(r.detach(), self.torch), gradients.weight_of(r, i, self.torch), self.torch)
            for i, r in results
        ]

    def gradients(self, leaves, create_graph=False):
        """The leaves, the numbers of the results that were recorded, and the gradients."""
        leaves = [leaf.clone().requires_grad_() for leaf in leaves]
        results = [(i, r) for i, r in enumerate(self.case.results(self.row, leaves)) if r.requires_grad]
        if not results:
            return leaves, [], [None] * len(leaves)
        found = self.torch.autograd.grad(
            [r for _, r in results], leaves, self.weights(results), allow_unused=True, create_graph=create_graph
        )
        return leaves, [i for i, _ in results], found

    def value(self, leaves, recorded):
        with self.torch.no_grad():
            results = self.case.results(self.row, leaves)
        pairs = [(i, wide(results[i], self.torch)) for i in recorded]
        return sum(product(r, w, self.torch) for (_, r), w in zip(pairs, self.weights(pairs)))

    def verdict(self, order, function, found, along, limits):
        """ "", "wrong 1" or "rough 1", and the numbers."""
        along = [d if g is None else only_where(finite(g, self.torch), d, self.torch) for g, d in zip(found, along)]
        want, apart = slope(function, self.leaves, along)
        got = sum(product(g, d, self.torch) for g, d in zip(found, along) if g is not None)
        size = 1 + abs(want) + size_of(found, self.torch)
        if abs(want - got) <= limits[0] * size:
            return ""
        return f"{'rough' if apart > limits[1] * size else 'wrong'} {order}: slope {want:.9g}, gradient {got:.9g}"

    def first(self):
        _, recorded, found = self.gradients(self.leaves)
        if not recorded:
            return ""
        along = direction(self.leaves, 0, self.torch)
        return self.verdict(1, lambda leaves: self.value(leaves, recorded), [detached(g) for g in found], along, NEAR)

    def second(self):
        along, other = (direction(self.leaves, turn, self.torch) for turn in (0, 1))
        leaves, _, found = self.gradients(self.leaves, create_graph=True)
        kept = [i for i, g in enumerate(found) if g is not None]
        taken = [i for i in kept if found[i].requires_grad]
        seconds = [None] * len(leaves)
        if taken:
            masks = [finite(found[i].detach(), self.torch) for i in taken]
            weights = [only_where(ok, other[i], self.torch) for ok, i in zip(masks, taken)]
            seconds = self.torch.autograd.grad([found[i] for i in taken], leaves, weights, allow_unused=True)

        def function(at):
            _, _, here = self.gradients(at)
            return sum(product(here[i].detach(), other[i], self.torch) for i in kept if here[i] is not None)

        return self.verdict(2, function, [detached(g) for g in seconds], along, ROUGH)


def detached(tensor):
    return None if tensor is None else tensor.detach()


def judge(row, key, torch):
    """What finite differences say against the gradients of a case, "" if nothing."""
    try:
        judged = Judged(row, key, torch)
        said = judged.first()
    except Exception as error:
        return f"raises 1: {type(error).__name__} {error}"
    if said:
        return said
    try:
        return judged.second()
    except Exception as error:
        return f"raises 2: {type(error).__name__} {error}"
