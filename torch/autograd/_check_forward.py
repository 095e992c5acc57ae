"""Columns of Jacobians by forward mode, and gradcheck's comparison of them with finite differences."""

import itertools

import torch
from torch.autograd.forward_ad import dual_level, make_dual, unpack_dual


def directions(tensor):
    """For each element a tensor that is 1 there."""
    for place in itertools.product(*map(range, tensor.size())):
        one = torch.zeros_like(tensor, memory_format=torch.contiguous_format)
        one[place] = 1
        yield one


def tangents_of(func, inputs, k, direction):
    """The tangents of all of func's outputs, zeros where there is none, where the kth input moves along a direction."""
    with dual_level():
        given = [value.detach() if isinstance(value, torch.Tensor) else value for value in inputs]
        given[k] = make_dual(given[k], direction)
        outputs = [unpack_dual(output) for output in func(*given)]
        return [torch.zeros_like(one.primal) if one.tangent is None else one.tangent.detach() for one in outputs]


def mismatches(func, inputs, chosen, options):
    """(output, input, numerical, analytical) where they are further apart than the options allow. `func` returns a tuple,
    `chosen` says which of it are compared."""
    for k, tensor in enumerate(inputs):
        if not (isinstance(tensor, torch.Tensor) and tensor.requires_grad):
            continue
        given = [value.detach() if isinstance(value, torch.Tensor) else value for value in inputs]
        for one in _moves(tensor, options["fast"]):
            found = tangents_of(func, inputs, k, one)

            def moved(step, k=k, given=given, one=one):
                return func(*given[:k], given[k] + step * one, *given[k + 1 :])

            above, below = moved(options["eps"]), moved(-options["eps"])
            for o in chosen:
                numerical = ((above[o] - below[o]) / (2 * options["eps"])).detach()
                analytical = found[o].to(numerical.dtype)
                if not torch.allclose(numerical, analytical, options["rtol"], options["atol"]):
                    yield o, k, numerical, analytical


def _moves(tensor, fast):
    if fast:
        generator = torch.Generator().manual_seed(0)
        vector = torch.randn(tensor.size(), dtype=tensor.dtype, generator=generator).to(tensor.device)
        yield vector / torch.linalg.vector_norm(vector) if tensor.numel() else vector
        return
    for one in directions(tensor):
        yield one
        if tensor.is_complex():
            yield one * 1j
