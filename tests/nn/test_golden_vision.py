"""Functions over images against PyTorch's answers: dtypes, graphs; finite differences, threads, layouts."""

import importlib

import pytest
import torch
import torch.nn.functional as F
from nn_golden import stored, told
from nn_oracle import SPACE, ask_dtype, ask_names
from nn_vision import NAMED, TWICE

# How far off: a few roundings to the dtype. Gradients come in double, but passed through it.
CLOSE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float32: 2e-6, torch.complex64: 2e-6}


@pytest.mark.parametrize("call", stored("vision")["DTYPES"])
def test_dtype(call):
    row = stored("vision")["DTYPES"][call]
    mine = ask_dtype(call, row["operands"])
    for what, theirs in row["answer"].items():
        if theirs is None:
            assert mine[what] is None
            continue
        assert mine[what].dtype == theirs.dtype
        if not (theirs.is_floating_point() or theirs.is_complex()):
            assert torch.equal(mine[what], theirs)
        else:
            close = CLOSE[row["answer"]["result"].dtype]
            wide = torch.complex128 if theirs.is_complex() else torch.float64
            assert torch.allclose(mine[what].to(wide), theirs.to(wide), rtol=close, atol=close)


@pytest.mark.parametrize("call", NAMED)
def test_nodes(call):
    row = stored("vision")["TWICE"][call]
    assert ask_names(call, row["operands"]) == told("vision")["names"][call]


@pytest.mark.parametrize("call", TWICE)
def test_finite_differences(call):
    x = stored("vision")["TWICE"][call]["operands"]["x"].detach().requires_grad_()

    def function(x):
        return eval(call, {**SPACE, "x": x})

    assert torch.autograd.gradcheck(function, x)
    if "'nearest', 'border'" not in call:
        assert torch.autograd.gradgradcheck(function, x)


def test_places_that_are_no_numbers():
    x = torch.arange(1.0, 10).view(1, 1, 3, 3).requires_grad_()
    nan, inf = float("nan"), float("inf")
    grid = torch.tensor([[nan, 0], [0, nan], [inf, 0], [-inf, 0], [1e30, 0], [3, 5]]).view(1, 1, -1, 2).requires_grad_()
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            for align in (False, True):
                y = F.grid_sample(x, grid, mode, padding, align)
                torch.autograd.grad(y.sum(), (x, grid))  # whatever they are, memory is left alone
                if mode == "nearest":
                    outside = padding == "zeros"
                    assert y.flatten()[:3].tolist() == (
                        [0, 0, 0] if outside else [4, 2, 6 if padding == "border" else 4]
                    )
    assert F.grid_sample(x, grid, "bilinear", "border", False).flatten()[:6].tolist() == [4, 2, 6, 4, 6, 9]


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_make_no_difference(threads):
    x = torch.randn(2, 5, 40, 50)
    grid = torch.rand(2, 30, 40, 2) * 2.2 - 1.1

    def results():
        found = []
        for call in (
            lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear"),
            lambda x: F.interpolate(x, (17, 20), mode="bicubic", antialias=True),
            lambda x: F.grid_sample(x, grid, align_corners=False),
            lambda x: F.pad(x, (3, 2, 1, 0), "reflect"),
            lambda x: F.unfold(x, 3, padding=1),
            lambda x: F.max_pool2d(x, 3, 1),
        ):
            a = x.clone().requires_grad_()
            y = call(a)
            found += [y.detach(), torch.autograd.grad(y.sin().sum(), a)[0]]
        return found

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = results()
        torch.set_num_threads(threads)
        assert all(torch.equal(a, b) for a, b in zip(one, results()))
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("unpool, size", [(F.max_unpool2d, (4, 4)), (F.max_unpool3d, (2, 4, 4))])
def test_gradients_of_unpooled_nothing_are_constants(unpool, size):
    x = torch.rand(0, 3, *size, requires_grad=True)
    y = unpool(x, torch.zeros(0, 3, *size, dtype=torch.long), 2)
    gradient = torch.autograd.grad(y, x, torch.ones_like(y).requires_grad_(), create_graph=True)[0]
    assert (gradient.shape, gradient.requires_grad) == (x.shape, False)


def test_names_of_2017():
    thnn = importlib.import_module("torch._thnn._THNN")
    x = torch.rand(2, 3, 4, 5)
    y, r = torch.empty(0), torch.empty(0)
    thnn.FloatSpatialUpSamplingBilinear_updateOutput(None, x, y, 7, 9, True)
    assert torch.equal(y, F.interpolate(x, (7, 9), mode="bilinear", align_corners=True))
    thnn.FloatSpatialReflectionPadding_updateOutput(None, x, y, 1, 2, 0, 3)
    assert torch.equal(y, F.pad(x, (1, 2, 0, 3), "reflect"))
    thnn.FloatSpatialReflectionPadding_updateGradInput(None, x, y, r, 1, 2, 0, 3)
    assert r.shape == x.shape
    thnn.Floatunfolded_copy(None, y, x[0], 3, 2, 1, 1, 1, 0, 3, 5, 4, 5, 3)
    assert torch.equal(y, F.unfold(x[0], (2, 3), padding=(0, 1)))
    grid = torch.rand(2, 3, 3, 2) * 2 - 1
    thnn.FloatSpatialGridSamplerBilinear_updateOutput(None, x, grid, y, 1)
    assert torch.equal(y, F.grid_sample(x, grid, padding_mode="border", align_corners=True))


def test_without_elements_on_meta():
    x = torch.empty(2, 3, 6, 7, device="meta")
    assert F.interpolate(x, (4, 9), mode="bilinear").shape == (2, 3, 4, 9)
    assert F.grid_sample(x, torch.empty(2, 4, 5, 2, device="meta"), align_corners=False).shape == (2, 3, 4, 5)
    assert F.pad(x, (1, 1, 2, 2), "reflect").shape == (2, 3, 10, 9)
    assert F.unfold(x, 2).shape == (2, 12, 30)


def test_channels_last_stays():
    x = torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
    for mode in ("nearest", "bilinear", "bicubic"):
        y = F.interpolate(x, scale_factor=2, mode=mode)
        assert y.is_contiguous(memory_format=torch.channels_last)
        assert torch.equal(y, F.interpolate(x.contiguous(), scale_factor=2, mode=mode))
