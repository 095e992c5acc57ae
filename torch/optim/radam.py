"""RAdam: Adam whose adaptive denominator waits until its variance is known."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, _to_scalar, addend, decayed, real
from torch.optim._options import check_steps

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["RAdam", "radam"]


class RAdam(ListOptimizer):
    r"""Adam with rectified variance.

    With Adam's averages m and v at step t, ``R = 2 / (1 - beta2) - 1`` and
    ``r = R - 2 · t · beta2^t / (1 - beta2^t)``::

        where r > 5:  p = p - lr · m / (1 - beta1^t) · c · sqrt(1 - beta2^t) / (sqrt(v) + eps)
                      c² = (r - 4) · (r - 2) · R / ((R - 4) · (R - 2) · r)
        elsewhere:    p = p - lr · m / (1 - beta1^t)

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 1e-3)
        betas (pair of floats): beta1 and beta2, each in [0, 1)
        eps (float): added to the denominator (default: 1e-8)
        weight_decay (float): L2 penalty (default: 0)
        decoupled_weight_decay (bool): shrink p by lr · weight_decay instead of adding to the gradient
        foreach (bool, optional): accepted; one loop serves all
        maximize (bool): climb instead
        capturable (bool): keep the number of steps on the device, for CUDA graphs
        differentiable (bool): record the step itself

    State of each parameter: ``step`` (float32, no dimensions), ``exp_avg`` and ``exp_avg_sq``, of its shape and dtype.
    Raises ValueError for options out of range, AssertionError for `capturable` on the CPU (at the first step).
    """

    _options = (
        "lr",
        "betas",
        "eps",
        "weight_decay",
        "maximize",
        "foreach",
        "capturable",
        "decoupled_weight_decay",
        "differentiable",
    )
    _checks = ("lr", "eps", "betas", "weight_decay")
    _columns = ("exp_avg", "exp_avg_sq", "step")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _update(self, *lists, **options):
        radam(*lists, **options)


def radam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    state_steps: list[Tensor],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
    eps: float,
) -> None:
    """Apply the rule of :class:`RAdam` to lists of parameters, gradients and their state, in place."""
    check_steps(params, state_steps, capturable, foreach)
    lr = _to_scalar(lr)
    lists = (params, grads, exp_avgs, exp_avg_sqs)
    options = (lr, beta1, beta2, eps, weight_decay, maximize, decoupled_weight_decay)
    if _C._optimizer_step("radam", lists, (state_steps,), options, False):
        return
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        count = step if capturable else _get_value(step)
        param, grad, exp_avg, exp_avg_sq = real(param, grads[i], exp_avgs[i], exp_avg_sqs[i])
        grad = decayed(param, grad, lr, weight_decay, maximize, decoupled_weight_decay)

        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        correction2 = 1 - beta2**count
        unbiased = exp_avg / (1 - beta1**count)
        bound = 2 / (1 - beta2) - 1
        length = bound - 2 * count * (beta2**count) / correction2
        update = unbiased * lr
        if capturable:  # a step on the device does not tell the host which of the two it is
            adapted = _adapted(exp_avg_sq, correction2, eps, differentiable) * _rectified(length, bound)
            update = update * torch.where(length > 5.0, adapted, 1.0)
        elif length > 5.0:
            update = update * _adapted(exp_avg_sq, correction2, eps, differentiable) * _rectified(length, bound)
        param.add_(update, alpha=-1.0)


def _rectified(length, bound):
    return ((length - 4) * (length - 2) * bound / ((bound - 4) * (bound - 2) * length)) ** 0.5


def _adapted(exp_avg_sq, correction2, eps, differentiable):
    root = exp_avg_sq.sqrt()
    least = addend(eps, root)
    root = root.add(least) if differentiable else root.add_(least)
    return root.reciprocal() * correction2**0.5
