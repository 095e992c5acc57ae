"""torch.autograd.Function: gradients written in Python."""

import warnings

import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def leaf(*size, **options):
    return torch.ones(*size, requires_grad=True, **options)


def make(forward, backward, **more):
    methods = {"forward": forward, "backward": backward, **more}
    return type("Fn", (Function,), {name: staticmethod(f) for name, f in methods.items()})


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad):
        (result,) = ctx.saved_tensors
        return grad * result


# ---- forward and backward ----------------------------------------------------------------------------------
def test_exp():
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    y = Exp.apply(x)
    assert y.grad_fn.name() == "ExpBackward" and type(y.grad_fn).__name__ == "ExpBackward"
    assert isinstance(y.grad_fn, torch.autograd.graph.Node)
    assert repr(y).endswith("grad_fn=<ExpBackward>)")
    y.sum().backward()
    assert torch.equal(x.grad, x.detach().exp())
    (g,) = torch.autograd.grad(Exp.apply(x).sum(), x, create_graph=True)
    assert torch.allclose(torch.autograd.grad(g.sum(), x)[0], x.detach().exp())


def test_modes_inside():
    seen = []

    def forward(ctx, a):
        seen.append(torch.is_grad_enabled())
        assert a is x
        return a * 2

    def backward(ctx, grad):
        seen.append(torch.is_grad_enabled())
        return grad * 2

    x = leaf(3)
    f = make(forward, backward)
    f.apply(x).sum().backward()
    torch.autograd.grad(f.apply(x).sum(), x, create_graph=True)
    assert seen == [False, False, False, True]


def test_arguments_of_all_kinds():
    seen = []

    def forward(ctx, a, n, b, word, items, flag=False):
        ctx.n = n
        seen.append(ctx.needs_input_grad)
        return a * n, b + n, word, None

    def backward(ctx, ga, gb, gw, gn):
        seen.append((gw, gn))
        return ga * ctx.n, None, gb, None, None

    x, y = leaf(2), torch.ones(2)
    f = make(forward, backward)
    a, b, word, none = f.apply(x, 3, y, "w", [1])
    assert (word, none) == ("w", None) and a.requires_grad and b.requires_grad
    (a.sum() + b.sum()).backward()
    assert seen == [(True, False, False, False, False), (None, None)]
    assert x.grad.tolist() == [3, 3] and y.grad is None


def test_nothing_to_record():
    x = torch.ones(2)
    y = Exp.apply(x)
    assert not y.requires_grad and y.grad_fn is None
    with torch.no_grad():
        assert not Exp.apply(leaf(2)).requires_grad


def test_results_that_are_no_tensors():
    f = make(lambda ctx, a: 3, lambda ctx, g: g)
    assert f.apply(leaf(1)) == 3
    assert make(lambda ctx, a: None, lambda ctx, g: g).apply(leaf(1)) is None
    (alone,) = make(lambda ctx, a: [a * 2], lambda ctx, g: g).apply(leaf(1))
    assert not alone.requires_grad


def test_integers_have_no_gradient():
    y = make(lambda ctx, a: a.long(), lambda ctx, g: g).apply(leaf(1))
    assert not y.requires_grad


def test_keywords():
    x = leaf(2)
    f = make(lambda ctx, a, b=1, c=5: a * b * c, lambda ctx, g, *more: (g * 5, g * 6))
    w = leaf(2)
    y = f.apply(x, b=w)
    y.sum().backward()
    assert y.tolist() == [5, 5] and x.grad.tolist() == [5, 5] and w.grad.tolist() == [6, 6]
    with pytest.raises(TypeError, match=r"forward\(\) missing required argument: 'b' \(position 1\)"):
        f.apply(x, c=w)
    with pytest.raises(TypeError, match=r"forward\(\) got an unexpected keyword argument 'd'"):
        f.apply(x, d=w)


