"""Functions as the classes of 2017: what they compute, by `apply` and by an instance with options; gradients; what is gone."""

import copy
import importlib
import pickle
import subprocess
import sys

import pytest
import torch
from torch.nn import functional as F

x = torch.randn(3, 4, generator=torch.Generator().manual_seed(1))
y = torch.rand(3, 4, generator=torch.Generator().manual_seed(2)) + 0.1
m = torch.randn(4, 4, generator=torch.Generator().manual_seed(3))
image = torch.randn(1, 2, 6, 6, generator=torch.Generator().manual_seed(4))
index = torch.tensor([0, 2])

# module of torch.autograd._functions, class, tensors, options, what it gives
OPERATORS = [
    ("basic_ops", "Add", (x, y), (), x + y),
    ("basic_ops", "Sub", (x, y), (), x - y),
    ("basic_ops", "Mul", (x, y), (), x * y),
    ("basic_ops", "Div", (x, y), (), x / y),
    ("basic_ops", "Pow", (y, x), (), y**x),
    ("basic_ops", "Negate", (x,), (), -x),
    ("basic_ops", "AddConstant", (x,), (2,), x + 2),
    ("basic_ops", "SubConstant", (x,), (2,), x - 2),
    ("basic_ops", "MulConstant", (x,), (2,), x * 2),
    ("basic_ops", "DivConstant", (x,), (2,), x / 2),
    ("basic_ops", "PowConstant", (x,), (2,), x**2),
    ("blas", "Addmm", (x, x, m), (2, 3), 2 * x + 3 * (x @ m)),
    ("blas", "Addmv", (x[0], m, x[1]), (2, 3), 2 * x[0] + 3 * (m @ x[1])),
    ("blas", "Addr", (m, x[0], x[1]), (2, 3), 2 * m + 3 * torch.outer(x[0], x[1])),
    ("blas", "Dot", (x[0], x[1]), (), (x[0] * x[1]).sum()),
    ("compare", "Ge", (x, y), (), x >= y),
    ("initializers", "Zero", (x,), (), torch.zeros(3, 4)),
    ("linalg", "Tril", (m,), (-1,), m.tril(-1)),
    ("linalg", "Cross", (x[:, :3], y[:, :3]), (), torch.linalg.cross(x[:, :3], y[:, :3])),
    ("linalg", "Inverse", (m,), (), m.inverse()),
    ("linalg", "Potrf", (m @ m.t(),), (False,), torch.linalg.cholesky(m @ m.t())),
    ("pointwise", "Exp", (x,), (), x.exp()),
    ("pointwise", "Clamp", (x,), (-1, 1), x.clamp(-1, 1)),
    ("pointwise", "Cmax", (x, y), (), torch.max(x, y)),
    ("pointwise", "CminConstant", (x,), (0.5,), x.clamp(max=0.5)),
    ("pointwise", "Lerp", (x, y), (0.3,), x.lerp(y, 0.3)),
    ("pointwise", "Addcmul", (x, x, y), (2,), x + 2 * x * y),
    ("pointwise", "Addcdiv", (x, x, y), (2,), x + 2 * x / y),
    ("reduce", "Sum", (x,), (), x.sum()),
    ("reduce", "Mean", (x,), (1, True), x.mean(1, True)),
    ("reduce", "Max", (x,), (1,), x.max(1)),
    ("reduce", "Median", (x,), (), x.median()),
    ("reduce", "Mode", (x,), (0,), x.mode(0)),
    ("reduce", "Kthvalue", (x,), (2, 1, True), x.kthvalue(2, 1, True)),
    ("reduce", "Norm", (x,), (3, 1), x.norm(3, 1)),
    ("tensor", "Index", (x,), ((0, slice(1, 3)),), x[0, 1:3]),
    ("tensor", "Transpose", (x,), (0, 1), x.t()),
    ("tensor", "View", (x,), (2, 6), x.view(2, 6)),
    ("tensor", "Expand", (x[:1],), ((3, 4),), x[:1].expand(3, 4)),
    ("tensor", "Type", (x,), (torch.float64,), x.double()),
    ("tensor", "Permute", (x,), ((1, 0),), x.t()),
    ("tensor", "Squeeze", (x[:1],), (0,), x[0]),
    ("tensor", "Unsqueeze", (x,), (1,), x[:, None]),
    ("tensor", "Resize", (x,), (2, 6), x.view(2, 6)),
    ("tensor", "MaskedFill", (x, x > 0), (7,), x.masked_fill(x > 0, 7)),
    ("tensor", "MaskedSelect", (x, x > 0), (), x[x > 0]),
    ("tensor", "Sort", (x,), (1, True), x.sort(1, True)),
    ("tensor", "Topk", (x,), (2, 1), x.topk(2, 1)),
    ("tensor", "Chunk", (x,), (2, 1), x.chunk(2, 1)),
    ("tensor", "Repeat", (x,), (2, 1), x.repeat(2, 1)),
]  # fmt: skip

