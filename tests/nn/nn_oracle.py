"""Runs the cases of nn_*.py with whatever torch there is: PyTorch to write the data, ours to compare with it."""

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
    if isinstance(value, list):
        return [_fresh(v) for v in value]
    return value.detach().clone().requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value


def _weights(tensor, phase):
    return torch.arange(1, tensor.numel() + 1, dtype=tensor.dtype).view(tensor.shape).mul(phase).sin()


def gradients(result, wanted):
    """Gradients of a weighted sum of a result's elements; None where there is none."""
    total = None
    for place, tensor in enumerate(x for x in _tensors(result) if x.requires_grad):
        part = (tensor * _weights(tensor, 0.37 + place)).sum()
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


def ask_twice(call, operands):
    """Of the result's gradient for x, which depends on a gradient g: those for g and, if there are such, for x."""
    x = operands["x"].detach().clone().requires_grad_()
    y = eval(call, {**SPACE, "x": x})
    g = _weights(y, 0.37).requires_grad_()
    (first,) = torch.autograd.grad(y, x, g, create_graph=True)
    second = torch.autograd.grad((first * _weights(first, 0.71)).sum(), [g, x], allow_unused=True)
    return {"first": first.detach().clone(), "second": [None if s is None else s.detach().clone() for s in second]}


def ask_dtype(call, operands):
    """The result, and where it is floating the gradient of its sum for x."""
    x = operands["x"].detach().clone()
    x.requires_grad_(x.is_floating_point())
    y = eval(call, {**SPACE, **operands, "x": x})
    graph = y.requires_grad
    gradient = torch.autograd.grad(y.real.sum() if y.is_complex() else y.sum(), x)[0] if graph else None
    return {"result": y.detach().clone(), "gradient": gradient}


def ask_names(call, operands):
    """The nodes of the result and of its gradient."""
    x = operands["x"].detach().clone().requires_grad_()
    y = eval(call, {**SPACE, "x": x})
    (gradient,) = torch.autograd.grad(y, x, torch.ones_like(y).requires_grad_(), create_graph=True)
    return [y.grad_fn.name(), gradient.grad_fn.name()]


# ---- calls whose operands may be lists of tensors -------------------------------------------------------------------
def _called(call, operands):
    """(the operands that have gradients, the results)"""
    operands = {name: _fresh(value) for name, value in operands.items()}
    results = eval(call, {**SPACE, **operands})
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    return [leaf for value in operands.values() for leaf in _tensors(value) if leaf.requires_grad], results


def _total(results, phase):
    return sum((y * _weights(y, phase)).sum() for y in results if y is not None)


def ask_lists(call, operands):
    leaves, results = _called(call, operands)
    wanted = [y for y in results if y.requires_grad]
    answer = {"results": flat(results)}
    if wanted:
        answer["gradients"] = flat(list(torch.autograd.grad(_total(wanted, 0.37), leaves, allow_unused=True)))
    return answer


def ask_lists_twice(call, operands):
    """Of all gradients, which depend on all operands: the gradients for these."""
    leaves, results = _called(call, operands)
    seed = [_weights(y, 0.37).requires_grad_() for y in results]
    first = torch.autograd.grad(results, leaves, seed, create_graph=True, allow_unused=True)
    second = torch.autograd.grad(_total(first, 0.71), [*leaves, *seed], allow_unused=True)
    return {"first": flat(list(first)), "second": flat(list(second))}


# ---- texts ----------------------------------------------------------------------------------------------------------
def printed(expression):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return str(eval(expression, dict(SPACE)))


def refusal(call):
    """[the error's type, its text] of what must not be accepted."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(call, dict(SPACE))
    except Exception as error:
        return [type(error).__name__, str(error).split("\nException raised")[0]]
    raise AssertionError(f"not refused: {call}")
