"""Convolutions over time, images ("spatial") and volumes. Sizes come as width before height, and time before both."""

import torch
from torch.legacy.nn._module import Weighted, expect_dims
from torch.nn import functional as F


def _three(self, prefix, letters):
    """(self.kH, self.kW) for the prefix "k" and the letters "HW"."""
    return tuple(getattr(self, prefix + letter) for letter in letters)


class _Convolution(Weighted):
    """What its subclasses share: sizes by letters, text, inputs with and without a batch."""

    letters = "HW"  # dimensions as the tensor has them
    shown = "WH"  # as constructors and texts have them
    transposed = False

    def _sizes(self, nInputPlane, nOutputPlane, weight=None, fan=None, **sizes):
        self.nInputPlane, self.nOutputPlane = nInputPlane, nOutputPlane
        for key, value in sizes.items():
            setattr(self, key, value)
        kernel = _three(self, "k", self.letters)
        planes = (nInputPlane, nOutputPlane) if self.transposed else (nOutputPlane, nInputPlane)
        count = nInputPlane
        for size in kernel:
            count *= size
        self._make(weight or (*planes, *kernel), (nOutputPlane,), fan or count)

    def _check(self, input):
        expect_dims(self, input, len(self.letters) + 1, len(self.letters) + 2)
        planes = input.size(-len(self.letters) - 1)
        if planes != self.nInputPlane:
            size = tuple(input.size())
            raise RuntimeError(f"{self!r}: expected {self.nInputPlane} input planes, got {planes}: {size}")

    def compute(self, input, weight, bias):
        self._check(input)
        convolve = F.conv2d if len(self.letters) == 2 else F.conv3d
        stride, padding = _three(self, "d", self.letters), _three(self, "pad", self.letters)
        return convolve(input, weight, bias, stride, padding, self._dilation())

    def _dilation(self):
        return 1

    def __repr__(self):
        def joined(prefix, separator=", "):
            return separator.join(str(getattr(self, prefix + letter)) for letter in self.shown)

        text = f"({self.nInputPlane} -> {self.nOutputPlane}, {joined('k', 'x')}"
        padded = any(getattr(self, "pad" + letter, 0) for letter in self.shown)
        adjusted = any(getattr(self, "adj" + letter, 0) for letter in self.shown)
        if padded or adjusted or any(getattr(self, "d" + letter) != 1 for letter in self.shown):
            text += f", {joined('d')}"
        if padded or adjusted:
            text += f", {joined('pad')}"
        if adjusted:
            text += f", {joined('adj')}"
        return super().__repr__() + text + ")" + ("" if self.bias is not None else " without bias")


class SpatialConvolution(_Convolution):
    """A convolution of images with kernels of kH x kW, in steps of dH and dW."""

    def __init__(self, nInputPlane, nOutputPlane, kW, kH, dW=1, dH=1, padW=0, padH=None):
        super().__init__()
        padH = padW if padH is None else padH
        self._sizes(nInputPlane, nOutputPlane, kW=kW, kH=kH, dW=dW, dH=dH, padW=padW, padH=padH)


class SpatialDilatedConvolution(SpatialConvolution):
    """One whose kernels' elements are `dilationH` and `dilationW` apart."""

    def __init__(self, nInputPlane, nOutputPlane, kW, kH, dW=1, dH=1, padW=0, padH=None, dilationW=1, dilationH=None):
        self.dilationW = dilationW
        self.dilationH = dilationW if dilationH is None else dilationH
        super().__init__(nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH)

    def _dilation(self):
        return self.dilationH, self.dilationW

    def __repr__(self):
        text = super().__repr__()
        return text if self._dilation() == (1, 1) else f"{text[:-1]}, {self.dilationW}, {self.dilationH})"


class VolumetricConvolution(_Convolution):
    """A convolution of volumes, or of films: time, height, width."""

    letters, shown = "THW", "TWH"

    def __init__(self, nInputPlane, nOutputPlane, kT, kW, kH, dT=1, dW=1, dH=1, padT=0, padW=None, padH=None):
        super().__init__()
        padW = padT if padW is None else padW
        padH = padW if padH is None else padH
        sizes = {"kT": kT, "kW": kW, "kH": kH, "dT": dT, "dW": dW, "dH": dH, "padT": padT, "padW": padW, "padH": padH}
        self._sizes(nInputPlane, nOutputPlane, **sizes)


