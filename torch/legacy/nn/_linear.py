"""Modules with weights that are no convolutions."""

import math

import torch
from torch.legacy.nn._module import Computed, Weighted, expect_dims
from torch.nn import functional as F


class Linear(Weighted):
    """x W' + b, of a vector or of the rows of a matrix."""

    def __init__(self, inputSize, outputSize, bias=True):
        super().__init__()
        self._make((outputSize, inputSize), (outputSize,) if bias else None, inputSize)

    def compute(self, input, weight, bias):
        expect_dims(self, input, 1, 2)
        return F.linear(input, weight, bias)

    def __repr__(self):
        text = f"({self.weight.size(1)} -> {self.weight.size(0)})"
        return super().__repr__() + text + ("" if self.bias is not None else " without bias")


class PartialLinear(Weighted):
    """A linear module of which a set of outputs is computed, those of setPartition."""

    def __init__(self, inputsize, outputsize, bias=True):
        super().__init__()
        self.inputsize, self.outputsize = inputsize, outputsize
        self._make((outputsize, inputsize), (1, outputsize) if bias else None)
        self.allcolumns = torch.arange(outputsize)
        self.resetPartition()

    def reset(self, stdv=None):
        self.weight.normal_(0, 1 if stdv is None else stdv)
        if self.bias is not None:
            self.bias.zero_()
        return self

    def setPartition(self, indices):
        self.partition = indices.to(self.allcolumns)
        return self

    def resetPartition(self):
        self.partition = self.allcolumns
        return self

    def compute(self, input, weight, bias):
        expect_dims(self, input, 2)
        chosen = weight.index_select(0, self.partition)
        return F.linear(input, chosen, None if bias is None else bias[0].index_select(0, self.partition))

    def __repr__(self):
        text = f"({self.inputsize} -> {self.outputsize})"
        return super().__repr__() + text + ("" if self.bias is not None else " without bias")


class Bilinear(Weighted):
    """[x, y]: x W_k y + b_k for each output k."""

    def __init__(self, inputSize1, inputSize2, outputSize, bias=True):
        super().__init__()
        self._make((outputSize, inputSize1, inputSize2), (outputSize,) if bias else None, inputSize1)

    def compute(self, input, weight, bias):
        first, second = input
        expect_dims(self, first, 2)
        expect_dims(self, second, 2)
        return F.bilinear(first, second, weight, bias)

    def __repr__(self):
        outputs, first, second = self.weight.size()
        text = f"({first}x{second} -> {outputs})"
        return super().__repr__() + text + ("" if self.bias is not None else " without bias")


class Add(Weighted):
    """A bias for each element of a row; with `scalar` one number."""

    def __init__(self, inputSize, scalar=False):
        super().__init__()
        self.scalar = scalar
        size = (1,) if scalar else torch.Size([inputSize] if isinstance(inputSize, int) else inputSize)
        self.bias, self.gradBias = torch.empty(size), torch.zeros(size)
        self._fan = self.bias.size(0)
        self.reset()

    def compute(self, input, weight, bias):
        if not self.scalar and bias.numel() != math.prod(input.size()[1:]) and bias.size() != input.size():
            size = tuple(input.size())
            raise RuntimeError(f"{self!r}: {bias.numel()} numbers for each row of an input of size {size}")
        if self.scalar or bias.size() == input.size():
            return input + bias
        return (input.reshape(input.size(0), -1) + bias.view(1, -1)).view(input.size())


class Mul(Weighted):
    """The input times one number."""

    def __init__(self):
        super().__init__()
        self._make((1,))

    def compute(self, input, weight, bias):
        return input * weight


class CMul(Weighted):
    """A factor for each element of a row."""

    def __init__(self, *args):
        super().__init__()
        self.size = torch.Size(args[0] if len(args) == 1 and not isinstance(args[0], int) else args)
        self._make(self.size, fan=math.prod(self.size))

    def compute(self, input, weight, bias):
        rows = input.reshape(input.size(0), -1)
        if rows.size(1) != weight.numel():
            raise RuntimeError(f"{self!r}: {weight.numel()} factors for an input of size {tuple(input.size())}")
        return (rows * weight.view(1, -1)).view(input.size())

    def __repr__(self):
        return super().__repr__() + f"({', '.join(map(str, self.size))})"


