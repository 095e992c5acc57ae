"""First and second derivatives of what is composed, by finite differences, and types with a __torch_function__."""

import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import gradcheck, gradgradcheck


def noise(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


ACTIVATIONS = (
    *("celu", "elu", "gelu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu", "logsigmoid", "mish"),
    *("relu", "relu6", "selu", "sigmoid", "silu", "softplus", "softshrink", "softsign", "tanh", "tanhshrink"),
)
CLASSES = torch.tensor([0, 2, 1])
CALLS = {
    "glu": lambda: (F.glu, noise(2, 4)),
    "prelu": lambda: (F.prelu, noise(2, 3), noise(3)),
    "softmax": lambda: (lambda x: F.softmax(x, 1), noise(2, 3)),
    "cross_entropy": lambda: (lambda x: F.cross_entropy(x, CLASSES, label_smoothing=0.1), noise(3, 4)),
    "cross_entropy of probabilities": lambda: (lambda x, y: F.cross_entropy(x, y.softmax(1)), noise(3, 4), noise(3, 4)),
    "nll_loss": lambda: (lambda x: F.nll_loss(x, CLASSES, torch.rand(4).double() + 1), noise(3, 4)),
    "mse_loss": lambda: (F.mse_loss, noise(2, 3), noise(2, 3)),
    "smooth_l1_loss": lambda: (F.smooth_l1_loss, noise(2, 3), noise(2, 3)),
    "binary_cross_entropy": lambda: (
        lambda x: F.binary_cross_entropy(x.sigmoid(), torch.rand(2, 3).double()),
        noise(2, 3),
    ),
    "binary_cross_entropy_with_logits": lambda: (
        lambda x: F.binary_cross_entropy_with_logits(x, torch.rand(2, 3).double()),
        noise(2, 3),
    ),
    "linear": lambda: (F.linear, noise(2, 3), noise(4, 3), noise(4)),
    "bilinear": lambda: (F.bilinear, noise(2, 3), noise(2, 4), noise(2, 3, 4), noise(2)),
    "layer_norm": lambda: (lambda x, w, b: F.layer_norm(x, (4,), w, b), noise(3, 4), noise(4), noise(4)),
    "rms_norm": lambda: (lambda x, w: F.rms_norm(x, (4,), w), noise(3, 4), noise(4)),
    "group_norm": lambda: (lambda x, w: F.group_norm(x, 2, w), noise(2, 4, 3), noise(4)),
    "batch_norm": lambda: (lambda x, w: F.batch_norm(x, None, None, w, training=True), noise(3, 2, 2), noise(2)),
    "instance_norm": lambda: (F.instance_norm, noise(2, 2, 4)),
    "local_response_norm": lambda: (lambda x: F.local_response_norm(x, 3), noise(2, 4, 2)),
    "normalize": lambda: (F.normalize, noise(2, 3)),
    "cosine_similarity": lambda: (F.cosine_similarity, noise(2, 3), noise(2, 3)),
    "pairwise_distance": lambda: (F.pairwise_distance, noise(2, 3), noise(2, 3)),
    "embedding": lambda: (
        lambda w: F.embedding(torch.tensor([[0, 1], [1, 1]]), w, scale_grad_by_freq=False),
        noise(3, 2),
    ),
    "embedding_bag": lambda: (lambda w: F.embedding_bag(torch.tensor([[0, 1], [1, 1]]), w), noise(3, 2)),
    "scaled_dot_product_attention": lambda: (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        *(noise(1, 3, 2), noise(1, 3, 2), noise(1, 3, 2)),
    ),
    "interpolate": lambda: (lambda x: F.interpolate(x, (3, 5), mode="bicubic"), noise(1, 1, 2, 3)),
    "grid_sample": lambda: (
        lambda x, g: F.grid_sample(x, g.tanh(), align_corners=False),
        *(noise(1, 2, 3, 3), noise(1, 2, 2, 2)),
    ),
    "fold": lambda: (lambda x: F.fold(x, (3, 3), 2), noise(1, 4, 4)),
    "unfold": lambda: (lambda x: F.unfold(x, 2), noise(1, 1, 3, 3)),
    "pad": lambda: (lambda x: F.pad(x, (1, 1, 1, 0), "reflect"), noise(1, 2, 3)),
    "ctc_loss": lambda: (
        lambda x: F.ctc_loss(x.log_softmax(2), torch.tensor([[1, 2]]), (4,), (2,)),
        noise(4, 1, 3),
    ),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation(name):
    torch.manual_seed(0)
    x = torch.linspace(-4.05, 4.1, 12, dtype=torch.float64, requires_grad=True)  # beside the corners
    assert gradcheck(getattr(F, name), (x,))
    assert gradgradcheck(getattr(F, name), (x,))


@pytest.mark.parametrize("name", CALLS)
def test_call(name):
    torch.manual_seed(0)
    function, *inputs = CALLS[name]()

    def fixed(*args):
        torch.manual_seed(1)
        return function(*args)

    assert gradcheck(fixed, tuple(inputs))
    if name not in ("ctc_loss", "embedding_bag"):  # whose second derivatives PyTorch has not, either
        assert gradgradcheck(fixed, tuple(inputs))


@pytest.mark.parametrize(
    "make", [lambda: nn.LSTM(2, 2, bidirectional=True), lambda: nn.GRU(2, 2, 2), lambda: nn.RNN(2, 2)]
)
def test_recurrent(make):
    torch.manual_seed(0)
    net = make().double()
    assert gradcheck(lambda x: net(x)[0], (noise(3, 2, 2),))
    assert gradgradcheck(lambda x: net(x)[0], (noise(2, 1, 2),))


def test_attention_of_nobody_has_gradients():
    q, k = noise(1, 2, 3), noise(1, 4, 3)
    mask = torch.tensor([[True, False, True, False], [False] * 4])
    result = F.scaled_dot_product_attention(q, k, k, mask)
    assert result[0, 1].eq(0).all()
    result.sum().backward()
    assert q.grad.isfinite().all() and k.grad.isfinite().all()


def test_torch_function():
    class Logged(torch.Tensor):
        calls = []

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.calls.append(getattr(func, "__name__", str(func)))
            return super().__torch_function__(func, types, args, kwargs or {})

    x = torch.ones(2, 3).as_subclass(Logged)
    assert type(F.gelu(x)) is Logged and Logged.calls[0] == "gelu"
    Logged.calls.clear()
    assert type(F.mse_loss(torch.ones(2, 3), target=x)) is Logged and Logged.calls[0] == "mse_loss"
    Logged.calls.clear()
    assert type(nn.LayerNorm(3)(x)) is Logged and Logged.calls[0] == "layer_norm"
