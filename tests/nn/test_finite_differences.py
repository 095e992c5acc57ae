"""Every case of torch.nn's golden data once more: its gradients, and their gradients, beside finite differences.

Along one direction of all inputs and parameters together. Where a function has a corner within reach of the differences, two
measurements of a slope disagree, and nothing is said.
"""

import collections
import functools
import warnings

import pytest
import torch
from finite_differences import slope
from nn_golden import FAMILIES, stored
from nn_oracle import SPACE, made
from test_golden_nn import FUNCTIONS, MODULES
from torch.nn.utils.stateless import functional_call

SHIFT = 0.0137  # off the corners, which are at round numbers
NEAR = (1e-6, 2e-5)  # of the first and of the second order, relative to the size of what is compared
# Whose gradients are on purpose not the slopes, and why.
OTHERWISE = {
    "padding_idx": "that row gets no gradient",
    "torch.embedding(": "padding_idx by its place",
    "F.embedding(x, w * 1, -1": "padding_idx by its place",
    ".detach()": "of what is detached nothing is asked",
    "), m, v": "running statistics are written, and not recorded",
    "torch.native_": "statistics among the results have no gradient",
    "torch._weight_norm_interface": "norms among the results have no gradient",
    "max_norm": "rows are made shorter in place before they are looked up",
    "spectral_norm": "vectors that change with the weight count as constants",
    "EmbeddingBag": "PyTorch has no second derivative of it, either; test_sequences.py has the first",
    "embedding_bag": "PyTorch has no second derivative of it, either; test_sequences.py has the first",
    "ctc_loss": "the gradient supposes that log_softmax comes before; test_gradients.py asks with it",
    "CTCLoss": "the gradient supposes that log_softmax comes before; test_gradients.py asks with it",
    "binary_cross_entropy(x, y, reduction='none')": "0 and 1, the ends of what is allowed, are among its operands",
}


def tensors_of(result):
    if isinstance(result, (tuple, list)):
        return [t for part in result for t in tensors_of(part)]
    return [result] if isinstance(result, torch.Tensor) else []


def weights_of(tensor, turn):
    return torch.arange(tensor.numel(), dtype=torch.float64).mul(0.7).add(turn).sin().reshape(tensor.shape)


def call_of_module(constructor, row):
    module = made(constructor)
    if "before" in row:
        module.load_state_dict(row["before"])
    module.train()
    names = [name for name, p in module.named_parameters() if p.requires_grad]
    inputs = row["inputs"] if "inputs" in row else row["operands"]
    learned = [i for i, x in enumerate(inputs) if isinstance(x, torch.Tensor) and x.requires_grad]

    def function(leaves):
        at = list(inputs)
        for i, x in zip(learned, leaves):
            at[i] = x
        state = dict(zip(names, leaves[len(learned) :]))
        state |= {name: b.detach().clone() for name, b in module.named_buffers()}
        return functional_call(module, state, tuple(at))

    return function, [inputs[i] for i in learned] + [p for p in module.parameters() if p.requires_grad]


def call_of_function(call, row):
    operands = row["operands"]
    learned = [name for name, x in operands.items() if isinstance(x, torch.Tensor) and x.requires_grad]

    def function(leaves):
        return eval(call, {**SPACE, **operands, **dict(zip(learned, leaves))})

    return function, [operands[name] for name in learned]


def value_of(function):
    """The weighted sum of all results."""

    def value(leaves):
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = [t for t in tensors_of(function(leaves)) if t.dtype == torch.float64]
        return sum((t * weights_of(t, place)).sum() for place, t in enumerate(results))

    return value


def gradients(value, leaves, create_graph=False):
    total = value(leaves)
    found = torch.autograd.grad(total, leaves, allow_unused=True, create_graph=create_graph)
    return [torch.zeros_like(x) if g is None else g for g, x in zip(found, leaves)]


def product(tensors, along):
    return sum((t * d).sum() for t, d in zip(tensors, along))


def said(order, measured, claimed, size):
    want, apart = measured
    scale = 1 + abs(want) + size
    if not size < float("inf") or apart > 1e-5 * scale:
        return "not smooth"
    return "" if abs(want - claimed) <= NEAR[order - 1] * scale else f"order {order}: slope {want}, gradient {claimed}"


def judge(function, leaves):
    """What is said of the first order, and of the second."""
    value = value_of(function)
    leaves = [(x.detach() + SHIFT).requires_grad_() for x in leaves]
    total = value(leaves)
    if not leaves or not isinstance(total, torch.Tensor) or not total.requires_grad:
        return ["not recorded"]
    along, other = ([weights_of(x, 1 + turn + i) for i, x in enumerate(leaves)] for turn in (0, 0.9))
    plain = [x.detach() for x in leaves]
    found = gradients(value, leaves, create_graph=True)

    def at(moved):
        with torch.no_grad():
            return float(value(moved))

    size = sum(float(g.detach().abs().sum()) for g in found)
    verdicts = [said(1, slope(at, plain, along), float(product(found, along).detach()), size)]
    claim = product(found, other)
    second = torch.autograd.grad(claim, leaves, allow_unused=True) if claim.requires_grad else [None] * len(leaves)
    second = [torch.zeros_like(x) if g is None else g for g, x in zip(second, leaves)]

    def slopes(moved):
        return float(product(gradients(value, [x.requires_grad_() for x in moved]), other).detach())

    size += sum(float(g.abs().sum()) for g in second)
    verdicts.append(said(2, slope(slopes, plain, along), float(product(second, along)), size))
    return verdicts


KINDS = {"MODULES": call_of_module, "FUNCTIONS": call_of_function, "TWICE": call_of_function, "ONCE": call_of_function}
CASES = {call: (call_of_module, row) for call, row in MODULES.items()}
CASES |= {call: (call_of_function, row) for call, row in FUNCTIONS.items()}
for family, of in FAMILIES.items():
    for kind in of.kinds & KINDS.keys():
        CASES |= {call: (KINDS[kind], row) for call, row in stored(family)[kind].items()}
CASES = {call: case for call, case in CASES.items() if not any(words in call for words in OTHERWISE)}


@functools.cache
def verdicts_of(call):
    make, row = CASES[call]
    return judge(*make(call, row))


@pytest.mark.parametrize("call", CASES)
def test_finite_differences(call):
    wrong = [text for text in verdicts_of(call) if text.startswith("order")]
    assert not wrong, wrong


def test_most_are_measured():
    counts = collections.Counter(text for call in CASES for text in verdicts_of(call))
    assert counts[""] > 0.9 * counts.total(), counts


def test_a_wrong_gradient_is_found():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2.001

    (first, _) = judge(lambda leaves: Wrong.apply(leaves[0]).sin(), [torch.linspace(0, 1, 5, dtype=torch.float64)])
    assert first.startswith("order 1")
