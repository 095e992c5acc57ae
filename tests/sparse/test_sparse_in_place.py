"""Operators that write sparse tensors in place, with gradients: a tensor has the history of what it became, and what was computed
of it before keeps what it was."""

import gc
import weakref

import pytest
import torch

PLACES = {"coo": lambda t: t.to_sparse(), "csr": lambda t: t.to_sparse_csr(), "bsr": lambda t: t.to_sparse_bsr((2, 2))}
A = torch.tensor([[0.5, 0, -1.5, 0], [0, 2.0, 0, 0.25]], dtype=torch.float64)
B = torch.tensor([[0, 3.0, 1.5, 0], [-1.0, 2.0, 0, 0]], dtype=torch.float64)
D = torch.linspace(-1, 2, 8, dtype=torch.float64).reshape(2, 4)
# In place, and what it is out of place.
PAIRS = {
    "mul_ a number": (lambda x, y: x.mul_(2), lambda x, y: x * 2),
    "div_ a number": (lambda x, y: x.div_(4), lambda x, y: x / 4),
    "neg_": (lambda x, y: x.neg_(), lambda x, y: -x),
    "sin_": (lambda x, y: x.sin_(), lambda x, y: x.sin()),
    "pow_": (lambda x, y: x.pow_(2), lambda x, y: x**2),
    "add_": (lambda x, y: x.add_(y, alpha=3), lambda x, y: torch.add(x, y, alpha=3)),
    "sub_": (lambda x, y: x.sub_(y), lambda x, y: x - y),
    "mul_": (lambda x, y: x.mul_(y), lambda x, y: x * y),
    "mul_ itself": (lambda x, y: x.mul_(x), lambda x, y: x * x),
    "add_ itself": (lambda x, y: x.add_(x), lambda x, y: x + x),
    "mul_ a strided one": (lambda x, y: x.mul_(D), lambda x, y: x * D),
    "zero_": (lambda x, y: x.zero_(), lambda x, y: x * 0),
    "copy_": (lambda x, y: x.copy_(y), lambda x, y: y.clone()),
    "operators": (lambda x, y: operators(x, y), lambda x, y: (x * 2 + y) / 3),
    "one after another": (lambda x, y: x.mul_(x).add_(y).mul_(x), lambda x, y: (x * x + y) * (x * x + y)),
}


def operators(x, y):
    x *= 2
    x += y
    x /= 3
    return x


@pytest.mark.parametrize("layout", PLACES)
@pytest.mark.parametrize("name", PAIRS)
def test_gradients_are_those_of_the_operator_out_of_place(name, layout):
    written, made = PAIRS[name]
    grads = []
    for function in (written, made):
        x, y = (PLACES[layout](t).requires_grad_() for t in (A, B))
        result = function(x.clone(), y)
        gradient = torch.autograd.grad((result.to_dense() * D).sum(), (x, y), allow_unused=True, materialize_grads=True)
        grads.append([result.detach().to_dense(), *(g.to_dense() for g in gradient)])
    for one, other in zip(*grads, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("layout", PLACES)
def test_of_second_order(layout):
    def function(values):
        x = (values * (A != 0)).sparse_mask(PLACES[layout](A))
        return x.mul_(x).add_(x).mul_(x).to_dense(masked_grad=False)

    values = D.clone().requires_grad_()
    assert torch.autograd.gradcheck(function, (values,))
    assert torch.autograd.gradgradcheck(function, (values,))


@pytest.mark.parametrize("layout", PLACES)
def test_a_leaf_is_written_without_recording_alone(layout):
    x = PLACES[layout](A).requires_grad_()
    with pytest.raises(RuntimeError, match="leaf"):
        x.mul_(2)
    torch.testing.assert_close(x.detach().to_dense(), A)
    with torch.no_grad():
        x.mul_(2)
    torch.testing.assert_close(x.detach().to_dense(), 2 * A)
    assert x.is_leaf
    assert x.requires_grad


def test_what_is_kept_for_the_backward_pass_is_what_it_was():
    x = A.to_sparse().requires_grad_()
    y = x * 1
    z = y * y  # keeps y
    before = y._version
    y.mul_(3)
    assert y._version > before
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.to_dense().sum().backward()


def test_other_operands_get_gradients_when_the_written_one_has_none():
    x, y = A.to_sparse(), B.to_sparse().requires_grad_()
    assert x.add_(y) is x
    assert x.requires_grad
    x.to_dense().sum().backward()
    torch.testing.assert_close(y.grad.sparse_mask(y).to_dense(), (B != 0).double())


def test_shapes_change_in_place():
    for change, back in (
        (lambda x: x.t_(), lambda g: g.t()),
        (lambda x: x.transpose_(0, 1), lambda g: g.t()),
        (lambda x: x.unsqueeze_(1), lambda g: g.squeeze(1)),
        (lambda x: x.unsqueeze_(0).squeeze_(0), lambda g: g),
    ):
        x = A.to_sparse().requires_grad_()
        result = change(x.clone())
        weight = torch.arange(8.0, dtype=torch.float64).view(result.shape)
        (result.to_dense() * weight).sum().backward()
        torch.testing.assert_close(x.grad.to_dense(), back(weight) * (A != 0))


def test_strided_tensors_that_sparse_ones_are_written_into():
    for write, made in (
        (lambda d, s: d.mul_(s), lambda d, s: d * s.to_dense()),
        (lambda d, s: d.add_(s, alpha=2), lambda d, s: d + 2 * s.to_dense()),
        (lambda d, s: d.sub_(s), lambda d, s: d - s.to_dense()),
    ):
        found = []
        for function in (write, made):
            d, s = D.clone().requires_grad_(), A.to_sparse().requires_grad_()
            result = function(d * 1, s)
            (result * D).sum().backward()
            found.append((result.detach(), d.grad.to_dense(), s.grad.to_dense()))
        for one, other in zip(*found, strict=True):
            torch.testing.assert_close(one, other)


def test_out_is_not_recorded():
    x, out = A.to_sparse().requires_grad_(), torch.zeros(2, 4, dtype=torch.float64).to_sparse()
    with pytest.raises(RuntimeError, match="requires grad"):
        torch.mul(x, B.to_sparse(), out=out)
    assert out._nnz() == 0
    with torch.no_grad():
        torch.mul(x, B.to_sparse(), out=out)
    torch.testing.assert_close(out.to_dense(), A * B)


def test_nothing_is_left_when_the_tensor_is_gone():
    x = A.to_sparse().requires_grad_()
    y = x.clone()
    y.mul_(y).add_(x).sin_().mul_(2)
    tensor, hook = weakref.ref(y), lambda *grads: None
    kept = weakref.ref(hook)
    y.grad_fn.register_hook(hook)  # which the node has as long as it is there
    del y, hook
    gc.collect()
    assert tensor() is None
    assert kept() is None
