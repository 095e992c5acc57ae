"""Hooks on tensors, nodes and several tensors at once."""

import pytest
import torch
from torch.autograd.graph import register_multi_grad_hook


def leaf(*size):
    return torch.ones(*size, requires_grad=True)


# ---- of tensors --------------------------------------------------------------------------------------------
def test_a_hook_replaces_the_gradient():
    x = leaf(2)
    y = x * 3
    seen = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.sum().backward()
    assert seen == [[1, 1], [2, 2]]
    assert x.grad.tolist() == [6, 6]


def test_a_leaf_has_hooks():
    x = leaf(2)
    handle = x.register_hook(lambda g: g * 10)
    (x * 1).sum().backward()
    assert x.grad.tolist() == [10, 10]
    handle.remove()
    handle.remove()
    (x * 1).sum().backward()
    assert x.grad.tolist() == [11, 11]


def test_a_handle_is_a_context():
    x = leaf(2)
    with x.register_hook(lambda g: g * 5):
        (x * 1).sum().backward()
    (x * 1).sum().backward()
    assert x.grad.tolist() == [6, 6]


def test_hooks_see_what_autograd_grad_gives():
    x = leaf(2)
    y = x * 2
    y.register_hook(lambda g: g * 7)
    assert torch.autograd.grad(y.sum(), y, retain_graph=True)[0].tolist() == [7, 7]
    assert torch.autograd.grad(y.sum(), x)[0].tolist() == [14, 14]


def test_retained_gradients_are_those_after_hooks():
    x = leaf(2)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 3)
    y.sum().backward()
    assert y.grad.tolist() == [3, 3]


TOGETHER = {
    "unbind": lambda y: y.unbind(),
    "split": lambda y: y.split(2),
    "sizes": lambda y: y.split([1, 2, 3]),
    "chunk": lambda y: y.chunk(3),
    "unsafe_split": lambda y: torch.unsafe_split(y, 2),
    "aminmax": lambda y: torch.aminmax(y),
    "var_mean": lambda y: torch.var_mean(y),
    "qr": lambda y: torch.linalg.qr(y.view(2, 3)),
}


@pytest.mark.parametrize("make", TOGETHER.values(), ids=TOGETHER)
@pytest.mark.parametrize("used", [0, 1])
def test_a_hook_on_an_output_that_nothing_used(make, used):
    x = torch.arange(6.0, requires_grad=True)
    outputs, seen = make(x * 1), []
    for i in range(2):
        outputs[i].register_hook(lambda g, i=i: seen.append((i, g is None)))
    outputs[used].sum().backward()
    assert seen == [(0, used == 1), (1, used == 0)]


def test_what_a_hook_makes_of_no_gradient():
    def backward(hook):
        x = torch.arange(6.0, requires_grad=True)
        parts = (x * 1).split(2)
        parts[1].register_hook(hook)
        parts[1].retain_grad()
        parts[0].sum().backward()
        return x.grad.tolist(), parts[1].grad

    assert backward(lambda g: None) == ([1, 1, 0, 0, 0, 0], None)
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        backward(lambda g: torch.ones(2))
    with pytest.raises(TypeError, match="NoneType"):
        backward(lambda g: g * 2)


def test_hooks_of_what_a_pass_leaves_out_are_not_called():
    a, b = leaf(2), leaf(2)
    left, right, seen = a * 2, b * 2, []
    left.register_hook(lambda g: seen.append("left"))
    right.register_hook(lambda g: seen.append("right"))
    b.register_hook(lambda g: seen.append("b"))
    torch.autograd.grad((left + right).sum(), a)
    assert seen == ["left"]


def test_hooks_where_a_function_gives_none():
    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return None

    x, seen = leaf(2), []
    y = x * 1
    x.register_hook(lambda g: seen.append(g))
    y.register_hook(lambda g: seen.append(g))
    Nothing.apply(y).sum().backward()
    assert seen == [None, None] and x.grad is None


def test_hooks_dict():
    x = leaf(2)
    assert x._backward_hooks is None
    x.register_hook(lambda g: g)
    assert len(x._backward_hooks) == 1
    x._backward_hooks = None
    assert x._backward_hooks is None


@pytest.mark.parametrize(
    ("hook", "kind", "text"),
    [
        (lambda g: torch.ones(5), RuntimeError, "hook '<lambda>' has changed the size of value"),
        (lambda g: g.double(), RuntimeError, "hook '<lambda>' has changed the type of value"),
        (lambda g: 3, TypeError, "expected Variable, but hook returned 'int'"),
        (lambda g: 1 / 0, ZeroDivisionError, "division by zero"),
    ],
)
def test_bad_hooks(hook, kind, text):
    x = leaf(2)
    y = x * 2
    handle = y.register_hook(hook)
    z = y.sum()
    with pytest.raises(kind, match=text):
        z.backward(retain_graph=True)
    handle.remove()
    z.backward()
    assert x.grad.tolist() == [2, 2]


def test_the_traceback_leads_into_the_hook():
    def outer(g):
        return inner(g)

    def inner(g):
        raise LookupError("here")

    x = leaf(2)
    x.register_hook(outer)
    with pytest.raises(LookupError) as caught:
        (x * 1).sum().backward()
    names = [entry.name for entry in caught.traceback]
    assert names[-2:] == ["outer", "inner"]


