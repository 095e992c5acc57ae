"""Gradients in C++: functions with a backward of their own, passes, hooks, modes, and tensors that require grad."""

import gc
import pathlib
import weakref

import pytest
import torch
from torch.utils import cpp_extension

SOURCE = pathlib.Path(__file__).parent / "gradients.cpp"


@pytest.fixture(scope="module")
def cpp(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gradients")
    return cpp_extension.load("gradients", SOURCE, extra_cflags=["-O0"], build_directory=folder)


def leaf(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


# ---- functions ----


def test_function(cpp):
    x = leaf(1, -2, 3)
    y = cpp.cube(x)
    assert y.tolist() == [1, -8, 27] and y.requires_grad and not y.is_leaf
    assert y.grad_fn.name() == "torch::autograd::CppNode<Cube>" and "CppNode<Cube>" in repr(y)
    y.sum().backward()
    assert x.grad.tolist() == [3, 12, 27]
    with pytest.raises(RuntimeError, match=r"second time .*: what torch::autograd::CppNode<Cube> had saved"):
        y.sum().backward()
    for operator, arguments in (
        (cpp.cube, (x,)),
        (lambda x: cpp.exponential(x, 0.5, 3, False), (x,)),
        (lambda x: cpp.sorted(x)[2], (x,)),
        (cpp.linear, (torch.randn(2, 3).double().requires_grad_(), torch.randn(4, 3).double(), leaf(1, 2, 3, 4))),
    ):
        assert torch.autograd.gradcheck(operator, arguments)
        assert torch.autograd.gradgradcheck(operator, arguments)


def test_nothing_is_recorded_where_nothing_asks(cpp):
    assert not cpp.cube(torch.ones(2)).requires_grad
    with torch.no_grad():
        assert not cpp.cube(leaf(1)).requires_grad
    assert torch.is_grad_enabled()
    assert not cpp.sorted(torch.ones(2))[0].requires_grad


def test_arguments_of_other_types(cpp):
    x = leaf(1, 2)
    cpp.exponential(x, 0.5, 3, True).sum().backward()
    expected = -(0.5 * x.detach() ** 3).exp() * 1.5 * x.detach() ** 2
    assert torch.allclose(x.grad, expected)
    with pytest.raises(RuntimeError, match="Expected String but got Int"):
        cpp.wrong_value(3)


def test_needs_input_grad(cpp):
    x, w, b = torch.ones(2, 3), torch.ones(4, 3, requires_grad=True), torch.ones(4, requires_grad=True)
    cpp.linear(x, w, b).sum().backward()
    assert cpp.what_was_needed() == [False, True, True]
    assert x.grad is None and w.grad.tolist() == [[2] * 3] * 4 and b.grad.tolist() == [2] * 4
    y = cpp.linear(x, w, None).sum()
    torch.autograd.grad(y, w)
    assert cpp.what_was_needed() == [False, True, False]
    y = cpp.linear(x.requires_grad_(), w, b).sum()
    torch.autograd.grad(y, b)
    assert cpp.what_was_needed() == [False, False, True], "only what the running pass asks for"


def test_several_results(cpp):
    x = leaf(3, 1, 2)
    values, places, doubled = cpp.sorted(x)
    assert places.tolist() == [1, 2, 0] and not places.requires_grad
    assert values.grad_fn is doubled.grad_fn and (values.output_nr, doubled.output_nr) == (0, 2)
    (values * torch.tensor([1.0, 2, 3])).sum().backward(retain_graph=True)
    assert x.grad.tolist() == [3, 1, 2]
    doubled[0].backward()
    assert x.grad.tolist() == [3, 3, 2]


@pytest.mark.parametrize("materialize", [True, False])
def test_gradients_that_nobody_computed(cpp, materialize):
    x = leaf(1, 2)
    first, second = cpp.twice(x, materialize)
    second.sum().backward(retain_graph=True)
    assert cpp.what_was_defined() == [materialize, True] and x.grad.tolist() == [3, 3]
    (first + second).sum().backward()
    assert cpp.what_was_defined() == [True, True] and x.grad.tolist() == [8, 8]


def test_in_place(cpp):
    x = leaf(1, 2)
    y = x * 3
    z = cpp.double_(y, True)
    assert z is y and y.tolist() == [6, 12]
    assert y.grad_fn.name() == "torch::autograd::CppNode<Double_>"
    y.sum().backward()
    assert x.grad.tolist() == [6, 6]
    part = x * 3
    cpp.double_(part[0], True)
    part.sum().backward()
    assert x.grad.tolist() == [12, 9]
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in an in-place"):
        cpp.double_(leaf(1), True)
    with pytest.raises(RuntimeError, match="Some elements marked as dirty .* were not returned as output"):
        cpp.dirty(torch.ones(2))


def test_an_argument_that_is_returned(cpp):
    x = leaf(1, 2)
    y = cpp.same(x)
    assert y is not x and x.is_leaf and y.data_ptr() == x.data_ptr()
    y.sum().backward()
    assert x.grad.tolist() == [10, 10]


@pytest.mark.parametrize(
    "how, error, text",
    [
        (1, ValueError, "a value"),
        (2, RuntimeError, "a runtime error"),
        (4, RuntimeError, r"function Failing returned an incorrect number of gradients \(expected 2, got 0\)"),
        (5, RuntimeError, "returned a gradient different than None at position 2"),
        (6, RuntimeError, r"incorrect number of gradients \(expected 2, got 3\)"),
        (8, RuntimeError, "CppNode<Failing>.*returned an invalid gradient at index 0"),
    ],
)
def test_errors_out_of_backward(cpp, how, error, text):
    y = cpp.failing(leaf(1, 2), how)
    for run in (lambda: y.sum().backward(retain_graph=True), lambda: cpp.backward_of(y.sum())):
        with pytest.raises(error, match=text) as info:
            run()
        assert info.type is error
    assert torch.is_grad_enabled()


def test_other_errors(cpp):
    with pytest.raises(TypeError, match="out of forward"):
        cpp.failing(leaf(1), 0)
    x = leaf(1, 2)
    cpp.failing(x, 7).sum().backward()
    assert x.grad.tolist() == [1, 1], "undefined ones too many are no error"
    y = x * 1
    z = cpp.cube(y)
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_nothing_is_left(cpp):
    """A result that is saved, and a graph that is not run, keep nothing alive."""
    x = leaf(1, 2)
    y = cpp.exponential(x, 1.0, 1, False)
    ended = weakref.ref(y)
    del y
    gc.collect()
    assert ended() is None


# ---- passes ----


def test_grad(cpp):
    x, other = leaf(1, 2), leaf(5)
    y = (x * x).sum()
    (first,) = cpp.grads([y], [x], True, False)
    assert first.tolist() == [2, 4] and first.requires_grad
    assert cpp.grads([first.sum()], [x], False, False)[0].tolist() == [2, 2]
    assert cpp.grads([y], [x, other], True, True)[1] is None
    with pytest.raises(RuntimeError, match="not have been used in the graph"):
        cpp.grads([y], [other], True, False)
    assert x.grad is None
    assert cpp.hessian_of_cubes(leaf(1, 2)).tolist() == [6, 12]
    with pytest.raises(ValueError, match="grad requires non-empty inputs"):
        cpp.grad_of_nothing(y)
    with pytest.raises(RuntimeError, match="got 2 tensors and 1 gradients"):
        cpp.wrong_counts(y)
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        cpp.backward_of(torch.ones(()))


def test_backward(cpp):
    assert cpp.run_backward(leaf(1, 2)).tolist() == [8, 16]
    x, other = leaf(1, 2), leaf(3, 4)
    assert cpp.only_for((x * other).sum(), x).tolist() == [3, 4]
    assert other.grad is None


def test_python_in_a_pass_of_cpp(cpp):
    """What Python's functions and hooks raise comes out as what it was."""

    class Strange(Exception):
        pass

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            if grad[0] > 1:
                raise Strange("from Python")
            return grad * 7

    x = leaf(1, 2)
    cpp.backward_of(Function.apply(cpp.cube(x)).sum())
    assert x.grad.tolist() == [21, 84]
    with pytest.raises(Strange, match="from Python"):
        cpp.backward_of((2 * Function.apply(x)).sum())
    y = cpp.cube(x)
    y.register_hook(lambda grad: grad * 100)
    x.grad = None
    cpp.backward_of(y.sum())
    assert x.grad.tolist() == [300, 1200]


# ---- what a tensor says ----


def test_facts(cpp):
    assert cpp.facts() == [
        (True, True, False, None, False),
        (False, True, True, True),
        (True, False, "MulBackward0", True, 2.0, 2, "torch::autograd::AccumulateGrad", 0),
        (False, False, True, True),
        (False, True, False, 0),
    ]


@pytest.mark.parametrize(
    "how, text",
    [
        (0, "floating point and complex dtype can require gradients"),
        (1, "only change requires_grad flags of leaf variables"),
        (2, "a leaf Variable that requires grad is being used in an in-place operation"),
        (3, "leaf is null"),
        (4, "cannot register a hook on a tensor that doesn't require gradient"),
        (5, r"call x.to\(…\).requires_grad_\(\)"),
        (6, "undefined"),
    ],
)
def test_refused(cpp, how, text):
    with pytest.raises(RuntimeError, match=text):
        cpp.fail_with(how)


def test_hooks(cpp):
    assert cpp.hooks() == [20, 22]
    assert cpp.hook_log() == "abxcx"
    x = leaf(1)
    cpp.hook_that_fails(x)
    with pytest.raises(IndexError, match="out of a hook"):
        (x * 2).sum().backward()


def test_modes(cpp):
    assert cpp.modes(leaf(1)) == [True, False, True, False, True, False, True]
    with torch.no_grad():
        assert cpp.modes(leaf(1))[0] is False
        assert torch.is_grad_enabled(), "C++ has switched it on, in this thread"
    assert torch.is_grad_enabled()


def test_factories(cpp):
    made = cpp.made(torch.ones(2, requires_grad=True) * 2)
    for i, x in enumerate(made):
        assert x.requires_grad and x.is_leaf and x.grad_fn is None, i
        (x * 2).sum().backward()
        assert x.grad.eq(2).all(), i
        assert x.dtype == (torch.float32 if i == 1 else torch.float64), i
    assert made[9].shape == ()


def test_print(cpp):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert cpp.shown(x) == cpp.shown(x.detach())