class _FullConvolution(_Convolution):
    """The transpose of a convolution. The input may be [tensor, another] to give the output the other's size."""

    transposed = True

    def _check_adjustment(self):
        for letter in self.letters:
            if getattr(self, "adj" + letter) > getattr(self, "d" + letter) - 1:
                adj, step = getattr(self, "adj" + letter), getattr(self, "d" + letter)
                raise ValueError(f"{self!r}: adj{letter} ({adj}) must be smaller than d{letter} ({step})")

    def compute(self, input, weight, bias):
        adjust = _three(self, "adj", self.letters)
        kernel, stride, padding = (_three(self, prefix, self.letters) for prefix in ("k", "d", "pad"))
        if isinstance(input, (list, tuple)):
            input, target = input
            sizes = target.size()[-len(self.letters) :]
            adjust = tuple((s + 2 * p - k) % d for s, p, k, d in zip(sizes, padding, kernel, stride))
        self._check(input)
        convolve = F.conv_transpose2d if len(self.letters) == 2 else F.conv_transpose3d
        return convolve(input, weight, bias, stride, padding, adjust)


class SpatialFullConvolution(_FullConvolution):
    """Of images."""

    def __init__(self, nInputPlane, nOutputPlane, kW, kH, dW=1, dH=1, padW=0, padH=None, adjW=0, adjH=0):
        super().__init__()
        padH = padW if padH is None else padH
        sizes = {"kW": kW, "kH": kH, "dW": dW, "dH": dH, "padW": padW, "padH": padH, "adjW": adjW, "adjH": adjH}
        self._sizes(nInputPlane, nOutputPlane, **sizes)
        self._check_adjustment()


class VolumetricFullConvolution(_FullConvolution):
    """Of volumes."""

    letters, shown = "THW", "TWH"

    def __init__(
        self, nInputPlane, nOutputPlane, kT, kW, kH, dT=1, dW=1, dH=1, padT=0, padW=0, padH=0, adjT=0, adjW=0, adjH=0
    ):
        super().__init__()
        sizes = {"kT": kT, "kW": kW, "kH": kH, "dT": dT, "dW": dW, "dH": dH, "padT": padT, "padW": padW, "padH": padH}
        self._sizes(nInputPlane, nOutputPlane, **sizes, adjT=adjT, adjW=adjW, adjH=adjH)
        self._check_adjustment()


class SpatialConvolutionLocal(_Convolution):
    """A convolution of images of one size, with kernels of its own for every place."""

    def __init__(self, nInputPlane, nOutputPlane, iW, iH, kW, kH, dW=1, dH=1, padW=0, padH=None):
        super().__init__()
        padH = padW if padH is None else padH
        self.iW, self.iH = iW, iH
        self.oW = (padW * 2 + iW - kW) // dW + 1
        self.oH = (padH * 2 + iH - kH) // dH + 1
        weight = (self.oH, self.oW, nOutputPlane, nInputPlane, kH, kW)
        sizes = {"kW": kW, "kH": kH, "dW": dW, "dH": dH, "padW": padW, "padH": padH}
        self._sizes(nInputPlane, nOutputPlane, weight, **sizes)
        self.bias = torch.empty(nOutputPlane, self.oH, self.oW)
        self.gradBias = torch.zeros_like(self.bias)
        self.reset()

    def compute(self, input, weight, bias):
        self._check(input)
        if input.size()[-2:] != (self.iH, self.iW):
            size = tuple(input.size())
            raise RuntimeError(f"{self!r}: expected images of {self.iH} x {self.iW}, got an input of size {size}")
        stride, padding = _three(self, "d", "HW"), _three(self, "pad", "HW")
        batch = input if input.dim() == 4 else input.unsqueeze(0)
        patches = F.unfold(batch, (self.kH, self.kW), 1, padding, stride)
        kernels = weight.reshape(self.oH * self.oW, self.nOutputPlane, -1)
        found = torch.einsum("nkl,lok->nol", patches, kernels).reshape(-1, self.nOutputPlane, self.oH, self.oW)
        found = found if bias is None else found + bias
        return found if input.dim() == 4 else found.squeeze(0)


