"""Functions of torch.nn.functional that are operators of torch itself, and such as call one."""

import pickle

import pytest
import torch
import torch.nn.functional as F


@pytest.mark.parametrize("name", ["bilinear", "cosine_similarity", "pairwise_distance", "pdist"])
def test_functions_are_operators(name):
    assert getattr(F, name) is getattr(torch, name)


@pytest.mark.parametrize("name", ["linear", "avg_pool2d", "scaled_dot_product_attention"])
def test_names_of_operators(name):
    function = getattr(F, name)
    assert function is getattr(torch._C._nn, name)
    assert (function.__name__, function.__module__) == (name, "torch._C._nn")
    assert pickle.loads(pickle.dumps(function)) is function


def t(*shape):
    return torch.linspace(-1, 2, torch.Size(shape).numel(), dtype=torch.float64).reshape(shape)


# {operator: its arguments, and how torch.nn.functional says the same}
X, Y, Z = t(3, 4), t(3, 4).cos(), t(3, 4).sin()
S = torch.tensor([1, -1, 1])
ASKED = {
    "linear": ((X, t(5, 4), t(5)), lambda: F.linear(X, t(5, 4), t(5))),
    "embedding": ((X, S.abs()), lambda: F.embedding(S.abs(), X)),
    "poisson_nll_loss": (
        (X, Y, False, True, 2.0, 2),
        lambda: F.poisson_nll_loss(X, Y, False, True, None, 2.0, None, "sum"),
    ),
    "hinge_embedding_loss": (
        (X, S[:, None], 0.5, 0),
        lambda: F.hinge_embedding_loss(X, S[:, None], 0.5, reduction="none"),
    ),
    "margin_ranking_loss": ((X, Y, Z, 0.5, 1), lambda: F.margin_ranking_loss(X, Y, Z, 0.5)),
    "cosine_embedding_loss": ((X, Y, S, 0.1, 1), lambda: F.cosine_embedding_loss(X, Y, S, 0.1)),
    "triplet_margin_loss": (
        (X, Y, Z, 2.0, 1.0, 1e-3, True, 1),
        lambda: F.triplet_margin_loss(X, Y, Z, 2.0, 1.0, 1e-3, True),
    ),
    "dropout": ((X, 1.0, True), lambda: F.dropout(X, 1.0)),
    "feature_dropout": ((X[None, :, :, None], 1.0, True), lambda: F.dropout2d(X[None, :, :, None], 1.0)),
    "alpha_dropout": ((X, 1.0, True), lambda: F.alpha_dropout(X, 1.0, True)),
    "feature_alpha_dropout": ((X, 1.0, True), lambda: F.feature_alpha_dropout(X, 1.0, True)),
}


@pytest.mark.parametrize("name", ASKED)
def test_torch_ops_has_them(name):
    arguments, function = ASKED[name]
    found = getattr(torch.ops.aten, name)(*arguments)
    assert torch.equal(found, function())


def test_one_call_is_seen():
    """A linear map is one operator, whatever its input's shape, for whoever hears of calls."""
    seen = []

    class Hearing(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            seen.append(function)
            return function(*args, **(kwargs or {}))

    inputs, weight, bias = [t(4), t(3, 4), t(2, 3, 4)], t(5, 4), t(5)
    with Hearing():
        for x in inputs:
            F.linear(x, weight, bias)
    assert seen == [F.linear] * 3


def test_linear_of_what_is_no_tensor():
    for arguments, text in (
        ((1, X), "argument 'input' \\(position 1\\) must be Tensor, not int"),
        ((X, 2), "argument 'weight' \\(position 2\\) must be Tensor, not int"),
        ((X, X, 3), "argument 'bias' \\(position 3\\) must be Tensor, not int"),
    ):
        with pytest.raises(TypeError, match="linear\\(\\): " + text):
            F.linear(*arguments)


def test_nodes_of_layers():
    """Parts are recorded as PyTorch records them."""

    def chain(result):
        names, node = [], result.grad_fn
        while node is not None and node.next_functions:
            names.append(node.name())
            node = next((n for n, _ in node.next_functions if n is not None), None)
        return names

    x, w, b = (a.clone().requires_grad_() for a in (X, t(5, 4), t(5)))
    assert chain(F.linear(x.detach(), w)) == ["MmBackward0", "TBackward0"]
    assert chain(F.linear(x, w, b))[0] == "AddmmBackward0"
    assert chain(F.linear(x.detach()[None], w, b.detach())) == ["ViewBackward0", "AddmmBackward0", "TBackward0"]
    assert chain(torch.cosine_similarity(x, Y)) == ["SumBackward1", "MulBackward0", "DivBackward0"]
    assert chain(torch.dropout(x, 0.5, True)) == ["MulBackward0"]
    assert chain(torch.alpha_dropout(x, 0.5, True)) == ["AddBackward0", "MulBackward0"]


def test_cosine_similarity_near_zero():
    """A norm below eps counts as eps, and still has a gradient of its own."""
    x = torch.tensor([[3e-9, 4e-9], [0.0, 0.0]], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([[1.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    result = torch.cosine_similarity(x, y)
    assert torch.allclose(result, torch.tensor([0.3, 0.0], dtype=torch.float64))
    result.sum().backward()
    assert torch.allclose(x.grad, EXPECTED)


EXPECTED = torch.tensor([[8.2e7, -2.4e7], [1e8, 0.0]], dtype=torch.float64)
