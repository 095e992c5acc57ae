"""Nodes, edges, and what is saved for the backward pass."""

import gc
import weakref

import pytest
import torch
from torch.autograd import graph


def leaf(*size, **options):
    return torch.ones(*size, requires_grad=True, **options)


# ---- nodes -------------------------------------------------------------------------------------------------
NAMES = {
    "x + 1": "AddBackward0",
    "x * x": "MulBackward0",
    "x - x": "SubBackward0",
    "x / 2": "DivBackward0",
    "-x": "NegBackward0",
    "x.exp()": "ExpBackward0",
    "x.sum()": "SumBackward0",
    "x.sum(0)": "SumBackward1",
    "x.mean()": "MeanBackward0",
    "x @ x": "MmBackward0",
    "x.view(4)": "ViewBackward0",
    "x[0]": "SelectBackward0",
    "x[0:1]": "SliceBackward0",
    "x.t()": "TBackward0",
    "x.clone()": "CloneBackward0",
    "x.relu()": "ReluBackward0",
    "x.tanh()": "TanhBackward0",
    "x.pow(2)": "PowBackward0",
    "torch.cat([x, x])": "CatBackward0",
    "torch.stack([x, x])": "StackBackward0",
    "x.max()": "MaxBackward1",
    "x.max(0).values": "MaxBackward0",
    "x.expand(3, 2, 2)": "ExpandBackward0",
    "x.double()": "ToCopyBackward0",
    "torch.where(x > 0, x, 2 * x)": "WhereBackward0",
    "x.softmax(0)": "SoftmaxBackward0",
    "x.log_softmax(0)": "LogSoftmaxBackward0",
    "x.gather(0, torch.zeros(1, 2).long())": "GatherBackward0",
    "x.permute(1, 0)": "PermuteBackward0",
    "x.transpose(0, 1)": "TransposeBackward0",
    "x.squeeze(0)": "SqueezeBackward1",
    "x.unsqueeze(0)": "UnsqueezeBackward0",
}


@pytest.mark.parametrize("text", NAMES)
def test_names(text):
    y = eval(text, {"torch": torch, "x": leaf(2, 2)})
    node = y.grad_fn
    assert (node.name(), type(node).__name__, type(node).__module__) == (NAMES[text], NAMES[text], "builtins")
    assert repr(node).startswith(f"<{NAMES[text]} object at 0x")
    assert isinstance(node, graph.Node) and issubclass(type(node), graph.Node)


def test_a_node_has_one_object():
    y = leaf(2) * 2
    assert y.grad_fn is y.grad_fn
    assert y.sum().grad_fn.next_functions[0][0] is y.grad_fn
    with pytest.raises(TypeError, match="cannot create 'MulBackward0' instances"):
        type(y.grad_fn)()


def test_edges():
    x = leaf(2)
    y = x * 2
    assert y.grad_fn.next_functions[1] == (None, 0)
    accumulator, nr = y.grad_fn.next_functions[0]
    assert nr == 0 and accumulator.variable is x
    assert accumulator.name() == "torch::autograd::AccumulateGrad" and type(accumulator).__name__ == "AccumulateGrad"
    assert (x + 1).grad_fn.next_functions[0][0] is accumulator
    parts = x.split(1)
    assert [(part.sum().grad_fn.next_functions[0][1]) for part in parts] == [0, 1]
    assert not hasattr(y.grad_fn, "variable")


def test_sequence_numbers_and_metadata():
    x = leaf(2)
    a, b = x * 2, x * 3
    assert a.grad_fn._sequence_nr() < b.grad_fn._sequence_nr()
    a.grad_fn.metadata["note"] = 5
    assert a.grad_fn.metadata == {"note": 5}
    assert b.grad_fn.metadata == {}
    (info,) = a.grad_fn._input_metadata
    assert list(info.shape) == [2] and info.dtype == torch.float32 and info.device == torch.device("cpu")


def test_calling_a_node():
    x = leaf(2)
    y = x * 3
    first, second = y.grad_fn(torch.tensor([1.0, 2.0]))
    assert first.tolist() == [3, 6] and second is None
    assert y.sum().grad_fn(torch.tensor(1.0)).tolist() == [1, 1]
    with pytest.raises(TypeError, match="expected 1 arguments, got 2"):
        y.grad_fn(torch.ones(2), torch.ones(2))