class SpatialConvolutionMap(_Convolution):
    """A convolution between the pairs of planes (from, to) that are the rows of a matrix; see `maps`."""

    class maps:
        """Connections: `full` of all planes, `oneToOne`, `random` with `nto` inputs for each output."""

        @staticmethod
        def full(nin, nout):
            return torch.cartesian_prod(torch.arange(nout), torch.arange(nin)).flip(1).float()

        @staticmethod
        def oneToOne(nfeat):
            return torch.arange(nfeat).unsqueeze(1).repeat(1, 2).float()

        @staticmethod
        def random(nin, nout, nto):
            if nto > nin:
                raise ValueError(f"SpatialConvolutionMap.maps.random: {nto} connections to {nin} planes")
            whole = nin // nto * nto  # of a permutation, what is used up before the next one is drawn
            rounds = -(-nout * nto // whole)
            sources = torch.cat([torch.randperm(nin)[:whole] for _ in range(rounds)])[: nout * nto]
            return torch.stack([sources, torch.arange(nout).repeat_interleave(nto)], 1).float()

    def __init__(self, conMatrix, kW, kH, dW=1, dH=1):
        super().__init__()
        if conMatrix.dim() != 2 or conMatrix.size(1) != 2:
            raise ValueError(
                f"nn.{type(self).__name__}: a matrix of 2 columns says what is connected, not one of size "
                f"{tuple(conMatrix.size())}"
            )
        self.connTable = conMatrix
        planes = [int(column.max()) + 1 for column in conMatrix.unbind(1)]
        sizes = {"kW": kW, "kH": kH, "dW": dW, "dH": dH, "padW": 0, "padH": 0}
        self._sizes(*planes, (conMatrix.size(0), kH, kW), **sizes)

    def reset(self, stdv=None):
        """Uniform; how far depends on how many planes an output is made of."""
        if stdv is not None:
            return super().reset(stdv)
        to = self.connTable[:, 1].long()
        inputs = torch.bincount(to, minlength=self.nOutputPlane)
        bound = (self.kW * self.kH * inputs).to(self.weight.dtype).rsqrt()
        self.weight.uniform_(-1, 1).mul_(bound[to].view(-1, 1, 1))
        self.bias.uniform_(-1, 1).mul_(bound)
        return self

    def _whole(self, weight):
        """A kernel for each pair of planes, zero where there is no connection."""
        source, to = self.connTable.long().unbind(1)
        planes = (self.nOutputPlane, self.nInputPlane)
        pair = (to, source)
        if self.transposed:
            planes, pair = planes[::-1], pair[::-1]
        return weight.new_zeros(*planes, self.kH, self.kW).index_put(pair, weight, accumulate=True)

    def compute(self, input, weight, bias):
        self._check(input)
        convolve = F.conv_transpose2d if self.transposed else F.conv2d
        return convolve(input, self._whole(weight), bias, (self.dH, self.dW))


class SpatialFullConvolutionMap(SpatialConvolutionMap):
    """The transpose of such a convolution."""

    transposed = True


class TemporalConvolution(Weighted):
    """A convolution of a sequence of frames, (time, frame) or a batch of them."""

    def __init__(self, inputFrameSize, outputFrameSize, kW, dW=1):
        super().__init__()
        self.inputFrameSize, self.outputFrameSize, self.kW, self.dW = inputFrameSize, outputFrameSize, kW, dW
        self._make((outputFrameSize, inputFrameSize * kW), (outputFrameSize,), kW * inputFrameSize)

    def compute(self, input, weight, bias):
        frames = _frames(self, input, self.inputFrameSize)
        return F.linear(frames.transpose(-1, -2).flatten(-2), weight, bias)

    def __repr__(self):
        text = f"({self.inputFrameSize} -> {self.outputFrameSize}, {self.kW}"
        return super().__repr__() + text + (f", {self.dW})" if self.dW != 1 else ")")


class TemporalSubSampling(Weighted):
    """Sums over kW frames, times a weight and plus a bias for each element of a frame."""

    def __init__(self, inputFrameSize, kW, dW=1):
        super().__init__()
        self.inputFrameSize, self.kW, self.dW = inputFrameSize, kW, dW
        self._make((inputFrameSize,), (inputFrameSize,), kW)

    def compute(self, input, weight, bias):
        return _frames(self, input, self.inputFrameSize).sum(-1) * weight + bias

    def __repr__(self):
        return super().__repr__() + f"({self.inputFrameSize}, {self.kW}, {self.dW})"


def _frames(self, input, size):
    """(…, time, frame, kW): the frames under each position of a kernel."""
    expect_dims(self, input, 2, 3)
    if input.size(-1) != size or input.size(-2) < self.kW:
        wanted = f"at least {self.kW} frames of {size}"
        raise RuntimeError(f"{self!r}: expected {wanted}, got an input of size {tuple(input.size())}")
    return input.unfold(-2, self.kW, self.dW)


class SpatialSubSampling(Weighted):
    """Sums over kH x kW, times a weight and plus a bias for each plane."""

    def __init__(self, nInputPlane, kW, kH, dW=1, dH=1):
        super().__init__()
        self.nInputPlane, self.kW, self.kH, self.dW, self.dH = nInputPlane, kW, kH, dW, dH
        self._make((nInputPlane,), (nInputPlane,), kW * kH)

    def compute(self, input, weight, bias):
        expect_dims(self, input, 3, 4)
        sums = F.avg_pool2d(input, (self.kH, self.kW), (self.dH, self.dW), divisor_override=1)
        return sums * weight.view(-1, 1, 1) + bias.view(-1, 1, 1)

    def __repr__(self):
        return super().__repr__() + f"({self.nInputPlane}, {self.kW}x{self.kH}, {self.dW}, {self.dH})"