def test_extra_gradients_of_none():
    x = leaf(2)
    make(lambda ctx, a: a * 2, lambda ctx, g: (g, None, None)).apply(x).sum().backward()
    assert x.grad.tolist() == [1, 1]


def test_no_gradient():
    x = leaf(2)
    make(lambda ctx, a: a * 2, lambda ctx, g: None).apply(x).sum().backward()
    assert x.grad is None


# ---- setup_context -----------------------------------------------------------------------------------------
def test_setup_context():
    seen = []

    class Power(Function):
        @staticmethod
        def forward(x, n=2):
            return x**n

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.append((len(inputs), inputs[1], output.requires_grad))
            x, ctx.n = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * ctx.n * x ** (ctx.n - 1), None

    x = torch.tensor([3.0], requires_grad=True)
    Power.apply(x).backward()
    Power.apply(x, n=3).backward()
    Power.apply(x, 1).backward()
    assert seen == [(2, 2, False), (2, 3, False), (2, 1, False)]
    assert x.grad.item() == 6 + 27 + 1


# ---- what ctx can do ---------------------------------------------------------------------------------------
def test_saved_values():
    def forward(ctx, a, b):
        ctx.save_for_backward(a, None, b)
        ctx.word = "w"
        return a * b

    def backward(ctx, grad):
        a, none, b = ctx.saved_tensors
        assert a is x and none is None and ctx.word == "w"
        assert ctx.needs_input_grad == (True, False)
        return grad * b, None

    x = leaf(2)
    make(forward, backward).apply(x, torch.full((2,), 4.0)).sum().backward()
    assert x.grad.tolist() == [4, 4]


def test_saved_values_are_freed():
    x = leaf(2)
    y = Exp.apply(x)
    y.sum().backward()
    with pytest.raises(
        RuntimeError, match="Trying to backward through the graph a second time.*Specify retain_graph=True"
    ):
        y.sum().backward()
    with pytest.raises(
        RuntimeError, match="Trying to backward through the graph a second time.*Specify retain_graph=True"
    ):
        _ = y.grad_fn.saved_tensors


def test_saved_values_that_were_written():
    x = leaf(2)
    y = Exp.apply(x)
    y.add_(1)
    with pytest.raises(
        RuntimeError,
        match=r"has been modified by an inplace operation: \[torch.FloatTensor \[2\]\], which is output 0 of Exp.*, is at version 1; expected version 0",
    ):
        y.sum().backward()


def test_materialized_gradients():
    seen = []

    def backward(ctx, *grads):
        seen.append([None if g is None else g.tolist() for g in grads])
        return grads[0]

    x = leaf(2)
    make(lambda ctx, a: (a * 2, a * 3), backward).apply(x)[0].sum().backward()

    def forward(ctx, a):
        ctx.set_materialize_grads(False)
        return a * 2, a * 3

    make(forward, backward).apply(x)[0].sum().backward()
    assert seen == [[[1, 1], [0, 0]], [[1, 1], None]]


def test_non_differentiable():
    seen = []

    def forward(ctx, a):
        mask, scaled = a > 0, a * 3
        ctx.mark_non_differentiable(mask, scaled)
        return a * 2, mask, scaled

    def backward(ctx, grad, *others):
        seen.append([g.tolist() for g in others])
        return grad * 2

    x = leaf(2)
    y, mask, scaled = make(forward, backward).apply(x)
    assert y.requires_grad and not mask.requires_grad and not scaled.requires_grad
    y.sum().backward()
    assert seen == [[[False, False], [0, 0]]] and x.grad.tolist() == [2, 2]


def write(ctx, a):
    a.add_(1)
    ctx.mark_dirty(a)
    return a


