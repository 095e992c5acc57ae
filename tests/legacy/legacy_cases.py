"""Modules of torch.legacy.nn with arguments, an input, and what the output is by other means."""

import numpy as np
import torch
from torch.legacy import nn
from torch.nn import functional as F


class Case:
    """`make` gives the module; inputs are drawn by `draw` in shapes, or made by it alone."""

    def __init__(self, name, arguments=(), shape=None, expected=None, draw=None, make=None, label=""):
        self.name, self.arguments, self.shape, self.expected = name, arguments, shape, expected
        self._draw, self._make = draw, make
        self.label = name + label

    def __repr__(self):
        return self.label

    def make(self):
        return (self._make() if self._make else getattr(nn, self.name)(*self.arguments)).double()

    def input(self):
        if self.shape is None:
            return self._draw()
        draw = self._draw or (lambda *size: torch.randn(*size, dtype=torch.float64))
        if isinstance(self.shape, list):
            return [draw(*size) for size in self.shape]
        return draw(*self.shape)


def positive(*size):
    return torch.rand(*size, dtype=torch.float64) + 0.1


def distinct(*size):
    """No two elements near each other, as pooling and Max want for their differences."""
    count = int(np.prod(size))
    return (torch.randperm(count).double() * 0.1 - count * 0.05).view(size)


def away_from_kinks(*size):
    x = torch.randn(*size, dtype=torch.float64)
    return torch.where(x.frac().abs() < 0.05, x + 0.2, x)


POINTWISE = [
    Case("Abs", (), (3, 4, 2), lambda x, m: np.abs(x.numpy()), away_from_kinks),
    Case("AddConstant", (3.5,), (3, 5), lambda x, m: x.numpy() + 3.5),
    Case("MulConstant", (4,), (2, 3), lambda x, m: x.numpy() * 4),
    Case("Clamp", (-1.0, 2.0), (3, 20), lambda x, m: np.clip(x.numpy(), -1, 2), away_from_kinks),
    Case("ELU", (2.0,), (3, 7), lambda x, m: np.where(x > 0, x, 2 * np.expm1(x))),
    Case("Exp", (), (2, 3), lambda x, m: np.exp(x.numpy())),
    Case("HardShrink", (2.0,), (3, 7), lambda x, m: F.hardshrink(x, 2), away_from_kinks),
    Case("HardTanh", (-1, 3), (3, 7), lambda x, m: np.clip(x.numpy(), -1, 3), away_from_kinks),
    Case("LeakyReLU", (0.5,), (3, 7), lambda x, m: np.where(x > 0, x, 0.5 * x), away_from_kinks),
    Case("Log", (), (2, 3), lambda x, m: np.log(x.numpy()), positive),
    Case("LogSigmoid", (), (2, 3), lambda x, m: -np.log1p(np.exp(-x.numpy()))),
    Case("LogSoftMax", (), (5, 4), lambda x, m: torch.nn.LogSoftmax(1)(x)),
    Case("LogSoftMax", (), (7,), lambda x, m: torch.nn.LogSoftmax(0)(x), label="-vector"),
    Case("SoftMax", (), (3, 4, 5), lambda x, m: torch.nn.Softmax(0)(x)),
    Case("SoftMax", (), (2, 3, 4, 5), lambda x, m: torch.nn.Softmax2d()(x), label="-images"),
    Case("SoftMin", (), (5, 4), lambda x, m: torch.nn.Softmin(1)(x)),
    Case("SpatialSoftMax", (), (2, 3, 4, 5), lambda x, m: torch.nn.Softmax2d()(x)),
    Case("Power", (3,), (2, 3), lambda x, m: x.numpy() ** 3),
    Case("Power", (1.5,), (2, 3), lambda x, m: x.numpy() ** 1.5, positive, label="-fractional"),
    Case("ReLU", (), (3, 4), lambda x, m: np.maximum(x, 0), away_from_kinks),
    Case("ReLU6", (), (3, 4), lambda x, m: np.clip(x.numpy(), 0, 6), away_from_kinks),
    Case("Sigmoid", (), (3, 4), lambda x, m: 1 / (1 + np.exp(-x.numpy()))),
    Case("SoftPlus", (2, 20), (3, 4), lambda x, m: np.log1p(np.exp(2 * x.numpy())) / 2),
    Case("SoftShrink", (1.0,), (3, 7), lambda x, m: F.softshrink(x, 1), away_from_kinks),
    Case("SoftSign", (), (3, 4), lambda x, m: x.numpy() / (1 + np.abs(x.numpy()))),
    Case("Sqrt", (), (3, 4), lambda x, m: np.sqrt(x.numpy()), positive),
    Case("Square", (), (3, 4), lambda x, m: x.numpy() ** 2),
    Case("Tanh", (), (3, 4), lambda x, m: np.tanh(x.numpy())),
    Case("TanhShrink", (), (3, 4), lambda x, m: x.numpy() - np.tanh(x.numpy())),
    Case("Threshold", (1.0, 2.0), (3, 7), lambda x, m: np.where(x > 1, x, 2), away_from_kinks),
    Case("PReLU", (), (2, 3, 4), lambda x, m: np.where(x > 0, x, 0.25 * x), away_from_kinks),
    Case("PReLU", (3,), (2, 3, 4, 2), lambda x, m: np.where(x > 0, x, 0.25 * x), away_from_kinks, label="-planes"),
    Case("PReLU", (3,), (3, 4, 2), lambda x, m: np.where(x > 0, x, 0.25 * x), away_from_kinks, label="-image"),
    *(
        Case("Normalize", (p,), (4, 5), lambda x, m, p=p: x / torch.linalg.vector_norm(x, p, 1, True), label=f"-{p}")
        for p in (1, 2, 1.5, float("inf"))
    ),
    Case(
        "SpatialCrossMapLRN", (5, 5e-3, 1e-3, 2), (2, 3, 6, 6), lambda x, m: torch.nn.CrossMapLRN2d(5, 5e-3, 1e-3, 2)(x)
    ),
    *(
        Case(name, (3, 1e-3, 0.3, affine), size, lambda x, m: normalized(x, m), label=f"-{affine}")
        for name, size in (
            ("BatchNormalization", (4, 3)),
            ("SpatialBatchNormalization", (2, 3, 4, 5)),
            ("VolumetricBatchNormalization", (2, 3, 2, 3, 2)),
        )
        for affine in (True, False)
    ),
]


