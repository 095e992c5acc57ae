"""What several threads do to one graph, one tensor and its gradient state at once: the result of one after the other, or
an error, and no crash. (ThreadSanitizer sees more: tests/sanitizer.)"""

import threading

import pytest
import torch
from in_threads import at_once
from torch import nn


def chain(x, n=20):
    y = x
    for _ in range(n):
        y = (y * y).sin() * 1.5 + torch.cat([y[:5], y[5:]])
    return y.sum()


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return grad * y, grad * x


@pytest.mark.parametrize("make", [chain, lambda x: Product.apply(x, x.exp()).sum()], ids=["operators", "function"])
def test_a_graph_is_freed_once(make):
    """A pass that frees what another one reads ends it with an error, as a second one does."""
    for _ in range(20):
        x = torch.rand(10, requires_grad=True)
        y = make(x)
        ended = []

        def run(y=y, ended=ended):
            try:
                y.backward()
                ended.append(True)
            except RuntimeError as error:
                assert "a second time" in str(error)
                ended.append(False)

        at_once(run, run, run)
        assert len(ended) == 3


def test_a_written_view_is_freed_once():
    for _ in range(20):
        x = torch.rand(10, requires_grad=True)
        y = x * 2
        for i in range(8):
            y[i : i + 2].mul_(y[0].detach() + 1)
        total = y.sum()

        def run(total=total):
            try:
                total.backward()
            except RuntimeError as error:
                assert "a second time" in str(error)

        at_once(run, run)


def test_saved_tensors_are_read_while_a_pass_frees_them():
    for _ in range(20):
        x = torch.rand(10, requires_grad=True)
        y = Product.apply(x, x)
        node = y.grad_fn

        def read(node=node):
            try:
                for _ in range(20):
                    assert len(node.saved_tensors) == 2
            except RuntimeError as error:
                assert "a second time" in str(error)

        at_once(read, y.sum().backward)


def test_hooks_come_and_go_while_passes_run():
    x = torch.rand(10, requires_grad=True)
    y = x * 2
    total = (y * y).sum()
    calls = []

    def register():
        handles = [
            x.register_hook(lambda g: calls.append(1)),
            y.register_hook(lambda g: calls.append(2)),
            y.grad_fn.register_hook(lambda a, b: calls.append(3)),
            y.grad_fn.register_prehook(lambda a: calls.append(4)),
            x.register_post_accumulate_grad_hook(lambda t: calls.append(5)),
        ]
        for handle in handles:
            handle.remove()

    at_once(register, register, lambda: total.backward(retain_graph=True), times=50)
    assert torch.allclose(x.grad, 50 * 8 * x.detach())


def test_a_gradient_is_read_and_dropped_while_passes_run():
    x = torch.rand(10, requires_grad=True)

    def read():
        grad = x.grad
        if grad is not None:
            assert grad.shape == (10,)
        x.grad = None

    at_once(read, read, lambda: (x * 2).sum().backward(), lambda: (x * 3).sum().backward(), times=100)


def test_gradients_are_retained_while_passes_run():
    x = torch.rand(10, requires_grad=True)
    y = x * 2
    total = (y * y).sum()
    at_once(lambda: (y.retain_grad(), y.grad), lambda: total.backward(retain_graph=True), times=30)
    assert y.retains_grad


def test_one_view_finds_its_node_in_several_threads():
    for _ in range(20):
        x = torch.rand(10, requires_grad=True)
        y = x * 1
        view = y[2:5]
        y.mul_(2)  # the view's node is looked up again
        seen = []
        at_once(*[lambda view=view, seen=seen: seen.append(view.grad_fn)] * 4)
        assert len(seen) == 4 and all(node is seen[0] for node in seen)
        view.sum().backward()
        assert x.grad.tolist() == [0.0] * 2 + [2.0] * 3 + [0.0] * 5


def test_one_leaf_finds_its_accumulator_in_several_threads():
    for _ in range(20):
        x = torch.rand(10, requires_grad=True)
        nodes = []
        at_once(*[lambda x=x, nodes=nodes: nodes.append(x.expand(2, 10).grad_fn.next_functions[0][0])] * 4)
        assert all(node is nodes[0] for node in nodes)


def test_modules_share_their_parameters():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(2, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 8), nn.LayerNorm(8), nn.Linear(8, 1)
    )
    x = torch.rand(3, 2, 8, 8)
    model(x).sum().backward()
    alone = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    at_once(*[lambda: model(x).sum().backward()] * 3, times=5)
    for p, grad in zip(model.parameters(), alone):
        assert torch.allclose(p.grad, 15 * grad, rtol=1e-4, atol=1e-5)


def test_anomaly_mode_and_saved_hooks_are_of_a_thread():
    x = torch.rand(10, requires_grad=True)
    packed = []

    def hooked():
        with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t):
            (x * x).sum().backward()

    def plain():
        with torch.autograd.set_detect_anomaly(True, check_nan=False):
            (x * x).sum().backward()

    at_once(hooked, plain, times=10)
    assert torch.allclose(x.grad, 40 * x.detach())
    assert len(packed) == 20


@pytest.mark.parametrize("mode", ["any", "all"])
def test_hooks_of_several_tensors_tell_passes_apart(mode):
    """Those of other threads, too, which may be the n-th of theirs as well."""
    x, y = (torch.rand(10, requires_grad=True) for _ in range(2))
    calls, both = [], threading.Barrier(2)
    torch.autograd.graph.register_multi_grad_hook((x, y), lambda grads: calls.append(1), mode=mode)
    z = (x * 2 + y * 3).sum()

    def wait(grad):
        both.wait(20)

    for tensor in (z, x):
        tensor.register_hook(wait)
    at_once(*[lambda: z.backward(retain_graph=True)] * 2)
    assert len(calls) == 2
