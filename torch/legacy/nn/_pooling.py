"""Pooling, padding at borders, upsampling, and normalisation by what is near."""

import torch
from torch.legacy.nn._containers import Sequential
from torch.legacy.nn._module import Computed, expect_dims, layer
from torch.legacy.nn._pointwise import MulConstant, Power, Sqrt, Square
from torch.legacy.nn.utils import clear
from torch.nn import functional as F


class _Pooling(Computed):
    """Windows of images or volumes: k, d and pad with the letters of their dimensions."""

    letters, shown = "HW", "WH"

    def __init__(self, **sizes):
        super().__init__()
        for key, value in sizes.items():
            setattr(self, key, value)
        self.ceil_mode = False

    def ceil(self):
        """Windows that go beyond the border count, too."""
        self.ceil_mode = True
        return self

    def floor(self):
        self.ceil_mode = False
        return self

    def _window(self, input):
        expect_dims(self, input, len(self.letters) + 1, len(self.letters) + 2)
        return [tuple(getattr(self, prefix + letter) for letter in self.letters) for prefix in ("k", "d", "pad")]

    def __repr__(self):
        kernel, step, padding = ([getattr(self, p + letter) for letter in self.shown] for p in ("k", "d", "pad"))
        text = "x".join(map(str, kernel)) + ", " + ", ".join(map(str, step))
        if any(padding):
            text += ", " + ", ".join(map(str, padding))
        return super().__repr__() + f"({text})"


class _MaxPooling(_Pooling):
    """Largest elements; `indices` says where they were."""

    def __init__(self, **sizes):
        super().__init__(**sizes)
        self.indices = torch.LongTensor()

    def compute(self, input):
        pool = F.max_pool2d if len(self.letters) == 2 else F.max_pool3d
        self.inputSize = input.size()
        output, self.indices = pool(input, *self._window(input), 1, self.ceil_mode, True)
        return output

    def clearState(self):
        return clear(super().clearState(), "indices")


class SpatialMaxPooling(_MaxPooling):
    def __init__(self, kW, kH, dW=None, dH=None, padW=0, padH=0):
        super().__init__(kW=kW, kH=kH, dW=dW or kW, dH=dH or kH, padW=padW, padH=padH)


class VolumetricMaxPooling(_MaxPooling):
    letters, shown = "THW", "TWH"

    def __init__(self, kT, kW, kH, dT=None, dW=None, dH=None, padT=0, padW=0, padH=0):
        steps = {"dT": dT or kT, "dW": dW or kW, "dH": dH or kH}
        super().__init__(kT=kT, kW=kW, kH=kH, **steps, padT=padT, padW=padW, padH=padH)


class _AveragePooling(_Pooling):
    """Means, or sums where `divide` is false."""

    divide = True
    count_include_pad = True

    def setCountIncludePad(self):
        """Zeros beyond the border are elements, too."""
        self.count_include_pad = True
        return self

    def setCountExcludePad(self):
        self.count_include_pad = False
        return self

    def compute(self, input):
        pool = F.avg_pool2d if len(self.letters) == 2 else F.avg_pool3d
        divisor = None if self.divide else 1
        return pool(input, *self._window(input), self.ceil_mode, self.count_include_pad, divisor)


class SpatialAveragePooling(_AveragePooling):
    def __init__(self, kW, kH, dW=1, dH=1, padW=0, padH=0):
        super().__init__(kW=kW, kH=kH, dW=dW, dH=dH, padW=padW, padH=padH)


class VolumetricAveragePooling(_AveragePooling):
    letters, shown = "THW", "TWH"

    def __init__(self, kT, kW, kH, dT=None, dW=None, dH=None, padT=0, padW=0, padH=0):
        steps = {"dT": dT or kT, "dW": dW or kW, "dH": dH or kH}
        super().__init__(kT=kT, kW=kW, kH=kH, **steps, padT=padT, padW=padW, padH=padH)


class TemporalMaxPooling(Computed):
    """Largest elements of kW frames."""

    def __init__(self, kW, dW=None):
        super().__init__()
        self.kW, self.dW = kW, dW or kW
        self.indices = torch.LongTensor()

    def compute(self, input):
        expect_dims(self, input, 2, 3)
        output, indices = F.max_pool1d(input.transpose(-1, -2), self.kW, self.dW, return_indices=True)
        self.indices = indices.transpose(-1, -2)
        return output.transpose(-1, -2)

    def clearState(self):
        return clear(super().clearState(), "indices")

    def __repr__(self):
        return super().__repr__() + f"({self.kW}, {self.dW})"