def normalized(x, m):
    """By the batch's mean and variance while training, by the running ones else."""
    over = tuple(d for d in range(x.dim()) if d != 1)
    shape = [-1] + [1] * (x.dim() - 2)
    mean, variance = m.running_mean.numpy(), m.running_var.numpy()
    if m.train:
        mean, variance = x.numpy().mean(over), x.numpy().var(over)
    y = (x.numpy() - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + 1e-3)
    return y * m.weight.view(shape).numpy() + m.bias.view(shape).numpy() if m.affine else y


SHAPES = [
    Case("Contiguous", (), (4, 5), lambda x, m: x),
    Case("Max", (1,), (4, 5, 3), lambda x, m: x.numpy().max(1), distinct),
    Case("Min", (), (4, 5, 3), lambda x, m: x.numpy().min(0), distinct),
    Case("Sum", (1,), (2, 4, 5), lambda x, m: x.numpy().sum(1)),
    Case("Sum", (1, True), (2, 4, 5), lambda x, m: x.numpy().mean(1), label="-mean"),
    Case("Mean", (1,), (2, 4, 5), lambda x, m: x.numpy().mean(1)),
    Case("Narrow", (1, 1, 2), (2, 3, 4), lambda x, m: x[:, 1:3]),
    Case("Select", (1, 2), (3, 4, 5), lambda x, m: x[:, 2]),
    Case("Squeeze", (), (2, 1, 1, 4), lambda x, m: x.view(2, 4)),
    Case("Squeeze", (1,), (2, 1, 1, 4), lambda x, m: x.view(2, 1, 4), label="-dim"),
    Case("Unsqueeze", (1,), (2, 4), lambda x, m: x.view(2, 1, 4)),
    Case("Replicate", (2, 1), (3, 4), lambda x, m: np.stack([x, x], 1)),
    Case("PixelShuffle", (2,), (1, 8, 2, 3), lambda x, m: F.pixel_shuffle(x, 2)),
    Case("Padding", (0, 2, -10), (2, 3), lambda x, m: np.pad(x, ((0, 2), (0, 0)), constant_values=-10)),
    Case("Padding", (0, -2, -10, 1), (2, 3), lambda x, m: np.insert(x, [1, 1], -10, 0), label="-inside"),
    Case("Padding", (0, 1, 0, 0, 1), (2, 3), lambda x, m: np.pad(x, ((0, 0), (0, 1))), label="-batch"),
    Case("Reshape", (4, 5), (3, 20), lambda x, m: x.view(3, 4, 5)),
    Case("View", (-1, 2, 20), (2, 2, 4, 5), lambda x, m: x.view(2, 2, 20)),
    Case("Transpose", ((1, 2), (1, 3)), (2, 3, 4, 5), lambda x, m: x.permute(0, 3, 1, 2).numpy()),
    Case("Identity", (), (3, 4), lambda x, m: x),
    Case("CAddTable", (), [(5, 7)] * 3, lambda x, m: x[0] + x[1] + x[2]),
    Case("CSubTable", (), [(5, 7)] * 2, lambda x, m: x[0] - x[1]),
    Case("CMulTable", (), [(5, 7)] * 3, lambda x, m: x[0] * x[1] * x[2]),
    Case("CDivTable", (), [(5, 7)] * 2, lambda x, m: x[0] / x[1], positive),
    Case("DotProduct", (), [(10, 4)] * 2, lambda x, m: np.einsum("ij,ij->i", *x)),
    Case("DotProduct", (), [(4,)] * 2, lambda x, m: np.atleast_1d(np.dot(*x)), label="-vectors"),
    Case("CosineDistance", (), [(10, 4)] * 2, lambda x, m: F.cosine_similarity(*x)),
    *(
        Case("PairwiseDistance", (p,), [(4, 10)] * 2, lambda x, m, p=p: np.linalg.norm(x[0] - x[1], p, 1), label=f"-{p}")
        for p in (1, 2, 3, 4)
    ),
    Case("MM", (), [(4, 5, 3), (4, 3, 2)], lambda x, m: np.matmul(*x)),
    Case("MM", (True, True), [(3, 5), (2, 3)], lambda x, m: np.matmul(x[0].T, x[1].T), label="-transposed"),
    Case("MV", (), [(4, 5, 3), (4, 3)], lambda x, m: np.einsum("nij,nj->ni", *x)),
    Case("MV", (True,), [(3, 5), (3,)], lambda x, m: x[0].t() @ x[1], label="-transposed"),
    Case("JoinTable", (2,), [(2, 4, 2)] * 2, lambda x, m: np.concatenate(x, 2)),
    Case("JoinTable", (0, 1), [(2, 4)] * 2, lambda x, m: np.concatenate(x, 1), label="-batch"),
    Case("JoinTable", (-1,), [(2, 4)] * 2, lambda x, m: np.concatenate(x, 1), label="-last"),
    Case("SplitTable", (1,), (2, 3, 4), lambda x, m: [x[:, i] for i in range(3)]),
    Case("NarrowTable", (1, 2), [(2,), (3,), (4,), (5,)], lambda x, m: x[1:3]),
    Case("SelectTable", (1,), [(1,), (2,), (3,)], lambda x, m: x[1]),
    Case("MixtureTable", (), [(5, 3), (5, 3, 6)], lambda x, m: np.einsum("ne,ned->nd", *x)),
    Case(
        "MixtureTable", (), None, lambda x, m: sum(x[0][:, i : i + 1] * x[1][i] for i in range(3)), label="-list",
        draw=lambda: [torch.randn(5, 3).double(), [torch.randn(5, 6).double() for _ in range(3)]],
    ),
]  # fmt: skip

