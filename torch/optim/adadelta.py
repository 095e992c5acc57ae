"""Adadelta: steps of the size of recent steps."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _to_scalar, addend, direction, real
from torch.optim._options import check_capturable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["Adadelta", "adadelta"]


class Adadelta(ListOptimizer):
    r"""Steps in the parameter's own unit: a running size of steps over a running size of gradients.

    With the gradient g (plus `weight_decay` · p)::

        v = rho · v + (1 - rho) · g²
        d = sqrt(u + eps) / sqrt(v + eps) · g
        u = rho · u + (1 - rho) · d²
        p = p - lr · d

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): factor of the step (default: 1.0)
        rho (float): how much of the averages stays, in [0, 1] (default: 0.9)
        eps (float): added under the roots (default: 1e-6)
        weight_decay (float): L2 penalty (default: 0)
        foreach (bool, optional): accepted; one loop serves all
        capturable (bool): keep the number of steps on the device, for CUDA graphs
        maximize (bool): climb instead
        differentiable (bool): record the step itself

    State of each parameter: ``step`` (float32, no dimensions), ``square_avg`` and ``acc_delta``, of its shape and
    dtype. Raises ValueError for options out of range, AssertionError for `capturable` on the CPU (at the first step).
    """

    _options = ("lr", "rho", "eps", "weight_decay", "maximize", "capturable", "foreach", "differentiable")
    _checks = ("lr", "rho", "eps", "weight_decay")
    _columns = ("square_avg", "acc_delta", "step")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _update(self, *lists, **options):
        adadelta(*lists, **options)


def adadelta(
    params: list[Tensor],
    grads: list[Tensor],
    square_avgs: list[Tensor],
    acc_deltas: list[Tensor],
    state_steps: list[Tensor],
    capturable: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    rho: float,
    eps: float,
    weight_decay: float,
    maximize: bool,
) -> None:
    """Apply the rule of :class:`Adadelta` to lists of parameters, gradients and their state, in place."""
    if capturable:
        check_capturable(params, state_steps, foreach=True)
    lr = _to_scalar(lr)
    lists = (params, grads, square_avgs, acc_deltas)
    if _C._optimizer_step("adadelta", lists, (state_steps,), (lr, rho, eps, weight_decay, maximize), False):
        return
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        grad = direction(param, grads[i], weight_decay, maximize)
        grad, square_avg, acc_delta = real(grad, square_avgs[i], acc_deltas[i])
        square_avg.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        least = addend(eps, grad)
        std = square_avg.add(least).sqrt_()
        delta = acc_delta.add(least).sqrt_()
        # What is recorded keeps its results for its gradients.
        delta = delta.div(std).mul(grad) if differentiable else delta.div_(std).mul_(grad)
        acc_delta.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        param.add_(torch.view_as_complex(delta) if param.is_complex() else delta, alpha=addend(-lr, grad))
