"""torch.conv_tbc: convolution over the first of three dimensions, against conv1d, with gradients and mistakes."""

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.nn.functional import conv1d, conv_tbc

# time, batch, channels, outputs, kernel, padding
SIZES = [(5, 2, 3, 4, 2, 0), (5, 2, 3, 4, 3, 1), (2, 1, 1, 1, 4, 2), (3, 2, 2, 1, 2, 5), (4, 3, 2, 2, 1, 0)]
EMPTY = [(3, 0, 2, 2, 1, 0), (1, 2, 3, 4, 2, 0), (4, 2, 0, 3, 2, 1)]


def operands(sizes, dtype=torch.double):
    time, batch, channels, outputs, kernel, _ = sizes
    torch.manual_seed(0)
    shapes = (time, batch, channels), (kernel, channels, outputs), (outputs,)
    return [torch.randn(shape).to(dtype).requires_grad_() for shape in shapes]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("dtype", [torch.double, torch.float, torch.half, torch.bfloat16])
def test_values_are_those_of_conv1d(sizes, dtype):
    x, weight, bias = operands(sizes, dtype)
    result = conv_tbc(x, weight, bias, sizes[-1])
    assert result.dtype == dtype and result.is_contiguous() and result.grad_fn.name() == "ConvTbcBackward0"
    wide = [t.double() for t in (x, weight, bias)]
    expected = conv1d(wide[0].permute(1, 2, 0), wide[1].permute(2, 1, 0), wide[2], padding=sizes[-1]).permute(2, 0, 1)
    near = {torch.double: 1e-12, torch.float: 1e-5, torch.half: 5e-3, torch.bfloat16: 5e-2}[dtype]
    torch.testing.assert_close(result.double(), expected, rtol=near, atol=near)


@pytest.mark.parametrize("sizes", SIZES + EMPTY)
def test_gradients(sizes):
    def function(*inputs):
        return conv_tbc(*inputs, sizes[-1])

    inputs = operands(sizes)
    assert gradcheck(function, inputs) and gradgradcheck(function, inputs)


def test_complex_gradients():
    assert gradcheck(lambda *inputs: conv_tbc(*inputs, 1), operands(SIZES[0], torch.cdouble))


def test_strided_operands_and_threads():
    x = torch.randn(64, 33, 16).permute(1, 0, 2)[::2]
    weight, bias = torch.randn(24, 3, 16).permute(1, 2, 0), torch.randn(48)[::2]
    result = conv_tbc(x, weight, bias, 1)
    # Not the same bits: some processors' BLAS rounds the product with a transposed matrix otherwise.
    torch.testing.assert_close(result, conv_tbc(x.contiguous(), weight.contiguous(), bias.contiguous(), 1))
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(3 - min(threads, 2))
        assert conv_tbc(x, weight, bias, 1).equal(result)
    finally:
        torch.set_num_threads(threads)


def test_integers_meta_and_autocast():
    ones = [torch.ones(shape, dtype=torch.long) for shape in ((3, 1, 1), (2, 1, 1), (1,))]
    assert conv_tbc(*ones).flatten().tolist() == [3, 3]
    assert conv_tbc(*(t.to("meta") for t in operands(SIZES[0]))).shape == (4, 2, 4)
    with torch.autocast("cpu"):
        assert conv_tbc(*operands(SIZES[0], torch.float)).dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        (((2, 2), (1, 2, 2), (2,)), "Input must have 3 dims: time, batch, in_channel"),
        (((2, 2, 2), (2, 2), (2,)), "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels"),
        (((2, 2, 2), (1, 2, 2), (2, 1)), "Bias must be 1-D"),
        (((2, 2, 2), (1, 3, 2), (2,)), r"Input dim 2 \(input channels\) is not == dim 1 in the weight tensor"),
        (((2, 2, 2), (1, 2, 2), (3,)), r"Bias size must equal dim 2 in the weight tensor \(output channels\)"),
        (((1, 2, 2), (4, 2, 2), (2,)), r"Trying to create tensor with negative dimension -2: \[-2, 2, 2\]"),
    ],
)
def test_shapes_that_do_not_fit(shapes, text):
    with pytest.raises(RuntimeError, match=text):
        conv_tbc(*(torch.ones(shape) for shape in shapes))


def test_dtypes_that_differ():
    with pytest.raises(RuntimeError, match="must have the same dtype, but got Float and Double"):
        conv_tbc(torch.ones(2, 1, 1), torch.ones(1, 1, 1).double(), torch.ones(1))