WEIGHTED = [
    Case("Linear", (10, 8), (4, 10), lambda x, m: x @ m.weight.t() + m.bias),
    Case("Linear", (10, 8, False), (10,), lambda x, m: m.weight @ x, label="-vector"),
    Case("PartialLinear", (5, 6), (4, 5), lambda x, m: x @ m.weight.t() + m.bias),
    Case(
        "PartialLinear", (), (4, 5), lambda x, m: x @ m.weight[[2, 4]].t() + m.bias[:, [2, 4]], label="-some",
        make=lambda: nn.PartialLinear(5, 6).setPartition(torch.tensor([2, 4])),
    ),
    Case("Bilinear", (2, 3, 4), [(5, 2), (5, 3)], lambda x, m: np.einsum("ni,kij,nj->nk", x[0], m.weight, x[1]) + m.bias.numpy()),
    Case("Add", ((5, 4),), (3, 5, 4), lambda x, m: x + m.bias),
    Case("Add", (1, True), (3, 1, 4), lambda x, m: x + m.bias, label="-scalar"),
    Case("Mul", (), (2, 3, 4), lambda x, m: x * m.weight),
    Case("CMul", (5, 6), (10, 5, 6), lambda x, m: x * m.weight),
    Case("Euclidean", (5, 7), (10, 5), lambda x, m: np.linalg.norm(x[:, :, None] - m.weight, axis=1)),
    Case("Euclidean", (5, 7), (5,), lambda x, m: np.linalg.norm(x[:, None] - m.weight, axis=0), label="-vector"),
    Case("WeightedEuclidean", (5, 7), (10, 5), lambda x, m: np.linalg.norm((x[:, :, None] - m.weight) * m.diagCov, axis=1)),
    Case("Cosine", (5, 7), (10, 5), lambda x, m: F.cosine_similarity(x[:, None], m.weight[None], 2)),
    Case("LookupTable", (6, 3), None, lambda x, m: m.weight[x], draw=lambda: torch.tensor([[1, 2, 4], [5, 2, 1]])),
]  # fmt: skip

