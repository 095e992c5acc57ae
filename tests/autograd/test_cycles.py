"""Cycles through hooks, nodes and custom functions are collected, and nothing else is."""

import gc
import weakref

import pytest
import torch


class Mark:
    pass


def leaf(*size):
    return torch.ones(*size, requires_grad=True)


class Keep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark = Keep.mark
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        assert ctx.mark is not None
        return grad * 2


def hook_on_leaf(mark):
    x = leaf(2)
    x.register_hook(lambda g: (x, mark))
    (x * 2).sum()


def hook_on_output(mark):
    y = leaf(2) * 2
    y.register_hook(lambda g: (y, mark))


def hook_after_accumulation(mark):
    x = leaf(2)
    x.register_post_accumulate_grad_hook(lambda t: (x, mark) and None)


def hook_on_node(mark):
    y = leaf(2) * 2
    y.grad_fn.register_hook(lambda a, b: (y, mark) and None)


def node_hook_with_node(mark):
    node = (leaf(2) * 2).grad_fn
    node.register_prehook(lambda a: (node, mark) and None)


def ctx_with_output(mark):
    Keep.mark = mark
    y = Keep.apply(leaf(2))
    y.grad_fn.output = y
    Keep.mark = None


def attribute_with_ctx(mark):
    Keep.mark = mark
    y = Keep.apply(leaf(2))
    y.node = y.grad_fn
    y.grad_fn.output = y
    Keep.mark = None


def attribute(mark):
    x = leaf(2)
    x.self = x
    x.mark = mark


def after_backward(mark):
    x = leaf(2)
    y = x * x
    y.register_hook(lambda g: (y, x, mark) and None)
    y.sum().backward()


# PyTorch 2.13 keeps what these have made.
OURS = (hook_on_output, hook_after_accumulation, hook_on_node, after_backward)


@pytest.mark.parametrize(
    "make", [hook_on_leaf, node_hook_with_node, ctx_with_output, attribute_with_ctx, attribute, *OURS]
)
def test_collected(make):
    if make in OURS and not hasattr(torch._C, "_Node"):
        pytest.skip("this is PyTorch")
    mark = Mark()
    alive = weakref.ref(mark)
    make(mark)
    del mark
    gc.collect()
    assert alive() is None


def test_what_is_used_is_kept():
    mark = Keep.mark = Mark()
    alive = weakref.ref(mark)
    x = leaf(2)
    y = Keep.apply(x)
    seen = []
    y.register_hook(lambda g: seen.append(1))
    z = y.sum()
    del y, mark
    Keep.mark = None
    for _ in range(3):
        gc.collect()
    assert alive() is not None
    z.backward()
    assert seen == [1] and x.grad.tolist() == [2, 2]
    del z
    gc.collect()
    assert alive() is None


def test_ctx_outlives_the_graph():
    Keep.mark = Mark()
    x = leaf(2)
    y = Keep.apply(x)
    ctx = y.grad_fn
    mark = ctx.mark
    del y
    gc.collect()
    assert ctx.mark is mark
    z = Keep.apply(x)
    contexts = [ctx]
    del ctx
    for _ in range(3):
        assert z.grad_fn is z.grad_fn
        contexts[0] = z.grad_fn
    z.sum().backward()
    assert x.grad.tolist() == [2, 2]
    Keep.mark = None


def test_hooks_survive_collections():
    x = leaf(2)
    seen = []
    x.register_hook(lambda g: seen.append(x.shape))
    for _ in range(3):
        gc.collect()
        (x * 1).sum().backward()
    assert len(seen) == 3


def test_long_chains_of_functions():
    Keep.mark = None

    class Plus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x + 1

        @staticmethod
        def backward(ctx, grad):
            return grad

    x = leaf(1)
    y = x
    for _ in range(20_000):
        y = Plus.apply(y)
    y.backward()
    assert x.grad.item() == 1
    del y
    y = x
    for _ in range(20_000):
        y = Plus.apply(y)
    del y  # without a pass