class SpatialAdaptiveMaxPooling(Computed):
    """Largest elements of windows that make an image of h x w of any."""

    def __init__(self, w, h):
        super().__init__()
        self.w, self.h = w, h
        self.indices = None

    def compute(self, input):
        expect_dims(self, input, 3, 4)
        output, self.indices = F.adaptive_max_pool2d(input, (self.h, self.w), True)
        return output

    def clearState(self):
        return clear(super().clearState(), "indices")

    def __repr__(self):
        return super().__repr__() + f"({self.w}, {self.h})"


class SpatialFractionalMaxPooling(Computed):
    """Largest elements of windows at random places, of a given output size, or of a ratio of the input's."""

    def __init__(self, poolSizeW, poolSizeH, arg1, arg2):
        super().__init__()
        if poolSizeW < 2 or poolSizeH < 2:
            raise ValueError(f"nn.SpatialFractionalMaxPooling: windows have at least 2x2, not {poolSizeW}x{poolSizeH}")
        self.poolSizeW, self.poolSizeH = poolSizeW, poolSizeH
        self.outW = self.outH = self.ratioW = self.ratioH = None
        if arg1 >= 1 and arg2 >= 1:
            self.outW, self.outH = arg1, arg2
        elif 0 < arg1 < 1 and 0 < arg2 < 1:
            self.ratioW, self.ratioH = arg1, arg2
        else:
            raise ValueError(f"nn.SpatialFractionalMaxPooling: sizes, or ratios between 0 and 1, not {arg1} and {arg2}")
        self.randomSamples = self.indices = None
        self.newRandomPool = False

    def fixPoolingRegions(self, val=True):
        """The same windows from call to call."""
        self.newRandomPool = val
        return self

    def compute(self, input):
        expect_dims(self, input, 4)
        size = (*input.size()[:2], 2)
        known = self.randomSamples is not None and self.randomSamples.size() == size
        if not known or not (self.newRandomPool or self.replaying):
            self.randomSamples = torch.rand(size, dtype=input.dtype, device=input.device)
        outH = self.outH or int(input.size(2) * self.ratioH)
        outW = self.outW or int(input.size(3) * self.ratioW)
        kernel = (self.poolSizeH, self.poolSizeW)
        output, self.indices = F.fractional_max_pool2d(
            input, kernel, (outH, outW), return_indices=True, _random_samples=self.randomSamples
        )
        return output

    def clearState(self):
        return clear(super().clearState(), "indices", "randomSamples")

    def __repr__(self):
        out = f"{self.outW or self.ratioW}x{self.outH or self.ratioH}"
        return super().__repr__() + f"({out}, {self.poolSizeW}, {self.poolSizeH})"


class _MaxUnpooling(Computed):
    """Elements back at the places where a pooling module found them; zeros elsewhere."""

    def __init__(self, poolingModule):
        super().__init__()
        self.pooling = poolingModule

    def _places(self, input):
        if self.pooling.indices.size() != input.size():
            sizes = f"{tuple(input.size())} for indices of {tuple(self.pooling.indices.size())}"
            raise RuntimeError(f"{self!r}: an input of size {sizes}")
        return self.pooling.indices, self.pooling.inputSize[-len(self.pooling.letters) :]


class SpatialMaxUnpooling(_MaxUnpooling):
    def compute(self, input):
        indices, size = self._places(input)
        kernel = (self.pooling.kH, self.pooling.kW)
        return F.max_unpool2d(input, indices, kernel, (self.pooling.dH, self.pooling.dW), output_size=size)


class VolumetricMaxUnpooling(_MaxUnpooling):
    def compute(self, input):
        indices, size = self._places(input)
        pooling = self.pooling
        kernel, step = (pooling.kT, pooling.kH, pooling.kW), (pooling.dT, pooling.dH, pooling.dW)
        return F.max_unpool3d(input, indices, kernel, step, output_size=size)


class SpatialLPPooling(Sequential):
    """p-norms of windows: powers, sums, roots. It has nothing to learn."""

    def __init__(self, nInputPlane, pnorm, kW, kH, dW=None, dH=None):
        super().__init__()
        dW, dH = dW or kW, dH or kH
        self.kW, self.kH, self.dW, self.dH = kW, kH, dW, dH
        self.add(Square() if pnorm == 2 else Power(pnorm))
        self.add(SpatialAveragePooling(kW, kH, dW, dH))
        self.add(MulConstant(kW * kH))
        self.add(Sqrt() if pnorm == 2 else Power(1 / pnorm))