_CONVOLUTION = "SpatialConvolution"
CONVOLUTIONS = [
    Case(_CONVOLUTION, (3, 4, 3, 2), (2, 3, 6, 5), lambda x, m: F.conv2d(x, m.weight, m.bias)),
    Case(_CONVOLUTION, (3, 4, 3, 3, 2, 1, 1), (3, 6, 7), lambda x, m: F.conv2d(x, m.weight, m.bias, (1, 2), 1), label="-image"),
    Case(_CONVOLUTION, (3, 4, 3, 3), (2, 3, 6, 7), lambda x, m: F.conv2d(x, m.weight), label="-no-bias",
         make=lambda: nn.SpatialConvolution(3, 4, 3, 3).noBias()),
    Case("SpatialDilatedConvolution", (3, 2, 3, 3, 2, 2, 1, 1, 2, 1), (2, 3, 8, 8),
         lambda x, m: F.conv2d(x, m.weight, m.bias, 2, 1, (1, 2))),
    Case("VolumetricConvolution", (3, 4, 2, 3, 2, 2, 1, 1, 1), (2, 3, 4, 5, 4),
         lambda x, m: F.conv3d(x, m.weight, m.bias, (2, 1, 1), 1)),
    Case("SpatialFullConvolution", (3, 4, 3, 2, 2, 2, 1, 0, 1, 1), (1, 3, 5, 4),
         lambda x, m: F.conv_transpose2d(x, m.weight, m.bias, 2, (0, 1), 1)),
    Case("SpatialFullConvolution", (3, 2, 3, 3, 2, 2), [(1, 3, 3, 3), (1, 1, 8, 7)], label="-sized",
         expected=lambda x, m: F.conv_transpose2d(x[0], m.weight, m.bias, 2, 0, (1, 0))),
    Case("VolumetricFullConvolution", (2, 3, 2, 3, 2, 2, 2, 2), (1, 2, 3, 3, 2),
         lambda x, m: F.conv_transpose3d(x, m.weight, m.bias, 2)),
    Case("TemporalConvolution", (4, 5, 3, 2), (2, 10, 4),
         lambda x, m: F.conv1d(x.transpose(1, 2), m.weight.view(5, 3, 4).transpose(1, 2), m.bias, 2).transpose(1, 2)),
    Case("TemporalConvolution", (4, 5, 3), (10, 4), label="-sequence",
         expected=lambda x, m: F.conv1d(x.t()[None], m.weight.view(5, 3, 4).transpose(1, 2), m.bias)[0].t()),
    Case("TemporalSubSampling", (4, 3, 2), (10, 4),
         lambda x, m: np.stack([x[2 * i : 2 * i + 3].sum(0) * m.weight + m.bias for i in range(4)])),
    Case("SpatialSubSampling", (3, 3, 2, 2, 2), (1, 3, 7, 7),
         lambda x, m: F.avg_pool2d(x, (2, 3), 2) * 6 * m.weight.view(3, 1, 1) + m.bias.view(3, 1, 1)),
]  # fmt: skip

POOLING = [
    Case("SpatialMaxPooling", (3, 2, 2, 1, 1, 0), (1, 3, 7, 7), lambda x, m: F.max_pool2d(x, (2, 3), (1, 2), (0, 1)), distinct),
    Case("SpatialMaxPooling", (), (3, 7, 7), lambda x, m: F.max_pool2d(x, 2, 2, 0, 1, True), distinct, label="-ceil",
         make=lambda: nn.SpatialMaxPooling(2, 2).ceil()),
    Case("VolumetricMaxPooling", (2, 3, 2), (2, 3, 5, 6, 5), lambda x, m: F.max_pool3d(x, (2, 2, 3)), distinct),
    Case("TemporalMaxPooling", (3, 2), (2, 9, 4), lambda x, m: F.max_pool1d(x.transpose(1, 2), 3, 2).transpose(1, 2), distinct),
    Case("SpatialAveragePooling", (2, 3, 2, 1, 1, 1), (2, 3, 6, 6), lambda x, m: F.avg_pool2d(x, (3, 2), (1, 2), 1)),
    Case("SpatialAveragePooling", (), (2, 3, 6, 6), lambda x, m: F.avg_pool2d(x, 3, 1, 1, False, False), label="-exclude",
         make=lambda: nn.SpatialAveragePooling(3, 3, 1, 1, 1, 1).setCountExcludePad()),
    Case("VolumetricAveragePooling", (2, 2, 2), (2, 3, 4, 4, 5), lambda x, m: F.avg_pool3d(x, 2)),
    Case("SpatialAdaptiveMaxPooling", (4, 3), (2, 3, 7, 11), lambda x, m: F.adaptive_max_pool2d(x, (3, 4)), distinct),
    Case("SpatialFractionalMaxPooling", (), (1, 3, 7, 7), draw=distinct, label="-size",
         make=lambda: nn.SpatialFractionalMaxPooling(2, 2, 4, 4).fixPoolingRegions(),
         expected=lambda x, m: F.fractional_max_pool2d(x, 2, 4, _random_samples=m.randomSamples)),
    Case("SpatialFractionalMaxPooling", (), (1, 3, 6, 5), draw=distinct, label="-ratio",
         make=lambda: nn.SpatialFractionalMaxPooling(2, 2, 0.7, 0.5).fixPoolingRegions(),
         expected=lambda x, m: F.fractional_max_pool2d(x, 2, (3, 3), _random_samples=m.randomSamples)),
    Case("SpatialLPPooling", (3, 2, 2, 2), (1, 3, 6, 6), lambda x, m: F.lp_pool2d(x, 2, 2)),
    Case("SpatialLPPooling", (3, 3, 2, 2), (1, 3, 6, 6), lambda x, m: F.lp_pool2d(x, 3, 2), positive, label="-3"),
    Case("SpatialZeroPadding", (1, 2, 3, -1), (2, 3, 4, 4), lambda x, m: F.pad(x, (1, 2, 3, -1))),
    Case("SpatialReflectionPadding", (1, 2, 3, 1), (2, 3, 8, 8), lambda x, m: F.pad(x, (1, 2, 3, 1), "reflect")),
    Case("SpatialReplicationPadding", (1,), (3, 4, 4), lambda x, m: F.pad(x[None], (1, 1, 1, 1), "replicate")[0]),
    Case("VolumetricReplicationPadding", (1, 2, 3, 4, 5, 6), (2, 3, 3, 3, 3),
         lambda x, m: F.pad(x, (1, 2, 3, 4, 5, 6), "replicate")),
    Case("SpatialUpSamplingNearest", (2,), (2, 3, 4, 5), lambda x, m: np.repeat(np.repeat(x, 2, 2), 2, 3)),
    Case("SpatialSubtractiveNormalization", (3, torch.ones(3, 3)), (2, 3, 6, 6),
         lambda x, m: x - F.avg_pool2d(x.mean(1, True), 3, 1, 1, False, False)),
    Case("SpatialSubtractiveNormalization", (1, torch.ones(3)), (1, 5, 5), label="-separable",
         expected=lambda x, m: x - F.avg_pool2d(x[None], 3, 1, 1, False, False)[0]),
    Case("SpatialDivisiveNormalization", (3, torch.ones(3, 3)), (2, 3, 6, 6),
         lambda x, m: x / divisor(x)),
    Case("SpatialContrastiveNormalization", (3, torch.ones(3, 3)), (2, 3, 6, 6), lambda x, m: contrasted(x)),
    Case("SpatialMaxUnpooling", (), (1, 3, 10, 10), lambda x, m: unpooled(x, 2), distinct,
         make=lambda: with_unpooling(nn.SpatialMaxPooling(2, 2), nn.SpatialMaxUnpooling)),
    Case("VolumetricMaxUnpooling", (), (1, 2, 5, 4, 4), lambda x, m: unpooled(x, 3), distinct,
         make=lambda: with_unpooling(nn.VolumetricMaxPooling(2, 2, 2), nn.VolumetricMaxUnpooling)),
]  # fmt: skip