def test_refused():
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"):
        torch.ones(2).register_hook(print)
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"):
        torch.ones(2).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match="post accumulate grad hooks cannot be registered on non-leaf tensors"):
        (leaf(2) * 2).register_post_accumulate_grad_hook(print)


def test_a_hook_may_remove_itself():
    x = leaf(2)
    calls = []

    def once(g):
        calls.append(1)
        handle.remove()

    handle = x.register_hook(once)
    for _ in range(2):
        (x * 1).sum().backward()
    assert calls == [1]


def test_after_accumulation():
    x = leaf(2)
    seen = []

    def step(tensor):
        assert tensor is x
        seen.append(tensor.grad.tolist())
        tensor.grad = None

    handle = x.register_post_accumulate_grad_hook(step)
    (x * 2).sum().backward()
    (x * 3).sum().backward()
    assert seen == [[2, 2], [3, 3]] and x.grad is None
    handle.remove()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_a_hook_may_run_a_pass_of_its_own():
    x, w = leaf(2), leaf(2)

    def hook(g):
        assert not torch.is_grad_enabled()
        with torch.enable_grad():
            (w * 4).sum().backward()

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    assert w.grad.tolist() == [4, 4] and x.grad.tolist() == [2, 2]


# ---- of nodes ----------------------------------------------------------------------------------------------
def test_node_hooks():
    x = leaf(2)
    y = x * 3
    seen = []

    def before(grads):
        seen.append(("before", [g.tolist() for g in grads]))
        return (grads[0] * 2,)

    def after(inputs, outputs):
        seen.append(("after", [None if g is None else g.tolist() for g in inputs], [g.tolist() for g in outputs]))
        return (inputs[0] + 1, *inputs[1:])

    y.grad_fn.register_prehook(before)
    handle = y.grad_fn.register_hook(after)
    y.sum().backward(retain_graph=True)
    assert seen == [("before", [[1, 1]]), ("after", [[6, 6], None], [[2, 2]])]
    assert x.grad.tolist() == [7, 7]
    handle.remove()
    y.sum().backward()
    assert x.grad.tolist() == [13, 13]


@pytest.mark.parametrize(
    ("register", "hook", "kind", "text"),
    [
        ("register_hook", lambda a, b: (a[0],), RuntimeError, r"incorrect number of values \(got 1, but expected 2\)"),
        ("register_hook", lambda a, b: a[0], TypeError, "expected tuple, but hook returned 'Tensor'"),
        ("register_prehook", lambda a: a[0], TypeError, "expected tuple, but hook returned 'Tensor'"),
        (
            "register_prehook",
            lambda a: (a[0], a[0]),
            RuntimeError,
            r"incorrect number of values \(got 2, but expected 1\)",
        ),
    ],
)
def test_bad_node_hooks(register, hook, kind, text):
    y = leaf(2) * 3
    getattr(y.grad_fn, register)(hook)
    with pytest.raises(kind, match=text):
        y.sum().backward()


def test_hooks_of_a_leafs_accumulator():
    x = leaf(2)
    y = x * 1
    node = y.grad_fn.next_functions[0][0]
    seen = []
    node.register_hook(lambda inputs, outputs: seen.append((inputs, outputs[0].tolist())))
    node.register_prehook(lambda grads: (grads[0] * 3,))
    y.sum().backward()
    assert seen == [((), [3, 3])] and x.grad.tolist() == [3, 3]


# ---- of several tensors ------------------------------------------------------------------------------------
def test_multi_grad_hook():
    a, b, c = leaf(2), leaf(2), leaf(2)
    seen = []
    handle = register_multi_grad_hook((a, b, c), lambda grads: seen.append([g is not None for g in grads]))
    (a * b).sum().backward()
    (a * b * c).sum().backward()
    assert seen == [[True, True, False], [True, True, True]]
    handle.remove()
    (a * b).sum().backward()
    assert len(seen) == 2


def test_multi_grad_hook_any():
    a, b = leaf(2), leaf(2)
    seen = []
    register_multi_grad_hook((a, b), lambda grad: seen.append(grad.tolist()), mode="any")
    (a * b).sum().backward()
    (a * 5).sum().backward()
    assert seen == [[1, 1], [5, 5]]
    with pytest.raises(ValueError, match=r"Expects mode to be one of \('all', 'any'\) but got some"):
        register_multi_grad_hook((a, b), print, mode="some")


def test_what_a_failed_pass_wanted_to_call_at_its_end():
    called = []
    x = torch.ones(2, requires_grad=True)

    def hook(grad):
        torch._C._queue_callback(lambda: called.append(len(called)))
        if not called:
            raise ValueError("no")

    x.register_hook(hook)
    with pytest.raises(ValueError, match="no"):
        (x * 2).sum().backward()
    called.append("failed")
    (x * 2).sum().backward()
    assert called == ["failed", 1]


def test_multi_grad_hooks_on_outputs_that_nothing_used():
    x = torch.arange(6.0, requires_grad=True)
    a, b = (x * 1).split(3)
    every, first = [], []
    register_multi_grad_hook([a, b, x * 2], lambda grads: every.append([g is None for g in grads]))
    register_multi_grad_hook([a, b], lambda grad: first.append(grad), mode="any")
    b.sum().backward()
    assert every == [[True, False, True]] and first == [None]