# ---- borders and sizes -------------------------------------------------------------------------------------
class _Border(Computed):
    """Padding by `mode`; sizes that are not given are the first."""

    mode = "constant"
    rank = 2

    def __init__(self, first, *others):
        super().__init__()
        self.pads = [first, *(first if pad is None else pad for pad in others)]

    def compute(self, input):
        expect_dims(self, input, *((4, 5) if self.rank == 3 else (3, 4)))
        return F.pad(input, self.pads, self.mode)

    def __repr__(self):
        return super().__repr__() + f"({', '.join(map(str, self.pads))})"


class SpatialZeroPadding(_Border):
    def __init__(self, pad_l, pad_r=None, pad_t=None, pad_b=None):
        super().__init__(pad_l, pad_r, pad_t, pad_b)


class SpatialReflectionPadding(SpatialZeroPadding):
    mode = "reflect"


class SpatialReplicationPadding(SpatialZeroPadding):
    mode = "replicate"


class VolumetricReplicationPadding(_Border):
    mode = "replicate"
    rank = 3

    def __init__(self, pleft, pright=None, ptop=None, pbottom=None, pfront=None, pback=None):
        super().__init__(pleft, pright, ptop, pbottom, pfront, pback)


@layer("({scale})", dims=(3, 4))
def SpatialUpSamplingNearest(input, scale):
    batch = input if input.dim() == 4 else input.unsqueeze(0)
    return F.interpolate(batch, scale_factor=scale).reshape(*input.size()[:-2], -1, input.size(-1) * scale)


# ---- normalisation by a neighbourhood ----------------------------------------------------------------------
class _Neighbourhood(Computed):
    """Weighted means over a neighbourhood in all planes; at borders, of what is inside."""

    def __init__(self, nInputPlane=1, kernel=None):
        super().__init__()
        kernel = torch.ones(9, 9) if kernel is None else kernel
        if kernel.dim() not in (1, 2):
            raise ValueError(f"nn.{type(self).__name__} averaging kernel must be 2D or 1D, not {kernel.dim()}D")
        if any(size % 2 == 0 for size in kernel.size()):
            size = tuple(kernel.size())
            raise ValueError(f"nn.{type(self).__name__} averaging kernel must have ODD dimensions, not {size}")
        self.nInputPlane = nInputPlane
        self.kernel = kernel

    def _sums(self, plane):
        kernel = self.kernel if self.kernel.dim() == 2 else torch.outer(self.kernel, self.kernel)
        kernel = kernel / kernel.sum()
        return F.conv2d(plane, kernel[None, None], None, 1, [size // 2 for size in kernel.size()])

    def _inside(self, input):
        """How much of the kernel is inside of the image."""
        return self._sums(torch.ones_like(input[:1, :1]))

    def _mean(self, input):
        if input.size(1) != self.nInputPlane:
            size = tuple(input.size())
            raise RuntimeError(f"{self!r}: expected {self.nInputPlane} planes, got {input.size(1)}: {size}")
        return self._sums(input.mean(1, True)) / self._inside(input)

    def compute(self, input):
        expect_dims(self, input, 3, 4)
        return self._normalized(input) if input.dim() == 4 else self._normalized(input[None])[0]

    def __repr__(self):
        return super().__repr__() + f"({self.nInputPlane}, {'x'.join(map(str, self.kernel.size()))})"


class SpatialSubtractiveNormalization(_Neighbourhood):
    """The input minus the mean around each place."""

    def _normalized(self, input):
        return input - self._mean(input)


class SpatialDivisiveNormalization(_Neighbourhood):
    """The input divided by the root of the mean square around each place, where that is above a threshold."""

    def __init__(self, nInputPlane=1, kernel=None, threshold=1e-4, thresval=None):
        super().__init__(nInputPlane, kernel)
        self.threshold = threshold
        self.thresval = threshold if thresval is None else thresval

    def _normalized(self, input):
        # Lua's: the square root comes before the correction at borders
        mean, inside = self._mean(input * input), self._inside(input)
        return input / F.threshold((mean * inside).sqrt() / inside, self.threshold, self.thresval)


class SpatialContrastiveNormalization(SpatialDivisiveNormalization):
    """Subtractive, then divisive."""

    def __init__(self, nInputPlane=1, kernel=None, threshold=1e-4, thresval=1e-4):
        super().__init__(nInputPlane, kernel, threshold, thresval)

    def _normalized(self, input):
        return super()._normalized(input - self._mean(input))
