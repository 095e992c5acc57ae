"""Activations: functions of single elements, and softmax and its like.

Where there is no kernel, they are made of operators whose gradients are those of the activation, also at its corners:
`masked_fill` has the gradient 0 where it writes, boundaries included.
"""

import math
import warnings

import torch
from torch.nn._functional._protocol import need_floats, overridable, written


@overridable
def relu(input, inplace=False):
    """max(0, input), element by element. inplace: written into the input."""
    return input.relu_() if inplace else torch.relu(input)


@overridable
def relu_(input):
    """relu() in place."""
    return input.relu_()


def _check_bounds(min_val, max_val):
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")


@overridable
def threshold(input, threshold, value, inplace=False):
    """The elements that are greater than `threshold`, `value` in the others' place."""
    mask = input <= threshold
    return input.masked_fill_(mask, value) if inplace else input.masked_fill(mask, value)


@overridable
def threshold_(input, threshold, value):
    """threshold() in place."""
    return input.masked_fill_(input <= threshold, value)


def _bounded(input, low, high):
    """The elements between two bounds; at a bound the gradient is 0, other than clamp()'s."""
    return input.masked_fill(input <= low, low).masked_fill(input >= high, high)


@overridable
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """The elements, those below min_val and above max_val replaced by these."""
    _check_bounds(min_val, max_val)
    if input.dtype == torch.uint8 and (min_val < 0 or max_val < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    if inplace:
        return input.masked_fill_(input <= min_val, min_val).masked_fill_(input >= max_val, max_val)
    return _bounded(input, min_val, max_val)


@overridable
def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """hardtanh() in place."""
    return hardtanh(input, min_val, max_val, True)


@overridable
def relu6(input, inplace=False):
    """min(max(0, input), 6)."""
    return hardtanh(input, 0.0, 6.0, inplace)


def _elu(input, alpha, scale=1.0, input_scale=1.0):
    need_floats(input, "elu_cpu")
    # clamped: exp() of what is not taken must not be infinite, 0 times its gradient would be nan
    negative = torch.expm1(input.clamp(max=0) * input_scale) * (alpha * scale)
    return torch.where(input > 0, input * scale if scale != 1 else input, negative)


@overridable
def elu(input, alpha=1.0, inplace=False):
    """input where it is positive, alpha * (exp(input) - 1) elsewhere."""
    return written(input, lambda x: _elu(x, alpha)) if inplace else _elu(input, alpha)


@overridable
def elu_(input, alpha=1.0):
    """elu() in place."""
    return elu(input, alpha, True)


# The fixed point of mean 0 and variance 1 of "Self-Normalizing Neural Networks".
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


@overridable
def selu(input, inplace=False):
    """scale * elu(input, alpha), with the scale and alpha that keep mean 0 and variance 1."""
    if inplace:
        return written(input, lambda x: _elu(x, SELU_ALPHA, SELU_SCALE))
    return _elu(input, SELU_ALPHA, SELU_SCALE)


@overridable
def selu_(input):
    """selu() in place."""
    return selu(input, True)


@overridable
def celu(input, alpha=1.0, inplace=False):
    """max(0, input) + min(0, alpha * (exp(input / alpha) - 1)). RuntimeError for alpha 0."""
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    if inplace:
        return written(input, lambda x: _elu(x, alpha, input_scale=1 / alpha))
    return _elu(input, alpha, input_scale=1 / alpha)


@overridable
def celu_(input, alpha=1.0):
    """celu() in place."""
    return celu(input, alpha, True)


def _leaky(input, slope):
    need_floats(input, "leaky_relu_cpu")
    return torch.where(input > 0, input, input * slope)


@overridable
def leaky_relu(input, negative_slope=0.01, inplace=False):
    """input where it is positive, negative_slope * input elsewhere."""
    return written(input, lambda x: _leaky(x, negative_slope)) if inplace else _leaky(input, negative_slope)


@overridable
def leaky_relu_(input, negative_slope=0.01):
    """leaky_relu() in place."""
    return leaky_relu(input, negative_slope, True)


@overridable
def prelu(input, weight):
    """input where it is positive, weight * input elsewhere; `weight` has one element, or one per channel (dimension 1).
    RuntimeError for other shapes and dtypes."""
    if input.dtype != weight.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {_type_name(input)} and {_type_name(weight)}")
    if weight.numel() != 1:
        if input.dim() == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = input.size(1) if input.dim() >= 2 else 1
        if channels != weight.numel():
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight.numel()} and channel size = {channels}."
            )
    if weight.dim() > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.dim()}")
    if input.dim() != weight.dim():
        weight = weight.reshape(
            [-1 if d == 1 else 1 for d in range(input.dim())] if input.dim() > 1 else [1] * input.dim()
        )
    return torch.where(input > 0, input, weight * input)


def _type_name(tensor):
    return str(tensor.dtype).removeprefix("torch.")


def _rrelu(input, lower, upper, training):
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not training:
        return _leaky(input, (lower + upper) / 2)
    slopes = torch.empty_like(input).uniform_(lower, upper)
    return torch.where(input <= 0, input * slopes, input)