def test_a_node_outlives_its_tensor():
    x = leaf(2)
    node = (x * 2).grad_fn
    gc.collect()
    assert node.next_functions[0][0].variable is x


# ---- gradient edges ----------------------------------------------------------------------------------------
def test_edges_stand_for_tensors():
    x = leaf(2)
    y = x * 2
    z = (y * y).sum()
    edge = graph.get_gradient_edge(y)
    assert edge.node is y.grad_fn and edge.output_nr == 0
    leaf_edge = graph.get_gradient_edge(x)
    del y
    gy, gx = torch.autograd.grad(z, (edge, leaf_edge), retain_graph=True)
    assert gy.tolist() == [4, 4] and gx.tolist() == [8, 8]
    root = graph.get_gradient_edge(z)
    del z
    assert torch.autograd.grad(root, x)[0].tolist() == [8, 8]
    with pytest.raises(
        RuntimeError, match="It is not possible to get the gradient edge for a Tensor that does not require"
    ):
        graph.get_gradient_edge(torch.ones(1))


def test_backward_from_an_edge():
    x = leaf(2)
    torch.autograd.backward(graph.get_gradient_edge(x * 3), torch.ones(2))
    assert x.grad.tolist() == [3, 3]


# ---- what is saved -----------------------------------------------------------------------------------------
def test_saved_tensors_hooks():
    packed, unpacked = [], []

    def pack(tensor):
        packed.append(tensor.shape)
        return tensor.numpy(force=True)

    def unpack(array):
        unpacked.append(array.shape)
        return torch.from_numpy(array)

    x = leaf(3)
    with graph.saved_tensors_hooks(pack, unpack):
        y = (x * x).sum()
    assert len(packed) == 2 and not unpacked
    (x * x).sum()
    assert len(packed) == 2
    y.backward()
    assert len(unpacked) == 2 and x.grad.tolist() == [2, 2, 2]


def test_the_innermost_hooks_count():
    x = leaf(3)
    seen = []

    def hooks(name):
        return graph.saved_tensors_hooks(lambda t: seen.append(name) or t, lambda t: t)

    with hooks("outer"), hooks("inner"):
        x.exp()
    assert seen == ["inner"]


def test_hooks_and_double_backward():
    x = torch.tensor([2.0], requires_grad=True)
    with graph.saved_tensors_hooks(lambda t: t * 1, lambda t: t):
        y = x**3
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert torch.autograd.grad(g, x)[0].item() == 12


@pytest.mark.parametrize(
    ("pack", "unpack", "kind", "text"),
    [
        (
            lambda t: t,
            lambda t: 3,
            TypeError,
            "Output of saved tensor unpack_hook expected to be a Tensor but got result of",
        ),
        (lambda t: t.mul_(2), lambda t: t, RuntimeError, "A saved tensor pack hook is modifying its input in place"),
        (lambda t: 1 / 0, lambda t: t, ZeroDivisionError, "division"),
        (lambda t: t, lambda t: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_bad_saved_hooks(pack, unpack, kind, text):
    x = leaf(3)
    with pytest.raises(kind, match=text):
        with graph.saved_tensors_hooks(pack, unpack):
            y = x.exp() * x
        y.sum().backward()


def test_disabled_hooks():
    with graph.disable_saved_tensors_hooks("not here"), pytest.raises(RuntimeError, match="not here"):
        with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        pass


def test_save_on_cpu():
    x = leaf(3)
    with graph.save_on_cpu():
        y = (x * x).sum()
    y.backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_writes_are_counted():
    x = leaf(3)
    y = x * 1
    z = y * y
    graph.increment_version(y)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        z.sum().backward()


def test_allow_mutation():
    x = torch.tensor([2.0], requires_grad=True)
    with graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = y**2
        y.add_(1)
        y.sin_()
        z.sum().backward()
    assert x.grad.item() == 4


def test_saved_tensors_are_freed():
    x = leaf(3)
    y = x * 2
    alive = weakref.ref(y)
    z = (y * y).sum()
    del y
    z.backward()
    gc.collect()
    assert alive() is None
