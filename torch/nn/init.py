"""Initial values of parameters. Every function fills a tensor in place, without a record, and returns it."""

from __future__ import annotations

import math
import warnings
from typing import Literal

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "dirac",
    "dirac_",
    "eye",
    "eye_",
    "kaiming_normal",
    "kaiming_normal_",
    "kaiming_uniform",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "orthogonal",
    "orthogonal_",
    "sparse",
    "sparse_",
    "trunc_normal_",
    "uniform",
    "uniform_",
    "xavier_normal",
    "xavier_normal_",
    "xavier_uniform",
    "xavier_uniform_",
    "zeros_",
]

_LINEAR = {"linear", *(f"conv{d}d" for d in "123"), *(f"conv_transpose{d}d" for d in "123"), "sigmoid"}


def _random(name, tensor, *args, generator=None):
    """tensor.<name>_(…), not recorded; types with a __torch_function__ hear of it."""
    with torch.no_grad():
        return getattr(tensor, name)(*args, generator=generator)


def calculate_gain(nonlinearity: str, param: int | float | None = None) -> float:
    """The factor of the standard deviation for what follows: "linear", "conv1d", …, "sigmoid": 1, "tanh": 5/3, "relu": √2,
    "leaky_relu" with slope `param` (0.01): √(2 / (1 + slope²)), "selu": 3/4. ValueError for others."""
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, (int, float)) and not isinstance(param, bool):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: torch.Generator | None = None) -> Tensor:
    """Numbers drawn from [a, b) alike."""
    if torch.overrides.has_torch_function_variadic(tensor):
        return torch.overrides.handle_torch_function(uniform_, (tensor,), tensor=tensor, a=a, b=b, generator=generator)
    return _random("uniform_", tensor, a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: torch.Generator | None = None) -> Tensor:
    """Numbers of the normal distribution."""
    if torch.overrides.has_torch_function_variadic(tensor):
        return torch.overrides.handle_torch_function(
            normal_, (tensor,), tensor=tensor, mean=mean, std=std, generator=generator
        )
    return _random("normal_", tensor, mean, std, generator=generator)


def _normal_probability(x):
    return (1 + math.erf(x / math.sqrt(2))) / 2


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Numbers of the normal distribution that lie in [a, b]. Warns if the mean is far outside."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_: the distribution of values may be incorrect",
            stacklevel=2,
        )
    if tensor.is_meta:
        return tensor
    inside = _normal_probability((b - mean) / std) - _normal_probability((a - mean) / std)
    draw = _drawn_until_inside if inside > 0.3 else _drawn_below_the_density
    with torch.no_grad():
        return tensor.copy_(draw(tensor, mean, std, a, b, generator))


def _drawn_until_inside(tensor, mean, std, a, b, generator):
    """Normal numbers; those outside of [a, b], as the dtype has these, are drawn again."""
    low, high = (tensor.new_tensor(bound, device="cpu").item() for bound in (a, b))
    found = tensor.normal_(mean, std, generator=generator)
    while (outside := (found < low) | (found > high)).any():
        found = torch.where(outside, torch.empty_like(found).normal_(mean, std, generator=generator), found)
    return found


