"""The backward pass: what it computes, what it frees, and what it refuses."""

import pytest
import torch


def leaf(*size, **options):
    return torch.ones(*size, requires_grad=True, **options)


# ---- gradients ---------------------------------------------------------------------------------------------
def test_accumulation():
    x = leaf(3)
    (x * 2).sum().backward()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [5, 5, 5]
    g = x.grad
    (x * 1).sum().backward()
    assert x.grad is g and g.tolist() == [6, 6, 6]


def test_several_ways_to_one_tensor():
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = x * x
    (y + y * x).sum().backward()  # x² + x³
    assert x.grad.tolist() == [4 + 12, 6 + 27]


def test_broadcast_gradients_have_the_shape_of_the_input():
    a, b, c = leaf(3), leaf(2, 1), torch.tensor(2.0, requires_grad=True)
    (a * b * c).sum().backward()
    assert a.grad.tolist() == [4, 4, 4] and b.grad.tolist() == [[6], [6]] and c.grad.item() == 6


def test_mixed_dtypes():
    a, b = leaf(2), leaf(2, dtype=torch.float64)
    (a * b).sum().backward()
    assert a.grad.dtype == torch.float32 and b.grad.dtype == torch.float64


def test_complex():
    z = torch.tensor([1 + 2j], requires_grad=True)
    (z * z.conj()).real.sum().backward()
    assert z.grad.tolist() == [2 + 4j]
    x = torch.tensor([3.0], requires_grad=True)
    (x * (1 + 2j)).abs().sum().backward()
    assert x.grad.dtype == torch.float32
    with pytest.raises(
        RuntimeError, match="grad can be implicitly created only for real scalar outputs but got torch.complex64"
    ):
        (z * 1).sum().backward()


def test_unused_stay_none():
    x, y = leaf(2), leaf(2)
    (x * 2).sum().backward()
    assert y.grad is None


def test_gradient_argument():
    x = leaf(3)
    (x * 2).backward(torch.tensor([1.0, 2.0, 3.0]))
    assert x.grad.tolist() == [2, 4, 6]
    x.grad = None
    torch.autograd.backward([x * 1, x * 10], [torch.ones(3), torch.ones(3)])
    assert x.grad.tolist() == [11, 11, 11]


def test_inputs():
    x, y = leaf(2), leaf(2)
    (x * y).sum().backward(inputs=[x])
    assert x.grad.tolist() == [1, 1] and y.grad is None
    z = x * 2
    (z * y).sum().backward(inputs=z)
    assert x.grad.tolist() == [1, 1] and z.grad.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match=r"`inputs` argument to `backward\(\)` cannot be empty"):
        (x * 2).sum().backward(inputs=[])


def test_grad_does_not_accumulate():
    x = leaf(2)
    y = x * 3
    (gx, gy) = torch.autograd.grad((y * y).sum(), (x, y))
    assert gx.tolist() == [18, 18] and gy.tolist() == [6, 6] and x.grad is None


def test_grad_by_name():
    x = leaf(2)
    assert torch.autograd.grad((x * 3).sum(), {"x": x})["x"].tolist() == [3, 3]


def test_batched():
    x = leaf(3)
    y = x * torch.tensor([1.0, 2.0, 3.0])
    (rows,) = torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True)
    assert rows.tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 3]]


def test_unused_inputs():
    x, other = leaf(2), leaf(2)
    with pytest.raises(
        RuntimeError, match="The differentiated Tensor at index 1 appears to not have been used|One of the diff"
    ):
        torch.autograd.grad((x * 2).sum(), (x, other))
    assert torch.autograd.grad((x * 2).sum(), (x, other), allow_unused=True)[1] is None
    zeros = torch.autograd.grad((x * 2).sum(), (x, other), materialize_grads=True)[1]
    assert zeros.tolist() == [0, 0]
    with pytest.raises(ValueError, match="Expected allow_unused to be True or not passed"):
        torch.autograd.grad((x * 2).sum(), x, allow_unused=False, materialize_grads=True)


# ---- graphs ------------------------------------------------------------------------------------------------
def test_a_graph_runs_once():
    x = leaf(2)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [6, 6]


def test_what_saves_nothing_runs_twice():
    x = leaf(2)
    y = (x + x).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [4, 4]


