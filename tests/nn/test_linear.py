"""linear and its gradients over sizes, strides and dtypes, by oneDNN where the build has it and by BLAS."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

mkldnn = torch.backends.mkldnn
# Rows, features in, features out: a small GPT's, with edges, a few rows, more terms than one call of oneDNN adds up.
SIZES = [
    (1024, 128, 512),
    (256, 512, 128),
    (33, 70, 65),
    (8, 128, 512),
    (1, 128, 512),
    (100, 1100, 40),
    (3, 4, 5),
    (9, 512, 200),
]
ROUNDING = {torch.float32: 1e-6, torch.float16: 2**-11, torch.bfloat16: 2**-8}


def operands(rows, fan_in, fan_out, dtype=torch.float32):
    torch.manual_seed(rows + fan_in)
    scale = fan_in**-0.5
    return [
        t.to(dtype) for t in (torch.randn(rows, fan_in), scale * torch.randn(fan_out, fan_in), torch.randn(fan_out))
    ]


def computed(x, w, b, gradient=None):
    """The output, and the gradients for input, weight and bias."""
    leaves = [t.detach().requires_grad_() for t in (x, w, b)]
    y = F.linear(*leaves)
    gradient = torch.ones_like(y) / len(y) if gradient is None else gradient
    return [y.detach(), *torch.autograd.grad(y, leaves, gradient.to(y.dtype))]


def close(got, want, dtype):
    scale = want.abs().max().item() if want.numel() else 0
    tolerance = {"rtol": ROUNDING[dtype], "atol": (1e-5 + ROUNDING[dtype] / 8) * scale}
    np.testing.assert_allclose(got.double().numpy(), want.numpy(), **tolerance)


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("dtype", ROUNDING, ids=str)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_against_double_precision(size, dtype, enabled):
    given = operands(*size, dtype)
    with mkldnn.flags(enabled=enabled):
        got = computed(*given)
    # gradients by definition, in the order that computed() gives them in
    x, w, b = (t.double() for t in given)
    g = (torch.ones(size[0], size[2], dtype=dtype) / size[0]).double()
    for a, want in zip(got, (x @ w.t() + b, g @ w, g.t() @ x, g.sum(0)), strict=True):
        close(a, want, dtype)


def wider(t):
    """The same elements as part of a wider matrix, off a vector's alignment."""
    room = torch.zeros(t.size(0) + 1, t.size(1) + 7, dtype=t.dtype)
    room[1:, 3:-4] = t
    return room[1:, 3:-4]


def gapped(t):
    room = torch.zeros(t.size(0), 2 * t.size(1), dtype=t.dtype)
    room[:, ::2] = t
    return room[:, ::2]


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_strides_change_no_bit(size, dtype, enabled):
    x, w, b = operands(*size, dtype)
    with mkldnn.flags(enabled=enabled):
        want = F.linear(x, w, b)
        for layout in (wider, gapped):
            assert torch.equal(F.linear(layout(x), w, b), want)
            assert torch.equal(F.linear(x, layout(w), b), want)
        assert torch.equal(F.linear(x, w, gapped(b[None])[0]), want)
        rows = x.view(1, 1, *x.shape)
        assert torch.equal(F.linear(rows, w, b)[0, 0], want)
        turned = F.linear(x.t().contiguous().t(), w.t().contiguous().t(), b)
    close(turned, want.double(), dtype)


def test_rows_that_are_one():
    """A broadcast row, and its gradient."""
    x, w, b = operands(1, 128, 512)
    want = F.linear(x.repeat(64, 1), w, b)
    row = x.requires_grad_()
    y = F.linear(row.expand(64, 128), w, b)
    assert torch.equal(y.detach(), want)
    close(torch.autograd.grad(y.sum(), row)[0], 64 * w.double().sum(0, keepdim=True), torch.float32)


@pytest.mark.parametrize("dtype", ROUNDING, ids=str)
@pytest.mark.parametrize("size", [(0, 128, 512), (64, 0, 512), (64, 128, 0), (0, 0, 0)], ids=str)
def test_empty(size, dtype):
    rows, fan_in, fan_out = size
    ones = (torch.ones(shape, dtype=dtype) for shape in ((rows, fan_in), (fan_out, fan_in), (fan_out,)))
    y, gx, gw, gb = computed(*ones, gradient=torch.ones(rows, fan_out))
    assert y.shape == (rows, fan_out) and gx.shape == (rows, fan_in) and gw.shape == (fan_out, fan_in)
    # sums of no terms, or of as many ones as there are
    assert (y == 1 + fan_in).all() and (gx == fan_out).all() and (gw == rows).all() and (gb == rows).all()


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("dtype", ROUNDING, ids=str)
def test_out_of_range(dtype, enabled):
    """Sums beyond the dtype's numbers are infinite, what is no number stays none, and other rows do not see either."""
    x, w, b = operands(64, 128, 192, dtype)
    x[3, 5] = float("nan")
    x[7] = torch.finfo(dtype).max
    w[:] = w.abs() + 1
    with mkldnn.flags(enabled=enabled):
        y = F.linear(x, w, b)
    assert y[3].isnan().all() and (y[7] == float("inf")).all()
    assert torch.cat([y[:3], y[4:7], y[8:]]).isfinite().all()


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("dtype", ROUNDING, ids=str)
@pytest.mark.parametrize("size", [(1024, 128, 512), (300, 700, 600)], ids=str)
def test_the_number_of_threads_changes_no_bit(size, dtype, enabled):
    threads = torch.get_num_threads()
    given = operands(*size, dtype)
    gradient = torch.randn(size[0], size[2])
    try:
        with mkldnn.flags(enabled=enabled):
            torch.set_num_threads(1)
            one = computed(*given, gradient)
            torch.set_num_threads(2)
            assert all(map(torch.equal, one, computed(*given, gradient)))
    finally:
        torch.set_num_threads(threads)


def test_autocast_is_bfloat16():
    x, w, b = operands(64, 128, 512)
    with torch.autocast("cpu", torch.bfloat16):
        y = F.linear(x, w, b)
    assert y.dtype == torch.bfloat16 and torch.equal(y, F.linear(x.bfloat16(), w.bfloat16(), b.bfloat16()))


@pytest.mark.skipif(not mkldnn.is_available(), reason="built without oneDNN")
def test_the_switch_decides():
    """Both round otherwise, so that equal bits would show that one of them computed both."""
    x, w, b = operands(256, 2000, 128)
    with mkldnn.flags(enabled=False):
        ours = F.linear(x, w, b)
    assert not torch.equal(ours, F.linear(x, w, b))
