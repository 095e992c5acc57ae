"""Convolutions of integers: exact, in their own dtype, which wraps round."""

import itertools

import pytest
import torch
from torch.nn import functional as F

CONVOLUTIONS = [F.conv1d, F.conv2d, F.conv3d]
TRANSPOSED = [F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d]
OPTIONS = [
    {},
    {"stride": 2, "padding": 1},
    {"padding": 1, "dilation": 2},
    {"stride": 3, "padding": 2, "groups": 2},
]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]


def numbers(*size, seed=0):
    return torch.randint(-5, 6, size, generator=torch.Generator().manual_seed(seed))


def cases(transposed):
    for n, options in itertools.product((1, 2, 3), OPTIONS):
        groups = options.get("groups", 1)
        channels = (4, 6 // groups) if transposed else (6, 4 // groups)
        yield n, options, numbers(2, 4, *[9, 8, 7][:n]), numbers(*channels, *[3, 2, 3][:n], seed=1), numbers(6, seed=2)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("transposed", [False, True])
def test_the_values_are_those_of_doubles(transposed, bias):
    for n, options, x, w, b in cases(transposed):
        function = (TRANSPOSED if transposed else CONVOLUTIONS)[n - 1]
        more = [b] * bias
        result = function(x, w, *more, **options)
        assert result.dtype == torch.int64 and result.is_contiguous()
        assert torch.equal(result.double(), function(x.double(), w.double(), *(t.double() for t in more), **options))
        assert function(x.to("meta"), w.to("meta"), **options).shape == result.shape
        assert torch.equal(function(x[0], w, *more, **options), result[0])
        assert function(x[:0], w, **options).shape == (0, *result.shape[1:])


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_dtype_wraps_round(n, dtype):
    x, w = numbers(1, 2, *[4, 4, 4][:n]) * 20, numbers(3, 2, *[2, 2, 2][:n], seed=1) * 20
    result = CONVOLUTIONS[n - 1](x.to(dtype), w.to(dtype))
    assert result.dtype == dtype and torch.equal(result, CONVOLUTIONS[n - 1](x, w).to(dtype))


def test_padding_by_name():
    x, w = numbers(1, 2, 5, 5), numbers(3, 2, 2, 3, seed=1)
    assert torch.equal(F.conv2d(x, w, padding="same").double(), F.conv2d(x.double(), w.double(), padding="same"))


@pytest.mark.parametrize(
    "call",
    [
        lambda x, w: F.conv1d(x.bool(), w.bool()),
        lambda x, w: F.conv1d(x.to(torch.uint16), w.to(torch.uint16)),
        lambda x, w: F.conv_transpose1d(x.int(), w.transpose(0, 1).int()),
        lambda x, w: F.conv_transpose1d(x.to(torch.uint8), w.transpose(0, 1).to(torch.uint8)),
    ],
)
def test_dtypes_that_have_none(call):
    with pytest.raises(NotImplementedError, match="not implemented for '(Bool|UInt16|Int|Byte)'"):
        call(numbers(1, 2, 6), numbers(3, 2, 2))


@pytest.mark.parametrize(
    "call",
    [
        lambda x, w: F.conv1d(x, w.int()),
        lambda x, w: F.conv1d(x, w.float()),
        lambda x, w: F.conv1d(x.float(), w),
        lambda x, w: F.conv1d(x, w, torch.ones(3)),
        lambda x, w: F.conv1d(x, w, stride=0),
        lambda x, w: F.conv1d(x, w, groups=2),
        lambda x, w: F.conv1d(x[..., :1], w),
    ],
)
def test_what_does_not_fit(call):
    with pytest.raises(RuntimeError):
        call(numbers(1, 2, 6), numbers(3, 2, 2))
