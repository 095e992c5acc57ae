"""Memory formats of what functions of images give back, as PyTorch 2.13 has them, and that values are those of contiguous
images.

With the oracle: python tests/nn/test_channels_last.py
"""

import pytest
import torch
import torch.nn.functional as F

LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
X, SMALL, VOLUME = (2, 8, 6, 6), (2, 8, 1, 1), (2, 4, 5, 6, 6)

# name: (function, shapes of its tensors, how they lie, how the result and the gradients lie); l: channels last, c:
# contiguous, -: both.
CONVOLUTIONS = {
    "input": (lambda x, w: F.conv2d(x, w, padding=1), (X, (4, 8, 3, 3)), "lc", "lll"),
    "weight": (lambda x, w: F.conv2d(x, w, padding=1), (X, (4, 8, 3, 3)), "cl", "lll"),
    "both": (lambda x, w: F.conv2d(x, w, stride=2), (X, (4, 8, 3, 3)), "ll", "lll"),
    "neither": (lambda x, w: F.conv2d(x, w), (X, (4, 8, 3, 3)), "cc", "ccc"),
    "1x1": (lambda x, w: F.conv2d(x, w), (X, (4, 8, 1, 1)), "lc", "ll-"),
    "1x1 with weights of it": (lambda x, w: F.conv2d(x, w), (X, (4, 8, 1, 1)), "c-", "cc-"),
    "1x1, stride 2": (lambda x, w: F.conv2d(x, w, stride=2), (X, (16, 8, 1, 1)), "lc", "ll-"),
    "groups": (lambda x, w: F.conv2d(x, w, padding=1, groups=2), (X, (4, 4, 3, 3)), "lc", "lll"),
    "depthwise": (lambda x, w: F.conv2d(x, w, padding=1, groups=8), (X, (8, 1, 3, 3)), "lc", "ll-"),
    "one channel": (lambda x, w: F.conv2d(x, w, padding=1), ((2, 1, 6, 6), (4, 1, 3, 3)), "-c", "cc-"),
    "images of one element": (lambda x, w: F.conv2d(x, w, padding=1), (SMALL, (4, 8, 3, 3)), "-l", "--l"),
    "one image": (lambda x, w: F.conv2d(x, w, padding=1), ((1, 8, 6, 6), (4, 8, 3, 3)), "lc", "lll"),
    "dilation, by name": (lambda x, w: F.conv2d(x, w, padding="same", dilation=2), (X, (4, 8, 3, 3)), "lc", "lll"),
    "transposed": (lambda x, w: F.conv_transpose2d(x, w, stride=2), (X, (8, 4, 3, 3)), "lc", "lll"),
    "transposed, weight": (lambda x, w: F.conv_transpose2d(x, w), (X, (8, 4, 3, 3)), "cl", "lll"),
    "volume": (lambda x, w: F.conv3d(x, w, padding=1), (VOLUME, (8, 4, 3, 3, 3)), "lc", "lll"),
    "volume, weight": (lambda x, w: F.conv3d(x, w), (VOLUME, (8, 4, 3, 3, 3)), "cl", "lll"),
    "volume, transposed": (lambda x, w: F.conv_transpose3d(x, w), (VOLUME, (4, 8, 3, 3, 3)), "lc", "lll"),
    "large": (lambda x, w: F.conv2d(x, w, padding=1), ((9, 32, 20, 20), (48, 32, 3, 3)), "ll", "lll"),
    "large, groups": (lambda x, w: F.conv2d(x, w, groups=4), ((9, 32, 20, 20), (48, 8, 3, 3)), "lc", "lll"),
    "large, one image": (lambda x, w: F.conv2d(x, w), ((1, 64, 40, 40), (64, 64, 3, 3)), "ll", "lll"),
    "large, 1x1": (lambda x, w: F.conv2d(x, w), ((5, 64, 20, 20), (32, 64, 1, 1)), "lc", "ll-"),
    "few positions": (lambda x, w: F.conv2d(x, w), ((4, 96, 3, 3), (160, 96, 1, 1)), "ll", "ll-"),
    "large, 3 channels": (lambda x, w: F.conv2d(x, w, stride=2), ((4, 3, 40, 40), (32, 3, 7, 7)), "ll", "lll"),
}