def _drawn_below_the_density(tensor, mean, std, a, b, generator):
    """Uniform numbers of [a, b]; those whose density, as a part of the greatest one in there, is below another uniform
    number are drawn again."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    proposed, heights = torch.empty_like(tensor), torch.empty_like(tensor)
    found, waiting = tensor, torch.ones_like(tensor, dtype=torch.bool)
    while waiting.any():
        proposed.uniform_(a, b, generator=generator)
        found = torch.where(waiting, proposed, found)
        logarithms = proposed.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        waiting = waiting & (heights.uniform_(generator=generator).log_() > logarithms)
    return found


def constant_(tensor: Tensor, val: float) -> Tensor:
    """The same number everywhere."""
    if torch.overrides.has_torch_function_variadic(tensor):
        return torch.overrides.handle_torch_function(constant_, (tensor,), tensor=tensor, val=val)
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    with torch.no_grad():
        return tensor.fill_(1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    with torch.no_grad():
        return tensor.zero_()


def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix. ValueError unless there are two dimensions."""
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with torch.no_grad():
        return tensor.copy_(torch.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """The weight of a convolution that copies as many channels as there are, in each group. ValueError unless there are
    three to five dimensions and the groups divide the first."""
    if tensor.dim() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups:
        raise ValueError("dim 0 must be divisible by groups")
    out_channels = tensor.size(0) // groups
    centre = tuple(n // 2 for n in tensor.shape[2:])
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for d in range(min(out_channels, tensor.size(1))):
                tensor[(group * out_channels + d, d, *centre)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """(inputs of an output, outputs of an input) of a weight. ValueError for fewer than two dimensions."""
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor: Tensor, mode: Literal["fan_in", "fan_out"]) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: torch.Generator | None = None) -> Tensor:
    """Numbers drawn alike, of the standard deviation gain * √(2 / (fan in + fan out)) (Glorot and Bengio, 2010)."""
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return _random("uniform_", tensor, -bound, bound, generator=generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: torch.Generator | None = None) -> Tensor:
    """Normal numbers of the standard deviation gain * √(2 / (fan in + fan out))."""
    std = gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return _random("normal_", tensor, 0.0, std, generator=generator)


def _is_empty(tensor):
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return True
    return False


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: Literal["fan_in", "fan_out"] = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Numbers drawn alike, of the standard deviation gain / √fan (He et al., 2015); mode: "fan_in" or "fan_out"; a: the
    slope of "leaky_relu"."""
    if torch.overrides.has_torch_function_variadic(tensor):
        return torch.overrides.handle_torch_function(
            kaiming_uniform_,
            (tensor,),
            tensor=tensor,
            a=a,
            mode=mode,
            nonlinearity=nonlinearity,
            generator=generator,
        )
    return _kaiming_uniform(tensor, a, mode, nonlinearity, generator)


def _kaiming_uniform(tensor, a, mode, nonlinearity, generator):
    """The same; types with a __torch_function__ hear of the numbers that are drawn, not of the function."""
    if _is_empty(tensor):
        return tensor
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    return _random("uniform_", tensor, -bound, bound, generator=generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: Literal["fan_in", "fan_out"] = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Normal numbers of the standard deviation gain / √fan; see kaiming_uniform_()."""
    if _is_empty(tensor):
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    return _random("normal_", tensor, 0.0, std, generator=generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: torch.Generator | None = None) -> Tensor:
    """A random matrix with orthonormal rows or columns, times `gain`; dimensions after the first count as columns.
    ValueError for fewer than two dimensions."""
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    flat = torch.empty(rows, columns, dtype=tensor.dtype, device=tensor.device).normal_(0, 1, generator=generator)
    if rows < columns:
        flat = flat.t()
    q, r = torch.linalg.qr(flat)
    # the signs of r make the distribution uniform (Mezzadri, "How to generate random matrices")
    q = q * torch.diag(r).sign()
    if rows < columns:
        q = q.t()
    with torch.no_grad():
        tensor.view_as(q).copy_(q)
        tensor.mul_(gain)
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: torch.Generator | None = None) -> Tensor:
    """A matrix of normal numbers with the share `sparsity` of zeros in each column. ValueError unless there are two
    dimensions."""
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with torch.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[torch.randperm(rows)[:zeros], column] = 0
    return tensor


def _by_old_name(function):
    """The name without underscore of 2017."""
    name = function.__name__[:-1]

    def deprecated(*args, **kwargs):
        warnings.warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = name
    deprecated.__doc__ = f"{name}_(), by its name of 2017."
    return deprecated


uniform = _by_old_name(uniform_)
normal = _by_old_name(normal_)
constant = _by_old_name(constant_)
eye = _by_old_name(eye_)
dirac = _by_old_name(dirac_)
xavier_uniform = _by_old_name(xavier_uniform_)
xavier_normal = _by_old_name(xavier_normal_)
kaiming_uniform = _by_old_name(kaiming_uniform_)
kaiming_normal = _by_old_name(kaiming_normal_)
orthogonal = _by_old_name(orthogonal_)
sparse = _by_old_name(sparse_)
