"""Muon: momentum made orthogonal by Newton–Schulz iterations."""

from __future__ import annotations

import math

import torch
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, _to_scalar, zeros_like
from torch.optim._options import check_least, check_one_element, refuse_complex

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["Muon"]


class Muon(ListOptimizer):
    r"""Steps for the matrices of hidden layers, all of whose singular values are about one.

    With the gradient g and the buffer b, which starts at zero::

        b = b + (1 - momentum) · (g - b)
        u = b                               or with `nesterov`:  u = g + momentum · (b - g)
        p = p - lr · weight_decay · p
        p = p - lr · s · orthogonal(u)

    where s is sqrt(max(1, rows / columns)), or 0.2 · sqrt(max(rows, columns)) with ``"match_rms_adamw"``.

    Args:
        params (iterable): matrices, pairs (name, matrix), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 1e-3)
        weight_decay (float): decoupled decay (default: 0.1)
        momentum (float): how much of the buffer stays (default: 0.95)
        nesterov (bool): look ahead along the momentum (default: True)
        ns_coefficients (three floats): of the iteration X = a · X + (b · G + c · G²) · X, with G = X · Xᵀ
        eps (float): the least norm to divide by (default: 1e-7)
        ns_steps (int): iterations, under 100 (default: 5)
        adjust_lr_fn (str, optional): "original" (as None) or "match_rms_adamw"

    State of each parameter: ``momentum_buffer``, of its shape and dtype; the iteration is computed in bfloat16. Raises
    ValueError for options out of range and for parameters that are no matrices, RuntimeError for complex ones (at the
    first step).
    """

    _options = ("lr", "weight_decay", "momentum", "nesterov", "ns_coefficients", "eps", "ns_steps", "adjust_lr_fn")
    _columns = ("momentum_buffer",)

    def __init__(
        self,
        params: ParamsT,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        super().__init__(params, locals())
        for group in self.param_groups:
            for param in group["params"]:
                if param.ndim != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {param.size()}"
                    )

    def _check_options(self, options):
        check_one_element(lr=options["lr"])
        check_least(
            0.0, Learning__rate=options["lr"], momentum=options["momentum"], weight__decay=options["weight_decay"]
        )
        if options["adjust_lr_fn"] not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {options['adjust_lr_fn']} is not supported")

    def _check_params(self, params, grads, group):
        refuse_complex(self, params)
        super()._check_params(params, grads, group)

    def _new_state(self, param, group):
        return {"momentum_buffer": zeros_like(param.grad)}

    def _update(self, *lists, **options):
        muon(*lists, **options)


def muon(
    params: list[Tensor],
    grads: list[Tensor],
    muon_momentum_bufs: list[Tensor],
    *,
    lr: float,
    weight_decay: float,
    momentum: float,
    nesterov: bool,
    ns_coefficients: tuple[float, float, float],
    ns_steps: int,
    eps: float,
    adjust_lr_fn: str | None,
    foreach: bool | None = None,
    has_complex: bool = False,
) -> None:
    """Apply the rule of :class:`Muon` to lists of matrices, gradients and buffers, in place."""
    lr = _to_scalar(lr)
    for param, grad, buffer in zip(params, grads, muon_momentum_bufs):
        if grad.ndim != 2:
            raise ValueError("Param gradient must be a 2D matrix")
        buffer.lerp_(grad, 1 - momentum)
        update = grad.lerp(buffer, momentum) if nesterov else buffer
        update = _orthogonal(update, ns_coefficients, ns_steps, eps)
        param.mul_(1 - lr * weight_decay)
        param.add_(update, alpha=-_get_value(lr * _size(adjust_lr_fn, *param.shape)))


def _orthogonal(matrix, coefficients, steps, eps):
    """About the nearest matrix with orthonormal rows or columns (whichever are fewer), in bfloat16.

    An odd polynomial of X acts on its singular values alone; this one drives them towards 1. Dividing by the norm first
    brings them under 1, where it converges.
    """
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    x = matrix.bfloat16()
    tall = x.size(0) > x.size(1)
    if tall:
        x = x.T
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


def _size(adjust_lr_fn, rows, columns):
    if adjust_lr_fn == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))
