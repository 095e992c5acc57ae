"""The windows of torch.signal.windows."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


__all__: list = []


def _window(name, shape, M, sym, dtype, layout, device, requires_grad, one=True):  # noqa: N803 - as everyone has it
    """shape(n, length, options) of n points of a window of `length` ones. `one`: of one point it is 1."""
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not torch.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    if M == 0 or (M == 1 and one):
        result = torch.ones(M, dtype=dtype, device=device)
    else:
        result = shape(M if sym or M == 1 else M + 1, {"dtype": dtype, "device": device})
    return result.requires_grad_(requires_grad)


def _from_to(start, step, M, options):  # noqa: N803
    """M numbers from `start`."""
    return torch.linspace(start, start + (M - 1) * step, M, **options)


def exponential(
    M: int,  # noqa: N803
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """exp(-|n - center| / tau), also known as Poisson's window.

    Args:
        M (int): how many points
        center (float, optional): default: the middle. ValueError if given for a symmetric one.
        tau (float): after how many points it falls by e; ValueError unless positive
    """
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")

    def shape(length, options):
        middle = (length - 1) / 2 if center is None else center
        return torch.exp(-torch.abs(_from_to(-middle / tau, 1 / tau, M, options)))

    return _window("exponential", shape, M, sym, dtype, layout, device, requires_grad, one=False)


def cosine(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """sin(π (n + 1/2) / M), half a wave."""

    def shape(length, options):
        step = math.pi / length
        return torch.sin(_from_to(0.5 * step, step, M, options))

    return _window("cosine", shape, M, sym, dtype, layout, device, requires_grad, one=False)


def gaussian(
    M: int,  # noqa: N803
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """exp(-((n - middle) / std)² / 2)

    Args:
        M (int): how many points
        std (float): the standard deviation; ValueError unless positive
    """
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")

    def shape(length, options):
        step = 1 / (std * math.sqrt(2))
        return torch.exp(-(_from_to(-(length - 1) / 2 * step, step, M, options) ** 2))

    return _window("gaussian", shape, M, sym, dtype, layout, device, requires_grad, one=False)


def kaiser(
    M: int,  # noqa: N803
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """I0(beta √(1 - x²)) / I0(beta) for x from -1 to 1.

    Args:
        M (int): how many points
        beta (float): how narrow it is; ValueError if negative
    """
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")

    def shape(length, options):
        most = torch.tensor(beta, **options)
        step = 2.0 * beta / (length - 1)
        k = torch.linspace(-beta, min(beta, -beta + (M - 1) * step), M, **options)
        return torch.i0(torch.sqrt((most * most - k**2).clamp(min=0))) / torch.i0(most)

    return _window("kaiser", shape, M, sym, dtype, layout, device, requires_grad)


def bartlett(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """1 - |x| for x from -1 to 1, a triangle."""

    def shape(length, options):
        return 1 - torch.abs(_from_to(-1.0, 2 / (length - 1), M, options))

    return _window("bartlett", shape, M, sym, dtype, layout, device, requires_grad)


def _sum_of_cosines(name, M, a, sym, dtype, layout, device, requires_grad):  # noqa: N803
    def shape(length, options):
        if not isinstance(a, Iterable):
            raise TypeError("Coefficients must be a list/tuple")
        if not a:
            raise ValueError("Coefficients cannot be empty")
        k = _from_to(0.0, 2 * math.pi / (length - 1), M, options)
        weights = torch.tensor([(-1) ** i * w for i, w in enumerate(a)], **options)
        orders = torch.arange(len(weights), **options)
        return (weights.unsqueeze(-1) * torch.cos(orders.unsqueeze(-1) * k)).sum(0)

    return _window(name, shape, M, sym, dtype, layout, device, requires_grad)


def general_cosine(
    M,  # noqa: N803
    *,
    a: Iterable,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The sum over i of (-1)^i a_i cos(2π i n / (M - 1)).

    Args:
        M (int): how many points
        a (list of numbers): weights. TypeError unless a list or a tuple, ValueError for an empty one.
    """
    return _sum_of_cosines("general_cosine", M, a, sym, dtype, layout, device, requires_grad)


def general_hamming(
    M,  # noqa: N803
    *,
    alpha: float = 0.54,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """alpha - (1 - alpha) cos(2π n / (M - 1))

    Args:
        M (int): how many points
        alpha (float): the mean
    """
    a = [alpha, 1.0 - alpha]
    return _sum_of_cosines("general_hamming", M, a, sym, dtype, layout, device, requires_grad)


def hamming(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """0.54 - 0.46 cos(2π n / (M - 1))"""
    return _sum_of_cosines("hamming", M, [0.54, 0.46], sym, dtype, layout, device, requires_grad)


def hann(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """(1 - cos(2π n / (M - 1))) / 2"""
    return _sum_of_cosines("hann", M, [0.5, 0.5], sym, dtype, layout, device, requires_grad)


def blackman(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """0.42 - 0.5 cos(2π n / (M - 1)) + 0.08 cos(4π n / (M - 1))"""
    return _sum_of_cosines("blackman", M, [0.42, 0.5, 0.08], sym, dtype, layout, device, requires_grad)


def nuttall(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The sum of four cosines whose side lobes are the least (Nuttall, 1981)."""
    a = [0.3635819, 0.4891775, 0.1365995, 0.0106411]
    return _sum_of_cosines("nuttall", M, a, sym, dtype, layout, device, requires_grad)


_EACH = """

    sym: symmetric, for filters; else periodic, for spectra: the first M points of a symmetric one of M + 1.

    Returns a tensor of shape (M,), float32 or float64 (`dtype`, by default the default dtype), all of it on `device`.
    ValueError for a negative M, another dtype and a layout that is not strided.
    """
for _made in (
    *(exponential, cosine, gaussian, kaiser, bartlett),
    *(general_cosine, general_hamming, hamming, hann, blackman, nuttall),
):
    _made.__doc__ = _made.__doc__.rstrip() + _EACH
