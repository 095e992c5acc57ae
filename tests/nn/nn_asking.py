"""Runs the cases of nn_cases.py with whatever torch there is: PyTorch to write the data, ours to compare with it."""

import re
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.parametrizations as P
import torch.nn.utils.prune

SPACE = {"torch": torch, "nn": nn, "F": F, "P": P}


# ---- operands -------------------------------------------------------------------------------------------------------
def r(*shape):
    """Normal noise, where gradients are wanted."""
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def u(*shape):
    """Numbers between 0.05 and 0.95."""
    return torch.rand(*shape, dtype=torch.float64).mul_(0.9).add_(0.05).requires_grad_()


def i(high, *shape):
    return torch.randint(high, shape)


def t(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def signs(*shape):
    return torch.randint(2, shape).mul(2).sub(1)


def edges():
    """Where activations have corners, and how they go on."""
    return t(-40, -6, -3, -2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2, 3, 6, 10, 40)


OPERANDS = {"r": r, "u": u, "i": i, "t": t, "signs": signs, "edges": edges, "torch": torch}


def inputs_of(text):
    """The operands of a module: one expression, or several."""
    return [eval(part, OPERANDS) for part in text.split(";")]


def operands_of(text):
    """{name: operand} of a function."""
    found = {}
    for part in filter(None, re.split(r";\s*", text)):
        name, expression = part.split(" = ", 1)
        found[name.strip()] = eval(expression, OPERANDS)
    return found


# ---- answers --------------------------------------------------------------------------------------------------------
def flat(result):
    """The tensors in a result, in order, numbers and None among them."""
    if isinstance(result, (tuple, list)):
        return [item for part in result for item in flat(part)]
    return [result.detach().clone() if isinstance(result, torch.Tensor) else result]


def _tensors(result):
    if isinstance(result, (tuple, list)):
        return [item for part in result for item in _tensors(part)]
    return [result] if isinstance(result, torch.Tensor) else []


def _fresh(value):
    return value.detach().clone().requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value


def gradients(result, wanted):
    """Gradients of a weighted sum of a result's elements; None where there is none."""
    total = None
    for place, tensor in enumerate(x for x in _tensors(result) if x.requires_grad):
        weights = torch.arange(1, tensor.numel() + 1, dtype=tensor.dtype).view(tensor.shape).mul(0.37 + place).sin()
        part = (tensor * weights).sum()
        total = part if total is None else total + part
    if total is None or not wanted:
        return [None] * len(wanted)
    found = torch.autograd.grad(total, wanted, allow_unused=True)
    return [None if g is None else g.detach().clone() for g in found]


def made(constructor):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(constructor, dict(SPACE)).double()


def ask_module(module, inputs, training):
    """{what: answer} of one call."""
    module.train(training)
    inputs = [_fresh(x) for x in inputs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = module(*inputs)
    parameters = dict(module.named_parameters())
    learned = [x for x in inputs if x.requires_grad]
    found = gradients(result, learned + [p for p in parameters.values() if p.requires_grad])
    return {
        "result": flat(result),
        "inputs": found[: len(learned)],
        "parameters": dict(zip((n for n, p in parameters.items() if p.requires_grad), found[len(learned) :])),
        "state": {name: x.detach().clone() for name, x in module.state_dict().items()},
        "text": repr(module),
    }


def ask_function(call, operands):
    operands = {name: _fresh(x) for name, x in operands.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(call, {**SPACE, **operands})
    learned = {name: x for name, x in operands.items() if x.requires_grad}
    return {"result": flat(result), "inputs": dict(zip(learned, gradients(result, list(learned.values()))))}