def one(shape, function, to):
    return (function, (shape,), "l", to)


FUNCTIONS = {
    "max_pool2d": one(X, lambda x: F.max_pool2d(x, 3, 2, 1), "ll"),
    "max_pool2d, ceil": one((2, 5, 7, 9), lambda x: F.max_pool2d(x, (2, 3), ceil_mode=True, dilation=(2, 1)), "ll"),
    "max_pool2d, large": one((3, 64, 20, 20), lambda x: F.max_pool2d(x, 2), "ll"),
    "avg_pool2d": one(X, lambda x: F.avg_pool2d(x, 3, 2, 1), "ll"),
    "avg_pool2d, no padding": one(X, lambda x: F.avg_pool2d(x, 3, 2, 1, True, False), "ll"),
    "avg_pool2d, divisor": one(X, lambda x: F.avg_pool2d(x, 2, 1, divisor_override=3), "ll"),
    "adaptive_avg_pool2d": one(X, lambda x: F.adaptive_avg_pool2d(x, 4), "ll"),
    "adaptive_max_pool2d": one(X, lambda x: F.adaptive_max_pool2d(x, 4), "ll"),
    "lp_pool2d": one(X, lambda x: F.lp_pool2d(x, 2, 2), "ll"),
    "max_unpool2d": one(X, lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), "ll"),
    "max_pool3d": one(VOLUME, lambda x: F.max_pool3d(x, 2), "ll"),
    "avg_pool3d": one(VOLUME, lambda x: F.avg_pool3d(x, 2), "cc"),
    "adaptive_max_pool3d": one(VOLUME, lambda x: F.adaptive_max_pool3d(x, 2), "c-"),
    "batch_norm": one(X, lambda x: F.batch_norm(x, None, None, training=True), "ll"),
    "batch_norm, volume": one(VOLUME, lambda x: F.batch_norm(x, None, None, training=True), "ll"),
    "group_norm": one(X, lambda x: F.group_norm(x, 2), "ll"),
    "relu": one(X, F.relu, "ll"),
    "hardswish": one(X, F.hardswish, "ll"),
    "glu": one(X, lambda x: F.glu(x, 1), "l-"),
    "nearest": one(X, lambda x: F.interpolate(x, scale_factor=2), "ll"),
    "bilinear": one(X, lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), "ll"),
    "area": one(X, lambda x: F.interpolate(x, size=4, mode="area"), "ll"),
    "replicate": one(X, lambda x: F.pad(x, (1, 2, 0, 1), mode="replicate"), "ll"),
    "replicate, volume": one(VOLUME, lambda x: F.pad(x, (1, 1, 1, 1, 1, 1), mode="replicate"), "ll"),
    "reflect": one(X, lambda x: F.pad(x, (1, 2, 0, 1), mode="reflect"), "ll"),
    "constant": one(X, lambda x: F.pad(x, (1, 2, 0, 1)), "ll"),
    "pixel_shuffle": one(X, lambda x: F.pixel_shuffle(x, 2), "l-"),
    "pixel_unshuffle": one(X, lambda x: F.pixel_unshuffle(x, 2), "l-"),
    "channel_shuffle": one(X, lambda x: F.channel_shuffle(x, 2), "l-"),
}
CASES = {**{f"convolution, {name}": case for name, case in CONVOLUTIONS.items()}, **FUNCTIONS}


def format_of(tensor):
    last, rows = tensor.is_contiguous(memory_format=LAST[tensor.dim()]), tensor.is_contiguous()
    return "-" if last and rows else "l" if last else "c" if rows else "?"


