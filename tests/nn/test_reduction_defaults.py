"""A loss without its reduction: PyTorch's functions in C++ give each element's then, and its operators, as their schemas say,
the mean; torch.nn.functional's, which name it by a word, the mean."""

import pytest
import torch

X = torch.tensor([[0.25, 2.0], [3.0, 0.5]])
Y = torch.tensor([[0.5, 0.0], [0.0, 1.0]])
SIGNS = torch.tensor([[1.0, -1.0], [-1.0, 1.0]])
CLASSES = torch.tensor([0, 1])
PROBABILITIES = torch.log_softmax(torch.arange(24.0).view(4, 2, 3) * 0.1, 2)
LOSSES = {
    "l1_loss": (X, Y),
    "mse_loss": (X, Y),
    "smooth_l1_loss": (X, Y),
    "huber_loss": (X, Y),
    "soft_margin_loss": (X, SIGNS),
    "binary_cross_entropy": (X.sigmoid(), Y),
    "nll_loss_nd": (X, CLASSES),
    "cross_entropy_loss": (X, CLASSES),
    "multi_margin_loss": (X, CLASSES),
    "multilabel_margin_loss": (X, torch.tensor([[0, -1], [1, 0]])),
    "kl_div": (X, Y),
    "binary_cross_entropy_with_logits": (X, Y),
    "hinge_embedding_loss": (X, SIGNS),
    "margin_ranking_loss": (X, Y, SIGNS),
    "cosine_embedding_loss": (X, Y, SIGNS[0]),
    "triplet_margin_loss": (X, Y, Y + 1),
    "ctc_loss": (PROBABILITIES, torch.tensor([[1, 1], [1, 2]]), torch.tensor([4, 4]), torch.tensor([2, 2])),
}


def the_function(name):
    return getattr(torch._C._nn, name, None) or getattr(torch, name)


@pytest.mark.parametrize("name", LOSSES)
def test_functions_give_elements_and_operators_the_mean(name):
    arguments = LOSSES[name]
    elements = the_function(name)(*arguments, reduction=0)
    assert elements.dim() and len(elements.unique()) > 1, "losses that are alike show nothing"
    assert torch.equal(the_function(name)(*arguments), elements)
    mean = the_function(name)(*arguments, reduction=1)
    operator = getattr(torch.ops.aten, name)
    overload = getattr(operator, "Tensor" if name == "ctc_loss" else "default")
    for call in (operator, overload):
        assert mean.shape == () and torch.equal(call(*arguments), mean)
        assert torch.equal(call(*arguments, reduction=0), elements)
    assert "int reduction=1" in str(overload._schema)


def test_every_loss_that_has_such_a_default_is_here():
    from torch._operators import SCHEMAS

    found = {
        name
        for name, overloads in SCHEMAS.items()
        if any("int reduction=1" in str(text) for text in overloads.values())
    }
    assert found == set(LOSSES)


def test_a_reduction_by_its_place():
    assert torch.equal(torch.ops.aten.l1_loss(X, Y, 2), (X - Y).abs().sum())
    assert torch.equal(
        torch.ops.aten.binary_cross_entropy(X.sigmoid(), Y, None, 0), torch._C._nn.binary_cross_entropy(X.sigmoid(), Y)
    )
    losses = torch._C._nn.nll_loss_nd(X, CLASSES)
    for arguments, wanted in (((), losses.mean()), ((None, 0), losses), ((None, 2, 1), losses[0])):
        assert torch.equal(torch.ops.aten.nll_loss(X, CLASSES, *arguments), wanted)
    assert torch.equal(torch.nn.functional.l1_loss(X, Y), (X - Y).abs().mean())


def test_names_that_torch_nn_keeps_elsewhere():
    space = torch._C._nn
    assert torch.equal(space.nll_loss(X, CLASSES), space.nll_loss_nd(X, CLASSES))
    assert torch.equal(space.nll_loss2d(X[..., None, None], CLASSES[:, None, None]), -X[[0, 1], [0, 1]].view(2, 1, 1))
    assert space.one_hot(CLASSES).tolist() == [[1, 0], [0, 1]]
    assert space.pad_sequence([torch.ones(1), torch.ones(2)], True).tolist() == [[1, 0], [1, 1]]
    flat = space.flatten_dense_tensors([X, Y])
    assert flat.shape == (8,) and torch.equal(space.unflatten_dense_tensors(flat, [X, Y])[1], Y)
    assert not hasattr(space, "nothing_of_that_name")
