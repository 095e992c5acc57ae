"""Dropout and initial values: shares, moments, seeds and shapes; their numbers are of torch's own stream."""

import math

import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F


def test_dropout():
    torch.manual_seed(0)
    x = torch.ones(100, 1000, requires_grad=True)
    y = F.dropout(x, 0.3)
    assert (y == 0).double().mean().item() == pytest.approx(0.3, abs=0.01)
    assert torch.allclose(y[y != 0], torch.tensor(1 / 0.7))
    y.sum().backward()
    assert torch.equal(x.grad, y)
    assert F.dropout(x, 0.3, training=False) is x and nn.Dropout(0.3).eval()(x) is x
    torch.manual_seed(0)
    assert torch.equal(F.dropout(x, 0.3), y)
    z = torch.ones(10)
    assert F.dropout(z, 0.5, inplace=True) is z and set(z.tolist()) <= {0.0, 2.0}


def draw(p, shape):
    """What a call draws after this seed."""
    torch.manual_seed(5)
    return torch.empty(shape).bernoulli_(1 - p)


@pytest.mark.parametrize("features", [False, True])
def test_operators_of_dropout(features):
    """torch.dropout and its kin: functions of what is drawn, in a new tensor and in place."""
    x, p = torch.randn(6, 5, 4), 0.4
    noise = draw(p, (6, 5, 1) if features else x.shape)
    scale = 1 / math.sqrt((1.7580993408473766**2 * p + 1) * (1 - p))
    expected = {
        "dropout": x * (noise / (1 - p)),
        "alpha_dropout": x * (noise * scale)
        + ((noise - 1) * (1.7580993408473766 * scale) + 1.7580993408473766 * scale * p),
    }
    for name, values in expected.items():
        name = "feature_" * features + name
        torch.manual_seed(5)
        found = getattr(torch, name)(x, p, True)
        torch.manual_seed(5)
        written = x.clone()
        assert getattr(torch, name + "_")(written, p, True) is written
        assert torch.allclose(found, values) and torch.equal(written, found)


def test_native_dropout():
    for p, train in ((0.3, True), (0.3, None)):
        x = torch.randn(50, 60, dtype=torch.float64, requires_grad=True)
        y, mask = torch.native_dropout(x, p, train)
        assert mask.dtype == torch.bool and not mask.requires_grad and 0.6 < mask.double().mean() < 0.8
        assert torch.equal(y, x * mask * (1 / 0.7)) and y.grad_fn.name() == "NativeDropoutBackward0"
    y, mask = torch.native_dropout(x, 0.3, True)
    (grad,) = torch.autograd.grad(y.square().sum(), x, create_graph=True)
    assert torch.allclose(grad, 2 * x * mask / 0.49)
    (second,) = torch.autograd.grad(grad.sum(), x)
    assert torch.allclose(second, mask.double() * 2 / 0.49)
    y, mask = torch.native_dropout(x, 0.3, False)
    assert mask.all() and torch.equal(y, x) and y is not x
    (grad,) = torch.autograd.grad(y.sum(), x)
    assert grad.eq(1).all()


def test_dropout_in_place_of_what_must_not_be_written():
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        torch.dropout_(torch.ones(3, requires_grad=True), 0.5, True)
    whole = torch.ones(4, dtype=torch.int64)
    for name in ("dropout_", "alpha_dropout_"):
        with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
            getattr(torch, name)(whole, 0.5, True)
    assert whole.eq(1).all()


def test_feature_dropout():
    torch.manual_seed(0)
    for function, shape in ((F.dropout1d, (8, 16, 5)), (F.dropout2d, (8, 16, 5, 4)), (F.dropout3d, (8, 16, 3, 2, 4))):
        y = function(torch.ones(shape), 0.5).flatten(2)
        assert bool(((y == 0).all(2) | (y == 2).all(2)).all()) and 0.3 < (y == 0).double().mean() < 0.7
    y = F.dropout1d(torch.ones(64, 5), 0.5)
    assert bool(((y == 0).all(1) | (y == 2).all(1)).all())


def test_alpha_dropout():
    torch.manual_seed(0)
    x = torch.randn(200, 500)
    y = F.alpha_dropout(x, 0.4, training=True)
    assert abs(y.mean().item()) < 0.02 and y.std().item() == pytest.approx(1, abs=0.02)
    y = F.feature_alpha_dropout(torch.randn(300, 300, 2), 0.4, training=True)
    assert abs(y.mean().item()) < 0.02 and y.std().item() == pytest.approx(1, abs=0.03)


