"""Results and gradients of calls whose operands may be lists of tensors, of whatever torch there is."""

import torch
from nn_asking import SPACE, flat


def _fresh(value):
    if isinstance(value, list):
        return [_fresh(v) for v in value]
    return value.detach().clone().requires_grad_(value.requires_grad)


def _leaves(value):
    return [v for v in (value if isinstance(value, list) else [value]) if v.requires_grad]


def _weights(tensor, phase):
    return torch.arange(1, tensor.numel() + 1, dtype=tensor.dtype).view(tensor.shape).mul(phase).sin()


def _total(results, phase):
    return sum((y * _weights(y, phase)).sum() for y in results if y is not None)


def _called(call, operands):
    """(the operands that have gradients, the results that do)"""
    operands = {name: _fresh(value) for name, value in operands.items()}
    results = eval(call, {**SPACE, **operands})
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    return [leaf for value in operands.values() for leaf in _leaves(value)], results


def ask(call, operands):
    leaves, results = _called(call, operands)
    wanted = [y for y in results if y.requires_grad]
    answer = {"results": flat(results)}
    if wanted:
        answer["gradients"] = flat(list(torch.autograd.grad(_total(wanted, 0.37), leaves, allow_unused=True)))
    return answer


def ask_twice(call, operands):
    """Of all gradients, which depend on all operands: the gradients for these."""
    leaves, results = _called(call, operands)
    seed = [_weights(y, 0.37).requires_grad_() for y in results]
    first = torch.autograd.grad(results, leaves, seed, create_graph=True, allow_unused=True)
    second = torch.autograd.grad(_total(first, 0.71), [*leaves, *seed], allow_unused=True)
    return {"first": flat(list(first)), "second": flat(list(second))}