def test_dirty():
    x = leaf(2)
    y = x * 2
    z = make(write, lambda ctx, g: g * 10).apply(y)
    assert z is y and y.grad_fn.name() == "FnBackward"
    y.sum().backward()
    assert x.grad.tolist() == [20, 20]
    plain = torch.ones(2)
    assert make(write, lambda ctx, g: g).apply(plain) is plain
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in an in-place operation"):
        make(write, lambda ctx, g: g).apply(leaf(2))


def test_a_dirty_view():
    x = leaf(3)
    base = x * 1
    make(write, lambda ctx, g: g * 10).apply(base[0:1])
    assert base.tolist() == [2, 1, 1] and base.grad_fn.name().endswith("CopySlices")
    base.sum().backward()
    assert x.grad.tolist() == [10, 1, 1]


def test_dirty_is_a_result():
    def forward(ctx, a):
        a.add_(1)
        ctx.mark_dirty(a)
        return a * 2

    with pytest.raises(RuntimeError, match="Some elements marked as dirty during the forward method were not returned"):
        make(forward, lambda ctx, g: g).apply(leaf(2) * 1)


def test_an_argument_as_it_is():
    x = leaf(2)
    y = make(lambda ctx, a: a, lambda ctx, g: g * 3).apply(x)
    assert y is not x and y.grad_fn.name() == "FnBackward"
    y.sum().backward()
    assert x.grad.tolist() == [3, 3]
    plain = torch.ones(2)
    assert make(lambda ctx, a: a, lambda ctx, g: g).apply(plain) is not plain


def test_views_may_not_be_written():
    x = leaf(3)
    y = make(lambda ctx, a: a[0:1], lambda ctx, g: g.expand(3)).apply(x * 1)
    assert y._is_view()
    with pytest.raises(RuntimeError, match="is a view and is being modified inplace"):
        y.add_(1)
    y, _ = make(lambda ctx, a: (a[0:1], a[1:2]), lambda ctx, g, h: g.expand(3)).apply(x * 1)
    with pytest.raises(RuntimeError, match="is a view and is being modified inplace"):
        y.add_(1)


def test_results_may_be_written():
    x = leaf(2)
    y = make(lambda ctx, a: a * 2, lambda ctx, g: g * 2).apply(x)
    y.mul_(3)
    y.sum().backward()
    assert x.grad.tolist() == [6, 6]


# ---- once differentiable -----------------------------------------------------------------------------------
def test_once_differentiable():
    class Double(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @once_differentiable
        def backward(ctx, grad):
            assert not torch.is_grad_enabled()
            return grad * 2

    x = leaf(2)
    (g,) = torch.autograd.grad(Double.apply(x).sum(), x, create_graph=True)
    assert not g.requires_grad
    weights = leaf(2)
    (g,) = torch.autograd.grad(Double.apply(x), x, weights, create_graph=True)
    assert repr(g) == "tensor([2., 2.], grad_fn=<Error>)"
    with pytest.raises(RuntimeError, match="trying to differentiate twice a function that was marked with @once_diff"):
        g.sum().backward()


# ---- mistakes ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("backward", "kind", "text"),
    [
        (
            lambda ctx, g: (g, g),
            RuntimeError,
            r"function FnBackward returned an incorrect number of gradients \(expected 1, got 2\)",
        ),
        (lambda ctx, g: 3, RuntimeError, r"expected Variable or None \(got int\)"),
        (
            lambda ctx, g: g[:2],
            RuntimeError,
            r"Function FnBackward returned an invalid gradient at index 0 - got \[2\] but expected shape compatible with \[3\]",
        ),
        (lambda ctx, g: 1 / 0, ZeroDivisionError, "division by zero"),
    ],
)
def test_wrong_gradients(backward, kind, text):
    with pytest.raises(kind, match=text):
        make(lambda ctx, a: a * 2, backward).apply(leaf(3)).sum().backward()