class Euclidean(Weighted):
    """The distances of the input from the columns of `weight`."""

    def __init__(self, inputSize, outputSize):
        super().__init__()
        self._make((inputSize, outputSize), fan=inputSize)

    def compute(self, input, weight, *others):
        expect_dims(self, input, 1, 2)
        return torch.linalg.vector_norm(self._difference(input, weight, *others), 2, -2)

    @staticmethod
    def _difference(input, weight, bias):
        return input.unsqueeze(-1) - weight

    def __repr__(self):
        return super().__repr__() + f"({self.weight.size(0)} -> {self.weight.size(1)})"


class WeightedEuclidean(Euclidean):
    """Distances with a factor for each coordinate and output, `diagCov`."""

    parameterNames = ("weight", "diagCov")

    def __init__(self, inputSize, outputSize):
        self.diagCov, self.gradDiagCov = torch.empty(inputSize, outputSize), torch.zeros(inputSize, outputSize)
        super().__init__(inputSize, outputSize)

    def reset(self, stdv=None):
        super().reset(stdv)
        self.diagCov.fill_(1)
        return self

    @staticmethod
    def _difference(input, weight, diagCov):
        return (input.unsqueeze(-1) - weight) * diagCov


class Cosine(Weighted):
    """The cosines between the input and the rows of `weight`."""

    def __init__(self, inputSize, outputSize):
        super().__init__()
        self._make((outputSize, inputSize), fan=outputSize)

    def compute(self, input, weight, bias):
        expect_dims(self, input, 1, 2)
        lengths = (weight.norm(2, 1) + 1e-12) * (input.norm(2, -1, True) + 1e-12)
        return F.linear(input, weight) / lengths

    def __repr__(self):
        return super().__repr__() + f"({self.weight.size(1)} -> {self.weight.size(0)})"


class LookupTable(Computed):
    """Rows of `weight` by their numbers, a vector or a matrix of them."""

    def __init__(self, nIndex, nOutput, paddingValue=-1, maxNorm=None, normType=None):
        super().__init__()
        self.weight, self.gradWeight = torch.empty(nIndex, nOutput), torch.zeros(nIndex, nOutput)
        self.paddingValue, self.maxNorm, self.normType = paddingValue, maxNorm, normType
        self.shouldScaleGradByFreq = False
        self.reset()

    def accUpdateOnly(self):
        self.gradWeight = None
        return self

    def setPadding(self, paddingValue):
        self.paddingValue = paddingValue
        return self

    def setMaxNorm(self, maxNorm):
        self.maxNorm = maxNorm
        return self

    def setNormType(self, normType):
        self.normType = normType
        return self

    def scaleGradByFreq(self):
        self.shouldScaleGradByFreq = True
        return self

    def reset(self, stdv=1):
        self.weight.normal_(0, 1 if stdv is None else stdv)
        return self

    def updateOutput(self, input):
        if input.dim() not in (1, 2):
            raise RuntimeError(f"input must be a vector or matrix, got a {input.dim()}D tensor")
        self.renorm(input)
        return super().updateOutput(input)

    def compute(self, input, weight, bias):
        padding = self.paddingValue if self.paddingValue >= 0 else None
        return F.embedding(input.long(), weight, padding, scale_grad_by_freq=self.shouldScaleGradByFreq)

    def renorm(self, input):
        """Shortens the rows that are asked for to a norm of `maxNorm`."""
        if self.maxNorm is not None:
            rows = input.reshape(-1).long().unique()
            shorter = self.weight.index_select(0, rows).renorm(self.normType or 2, 0, self.maxNorm)
            self.weight.index_copy_(0, rows, shorter)

    def __repr__(self):
        return super().__repr__() + f"({self.weight.size(0)}, {self.weight.size(1)})"