def tensors(case, dtype, device="cpu"):
    """As the case has them, and the same contiguous."""
    torch.manual_seed(0)
    _, shapes, lie, _ = CASES[case]
    plain = [torch.randn(shape).to(dtype).to(device) for shape in shapes]
    laid = [
        t.contiguous(memory_format=LAST[t.dim()]) if format == "l" else t.clone()
        for t, format in zip(plain, lie, strict=True)
    ]
    return [t.requires_grad_() for t in laid], [t.requires_grad_() for t in plain]


def computed(case, inputs, laid_out):
    """The result, and the gradients by one that lies as the result does or, contrary to it, row by row."""
    y = CASES[case][0](*inputs)
    torch.manual_seed(1)
    g = torch.randn(y.shape).to(y.dtype).to(y.device)
    g = torch.empty_like(y).copy_(g) if laid_out else g
    return [y, *torch.autograd.grad(y, inputs, g)]


def fits(got, wanted):
    return wanted == "-" or got in (wanted, "-")


@pytest.mark.parametrize("laid_out", [True, False])
@pytest.mark.parametrize(("device", "dtype"), [("cpu", "float32"), ("cpu", "bfloat16"), ("meta", "float32")])
@pytest.mark.parametrize("case", CASES)
def test_formats_are_those_of_pytorch(case, device, dtype, laid_out):
    laid, _ = tensors(case, getattr(torch, dtype), device)
    formats = "".join(map(format_of, computed(case, laid, laid_out)))
    wanted = CASES[case][3]
    # A gradient that lies otherwise decides for itself what it gives where there is no kernel of images.
    n = len(formats) if laid_out or "convolution" in case or "pool2d" in case else 1
    assert all(map(fits, formats[:n], wanted[:n])), (formats, wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", CASES)
def test_values_are_those_of_contiguous_images(case, dtype):
    laid, plain = tensors(case, getattr(torch, dtype))
    # oneDNN adds up in another order.
    rtol, atol = (1e-4, 1e-4) if dtype == "float32" and "convolution" in case else (1e-6, 1e-6)
    for got, want in zip(computed(case, laid, False), computed(case, plain, False), strict=True):
        torch.testing.assert_close(got.contiguous(), want.contiguous(), rtol=rtol, atol=atol * want.abs().max().item())


@pytest.mark.parametrize(
    "case", ["convolution, large", "convolution, large, groups", "max_pool2d, large", "avg_pool2d"]
)
def test_the_number_of_threads_changes_no_bit(case):
    threads = torch.get_num_threads()
    try:
        results = []
        for n in (1, 3):
            torch.set_num_threads(n)
            results.append(computed(case, tensors(case, torch.float32)[0], True))
        assert all(map(torch.equal, *results))
    finally:
        torch.set_num_threads(threads)


def test_indices_lie_as_the_elements():
    x = torch.randn(2, 8, 6, 6)
    want, where = F.max_pool2d(x, 2, return_indices=True)
    got, indices = F.max_pool2d(x.contiguous(memory_format=torch.channels_last), 2, return_indices=True)
    assert format_of(got) == format_of(indices) == "l"
    assert torch.equal(got, want) and torch.equal(indices, where)
    nans = x.where(x < 1, torch.nan).contiguous(memory_format=torch.channels_last)
    assert torch.equal(F.max_pool2d(nans, 3, 2, 1).isnan(), F.max_pool2d(nans.contiguous(), 3, 2, 1).isnan())


def test_gradients_of_gradients():
    x = torch.randn(2, 3, 5, 5, dtype=torch.float64).contiguous(memory_format=torch.channels_last).requires_grad_()
    w = torch.randn(4, 3, 3, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda x, w: F.conv2d(x, w, stride=2, padding=1), (x, w))
    assert torch.autograd.gradgradcheck(lambda x: F.avg_pool2d(x, 2), (x,))


if __name__ == "__main__":
    for name, (_, _, _, wanted) in CASES.items():
        made = [
            "".join(map(format_of, computed(name, tensors(name, torch.float32)[0], laid))) for laid in (True, False)
        ]
        print(f"{name:40} {wanted:4} {' '.join(made)}{'' if all(map(fits, made[0], wanted)) else '  WRONG'}")
