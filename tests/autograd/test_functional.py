"""torch.autograd.functional: Jacobians, Hessians and products with vectors."""

import pytest
import torch
from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp


def exp_sum(x):
    return x.exp().sum()


def product(x, y):
    return x * y.sum(), y


A, B = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
E = torch.tensor([1.0, 2.0]).exp()


# ---- values ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("vectorize", [False, True])
def test_jacobian(vectorize):
    assert torch.equal(jacobian(lambda x: x * 2, A, vectorize=vectorize), 2 * torch.eye(2))
    (xx, xy), (yx, yy) = jacobian(product, (A, B), vectorize=vectorize)
    assert torch.equal(xx, 7 * torch.eye(2)) and torch.equal(xy, A[:, None].expand(2, 2))
    assert torch.equal(yx, torch.zeros(2, 2)) and torch.equal(yy, torch.eye(2))
    assert jacobian(lambda x: x.view(2, 1) * torch.ones(3), A).shape == (2, 3, 2)
    assert jacobian(lambda x: x.sum(), A).shape == (2,)


@pytest.mark.parametrize("vectorize", [False, True])
def test_hessian(vectorize):
    assert torch.allclose(hessian(exp_sum, A, vectorize=vectorize), torch.diag(E))
    (xx, xy), (yx, yy) = hessian(lambda x, y: (x * x * y).sum(), (A, B), vectorize=vectorize)
    assert torch.equal(xx, torch.diag(2 * B)) and torch.equal(xy, torch.diag(2 * A))
    assert torch.equal(yx, torch.diag(2 * A)) and torch.equal(yy, torch.zeros(2, 2))


def test_products():
    value, result = vjp(lambda x: x.exp(), A, B)
    assert torch.equal(value, E) and torch.allclose(result, E * B) and not result.requires_grad
    assert torch.allclose(vjp(exp_sum, A)[1], E)
    value, result = jvp(lambda x: x.exp(), A, B)
    assert torch.equal(value, E) and torch.allclose(result, E * B)
    assert jvp(exp_sum, torch.zeros(1))[1].item() == 1
    (value, _), (first, second) = jvp(product, (A, B), (B, A))
    assert torch.allclose(first, B * B.sum() + A * A.sum()) and torch.equal(second, A)
    value, result = vhp(exp_sum, A, B)
    assert torch.allclose(value, E.sum()) and torch.allclose(result, E * B)
    value, result = hvp(exp_sum, A, B)
    assert torch.allclose(value, E.sum()) and torch.allclose(result, E * B)
    _, (x, y) = hvp(lambda x, y: (x * x * y).sum(), (A, B), (A, B))
    assert torch.allclose(x, 2 * B * A + 2 * A * B) and torch.allclose(y, 2 * A * A)


def test_create_graph():
    x = A.clone().requires_grad_()
    for result in (
        jacobian(lambda t: t**3, x, create_graph=True).sum(),
        vjp(lambda t: t**3, x, torch.ones(2), create_graph=True)[1].sum(),
        jvp(lambda t: t**3, x, torch.ones(2), create_graph=True)[1].sum(),
    ):
        assert torch.autograd.grad(result, x)[0].tolist() == [6, 12]
    for function in (hvp, vhp):
        result = function(lambda t: (t**4).sum(), x, torch.ones(2), create_graph=True)[1].sum()
        assert torch.autograd.grad(result, x)[0].tolist() == [24, 48]
    assert not jacobian(lambda t: t**3, x).requires_grad


def test_what_does_not_depend_is_zero():
    assert jacobian(lambda x: torch.ones(2), A).tolist() == [[0, 0], [0, 0]]
    assert jacobian(lambda x, y: x * 2, (A, B))[1].tolist() == [[0, 0], [0, 0]]
    assert vjp(lambda x: torch.ones(2), A, B)[1].tolist() == [0, 0]
    assert hvp(lambda x: x.sum(), A, B)[1].tolist() == [0, 0]


# ---- refused -----------------------------------------------------------------------------------------------
SCALAR = "should contain a single element"
TWICE = "While computing the hessian, found that the jacobian of the user-provided function with respect to input 0 is indep"
STRICT = (
    "does not require gradients. The outputs must be computed in a differentiable manner from the input when running"
)


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (
            lambda: jacobian(lambda x: 3, A),
            TypeError,
            "The outputs of the user-provided function given to jacobian must be e",
        ),
        (lambda: jacobian(lambda x: (3, x), A), TypeError, "but the value at index 0 has type <class 'int'>"),
        (
            lambda: jacobian(lambda x: x, 3),
            TypeError,
            "The inputs given to jacobian must be either a Tensor or a tuple of",
        ),
        (lambda: vjp(lambda x: x, (3,), A), TypeError, "but the value at index 0 has type <class 'int'>"),
        (
            lambda: jacobian(lambda x: torch.ones(2), A, strict=True),
            RuntimeError,
            "Output 0 of the user-provided function " + STRICT,
        ),
        (
            lambda: jacobian(lambda x, y: x, (A, B), strict=True),
            RuntimeError,
            "is independent of input 1. This is not allowed in",
        ),
        (
            lambda: jacobian(lambda x: x * 2, A, strict=True, create_graph=True),
            RuntimeError,
            "The jacobian of the user-provided function is independent of input 0. This is not allowed in strict mode when cre",
        ),
        (lambda: jacobian(lambda x: x, A, strict=True, vectorize=True), RuntimeError, "are not supported together"),
        (lambda: jacobian(lambda x: x, A, strategy="sideways"), AssertionError, "Expected strategy to be either"),
        (lambda: jacobian(lambda x: x, A, strategy="forward-mode"), NotImplementedError, ""),
        (
            lambda: hessian(lambda x: x, A),
            RuntimeError,
            "The Tensor returned by the function given to hessian " + SCALAR,
        ),
        (
            lambda: hessian(lambda x: (x.sum(), x.sum()), A),
            RuntimeError,
            "given to hessian should return a single Tensor",
        ),
        (lambda: hessian(lambda x: x.sum(), A, strict=True), RuntimeError, TWICE),
        (
            lambda: vjp(lambda x: x, A),
            RuntimeError,
            "The vector v can only be None if the user-provided function returns a single",
        ),
        (
            lambda: vjp(lambda x: x, A, torch.ones(3)),
            RuntimeError,
            r"v has invalid size: should be torch.Size\(\[2\]\) but got",
        ),
        (lambda: vjp(lambda x: x, A, (A, B)), RuntimeError, "The given v should contain a single Tensor"),
        (lambda: vjp(lambda x: torch.ones(2), A, A, strict=True), RuntimeError, STRICT),
        (
            lambda: jvp(lambda x: x, A),
            RuntimeError,
            "can only be None if the input to the user-provided function is a single",
        ),
        (lambda: jvp(lambda x: torch.ones(2), A, A, strict=True), RuntimeError, STRICT),
        (lambda: vhp(lambda x: x, A, A), RuntimeError, "given to vhp " + SCALAR),
        (lambda: hvp(lambda x: x, A, A), RuntimeError, "given to hvp " + SCALAR),
        (lambda: hvp(lambda x: x.sum(), A, A, strict=True), RuntimeError, TWICE),
        (lambda: vhp(lambda x: x.sum(), A, A, strict=True), RuntimeError, TWICE),
    ],
)
def test_refused(call, kind, text):
    with pytest.raises(kind, match=text or None):
        call()
