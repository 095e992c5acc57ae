"""gradcheck and gradgradcheck find wrong gradients, and only those."""

import warnings

import pytest
import torch
from torch.autograd import Function, gradcheck, gradgradcheck
from torch.autograd.gradcheck import GradcheckError


def numbers(*size, dtype=torch.float64):
    torch.manual_seed(0)
    return torch.rand(size, dtype=dtype).requires_grad_()


def double_with(backward, forward=lambda ctx, x: x * 2):
    return type("Fn", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}).apply


wrong = double_with(lambda ctx, g: g * 3)


@pytest.mark.parametrize("fast", [False, True])
def test_right_gradients(fast):
    x, y, z = numbers(3), numbers(2, 3), numbers(2, dtype=torch.complex128)
    for function, inputs in [
        (lambda x: x * x, x),
        (lambda x, y: (x * y, y.exp()), (x, y)),
        (lambda x, n: x**n, (x, 3)),
        (lambda z: z * z.conj(), z),
        (lambda z: z.abs(), z),
        (lambda x: torch.complex(x, x * x), x),
        (lambda x: x.sum(), numbers()),
        (lambda y: y.t() * 2, numbers(3, 2).detach().t().requires_grad_()),
        (lambda x: x[:0] * 2, x),
        (lambda x: (x * 2, x.detach().long()), x),
    ]:
        assert gradcheck(function, inputs, fast_mode=fast)


def test_wrong_gradients():
    x = numbers(2)
    with pytest.raises(
        GradcheckError, match=r"Jacobian mismatch for output 0 with respect to input 0,\nnumerical:tensor\(\[\[2"
    ):
        gradcheck(wrong, x)
    assert gradcheck(wrong, x, raise_exception=False) is False
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"):
        gradcheck(wrong, x, fast_mode=True)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 1 with respect to input 1"):
        gradcheck(lambda a, b: (a + b, wrong(b)), (x, numbers(2)))
    z = numbers(2, dtype=torch.complex128)
    with pytest.raises(
        GradcheckError, match="While considering the imaginary part of complex outputs only, Jacobian mismatch"
    ):
        gradcheck(double_with(lambda ctx, g: g * 2j), z)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0"):
        gradcheck(double_with(lambda ctx, g: g * 2, lambda ctx, z: z.conj() * 2), z)


def test_a_missing_gradient():
    with pytest.raises(GradcheckError, match="Numerical gradient for function expected to be zero"):
        gradcheck(lambda x: x.detach(), numbers(2))
    assert gradcheck(lambda x: torch.ones(2, dtype=torch.float64), numbers(2))


def test_undefined_gradients():
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2

    careless = double_with(lambda ctx, g: torch.ones(2, dtype=torch.float64) if g is None else g * 2, forward)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(
            GradcheckError, match="Expected all input grads to be undefined or zero when all output grads are"
        ):
            gradcheck(careless, numbers(2))
        assert gradcheck(careless, numbers(2), check_undefined_grad=False)


def test_gradients_that_differ_from_run_to_run():
    calls = []

    def backward(ctx, g):
        calls.append(1)
        return g * (2 + 1e-7 * len(calls))

    with pytest.raises(GradcheckError, match="Backward is not reentrant"):
        gradcheck(double_with(backward), numbers(2))
    assert gradcheck(double_with(backward), numbers(2), nondet_tol=1e-3)


def test_inputs():
    with pytest.raises(ValueError, match="gradcheck expects at least one input tensor to require gradient"):
        gradcheck(lambda x: x, torch.ones(2, dtype=torch.float64))
    with pytest.warns(
        UserWarning, match="Input #0 requires gradient and is not a double precision floating point or complex"
    ):
        gradcheck(lambda x: x * x, torch.ones(2, requires_grad=True), raise_exception=False)
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        gradcheck(lambda x: x * x, torch.ones(1, dtype=torch.float64).expand(3).requires_grad_())


def test_batched_gradients():
    assert gradcheck(lambda x: x * x, numbers(2), check_batched_grad=True)


def test_second_derivatives():
    x, y = numbers(3), numbers(3)
    assert gradgradcheck(lambda x: x**3, x)
    assert gradgradcheck(lambda x, y: x * x * y, (x, y))
    assert gradgradcheck(lambda x: x * 2, x)
    assert gradgradcheck(lambda x: x**3, x, fast_mode=True)
    assert gradgradcheck(lambda x: x**3, x, torch.ones(3, dtype=torch.float64, requires_grad=True))
    assert gradgradcheck(lambda x: x.view(3, 1).exp(), x, gen_non_contig_grad_outputs=True)
    assert gradgradcheck(lambda z: z**3, numbers(2, dtype=torch.complex128))

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    once = double_with(lambda ctx, g: g * 2 * ctx.saved_tensors[0].detach(), forward)
    assert gradcheck(once, x)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"):
        gradgradcheck(once, x)