def test_rrelu():
    torch.manual_seed(0)
    x = torch.full((1000,), -1.0, requires_grad=True)
    y = F.rrelu(x, training=True)
    assert -1 / 3 <= y.min() and y.max() <= -1 / 8 and y.std() > 0.05
    y.sum().backward()
    assert torch.equal(x.grad, -y)


def moments(tensor):
    return tensor.mean().item(), tensor.std().item()


@pytest.mark.parametrize(
    "fill, std",
    [
        (lambda t: nn.init.uniform_(t, -1, 3), 4 / math.sqrt(12)),
        (lambda t: nn.init.normal_(t, 1, 0.5), 0.5),
        (lambda t: nn.init.xavier_uniform_(t, 2.0), 2 * math.sqrt(2 / 600)),
        (lambda t: nn.init.xavier_normal_(t), math.sqrt(2 / 600)),
        (lambda t: nn.init.kaiming_uniform_(t, a=1), 1 / math.sqrt(400)),
        (lambda t: nn.init.kaiming_normal_(t, mode="fan_out", nonlinearity="relu"), math.sqrt(2 / 200)),
        (lambda t: nn.init.orthogonal_(t), 1 / math.sqrt(400)),
    ],
)
def test_moments(fill, std):
    torch.manual_seed(0)
    tensor = torch.empty(200, 400)
    assert fill(tensor) is tensor
    assert moments(tensor)[1] == pytest.approx(std, rel=0.02)


@pytest.mark.parametrize("bounds", [(-1.0, 0.5), (1.5, 2.5), (-3.0, -1.0)])  # drawn again, or below the density
def test_truncated_normal(bounds):
    torch.manual_seed(0)
    x = nn.init.trunc_normal_(torch.empty(300, 200).t(), 0.25, 1.0, *bounds)
    grid = torch.linspace(*bounds, 10_001, dtype=torch.float64)
    weight = torch.exp(-((grid - 0.25) ** 2) / 2)
    mean = (grid * weight).sum() / weight.sum()
    variance = ((grid - mean) ** 2 * weight).sum() / weight.sum()
    assert x.min() >= bounds[0] and x.max() <= bounds[1]
    assert x.mean().item() == pytest.approx(mean.item(), abs=0.01)
    assert x.var().item() == pytest.approx(variance.item(), rel=0.03)


def test_other_initial_values():
    torch.manual_seed(0)
    tensor = nn.init.trunc_normal_(torch.empty(1000, 100), 0.5, 2.0, -1, 1)
    assert tensor.min() >= -1 and tensor.max() <= 1 and tensor.mean() > 0
    matrix = nn.init.orthogonal_(torch.empty(5, 8), 2.0)
    assert torch.allclose(matrix @ matrix.T, 4 * torch.eye(5), atol=1e-5)
    assert (nn.init.sparse_(torch.empty(10, 6), 0.3) == 0).sum(0).tolist() == [3] * 6
    assert nn.init.constant_(torch.empty(2), 3).tolist() == [3, 3]
    assert nn.init.ones_(torch.empty(2)).tolist() == [1, 1] and nn.init.zeros_(torch.empty(1)).tolist() == [0]
    parameter = nn.Parameter(torch.empty(3, 3))
    nn.init.normal_(parameter)
    assert parameter.is_leaf and parameter.requires_grad
    with pytest.warns(FutureWarning):
        nn.init.uniform(torch.empty(2))
    generator = torch.Generator().manual_seed(5)
    first = nn.init.normal_(torch.empty(3), generator=generator)
    assert torch.equal(first, nn.init.normal_(torch.empty(3), generator=torch.Generator().manual_seed(5)))


def test_modules_begin_in_their_bounds():
    torch.manual_seed(0)
    for module, bound in (
        (nn.Linear(16, 50), 0.25),
        (nn.Bilinear(16, 3, 20), 0.25),
        (nn.LSTM(3, 16), 0.25),
        (nn.GRUCell(3, 16), 0.25),
    ):
        for parameter in module.parameters():
            assert parameter.abs().max() <= bound and parameter.abs().max() > 0.8 * bound
    assert nn.Embedding(5, 200, padding_idx=2).weight[2].eq(0).all()
    assert nn.Embedding(500, 200).weight.std().item() == pytest.approx(1, abs=0.02)
    attention = nn.MultiheadAttention(8, 2)
    assert attention.in_proj_bias.eq(0).all() and attention.out_proj.bias.eq(0).all()