@overridable
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """leaky_relu() with slopes drawn from [lower, upper) where `training`, with their mean otherwise."""
    if inplace:
        return written(input, lambda x: _rrelu(x, lower, upper, training))
    return _rrelu(input, lower, upper, training)


@overridable
def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    """rrelu() in place."""
    return rrelu(input, lower, upper, training, True)


@overridable
def gelu(input, *, approximate="none"):
    """input * Phi(input), Phi being the normal distribution function; approximate="tanh": by a hyperbolic tangent.
    RuntimeError for another word."""
    need_floats(input, "GeluKernelImpl")
    if approximate == "none":
        return input * 0.5 * (1 + torch.erf(input * math.sqrt(0.5)))
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (input + 0.044715 * input * input * input)
        return 0.5 * input * (1 + torch.tanh(inner))
    raise RuntimeError("approximate argument must be either none or tanh.")


@overridable
def silu(input, inplace=False):
    """input * sigmoid(input)."""
    need_floats(input, "silu_cpu")
    return written(input, lambda x: x * torch.sigmoid(x)) if inplace else input * torch.sigmoid(input)


def _softplus(input, beta, threshold, name="softplus_cpu"):
    need_floats(input, name)
    scaled = input * beta if beta != 1 else input
    linear = scaled > threshold
    curved = torch.log1p(torch.exp(scaled.masked_fill(linear, 0)))  # masked: as in _elu
    return torch.where(linear, input, curved / beta if beta != 1 else curved)


@overridable
def mish(input, inplace=False):
    """input * tanh(softplus(input))."""
    if inplace:
        return written(input, lambda x: x * torch.tanh(_softplus(x, 1, 20, "mish_cpu")))
    return input * torch.tanh(_softplus(input, 1, 20, "mish_cpu"))


@overridable
def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta * input)) / beta, and the input itself where beta * input is greater than `threshold`."""
    return _softplus(input, beta, threshold)


@overridable
def logsigmoid(input):
    """log(1 / (1 + exp(-input))), without overflow."""
    need_floats(input, "log_sigmoid_cpu")
    return -torch.logaddexp(-input, input.new_zeros(()))


@overridable
def softsign(input):
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


@overridable
def tanhshrink(input):
    """input - tanh(input)."""
    return input - input.tanh()


@overridable
def hardshrink(input, lambd=0.5):
    """input, 0 where |input| <= lambd."""
    need_floats(input, "hardshrink_cpu")
    return input.masked_fill((input >= -lambd) & (input <= lambd), 0)


@overridable
def softshrink(input, lambd=0.5):
    """input moved towards 0 by lambd, 0 where |input| <= lambd. RuntimeError for a negative lambd."""
    need_floats(input, "softshrink_check")
    if lambd < 0:
        largest = torch.finfo(input.dtype).max
        kind = input.type().removeprefix("torch.").removesuffix("Tensor")
        raise RuntimeError(f"lambda must be in range [0, {largest:g}] for input dtype {kind}, but found {lambd:g}")
    return input - input.clamp(-lambd, lambd)


@overridable
def hardsigmoid(input, inplace=False):
    """min(max(0, input + 3), 6) / 6."""
    need_floats(input, "hardsigmoid_cpu")
    if inplace:
        return written(input, lambda x: _bounded(x + 3, 0, 6) / 6)
    return _bounded(input + 3, 0, 6) / 6


@overridable
def hardswish(input, inplace=False):
    """input * hardsigmoid(input)."""
    need_floats(input, "hardswish_cpu")
    if inplace:
        return written(input, lambda x: x * _bounded(x + 3, 0, 6) / 6)
    return input * _bounded(input + 3, 0, 6) / 6


@overridable
def sigmoid(input):
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


@overridable
def tanh(input):
    """The hyperbolic tangent."""
    return input.tanh()


@overridable
def glu(input, dim=-1):
    """The first half along `dim`, times the sigmoid of the second one. RuntimeError for an odd size."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    size = input.size(dim)
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.dim()} is size {size}")
    need_floats(input, "glu_cpu")
    value, gate = input.chunk(2, dim)
    return value * torch.sigmoid(gate)


# ---- softmax and its like ----------------------------------------------------------------------------------
def _implicit_dim(name, ndim, stacklevel):
    """The dimension that is taken where none is given, which is deprecated."""
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel + 1,
    )
    return 0 if ndim in (0, 1, 3) else 1


@overridable
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(input) divided by its sum along `dim`; computed in `dtype` if it is given."""
    if dim is None:
        dim = _implicit_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


@overridable
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax(-input)."""
    if dim is None:
        dim = _implicit_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


@overridable
def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """The logarithm of softmax(), without its rounding to 0."""
    if dim is None:
        dim = _implicit_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


@overridable
def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A sample of the Gumbel-softmax distribution with temperature `tau`; hard: a one-hot vector in the forward pass,
    with the gradient of the soft one. `eps` has no effect."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=3)
    noise = -torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits, memory_format=torch.contiguous_format).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft
