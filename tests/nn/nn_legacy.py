"""THNN's functions under module names, and what each is in terms of torch.nn.functional: generate_legacy.py asks PyTorch,
test_thnn_legacy.py torch._thnn."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Case:
    """`call`: the output by x, w, b (and `table`, `samples`, `dense`); shapes as text, "2x3x4"."""

    call: str
    x: str
    args: tuple = ()  # numbers of all functions, after the tensors
    w: str = ""
    b: str = ""
    forward: tuple | None = None  # those of updateOutput, if it takes others
    backward: tuple | None = None  # and of updateGradInput
    buffers: tuple = (0, 0, 0)  # how many tensors updateOutput, updateGradInput and accGradParameters do not look at
    n: int = 2  # dimensions apart from channels and batch
    samples: str = ""  # random numbers of fractional pooling
    before: str = ""  # gives x and indices, of another x


def conv(call, x, w, b, args, buffers=(2, 2, 2), **more):
    return Case(call, x, tuple(args), w, b, buffers=buffers, **more)


WEIGHTED = {
    "Linear": [
        Case("F.linear(x, w, b)", "5x4", w="3x4", b="3", n=0),
        Case("F.linear(x, w)", "5x4", w="3x4", n=0),
    ],
    "SpatialConvolutionMM": [
        conv("F.conv2d(x, w, b, (2, 1), (0, 1))", "2x3x6x7", "4x3x3x2", "4", [2, 3, 1, 2, 1, 0]),
        conv("F.conv2d(x, w.reshape(4, 3, 3, 2), b)", "2x3x6x7", "4x18", "4", [2, 3, 1, 1, 0, 0]),
        conv("F.conv2d(x, w)", "3x2x4x4", "3x2x1x1", "", [1, 1, 1, 1, 0, 0]),
    ],
    "SpatialDilatedConvolution": [
        conv(
            "F.conv2d(x, w, b, (1, 2), (2, 1), (2, 3))",
            "2x2x7x9",
            "3x2x2x3",
            "3",
            [3, 2, 2, 1, 1, 2, 3, 2],
            (2, 1, 2),
        ),
    ],
    "SpatialDepthWiseConvolution": [
        conv(
            "F.conv2d(x, w.transpose(0, 1).reshape(6, 1, 3, 2), b, (1, 2), (1, 0), groups=3)",
            "2x3x6x7",
            "2x3x3x2",
            "6",
            [2, 3, 2, 1, 0, 1],
        ),
        conv(
            "F.conv2d(x, w.reshape(2, 3, 2, 2).transpose(0, 1).reshape(6, 1, 2, 2), groups=3)",
            "2x3x4x5",
            "2x12",
            "",
            [2, 2, 1, 1, 0, 0],
        ),
    ],
    "SpatialFullConvolution": [
        conv(
            "F.conv_transpose2d(x, w, b, (2, 3), (1, 0), (1, 2))",
            "2x3x4x3",
            "3x2x3x4",
            "2",
            [4, 3, 3, 2, 0, 1, 2, 1],
            (2, 1, 2),
        ),
        conv("F.conv_transpose2d(x, w)", "2x3x4x3", "3x2x2x2", "", [2, 2, 1, 1, 0, 0, 0, 0], (2, 1, 2)),
    ],
    "SpatialFullDilatedConvolution": [
        # An adjustment of more than a stride, which the dilation allows.
        conv(
            "F.conv_transpose2d(x, w, b, (1, 2), (1, 0), (1, 1), dilation=(2, 3))",
            "2x3x4x3",
            "3x2x3x2",
            "2",
            [2, 3, 2, 1, 0, 1, 3, 2, 1, 1],
            (2, 1, 2),
        ),
    ],
    "SpatialConvolutionMap": [
        Case("F.conv2d(x, dense(w, table, 4, 3), b, (2, 1))", "2x3x6x7", (3, 4, 1, 2), "5x3x2", "4", buffers=(0, 1, 0)),
    ],
    "SpatialFullConvolutionMap": [
        Case(
            "F.conv_transpose2d(x, dense(w, table, 4, 3).transpose(0, 1), b, (2, 1))",
            "2x3x4x5",
            (3, 4, 1, 2),
            "5x3x2",
            "4",
            buffers=(0, 1, 0),
        ),
    ],
    "SpatialSubSampling": [
        Case(
            "F.avg_pool2d(x, (3, 2), (1, 2), divisor_override=1) * w[:, None, None] + b[:, None, None]",
            "2x3x5x6",
            (2, 3, 2, 1),
            "3",
            "3",
        ),
    ],
    "VolumetricConvolution": [
        conv(
            "F.conv3d(x, w, b, (2, 1, 1), (0, 1, 1))",
            "2x2x5x4x6",
            "3x2x2x3x2",
            "3",
            [2, 1, 1, 0, 1, 1],
            (2, 1, 2),
            n=3,
        ),
    ],
    "VolumetricConvolutionMM": [
        conv(
            "F.conv3d(x, w, b, (2, 3, 1), (0, 1, 1))",
            "2x2x5x5x6",
            "3x2x2x3x2",
            "3",
            [2, 2, 3, 2, 1, 3, 0, 1, 1],
            n=3,
        ),
        conv("F.conv3d(x, w.reshape(3, 2, 2, 1, 2), b)", "2x2x4x3x5", "3x8", "3", [2, 2, 1, 1, 1, 1, 0, 0, 0], n=3),
    ],
    "VolumetricDilatedConvolution": [
        conv(
            "F.conv3d(x, w, b, (1, 2, 1), (1, 0, 1), (2, 1, 3))",
            "1x2x5x4x7",
            "2x2x2x3x2",
            "2",
            [2, 2, 3, 1, 1, 2, 1, 1, 0, 2, 3, 1],
            (2, 1, 2),
            n=3,
        ),
    ],
    "VolumetricFullConvolution": [
        conv(
            "F.conv_transpose3d(x, w, b, (2, 1, 3), (1, 0, 0), (1, 0, 2))",
            "2x2x3x3x2",
            "2x3x3x2x2",
            "3",
            [3, 2, 2, 2, 3, 1, 1, 0, 0, 1, 2, 0],
            n=3,
        ),
    ],
    "VolumetricFullDilatedConvolution": [
        conv(
            "F.conv_transpose3d(x, w, b, (1, 2, 1), (1, 0, 0), (1, 0, 0), dilation=(2, 1, 3))",
            "2x2x3x2x2",
            "2x3x3x2x2",
            "3",
            [3, 2, 2, 1, 1, 2, 1, 0, 0, 2, 3, 1, 1, 0, 0],
            n=3,
        ),
    ],
    "TemporalConvolution": [
        Case("F.conv1d(x.mT, w.reshape(4, 3, 2).mT, b, 2).mT", "2x7x2", (3, 2), "4x6", "4", forward=(3, 2, 2, 4), n=1),
    ],
    "TemporalRowConvolution": [
        conv("F.conv1d(x.mT, w, b, 2, 1, groups=3).mT", "2x7x3", "3x1x4", "3", [4, 2, 1, False], n=1),
        conv("F.conv1d(x, w[:, None], b, 1, 2, groups=3)", "2x3x7", "3x2", "3", [2, 1, 2, True], n=1),
    ],
    "TemporalSubSampling": [
        Case("F.avg_pool1d(x.mT, 3, 2).mT * 3 * w + b", "2x8x3", (3, 2), "3", "3", forward=(3, 2, 3), n=1),
        Case("F.avg_pool1d(x.mT, 2, 1).mT * 2 * w", "2x5x4", (2, 1), "4", forward=(2, 1, 4), n=1),
    ],
}

# By PyTorch these give (output, indices).
INDEXED = {
    "SpatialMaxPooling": [
        Case("F.max_pool2d(x, (3, 2), (2, 1), (1, 0), return_indices=True)", "2x3x6x7", (2, 3, 1, 2, 0, 1, False)),
        Case("F.max_pool2d(x, 3, 2, 1, ceil_mode=True, return_indices=True)", "2x3x6x8", (3, 3, 2, 2, 1, 1, True)),
    ],
    "SpatialDilatedMaxPooling": [
        Case(
            "F.max_pool2d(x, (2, 3), (1, 2), (1, 0), (3, 2), return_indices=True)",
            "2x3x6x7",
            (3, 2, 2, 1, 0, 1, 2, 3, False),
        ),
    ],
    "VolumetricMaxPooling": [
        Case(
            "F.max_pool3d(x, (2, 3, 2), (1, 2, 2), (0, 1, 1), return_indices=True)",
            "2x2x4x5x5",
            (2, 2, 3, 1, 2, 2, 0, 1, 1, False),
            n=3,
        ),
    ],
    "VolumetricDilatedMaxPooling": [
        Case(
            "F.max_pool3d(x, (2, 3, 2), (1, 2, 2), (0, 1, 1), (2, 1, 3), True, True)",
            "2x2x4x5x6",
            (2, 2, 3, 1, 2, 2, 0, 1, 1, 2, 3, 1, True),
            n=3,
        ),
    ],
    "SpatialAdaptiveMaxPooling": [
        Case("F.adaptive_max_pool2d(x, (2, 4), True)", "2x3x5x7", (), forward=(4, 2)),
    ],
    "TemporalMaxPooling": [
        Case("tuple(t.mT for t in F.max_pool1d(x.mT, 3, 2, return_indices=True))", "2x8x3", (3, 2), n=1),
    ],
}

FRACTIONAL = {  # the sizes come before the indices
    "SpatialFractionalMaxPooling": [
        Case(
            "F.fractional_max_pool2d(x, (2, 3), (3, 2), return_indices=True, _random_samples=samples)",
            "2x3x6x7",
            (2, 3, 3, 2),
            samples="2x3x2",
        ),
    ],
    "VolumetricFractionalMaxPooling": [
        Case(
            "F.fractional_max_pool3d(x, (2, 3, 1), (3, 2, 4), return_indices=True, _random_samples=samples)",
            "2x1x6x6x7",
            (3, 4, 2, 2, 1, 3),
            n=3,
            samples="2x1x3",
        ),
    ],
}

UNPOOLED = {  # of what max pooling gave
    "SpatialMaxUnpooling": [
        Case(
            "F.max_unpool2d(x, indices, 2, output_size=(5, 7))",
            "2x3x5x7",
            (7, 5),
            before="F.max_pool2d(x, 2, return_indices=True)",
        ),
    ],
    "VolumetricMaxUnpooling": [
        Case(
            "F.max_unpool3d(x, indices, 2, output_size=(5, 4, 6))",
            "2x2x5x4x6",
            (5, 6, 4, 2, 2, 2, 0, 0, 0),
            n=3,
            before="F.max_pool3d(x, 2, return_indices=True)",
        ),
    ],
}

AVERAGED = {
    "SpatialAveragePooling": [
        Case("F.avg_pool2d(x, (3, 2), (2, 1), (1, 0))", "2x3x6x7", (2, 3, 1, 2, 0, 1, False, True)),
        Case("F.avg_pool2d(x, 3, 2, 1, True, False)", "2x3x6x8", (3, 3, 2, 2, 1, 1, True, False)),
    ],
    "VolumetricAveragePooling": [
        Case(
            "F.avg_pool3d(x, (2, 3, 2), (1, 2, 2), (0, 1, 1), True, False)",
            "2x2x4x5x5",
            (2, 2, 3, 1, 2, 2, 0, 1, 1, True, False),
            n=3,
        ),
    ],
    "SpatialAdaptiveAveragePooling": [
        Case("F.adaptive_avg_pool2d(x, (2, 4))", "2x3x5x7", (), forward=(4, 2)),
    ],
}

# (input plane, output plane) of the five filters of a map; the last two meet at one output.
TABLE = ((0, 1), (2, 0), (1, 3), (2, 2), (0, 2))

FUNCTIONS = {**WEIGHTED, **INDEXED, **FRACTIONAL, **UNPOOLED, **AVERAGED}


def sizes(text):
    return [int(n) for n in text.split("x")]


def dense(w, table, outputs, inputs):
    """The filters of a map as those between all planes."""
    every = w.new_zeros(outputs, inputs, *w.shape[1:])
    for k, (source, target) in enumerate(table):
        every = every.clone()
        every[target, source] = every[target, source] + w[k]
    return every