FUNCTIONS = [
    ("linear", "Linear", (x, m, m[0]), (), F.linear(x, m, m[0])),
    ("bilinear", "Bilinear", (x, y, m[None]), (), F.bilinear(x, y, m[None])),
    ("activation", "Softmax", (x,), (1,), x.softmax(1)),
    ("conv", "ConvNd", (image, image[:, :, :3, :3]), ((2, 2), (1, 1), (1, 1), False, (0, 0), 1),
     F.conv2d(image, image[:, :, :3, :3], None, 2, 1)),
    ("conv", "ConvNd", (image, image[:, :, :3, :3], x[0, :1]), ((1, 1), (0, 0), (1, 1), False, (0, 0), 1),
     F.conv2d(image, image[:, :, :3, :3], x[0, :1])),
    ("batchnorm", "BatchNorm", (x, m[0], m[1]), (m[2], y[0], False, 0.1, 1e-3),
     F.batch_norm(x, m[2], y[0], m[0], m[1], False, 0.1, 1e-3)),
    ("dropout", "Dropout", (x,), (0.5, False), x),
    ("loss", "HingeEmbeddingLoss", (x, x.sign()), (0.5, True), F.hinge_embedding_loss(x, x.sign(), 0.5)),
    ("loss", "MarginRankingLoss", (x, y, x.sign()), (0.5, False),
     F.margin_ranking_loss(x, y, x.sign(), 0.5, reduction="sum")),
    ("normalization", "CrossMapLRN2d", (image,), (3, 0.1), torch.nn.CrossMapLRN2d(3, 0.1)(image)),
    ("padding", "ConstantPadNd", (x,), ([1, 2], 3), F.pad(x, (1, 2), value=3)),
    ("vision", "GridSampler", (image, torch.zeros(1, 2, 2, 2)), (),
     F.grid_sample(image, torch.zeros(1, 2, 2, 2), align_corners=True)),
    ("thnn", "Threshold", (x,), (0.1, 0, False), F.threshold(x, 0.1, 0)),
    ("thnn", "ELU", (x,), (2, False), F.elu(x, 2)),
    ("thnn", "MSELoss", (x, y), (False,), F.mse_loss(x, y, reduction="sum")),
    ("thnn", "NLLLoss", (x, torch.tensor([0, 1, 3]), m[0]), (True, 3),
     F.nll_loss(x, torch.tensor([0, 1, 3]), m[0], ignore_index=3)),
    ("thnn", "MultiMarginLoss", (x, torch.tensor([0, 1, 3])), (None, True, 2, 0.5),
     F.multi_margin_loss(x, torch.tensor([0, 1, 3]), 2, 0.5)),
    ("thnn", "ReflectionPad2d", (image,), (1, 2, 1, 2), F.pad(image, (1, 2, 1, 2), "reflect")),
    ("thnn", "MaxPool2d", (image,), (2,), F.max_pool2d(image, 2, return_indices=True)),
    ("thnn", "MaxUnpool2d", F.max_pool2d(image, 2, return_indices=True), ((6, 6),),
     F.max_unpool2d(*F.max_pool2d(image, 2, return_indices=True), 2)),
    ("thnn", "AvgPool2d", (image,), (2, 1), F.avg_pool2d(image, 2, 1)),
    ("thnn", "AdaptiveMaxPool2d", (image,), (3,), F.adaptive_max_pool2d(image, 3, True)),
    ("thnn", "AdaptiveAvgPool1d", (x[None],), (2,), F.adaptive_avg_pool1d(x[None], 2)),
    ("thnn", "Embedding", (index, m), (-1, None, 2, False), m[index]),
    ("thnn", "EmbeddingBag", (m, torch.tensor([0, 1, 2]), index), (None, 2, False, "sum"),
     torch.stack([m[0] + m[1], m[2]])),
    ("thnn", "UpsamplingNearest2d", (image,), (2,), F.interpolate(image, scale_factor=2)),
    ("thnn", "UpsamplingBilinear2d", (image,), ((8, 8),), F.interpolate(image, (8, 8), mode="bilinear", align_corners=True)),
]  # fmt: skip


