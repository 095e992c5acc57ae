"""Modules whose saved tensors are packed by hooks, copied as they are at that moment, or computed again: the same gradients."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

CASES = {
    "layer_norm": (nn.LayerNorm(8), (4, 8)),
    "rms_norm": (nn.RMSNorm(8), (4, 8)),
    "batch_norm": (nn.BatchNorm1d(8), (4, 8)),
    "batch_norm, evaluated": (nn.BatchNorm2d(3).eval(), (2, 3, 4, 4)),
    "group_norm": (nn.GroupNorm(2, 8), (4, 8, 3)),
    "instance_norm": (nn.InstanceNorm1d(8), (4, 8, 3)),
    "local_response_norm": (nn.LocalResponseNorm(2), (1, 4, 4, 4)),
    "lstm": (nn.LSTM(8, 8), (4, 2, 8)),
    "gru": (nn.GRU(8, 8), (4, 2, 8)),
    "lstm cell": (nn.LSTMCell(8, 8), (4, 8)),
    "attention": (lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True), (2, 2, 4, 8)),
    "attention, dropout": (lambda x: F.scaled_dot_product_attention(x, x, x, dropout_p=0.5), (2, 2, 4, 8)),
    "transformer": (nn.TransformerEncoderLayer(8, 2, 8, dropout=0.1), (4, 2, 8)),
    "dropout": (nn.Dropout(), (4, 8)),
    "rrelu": (nn.RReLU(), (4, 8)),
    "prelu": (nn.PReLU(), (4, 8)),
    "softmax": (nn.Softmax(1), (4, 8)),
    "max_pool": (nn.MaxPool2d(2), (1, 2, 4, 4)),
    "fractional_max_pool": (nn.FractionalMaxPool2d(2, 2), (1, 2, 4, 4)),
    "convolution": (nn.Conv2d(2, 3, 2), (1, 2, 4, 4)),
    "cross_entropy": (lambda x: F.cross_entropy(x, torch.arange(4)), (4, 8)),
    "ctc_loss": (
        lambda x: F.ctc_loss(x.log_softmax(2), torch.tensor([[1, 2]]), torch.tensor([6]), torch.tensor([2])),
        (6, 1, 5),
    ),
    "multilabel_margin_loss": (lambda x: F.multilabel_margin_loss(x, torch.tensor([[1, 2, -1, 0]] * 2)), (2, 4)),
    "embedding_bag": (
        lambda x: F.embedding_bag(torch.tensor([0, 1, 2]), x, torch.tensor([0, 2]), mode="max"),
        (4, 8),
    ),
    "interpolate": (lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"), (1, 2, 4, 4)),
}


def gradients(case, how):
    function, size = CASES[case]
    torch.manual_seed(1)
    x = torch.randn(size, requires_grad=True)
    y = how(function, x)
    y = y[0] if isinstance(y, tuple) else y
    parameters = list(function.parameters()) if isinstance(function, nn.Module) else []
    return torch.autograd.grad((y * y).sum(), [x, *parameters])


def packed(function, x):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        return function(x)


def computed_again(function, x):
    return checkpoint(function, x, use_reentrant=False)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("how", [packed, computed_again])
def test_the_same_gradients(case, how):
    expected = gradients(case, lambda function, x: function(x))
    for ours, theirs in zip(gradients(case, how), expected):
        assert torch.equal(ours, theirs)