def test_a_gradient_for_no_tensor():
    f = make(lambda ctx, a, b: a * 2, lambda ctx, g: (g, g))
    with pytest.raises(
        RuntimeError, match="returned a gradient different than None at position 2, but the corresponding"
    ):
        f.apply(leaf(3), 3).sum().backward()
    with pytest.raises(RuntimeError, match=r"incorrect number of gradients \(expected 2, got 1\)"):
        make(lambda ctx, a, b: a * 2, lambda ctx, g: g).apply(leaf(3), 3).sum().backward()


def test_missing_methods():
    with pytest.raises(
        NotImplementedError, match="You must implement the forward function for custom autograd.Function"
    ):
        type("Fn", (Function,), {}).apply(leaf(1))
    f = type("Fn", (Function,), {"forward": staticmethod(lambda ctx, a: a * 1)})
    with pytest.raises(NotImplementedError, match="You must implement either the backward or vjp method"):
        f.apply(leaf(1)).backward()


def test_vjp_is_backward_by_another_name():
    x = leaf(1)
    f = type(
        "Fn", (Function,), {"forward": staticmethod(lambda ctx, a: a * 2), "vjp": staticmethod(lambda ctx, g: g * 7)}
    )
    f.apply(x).backward()
    assert x.grad.item() == 7
    both = type("Fn", (f,), {"backward": staticmethod(lambda ctx, g: g)})
    with pytest.raises(
        RuntimeError, match="Implementing both 'backward' and 'vjp' for a custom Function is not allowed"
    ):
        both.apply(x).backward()


def test_instances():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        instance = Exp()
    with pytest.raises(RuntimeError, match="Legacy autograd function with non-static forward method is deprecated"):
        instance(leaf(1))


@pytest.mark.parametrize(
    ("forward", "kind", "text"),
    [
        (
            lambda ctx, a: ctx.save_for_backward(3) or a,
            TypeError,
            "save_for_backward can only save variables, but argument 0",
        ),
        (lambda ctx, a: 1 / 0, ZeroDivisionError, "division"),
        (lambda ctx, a: ctx.mark_dirty(3) or a, (RuntimeError, TypeError), "mark_dirty can only accept variables"),
        (
            lambda ctx, a: ctx.mark_non_differentiable(3) or a,
            (RuntimeError, TypeError),
            "mark_non_differentiable only accepts variable arguments",
        ),
    ],
)
def test_wrong_forwards(forward, kind, text):
    with pytest.raises(kind, match=text):
        make(forward, lambda ctx, g: g).apply(leaf(1))


# ---- its place in the graph --------------------------------------------------------------------------------
def test_nodes():
    x, w = leaf(2), torch.ones(2)
    y = make(lambda ctx, a, n, b: a * n * b, lambda ctx, g: (g, None, None)).apply(x, 2, w)
    node = y.grad_fn
    assert node is y.grad_fn
    assert (
        node.next_functions[0][0].variable is x
        and node.next_functions[1] == (None, 0)
        and len(node.next_functions) == 2
    )
    assert node.metadata == {} and node.needs_input_grad == (True, False, False)
    seen = []
    node.register_hook(lambda a, b: seen.append("hook"))
    node.register_prehook(lambda a: seen.append("prehook"))
    y.sum().backward()
    assert seen == ["prehook", "hook"]


def test_attributes_of_the_node_are_those_of_ctx():
    def forward(ctx, a):
        ctx.mark = object()
        return a * 2

    x = leaf(2)
    y = make(forward, lambda ctx, g: g).apply(x)
    mark = y.grad_fn.mark
    z = y.sum()
    del y
    assert z.grad_fn.next_functions[0][0].mark is mark


def test_subclasses():
    class Parent(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    class Child(Parent):
        @staticmethod
        def backward(ctx, grad):
            return Parent.backward(ctx, grad) * 10

    x = leaf(1)
    Child.apply(x).backward()
    assert x.grad.item() == 20


def test_gradcheck():
    x = torch.rand(3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(Exp.apply, x)
    assert torch.autograd.gradgradcheck(Exp.apply, x)