def same(found, expected):
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            same(a, b)
        return
    torch.testing.assert_close(found, expected)


CASES = [("torch.autograd", *case) for case in OPERATORS] + [("torch.nn", *case) for case in FUNCTIONS]


@pytest.mark.parametrize("place, module, name, tensors, options, expected", CASES, ids=[case[2] for case in CASES])
def test_functions(place, module, name, tensors, options, expected):
    made = getattr(importlib.import_module(f"{place}._functions.{module}"), name)
    assert issubclass(made, torch.autograd.Function) and made.__name__ == name
    same(made.apply(*tensors, *options), expected)
    same(made(*options)(*tensors), expected)


def test_options_after_the_first_tensor():
    from torch.autograd._functions import tensor

    for name, tensors, more, expected in (
        ("IndexSelect", (x, index), (), x[index]),
        ("IndexAdd", (x, index, y[:2]), (), x.index_add(0, index, y[:2])),
        ("IndexFill", (x, index), (7,), x.index_fill(0, index, 7)),
        ("Gather", (x, index[None]), (), x.gather(0, index[None])),
        ("ScatterAdd", (x, index[None], y[:1]), (), x.scatter_add(0, index[None], y[:1])),
    ):
        made = getattr(tensor, name)
        same(made.apply(tensors[0], 0, *tensors[1:], *more), expected)
        same(made(0, *more)(*tensors), expected)
    same(tensor.Concat(1)(x, y), torch.cat([x, y], 1))
    same(tensor.Concat.apply(1, x, y), torch.cat([x, y], 1))
    z = x.clone()
    assert tensor.SetItem.apply(z, 0, 5.0) is z and (z[0] == 5).all()
    assert tensor.Sort(0, return_indices=False)(x).equal(x.sort(0)[0])
    with pytest.raises(RuntimeError, match=r"requested resize to 2x5 \(10 elements\).*12: size \(3, 4\)"):
        tensor.Resize(2, 5)(x)


def test_numbers_before_tensors():
    from torch.autograd._functions import basic_ops as ops

    same(ops.SubConstant.apply(2, x), 2 - x)
    same(ops.DivConstant.apply(2, x), 2 / x)
    same(ops.PowConstant.apply(2, x), 2**x)


def test_in_place():
    from torch.autograd._functions import basic_ops, pointwise

    z = x.clone()
    assert basic_ops.Add.apply(z, y, True) is z and z.equal(x + y)
    assert basic_ops.SubConstant.apply(1, z, True) is z and z.equal(1 - (x + y))
    z = x.clone()
    assert pointwise.Exp(True)(z) is z and z.equal(x.exp())


def test_gradients_are_recorded():
    from torch.autograd._functions.linalg import Tril
    from torch.nn._functions.linear import Linear
    from torch.nn._functions.thnn import MaxPool2d

    a, w = x.clone().requires_grad_(), m.clone().requires_grad_()
    Linear.apply(a, Tril.apply(w)).sum().backward()
    same(w.grad, x.sum(0).expand(4, 4).tril())
    same(a.grad, m.tril().sum(0).expand(3, 4))
    pixels = image.clone().requires_grad_()
    MaxPool2d.apply(pixels, 2)[0].sum().backward()
    assert pixels.grad.sum() == 18
    assert torch.autograd.gradcheck(Linear.apply, (a.detach().double().requires_grad_(), w.detach().double()))


