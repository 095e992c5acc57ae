"""What nodes have saved: grad_fn._saved_…, _raw_saved_…, and hooks on one of them."""

import gc
import weakref

import pytest
import torch


def leaf(*size):
    return torch.arange(1.0, 1 + torch.Size(size).numel()).reshape(size).clone().requires_grad_()


def test_tensors_and_values():
    x, y = leaf(3), leaf(3)
    node = (x * y).grad_fn
    assert node._saved_self is x and node._saved_other is y
    assert {"_saved_self", "_raw_saved_self", "_saved_other", "_raw_saved_other"} <= set(dir(node))
    assert (x * 2).grad_fn._saved_self is None and (x * 2).grad_fn._saved_other.item() == 2
    softmax = x.softmax(0)
    assert softmax.grad_fn._saved_dim == 0 and torch.equal(softmax.grad_fn._saved_result, softmax)
    total = leaf(2, 3).sum(1, keepdim=True).grad_fn
    assert total._saved_dim == (1,) and total._saved_keepdim is True and total._saved_self_sym_sizes == (2, 3)
    assert torch.nn.functional.gelu(x, approximate="tanh").grad_fn._saved_approximate == "tanh"


def test_a_result_is_an_output_of_its_node():
    y = leaf(3).exp()
    saved = y.grad_fn._saved_result
    assert saved is not y and saved.grad_fn is y.grad_fn
    with torch.no_grad():
        assert y.grad_fn._saved_result.grad_fn is y.grad_fn


def test_names_that_are_not_there():
    node = (leaf(3) * 2).grad_fn
    for name in ("_saved_foo", "_raw_saved_foo", "_saved_", "foo"):
        assert not hasattr(node, name)
    with pytest.raises(AttributeError, match="'MulBackward0' object has no attribute '_saved_foo'"):
        _ = node._saved_foo
    with pytest.raises(AttributeError):
        node._saved_self = 3


def test_after_the_pass():
    y = (leaf(3) * leaf(3)).sum()
    node = y.grad_fn.next_functions[0][0]
    raw = node._raw_saved_self
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        _ = node._saved_self
    with pytest.raises(RuntimeError, match="Calling register_hooks on a saved tensor after it has been freed"):
        raw.register_hooks(lambda x: x, lambda x: x)
    with pytest.raises(RuntimeError, match="a second time"):
        raw.unpack()


def test_after_a_write():
    x = torch.ones(3)
    node = (leaf(3) * x).grad_fn
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        _ = node._saved_other


def test_lists():
    x = leaf(3, 2)
    node = x[torch.tensor([0, 2])].grad_fn
    (index,) = node._saved_indices
    assert index.tolist() == [0, 2] and len(node._raw_saved_indices) == 1


def test_hooks():
    x, y = leaf(3), leaf(3)
    z = x * y
    calls = []

    def pack(tensor):
        calls.append((torch.equal(tensor, x), tensor.requires_grad))
        return "kept"

    def unpack(kept):
        calls.append(kept)
        return x.detach() * 10

    raw = z.grad_fn._raw_saved_self
    assert raw.register_hooks(pack, unpack) is None
    assert calls == [(True, False)]
    z.sum().backward()
    assert calls == [(True, False), "kept"]
    assert y.grad.tolist() == [10, 20, 30] and x.grad.tolist() == y.tolist()


def test_hooks_that_are_refused():
    x = leaf(3)
    raw = (x * leaf(3)).grad_fn._raw_saved_self
    with pytest.raises(TypeError, match="incompatible function arguments"):
        raw.register_hooks(1, 2)
    with pytest.raises(TypeError):
        raw.register_hooks(lambda x: x)
    with pytest.raises(RuntimeError, match="modifying its input in place"):
        raw.register_hooks(lambda x: x.mul_(2), lambda x: x)
    raw = (x * leaf(3)).grad_fn._raw_saved_self
    raw.register_hooks(lambda x: x, lambda x: x)
    with pytest.raises(RuntimeError, match="whose hooks have already been set"):
        raw.register_hooks(lambda x: x, lambda x: x)
    with pytest.raises(RuntimeError, match="with value None is forbidden"):
        (x * 2).grad_fn._raw_saved_self.register_hooks(lambda x: x, lambda x: x)
    with pytest.raises(RuntimeError, match="forbidden"):
        type(raw)()


def test_custom_functions():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            x, nothing = ctx.saved_tensors
            assert nothing is None
            return grad * x

    x = leaf(3)
    y = Twice.apply(x)
    first, second = y.grad_fn._raw_saved_tensors
    assert not hasattr(y.grad_fn, "_saved_tensors")
    first.register_hooks(lambda tensor: tensor * 2, lambda tensor: tensor)
    with pytest.raises(RuntimeError, match="value None"):
        second.register_hooks(lambda x: x, lambda x: x)
    y.sum().backward()
    assert x.grad.tolist() == [2, 4, 6]


def test_a_saved_tensor_keeps_its_node():
    raw = (leaf(3) * leaf(3)).grad_fn._raw_saved_self
    gc.collect()
    assert raw.unpack().tolist() == [1, 2, 3] and raw.data.tolist() == [1, 2, 3]


def test_nothing_leaks():
    x = leaf(3)
    other = torch.ones(3)
    node = (x * other).grad_fn
    assert node._raw_saved_other.unpack() is other
    alive = weakref.ref(other)
    del other, node
    gc.collect()
    assert alive() is None
