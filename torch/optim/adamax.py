"""Adamax: Adam by the infinity norm."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, _to_scalar, addend, direction, real
from torch.optim._options import check_steps

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["Adamax", "adamax"]


class Adamax(ListOptimizer):
    r"""Adam's relative whose denominator is the largest recent gradient.

    With the gradient g (plus `weight_decay` · p) at step t::

        m = beta1 · m + (1 - beta1) · g
        u = max(beta2 · u, |g| + eps)
        p = p - lr / (1 - beta1^t) · m / u

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 2e-3)
        betas (pair of floats): beta1 and beta2, each in [0, 1)
        eps (float): keeps the denominator from zero (default: 1e-8)
        weight_decay (float): L2 penalty (default: 0)
        foreach (bool, optional): accepted; one loop serves all
        maximize (bool): climb instead
        differentiable (bool): record the step itself
        capturable (bool): keep the number of steps on the device, for CUDA graphs

    State of each parameter: ``step`` (float32, no dimensions), ``exp_avg`` and ``exp_inf``, of its shape and dtype.
    Raises ValueError for options out of range, AssertionError for `capturable` on the CPU (at the first step).
    """

    _options = ("lr", "betas", "eps", "weight_decay", "foreach", "maximize", "differentiable", "capturable")
    _checks = ("lr", "eps", "betas", "weight_decay")
    _columns = ("exp_avg", "exp_inf", "step")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _update(self, *lists, **options):
        adamax(*lists, **options)


def adamax(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_infs: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
) -> None:
    """Apply the rule of :class:`Adamax` to lists of parameters, gradients and their state, in place."""
    check_steps(params, state_steps, capturable, foreach)
    lr = _to_scalar(lr)
    lists, options = (params, grads, exp_avgs, exp_infs), (lr, beta1, beta2, eps, weight_decay, maximize)
    if _C._optimizer_step("adamax", lists, (state_steps,), options, False):
        return
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        grad = direction(param, grads[i], weight_decay, maximize)
        param, grad, exp_avg, exp_inf = real(param, grad, exp_avgs[i], exp_infs[i])
        exp_avg.lerp_(grad, 1 - beta1)
        exp_inf.mul_(beta2)
        # What is recorded must not see its own argument change.
        exp_inf.copy_(
            torch.maximum(exp_inf.clone() if differentiable else exp_inf, grad.abs().add_(addend(eps, param)))
        )
        if capturable:
            param.addcdiv_(exp_avg, exp_inf * ((beta1**step - 1) / lr))
        else:
            param.addcdiv_(exp_avg, exp_inf, value=_get_value(-(lr / (1 - beta1 ** _get_value(step)))))
