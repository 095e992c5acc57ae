"""Modules that compute each element alone, or scale, or normalise; those without parameters in a line or two each."""

import torch
from torch.legacy.nn._module import Computed, Weighted, keep, layer
from torch.legacy.nn.utils import clear
from torch.nn import functional as F


@layer()
def Abs(input):
    return input.abs()


@layer("({constant_scalar})")
def AddConstant(input, constant_scalar, inplace=False):
    return input + constant_scalar


@layer("({constant_scalar})")
def MulConstant(input, constant_scalar, inplace=False):
    return input * constant_scalar


@layer("({min_value}, {max_value})")
def Clamp(input, min_value, max_value):
    return F.hardtanh(input, min_value, max_value)


@layer("(alpha={alpha:.3f})")
def ELU(input, alpha=1.0, inplace=False):
    return F.elu(input, alpha)


@layer()
def Exp(input):
    return input.exp()


@layer("({lambd})")
def HardShrink(input, lambd=0.5):
    return F.hardshrink(input, lambd)


@layer("({min_value}, {max_value})")
def HardTanh(input, min_value=-1, max_value=1, inplace=False):
    if max_value <= min_value:
        raise ValueError(f"nn.HardTanh: max_value ({max_value}) is not above min_value ({min_value})")
    return F.hardtanh(input, min_value, max_value)


@layer("({negval})")
def LeakyReLU(input, negval=1e-2, inplace=False):
    return F.leaky_relu(input, negval)


_LeakyReLU = LeakyReLU


class LeakyReLU(_LeakyReLU):
    def __init__(self, negval=1e-2, inplace=False):
        if isinstance(negval, bool):  # LeakyReLU(True) is in place
            negval, inplace = 1e-2, negval
        super().__init__(negval, inplace)


@layer()
def Log(input):
    return input.log()


@layer()
def LogSigmoid(input):
    return F.logsigmoid(input)


def _planes(input):
    """The dimension over which soft maxima go: of a vector, of rows of a batch, of planes of images."""
    return 0 if input.dim() in (1, 3) else 1


@layer(dims=(1, 2, 3, 4))
def LogSoftMax(input):
    return F.log_softmax(input, _planes(input))


@layer(dims=(1, 2, 3, 4))
def SoftMax(input):
    return F.softmax(input, _planes(input))


@layer(dims=(1, 2, 3, 4))
def SoftMin(input):
    return F.softmax(-input, _planes(input))


@layer(dims=(3, 4))
def SpatialSoftMax(input):
    return F.softmax(input, -3)


@layer("({pow})")
def Power(input, pow):
    return input**pow


@layer()
def ReLU6(input, inplace=False):
    return F.relu6(input)


@layer()
def Sigmoid(input):
    return input.sigmoid()


@layer("({beta}, {threshold})")
def SoftPlus(input, beta=1, threshold=20):
    return F.softplus(input, beta, threshold)


@layer("({lambd})")
def SoftShrink(input, lambd=0.5):
    return F.softshrink(input, lambd)


@layer()
def SoftSign(input):
    return F.softsign(input)


@layer()
def Sqrt(input):
    return input.sqrt()


@layer()
def Square(input):
    return input * input


@layer()
def Tanh(input):
    return input.tanh()


@layer()
def TanhShrink(input):
    return F.tanhshrink(input)


@layer("({threshold}, {value})")
def Threshold(input, threshold=0, value=0, inplace=False):
    return F.threshold(input, threshold, value)


class ReLU(Threshold):
    def __init__(self, inplace=False):
        super().__init__(0, 0, inplace)

    def __repr__(self):
        return "nn.ReLU"


@layer("({p})", dims=(1, 2))
def Normalize(input, p, eps=1e-10):
    """Rows divided by their norm."""
    if p == float("inf"):
        return input / (input.abs().amax(-1, True) + eps)
    return input / (input.abs().pow(p).sum(-1, True) + eps).pow(1.0 / p)


@layer("({size}, alpha={alpha}, beta={beta}, k={k})", dims=(4,))
def SpatialCrossMapLRN(input, size, alpha=1e-4, beta=0.75, k=1):
    return torch.nn.CrossMapLRN2d(size, alpha, beta, k)(input)


