"""Activations: functions of single elements, and softmax and its like."""

from __future__ import annotations

import warnings

import torch
from torch import _nn
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


@overridable
def relu(input: Tensor, inplace: bool = False) -> Tensor:
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
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """The elements that are greater than `threshold`, `value` in the others' place."""
    return torch.threshold_(input, threshold, value) if inplace else torch.threshold(input, threshold, value)


@overridable
def threshold_(input, threshold, value):
    """threshold() in place."""
    return torch.threshold_(input, threshold, value)


@overridable
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """The elements, those below min_val and above max_val replaced by these."""
    _check_bounds(min_val, max_val)
    return _nn.hardtanh_(input, min_val, max_val) if inplace else _nn.hardtanh(input, min_val, max_val)


@overridable
def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """hardtanh() in place."""
    return hardtanh(input, min_val, max_val, True)


@overridable
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(0, input), 6)."""
    return _nn.relu6_(input) if inplace else _nn.relu6(input)


@overridable
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input where it is positive, alpha * (exp(input) - 1) elsewhere."""
    return _nn.elu_(input, alpha) if inplace else _nn.elu(input, alpha)


@overridable
def elu_(input, alpha=1.0):
    """elu() in place."""
    return _nn.elu_(input, alpha)


@overridable
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """scale * elu(input, alpha), with the scale and alpha that keep mean 0 and variance 1."""
    return torch.selu_(input) if inplace else torch.selu(input)


@overridable
def selu_(input):
    """selu() in place."""
    return torch.selu_(input)


@overridable
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """max(0, input) + min(0, alpha * (exp(input / alpha) - 1)). RuntimeError for alpha 0."""
    return torch.celu_(input, alpha) if inplace else torch.celu(input, alpha)


@overridable
def celu_(input, alpha=1.0):
    """celu() in place."""
    return torch.celu_(input, alpha)


@overridable
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """input where it is positive, negative_slope * input elsewhere."""
    return _nn.leaky_relu_(input, negative_slope) if inplace else _nn.leaky_relu(input, negative_slope)


@overridable
def leaky_relu_(input, negative_slope=0.01):
    """leaky_relu() in place."""
    return _nn.leaky_relu_(input, negative_slope)


@overridable
def prelu(input, weight):
    """input where it is positive, weight * input elsewhere; `weight` has one element, or one per channel (dimension 1).
    RuntimeError for other shapes and dtypes."""
    return torch.prelu(input, weight)


@overridable
def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """leaky_relu() with slopes drawn from [lower, upper) where `training`, with their mean otherwise."""
    function = torch.rrelu_ if inplace else torch.rrelu
    return function(input, lower, upper, training)


@overridable
def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    """rrelu() in place."""
    return torch.rrelu_(input, lower, upper, training)


@overridable
def gelu(input, *, approximate="none"):
    """input * Phi(input), Phi being the normal distribution function; approximate="tanh": by a hyperbolic tangent.
    RuntimeError for another word."""
    return _nn.gelu(input, approximate=approximate)


@overridable
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input)."""
    return _nn.silu_(input) if inplace else _nn.silu(input)


@overridable
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
    return _nn.mish_(input) if inplace else _nn.mish(input)


@overridable
def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta * input)) / beta, and the input itself where beta * input is greater than `threshold`."""
    return _nn.softplus(input, beta, threshold)


@overridable
def logsigmoid(input):
    """log(1 / (1 + exp(-input))), without overflow."""
    return _nn.log_sigmoid(input)


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
    return torch.hardshrink(input, lambd)


@overridable
def softshrink(input, lambd=0.5):
    """input moved towards 0 by lambd, 0 where |input| <= lambd. RuntimeError for a negative lambd."""
    return _nn.softshrink(input, lambd)


@overridable
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(0, input + 3), 6) / 6."""
    return _nn.hardsigmoid_(input) if inplace else _nn.hardsigmoid(input)


@overridable
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * hardsigmoid(input)."""
    return _nn.hardswish_(input) if inplace else _nn.hardswish(input)


@overridable
def sigmoid(input):
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


@overridable
def tanh(input):
    """The hyperbolic tangent."""
    return input.tanh()


@overridable
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along `dim`, times the sigmoid of the second one. RuntimeError for an odd size."""
    return _nn.glu(input, dim)


# ---- softmax and its like ----------------------------------------------------------------------------------
def _implicit_dim(name, ndim, stacklevel):
    """The dimension that is taken where none is given, which is deprecated."""
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel + 1,
    )
    return 0 if ndim in (0, 1, 3) else 1


@overridable
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None) -> Tensor:
    """exp(input) divided by its sum along `dim`; computed in `dtype` if it is given."""
    if dim is None:
        dim = _implicit_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


@overridable
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None) -> Tensor:
    """softmax(-input)."""
    if dim is None:
        dim = _implicit_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


@overridable
def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """The logarithm of softmax(), without its rounding to 0."""
    if dim is None:
        dim = _implicit_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


@overridable
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
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
