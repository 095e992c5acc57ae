"""torch.nn's functions that are made of operators here, where tests/nn/test_nn_cuda.py has no answers: half types, other
layouts, no elements, and numbers that are not finite."""

import pytest
import torch
import torch.nn.functional as F


def index(*values):
    return lambda device: torch.tensor(values, device=device)


CALLS = {  # of x (2, 4, 6, 5)
    "conv2d": lambda x: F.conv2d(x, x[:, :2, :3, :2], stride=(2, 1), padding=1, dilation=(1, 2), groups=2),
    "depthwise": lambda x: F.conv2d(x, x[0, :, None, :3, :3], padding="same", groups=4),
    "conv_transpose2d": lambda x: F.conv_transpose2d(
        x, x[:, :2, :3, :2].repeat(2, 1, 1, 1), stride=2, output_padding=1
    ),
    "conv3d": lambda x: F.conv3d(
        x[None], x[None, :, :2, :2, :2].transpose(0, 1)[:, :1].repeat(1, 2, 1, 1, 1), padding=1
    ),
    "max_pool2d": lambda x: F.max_pool2d(x, 3, 2, 1, 1, True),
    "avg_pool2d": lambda x: F.avg_pool2d(x, 3, 2, 1, True, False),
    "avg_pool2d by a number": lambda x: F.avg_pool2d(x, (2, 3), 1, 1, divisor_override=7),
    "adaptive_avg_pool2d": lambda x: F.adaptive_avg_pool2d(x, (4, 3)),
    "adaptive_max_pool2d": lambda x: F.adaptive_max_pool2d(x, (4, 3)),
    "lp_pool2d": lambda x: F.lp_pool2d(x, 2, 2),
    "unfold": lambda x: F.unfold(x, (2, 3), 2, 1, (2, 1)),
    "fold": lambda x: F.fold(F.unfold(x, 2), (6, 5), 2),
    "nearest": lambda x: F.interpolate(x, (4, 9)),
    "bilinear": lambda x: F.interpolate(x, (4, 9), mode="bilinear", align_corners=True),
    "bicubic": lambda x: F.interpolate(x, (4, 9), mode="bicubic"),
    "antialias": lambda x: F.interpolate(x, (4, 3), mode="bicubic", antialias=True),
    "area": lambda x: F.interpolate(x, (4, 3), mode="area"),
    "grid_sample": lambda x: F.grid_sample(x, x[:, :3, :, :2].sin(), padding_mode="reflection", align_corners=False),
    "grid_sample, cubic": lambda x: F.grid_sample(x, x[:, :3, :, :2].sin(), "bicubic", align_corners=True),
    "local_response_norm": lambda x: F.local_response_norm(x, 3, 0.5),
    "embedding_bag": lambda x: F.embedding_bag(index(1, 0, 2, 1)(x.device), x[0, 0], index(0, 2, 2)(x.device)),
    "embedding_bag, max": lambda x: F.embedding_bag(
        index(1, 0, 2, 1)(x.device), x[0, 0], index(0, 2, 2)(x.device), mode="max"
    ),
    "multi_margin_loss": lambda x: F.multi_margin_loss(x[0, 0], index(1, 0, 4, 2, 3, 3)(x.device), p=2),
    "multilabel_margin_loss": lambda x: F.multilabel_margin_loss(
        x[0, 0, :2], index([1, 3, -1, 0, 0], [-1, 0, 0, 0, 0])(x.device)
    ),
}
NEAR = {torch.float64: 1e-12, torch.float32: 2e-5, torch.float16: 1e-2, torch.bfloat16: 6e-2}


def operand(device, dtype, strided=False):
    x = (torch.arange(240, dtype=torch.float64) * 0.7).sin().reshape(2, 4, 6, 5).to(dtype)
    return (x.mT.contiguous().to(device).mT if strided else x.to(device)).requires_grad_()


def asked(call, x):
    result = call(x)
    weights = torch.arange(result.numel(), dtype=torch.float64).cos().reshape(result.shape).to(x.device, x.dtype)
    return [t.detach().cpu() for t in (result, *torch.autograd.grad((result * weights).sum(), x))]


@pytest.mark.parametrize(
    ("name", "dtype", "strided"),
    [
        (name, dtype, strided)
        for name in CALLS
        for dtype, strided in [*((dtype, False) for dtype in NEAR), (torch.float64, True)]
        if not (name == "antialias" and dtype.itemsize == 2)  # which is refused
    ],
)
def test_as_on_the_cpu(name, dtype, strided):
    theirs = asked(CALLS[name], operand("cpu", dtype, strided))
    mine = asked(CALLS[name], operand("cuda", dtype, strided))
    for a, b in zip(mine, theirs, strict=True):
        assert a.dtype == b.dtype == dtype and a.shape == b.shape
        assert torch.allclose(a.double(), b.double(), rtol=NEAR[dtype], atol=NEAR[dtype])


# Of a batch without samples. Other functions refuse it on the CPU, too.
EMPTY = [
    name for name in CALLS if name.startswith(("conv2d", "max", "avg", "adaptive", "nearest", "bilinear", "unfold"))
]


@pytest.mark.parametrize("name", EMPTY)
def test_without_samples(name):
    kernel = operand("cpu", torch.float64)[:, :2, :3, :2].detach()
    found = []
    for device in ("cpu", "cuda"):
        x = torch.empty(0, 4, 6, 5, device=device, requires_grad=True, dtype=torch.float64)
        result = F.conv2d(x, kernel.to(device), groups=2) if name == "conv2d" else CALLS[name](x)
        result.sum().backward()
        found.append((result.shape, x.grad.shape))
    assert found[0] == found[1]


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
@pytest.mark.parametrize("name", ["avg_pool2d", "adaptive_avg_pool2d", "max_pool2d", "adaptive_max_pool2d", "nearest",
                                  "bicubic", "antialias", "area", "conv2d"])  # fmt: skip
def test_what_is_not_finite_stays_where_it_is(name, value):
    found = []
    for device in ("cpu", "cuda"):
        x = operand("cpu", torch.float64).detach()
        x[1, 3, 5, 4] = value
        kernel = operand("cpu", torch.float64)[:, :2, :3, :2].detach().to(device)
        x = x.to(device)
        found.append((F.conv2d(x, kernel, groups=2) if name == "conv2d" else CALLS[name](x)).cpu())
    theirs, mine = found
    assert torch.equal(mine.isfinite(), theirs.isfinite())
    assert torch.allclose(mine[mine.isfinite()], theirs[theirs.isfinite()])


def test_columns_of_single_elements_are_no_view():
    x = torch.ones(1, 2, 3, 3, device="cuda")
    F.unfold(x, 1).zero_()
    assert x.sum() == 18


def test_ctc_loss():
    found = []
    lengths, sizes = (7, 5, 6, 0), (3, 2, 0, 0)
    for device in ("cpu", "cuda"):
        x = (torch.arange(7 * 4 * 5, dtype=torch.float64) * 0.3).sin().view(7, 4, 5).to(device).requires_grad_()
        labels = torch.tensor([[1, 1, 3], [4, 2, 0], [0, 0, 0], [0, 0, 0]], device=device)
        losses = F.ctc_loss(x.log_softmax(2), labels, lengths, sizes, reduction="none")
        (gradient,) = torch.autograd.grad(losses.sum(), x)
        found.append([losses.detach().cpu(), gradient.cpu()])
    for mine, theirs in zip(*found, strict=True):
        assert torch.allclose(mine, theirs)