def divisor(x):
    """The square root of sums over 3 x 3, over the part of the window that is inside."""
    squares = F.avg_pool2d((x * x).mean(1, True), 3, 1, 1)
    return squares.sqrt() / F.avg_pool2d(torch.ones_like(x[:1, :1]), 3, 1, 1)


def contrasted(x):
    y = x - F.avg_pool2d(x.mean(1, True), 3, 1, 1, False, False)
    return y / divisor(y)


def with_unpooling(pool, unpooling):
    return nn.Sequential().add(pool).add(unpooling(pool))


def unpooled(x, dims):
    pool, back = ((F.max_pool2d, F.max_unpool2d), (F.max_pool3d, F.max_unpool3d))[dims - 2]
    y, indices = pool(x, 2, return_indices=True)
    return back(y, indices, 2, output_size=x.size()[-dims:])


MODULES = POINTWISE + SHAPES + WEIGHTED + CONVOLUTIONS + POOLING


def signs(*size):
    return torch.randn(*size).sign().double()


# name, arguments, input, target, what torch.nn or NumPy gives
CRITERIA = [
    ("AbsCriterion", (), (3, 4), lambda: torch.randn(3, 4), lambda x, t: F.l1_loss(x, t)),
    ("AbsCriterion", (False,), (3, 4), lambda: torch.randn(3, 4), lambda x, t: F.l1_loss(x, t, reduction="sum")),
    ("MSECriterion", (), (3, 4), lambda: torch.randn(3, 4), lambda x, t: ((x - t) ** 2).mean()),
    ("WeightedMSECriterion", (torch.tensor([1.0, 2, 3, 4]),), (3, 4), lambda: torch.randn(3, 4),
     lambda x, t: ((x - t * torch.tensor([1, 2, 3, 4])) ** 2).mean()),
    ("SmoothL1Criterion", (), (5, 4), lambda: torch.randn(5, 4), lambda x, t: F.smooth_l1_loss(x, t)),
    ("BCECriterion", (), "probabilities", lambda: torch.rand(3, 4), lambda x, t: F.binary_cross_entropy(x, t)),
    ("BCECriterion", (torch.tensor([1.0, 2, 3, 4]), False), "probabilities", lambda: torch.rand(3, 4),
     lambda x, t: F.binary_cross_entropy(x, t, torch.tensor([1.0, 2, 3, 4]).double(), reduction="sum")),
    ("MultiLabelSoftMarginCriterion", (), (3, 4), lambda: torch.rand(3, 4).round(),
     lambda x, t: F.multilabel_soft_margin_loss(x, t)),
    ("DistKLDivCriterion", (), "probabilities", lambda: torch.rand(3, 4), lambda x, t: (t * (t.log() - x)).mean()),
    ("ClassNLLCriterion", (), (4, 5), lambda: torch.tensor([1, 0, 4, 2]), lambda x, t: F.nll_loss(x, t)),
    ("ClassNLLCriterion", (torch.tensor([1.0, 2, 3, 4, 5]),), (4, 5), lambda: torch.tensor([1, 0, 4, 2]),
     lambda x, t: F.nll_loss(x, t, torch.tensor([1.0, 2, 3, 4, 5]).double())),
    ("ClassNLLCriterion", (), (5,), lambda: torch.tensor([2]), lambda x, t: -x[2]),
    ("SpatialClassNLLCriterion", (), (2, 3, 2, 2), lambda: torch.randint(3, (2, 2, 2)), lambda x, t: F.nll_loss(x, t)),
    ("CrossEntropyCriterion", (), (4, 5), lambda: torch.tensor([1, 0, 4, 2]), lambda x, t: F.cross_entropy(x, t)),
    ("CosineEmbeddingCriterion", (0.2,), [(6, 4)] * 2, lambda: signs(6),
     lambda x, t: F.cosine_embedding_loss(x[0], x[1], t, 0.2)),
    ("HingeEmbeddingCriterion", (0.5,), (10,), lambda: signs(10), lambda x, t: F.hinge_embedding_loss(x, t, 0.5)),
    ("L1HingeEmbeddingCriterion", (), [(2, 3)] * 2, lambda: 1, lambda x, t: (x[0] - x[1]).abs().sum()),
    ("L1HingeEmbeddingCriterion", (50,), [(2, 3)] * 2, lambda: -1, lambda x, t: 50 - (x[0] - x[1]).abs().sum()),
    ("L1Cost", (), (2, 3), lambda: None, lambda x, t: x.abs().sum()),
    ("MarginCriterion", (), (5, 10), lambda: signs(5, 10), lambda x, t: (1 - x * t).clamp(min=0).mean()),
    ("MarginRankingCriterion", (0.3,), [(6,)] * 2, lambda: signs(6),
     lambda x, t: F.margin_ranking_loss(x[0], x[1], t, 0.3)),
    ("MultiLabelMarginCriterion", (), (2, 4), lambda: torch.tensor([[3, 0, -1, 1], [1, -1, 0, 0]]),
     lambda x, t: F.multilabel_margin_loss(x, t)),
    ("MultiMarginCriterion", (2, None, 0.7), (4, 5), lambda: torch.tensor([1, 0, 4, 2]),
     lambda x, t: F.multi_margin_loss(x, t, 2, 0.7)),
    ("SoftMarginCriterion", (), (4, 5), lambda: signs(4, 5), lambda x, t: F.soft_margin_loss(x, t)),
    ("ClassSimplexCriterion", (5,), (4, 5), lambda: torch.tensor([1, 0, 4, 2]), None),
]  # fmt: skip