class _Noisy(Computed):
    """Dropout of elements, or of what `_noise` says."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"nn.{type(self).__name__}: p is a probability below 1, not {p}")
        self.p = p
        self.inplace = inplace
        self.noise = torch.Tensor()

    @staticmethod
    def _noise(input):
        return input.detach()

    def compute(self, input):
        if not (self.train and self.p > 0):
            return input.clone()
        if not self.replaying:
            self.noise = torch.empty_like(self._noise(input)).bernoulli_(1 - self.p).div_(1 - self.p)
        return input * self.noise

    def setp(self, p):
        self.p = p

    def clearState(self):
        return clear(super().clearState(), "noise")

    def __repr__(self):
        return super().__repr__() + f"({self.p:.4f})"


class Dropout(_Noisy):
    """Elements are zero with probability `p`; the others grow by 1 / (1 - p)."""


class _Planar(_Noisy):
    def __init__(self, p=0.5):
        super().__init__(p)

    @staticmethod
    def _noise(input):
        planes = input.detach()
        for dim in range(2, input.dim()):
            planes = planes.narrow(dim, 0, 1)
        return planes


class SpatialDropout(_Planar):
    """Dropout of whole planes of a batch of images."""


class VolumetricDropout(_Planar):
    """Dropout of whole feature volumes of a batch."""


class RReLU(Computed):
    """A leaky rectifier whose slope is random while training, and the middle of [lower, upper] else."""

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        if not lower <= upper:
            raise ValueError(f"nn.RReLU: lower ({lower}) is above upper ({upper})")
        self.lower, self.upper, self.inplace = lower, upper, inplace
        self.noise = torch.Tensor()

    def compute(self, input):
        if not self.train:
            return F.leaky_relu(input, (self.lower + self.upper) / 2)
        if not self.replaying:
            self.noise = torch.empty_like(input.detach()).uniform_(self.lower, self.upper)
        return torch.where(input > 0, input, input * self.noise)

    def clearState(self):
        return clear(super().clearState(), "noise")

    def __repr__(self):
        return super().__repr__() + f"({self.lower}, {self.upper})"


class PReLU(Computed):
    """A leaky rectifier that learns its slope: one, or one for each plane."""

    def __init__(self, nOutputPlane=0):
        super().__init__()
        self.nOutputPlane = nOutputPlane
        self.weight = torch.full((nOutputPlane or 1,), 0.25)
        self.gradWeight = torch.zeros(nOutputPlane or 1)

    def compute(self, input, weight, bias):
        # a vector of features, or planes without a batch, are a batch of one
        alone = self.nOutputPlane > 0 and input.dim() in (1, 3)
        found = F.prelu(input.unsqueeze(0) if alone else input, weight)
        return found.squeeze(0) if alone else found

    def __repr__(self):
        return super().__repr__() + f"({self.nOutputPlane})"


class GradientReversal(Computed):
    """The input as it is; the gradient times -lambd."""

    def __init__(self, lambd=1):
        super().__init__()
        self.lambd = lambd

    def setLambda(self, lambd):
        self.lambd = lambd

    def compute(self, input):
        return input

    def updateGradInput(self, input, gradOutput):
        self.gradInput = keep(self.gradInput, gradOutput * -self.lambd)
        return self.gradInput

    def __repr__(self):
        return super().__repr__() + f"({self.lambd})"


class L1Penalty(Computed):
    """The input as it is; its L1 norm times `l1weight` is `loss`, whose gradient is added to the output's."""

    def __init__(self, l1weight, sizeAverage=False, provideOutput=True):
        super().__init__()
        self.l1weight, self.sizeAverage, self.provideOutput = l1weight, sizeAverage, provideOutput

    def _factor(self, input):
        return self.l1weight / input.numel() if self.sizeAverage else self.l1weight

    def compute(self, input):
        self.loss = self._factor(input) * float(input.detach().norm(1))
        return input

    def updateGradInput(self, input, gradOutput):
        gradient = input.sign() * self._factor(input)
        self.gradInput = keep(self.gradInput, gradient + gradOutput if self.provideOutput else gradient)
        return self.gradInput


class BatchNormalization(Weighted):
    """Features of a batch with mean 0 and variance 1, then scaled and moved by `weight` and `bias` if `affine`."""

    nDim = 2

    def __init__(self, nOutput, eps=1e-5, momentum=0.1, affine=True):
        super().__init__()
        self.affine, self.eps, self.momentum = affine, eps, momentum
        self.running_mean = torch.zeros(nOutput)
        self.running_var = torch.ones(nOutput)
        self.weight = self.bias = self.gradWeight = self.gradBias = None
        if affine:
            self._make((nOutput,), (nOutput,))

    def reset(self, stdv=None):
        if self.weight is not None:
            self.weight.uniform_()
            self.bias.zero_()
        self.running_mean.zero_()
        self.running_var.fill_(1)
        return self

    def compute(self, input, weight=None, bias=None):
        if input.dim() != self.nDim:
            raise RuntimeError(f"only mini-batch supported ({self.nDim}D tensor), got {input.dim()}D tensor instead")
        features = self.running_mean.numel()
        if input.size(1) != features:
            raise RuntimeError(f"got {input.size(1)}-feature tensor, expected {features}")
        statistics = None, None
        if not (self.train and self.replaying):
            statistics = self.running_mean, self.running_var
        return F.batch_norm(input, *statistics, weight, bias, self.train, self.momentum, self.eps)

    def __repr__(self):
        return super().__repr__() + f"({self.running_mean.numel()})"


class SpatialBatchNormalization(BatchNormalization):
    """Of the planes of a batch of images."""

    nDim = 4


class VolumetricBatchNormalization(BatchNormalization):
    """Of the volumes of a batch."""

    nDim = 5