def test_recurrent():
    from torch.nn._functions import rnn, thnn

    layer = torch.nn.LSTM(4, 5, 2, bidirectional=True)
    given = torch.randn(3, 2, 4)
    hidden = torch.zeros(4, 2, 5), torch.zeros(4, 2, 5)
    forward = rnn.RNN("LSTM", 4, 5, 2, bidirectional=True)
    output, last = forward(given, layer.all_weights, hidden)
    expected, (h, c) = layer(given)
    same(output, expected)
    same(last, (h, c))
    gru = torch.nn.GRU(4, 5, batch_first=True)
    output, last = rnn.AutogradRNN("GRU", 4, 5, batch_first=True)(given, gru.all_weights, torch.zeros(1, 3, 5))
    same((output, last), gru(given))
    packed = torch.nn.utils.rnn.pack_padded_sequence(given, [3, 2])
    output, _ = rnn.RNN("GRU", 4, 5, batch_sizes=packed.batch_sizes)(packed.data, gru.all_weights, torch.zeros(1, 2, 5))
    same(output, torch.nn.GRU.forward(gru, packed)[0].data)
    with pytest.raises(ValueError, match="Unknown mode: X"):
        rnn.RNN("X", 1, 1)
    cell = torch.nn.LSTMCell(4, 5)
    weights = cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh
    state = torch.randn(2, 5), torch.randn(2, 5)
    same(rnn.LSTMCell(given[0], state, *weights), cell(given[0], state))
    gates = F.linear(given[0], weights[0]), F.linear(state[0], weights[1])
    same(thnn.LSTMFused.apply(*gates, state[1], *weights[2:]), cell(given[0], state))
    cell = torch.nn.GRUCell(4, 5)
    weights = cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh
    gates = F.linear(given[0], weights[0]), F.linear(state[0], weights[1])
    same(thnn.GRUFused.apply(*gates, state[0], *weights[2:]), cell(given[0], state[0]))
    with pytest.raises(NotImplementedError, match="CudnnRNN: cuDNN"):
        rnn.CudnnRNN()


def test_packing():
    from torch.nn._functions.packing import PackPadded

    given = torch.randn(3, 2, 4)
    data, sizes = PackPadded.apply(given, [3, 1], False)
    assert sizes.tolist() == [2, 1, 1] and data.equal(torch.cat([given[0], given[1, :1], given[2, :1]]))


def test_dropout():
    from torch.nn._functions import dropout

    torch.manual_seed(1)
    ones = torch.ones(4, 8, 5, 5)
    found = dropout.FeatureDropout.apply(ones, 0.5, True)
    assert found.equal(found[:, :, :1, :1].expand_as(found)) and sorted(found.unique().tolist()) == [0, 2]
    assert sorted(dropout.Dropout(0.5, True)(ones).unique().tolist()) == [0, 2]


@pytest.mark.parametrize("name", ("Multinomial", "Bernoulli", "Normal"))
def test_stochastic_functions_are_gone(name):
    from torch.autograd._functions import stochastic

    with pytest.raises(NotImplementedError, match=f"{name}: .*log_prob"):
        getattr(stochastic, name)(1)


def test_helpers():
    from torch.autograd._functions import utils

    same(utils.maybe_unexpand(torch.ones(2, 3, 4), torch.Size([3, 1])), torch.full((3, 1), 8.0))
    assert utils.maybe_unexpand(x, x.size()) is x
    assert utils.maybe_unexpand_or_view(x, torch.Size([12])).size() == (12,)
    assert utils.maybe_unexpand_or_view(x, torch.Size([1, 4])).size() == (1, 4)
    assert utils.prepare_onnx_paddings(4, [1, 2, 3, 4]) == [0, 0, 3, 1, 0, 0, 4, 2]
    assert utils.check_onnx_broadcast([2, 3], [3]) and not utils.check_onnx_broadcast([2, 3], [2, 3])
    with pytest.raises(ValueError, match=r"\[2, 3\], \[2, 1\]"):
        utils.check_onnx_broadcast([2, 3], [2, 1])


def test_backend():
    from torch.nn.backends.backend import FunctionBackend
    from torch.nn.backends.thnn import backend

    assert isinstance(backend, FunctionBackend)
    same(backend.ELU.apply(x, 2), F.elu(x, 2))
    same(backend.Linear(x, m), F.linear(x, m))  # called as a function
    assert copy.deepcopy(backend) is backend and pickle.loads(pickle.dumps(backend)) is backend
    mine = FunctionBackend()
    mine.register_function("Linear", backend.Linear)
    with pytest.raises(RuntimeError, match="second function under name Linear"):
        mine.register_function("Linear", backend.Linear)
    with pytest.raises(AttributeError, match="no function 'Nothing'"):
        mine.Nothing  # noqa: B018


def test_found_when_asked_for():
    code = """
import sys, torch
assert not [name for name in sys.modules if name.startswith("torch.") and "._functions" in name]
torch.nn._functions.thnn.ELU, torch.autograd._functions.reduce.Sum, torch.nn._functions.dropout.Dropout
from torch.nn._functions.rnn import LSTMCell
from torch.autograd._functions import Transpose
"""
    subprocess.run([sys.executable, "-c", code], check=True)