def test_double_backward():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    assert g.requires_grad
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    assert h.tolist() == [6, 12]
    assert torch.autograd.grad(h.sum(), x)[0].tolist() == [6, 6]


def test_create_graph_of_backward_warns():
    x = leaf(2)
    with pytest.warns(UserWarning, match=r"Using backward\(\) with create_graph=True will create a reference cycle"):
        (x * x).sum().backward(create_graph=True)
    assert x.grad.requires_grad
    x.grad = None


def test_a_long_chain():
    x = leaf(1)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.backward()
    assert x.grad.item() == 1
    del y


def test_leaf_as_root():
    x = leaf(3)
    x.backward(torch.full((3,), 2.0))
    assert x.grad.tolist() == [2, 2, 2]
    assert torch.autograd.grad(x, x, torch.ones(3))[0].tolist() == [1, 1, 1]


def test_gradients_in_the_middle_and_at_the_end():
    x = leaf(2)
    y = x * 2
    z = y * 3
    gy, gx = torch.autograd.grad(z.sum(), [y, x])
    assert gy.tolist() == [3, 3] and gx.tolist() == [6, 6]


def test_backward_inside_backward():
    class Again(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x.detach()
            return x * x

        @staticmethod
        def backward(ctx, grad):
            with torch.enable_grad():
                inner = ctx.x.requires_grad_()
                (g,) = torch.autograd.grad((inner * inner).sum(), inner)
            return grad * g

    x = torch.tensor([3.0], requires_grad=True)
    Again.apply(Again.apply(x)).backward()
    assert x.grad.item() == 4 * 27


# ---- refused -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda x: (x * 2).backward(), RuntimeError, "grad can be implicitly created only for scalar outputs"),
        (
            lambda x: torch.ones(1).backward(),
            RuntimeError,
            "element 0 of tensors does not require grad and does not have a grad_fn",
        ),
        (
            lambda x: torch.autograd.backward([(x * 2).sum(), torch.ones(1)]),
            RuntimeError,
            "element 1 of tensors does not require grad",
        ),
        (
            lambda x: (x * 2).backward(torch.ones(2)),
            RuntimeError,
            r"Mismatch in shape: grad_output\[0\] has a shape of torch.Size\(\[2\]\) and output\[0\] has a shape of "
            r"torch.Size\(\[3\]\)",
        ),
        (
            lambda x: torch.autograd.backward([x * 2], [1]),
            TypeError,
            "gradients can be either Tensors or None, but got int",
        ),
        (
            lambda x: torch.autograd.backward([x * 2], [torch.ones(3, dtype=torch.complex64)]),
            RuntimeError,
            r"For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            r"grad_output\[0\] has a dtype of torch.complex64 and output\[0\] has a dtype of torch.float32",
        ),
        (
            lambda x: torch.autograd.grad((x * 2).sum(), torch.ones(1)),
            RuntimeError,
            "One of the differentiated Tensors does not require grad",
        ),
        (lambda x: torch.autograd.grad(x.sum(), []), RuntimeError, r"`inputs` argument to `grad\(\)` cannot be empty"),
    ],
)
def test_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call(leaf(3))


def test_out_is_not_recorded():
    x = leaf(3)
    with pytest.raises(RuntimeError, match=r"add\(\): functions with out=... arguments don't support automatic diff"):
        torch.add(x, 1, out=torch.ones(3))
    with pytest.raises(RuntimeError, match="functions with out=... arguments don't support automatic diff"):
        torch.add(torch.ones(3), 1, out=leaf(3))
    with torch.no_grad():
        torch.add(x, 1, out=torch.ones(3))


def test_deprecated_arguments():
    x = leaf(2)
    with pytest.warns(FutureWarning, match="`grad_variables` is deprecated"):
        torch.autograd.backward((x * 2).sum(), grad_variables=torch.ones(()))
    with pytest.warns(FutureWarning, match="only_inputs argument is deprecated"):
        torch.autograd.grad((x * 2).sum(), x, only_inputs=False)


def test_an_error_leaves_the_graph_usable():
    x = leaf(2)
    fails = [True]

    class Sometimes(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            if fails[0]:
                raise KeyError("no")
            return grad * 2

    y = Sometimes.apply(x * x).sum()
    with pytest.raises(KeyError, match="no"):
        y.backward(retain_graph=True)
    assert x.grad is None
    fails[0] = False
    y.backward()
    assert x.grad.tolist() == [4, 4]
