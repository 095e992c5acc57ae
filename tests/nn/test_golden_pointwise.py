"""Activations and criterions against PyTorch's answers: corners, names of nodes; how exact they are."""

import pytest
import torch
import torch.nn.functional as F
from nn_golden import stored, told
from nn_oracle import SPACE, ask_function

pytestmark = pytest.mark.filterwarnings("ignore:reduction.*batchmean")


@pytest.mark.parametrize("call", stored("pointwise")["FLOATS"])
def test_corners(call):
    row = stored("pointwise")["FLOATS"][call]
    (mine,), (theirs,) = ask_function(call, row["operands"])["result"], row["answer"]["result"]
    assert mine.dtype == theirs.dtype
    tolerance = 2e-6 if theirs.dtype == torch.float32 else 1e-2 if theirs.dtype == torch.bfloat16 else 1e-6
    assert torch.allclose(mine, theirs, rtol=tolerance, atol=tolerance, equal_nan=True), f"{mine}\ninstead of\n{theirs}"


# Recorded as one node here, where PyTorch composes them and shows the node of the mean or sum.
ONE_NODE = {"l1_loss": "L1LossBackward0", "kl_div": "KlDivBackward0"}


@pytest.mark.parametrize("call", told("pointwise")["nodes"])
def test_node(call):
    theirs = told("pointwise")["nodes"][call]
    name = call.removeprefix("F.").partition("(")[0]
    expected = ONE_NODE.get(name, theirs) if theirs in ("MeanBackward0", "SumBackward0") else theirs
    assert eval(call, dict(SPACE)).grad_fn.name() == expected


def exact(name, x):
    """The function in double, by a formula of its own."""
    x = x.double()
    return {
        "tanh": lambda: torch.expm1(2 * x) / (torch.expm1(2 * x) + 2),
        "silu": lambda: x / (1 + torch.exp(-x)),
        "mish": lambda: x * torch.tanh(torch.log1p(torch.exp(x))),
        "softplus": lambda: torch.log1p(torch.exp(x)),
        "logsigmoid": lambda: -torch.log1p(torch.exp(-x)),
        "elu": lambda: torch.where(x > 0, x, torch.expm1(x)),
        "gelu": lambda: x * torch.erfc(-x * 0.5**0.5) / 2,
    }[name]()


# In units in the last place of the result; gelu's is that of the far tail, where x^2 is rounded.
@pytest.mark.parametrize(
    ("name", "limit"),
    [("tanh", 2), ("silu", 4), ("mish", 6), ("softplus", 4), ("logsigmoid", 4), ("elu", 3), ("gelu", 40)],
)
def test_error_bound(name, limit):
    x = torch.cat([torch.linspace(-9, 9, 400001), torch.logspace(-30, 0.9, 20000), -torch.logspace(-30, 0.9, 20000)])
    if name == "softplus":
        x = x[x < 20]  # from there on, it is the input
    y = getattr(F, name)(x)
    units = (y.double() - exact(name, x)).abs() / torch.nextafter(y.abs(), torch.tensor(torch.inf)).sub(
        y.abs()
    ).double()
    assert units.max().item() <= limit


@pytest.mark.parametrize("name", ["gelu", "silu", "mish", "softplus", "logsigmoid", "elu", "hardtanh", "tanh"])
def test_bits_do_not_depend_on_threads_nor_on_places(name):
    x = torch.randn(200_003, requires_grad=True)
    function = getattr(F, name)
    threads = torch.get_num_threads()
    answers = []
    try:
        for n in (1, 2):
            torch.set_num_threads(n)
            y = function(x)
            answers.append((y.detach(), torch.autograd.grad(y.sum() + (y * y).sum(), x)[0]))
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(a, b) for a, b in zip(*answers))
    spread = torch.stack([x.detach(), x.detach()], 1)[:, 0]
    assert torch.equal(function(spread), answers[0][0])
    assert torch.equal(function(x.detach()[7:30]), answers[0][0][7:30])


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "smooth_l1_loss", "soft_margin_loss", "kl_div"])
def test_sums_do_not_depend_on_threads(name):
    x, z = torch.randn(300_001), torch.rand(300_001)
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = getattr(F, name)(x, z, reduction="sum")
        torch.set_num_threads(2)
        assert torch.equal(getattr(F, name)(x, z, reduction="sum"), one)
    finally:
        torch.set_num_threads(threads)


def test_losses_broadcast_and_promote():
    x, z = torch.randn(3, 1, requires_grad=True), torch.rand(4, dtype=torch.float64)
    with pytest.warns(UserWarning, match="broadcasting|target size"):
        loss = F.mse_loss(x, z)
    assert loss.dtype == torch.float64
    loss.backward()
    difference = x.detach().double() - z
    assert torch.allclose(x.grad.double(), 2 * difference.sum(1, True) / 12)


def test_random_slopes():
    x = torch.cat([-torch.ones(1000), torch.ones(10)]).requires_grad_()
    torch.manual_seed(3)
    y = F.rrelu(x, 0.2, 0.5, training=True)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(y, x * gradient)
    assert torch.equal(gradient[1000:], torch.ones(10))
    assert 0.2 <= gradient[:1000].min() < 0.25
    assert 0.45 < gradient[:1000].max() < 0.5
    torch.manual_seed(3)
    copy = x.detach().clone()
    assert torch.equal(F.rrelu_(copy, 0.2, 0.5, True), y)


def test_meta():
    x = torch.empty(2, 4, device="meta")
    assert F.gelu(x).shape == (2, 4)
    assert F.glu(x).shape == (2, 2)
    assert F.mse_loss(x, x).shape == ()
    assert F.cross_entropy(x, torch.empty(2, dtype=torch.int64, device="meta"), reduction="none").shape == (2,)


@pytest.mark.parametrize("call", ["F.gelu(x)", "F.silu(x)", "F.hardtanh(x)", "F.glu(x)", "F.logsigmoid(x)"])
def test_without_elements(call):
    x = torch.empty(0, 4, requires_grad=True)
    y = eval(call, {"F": F, "x": x})
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert gradient.shape == (0, 4)
