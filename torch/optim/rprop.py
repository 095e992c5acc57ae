"""Resilient propagation: steps by the sign of the gradient."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, direction, real
from torch.optim._options import check_steps

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["Rprop", "rprop"]


class Rprop(ListOptimizer):
    r"""Each element has a step of its own, which grows while its gradient keeps its sign and shrinks when that turns.

    With the gradient g and the one before, h::

        g · h > 0:  s = min(s · etas[1], step_sizes[1])
        g · h < 0:  s = max(s · etas[0], step_sizes[0]);  g = 0
        p = p - sign(g) · s

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): the first step size (default: 1e-2)
        etas (pair of floats): factors of decrease, in (0, 1), and increase, over 1 (default: (0.5, 1.2))
        step_sizes (pair of floats): the smallest and the largest step (default: (1e-6, 50))
        capturable (bool): keep the number of steps on the device, for CUDA graphs
        foreach (bool, optional): accepted; one loop serves all
        maximize (bool): climb instead
        differentiable (bool): record the step itself

    State of each parameter: ``step`` (float32, no dimensions), ``prev`` and ``step_size``, of its shape and dtype.
    Raises ValueError for options out of range, AssertionError for `capturable` on the CPU (at the first step).
    """

    _options = ("lr", "etas", "step_sizes", "foreach", "maximize", "differentiable", "capturable")
    _checks = ("lr", "etas")
    _columns = ("prev", "step_size", "step")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _new_state(self, param, group):
        lr = _get_value(group["lr"])
        first = complex(lr, lr) if param.is_complex() else lr
        state = super()._new_state(param, group)
        state["step_size"].fill_(first)
        return state

    def _arguments(self, group):
        options = super()._arguments(group)
        del options["lr"]  # only the first step size
        options["etaminus"], options["etaplus"] = options.pop("etas")
        options["step_size_min"], options["step_size_max"] = options.pop("step_sizes")
        return options

    def _update(self, *lists, **options):
        rprop(*lists, **options)


def rprop(
    params: list[Tensor],
    grads: list[Tensor],
    prevs: list[Tensor],
    step_sizes: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    capturable: bool = False,
    maximize: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    step_size_min: float,
    step_size_max: float,
    etaminus: float,
    etaplus: float,
) -> None:
    """Apply the rule of :class:`Rprop` to lists of parameters, gradients and their state, in place."""
    check_steps(params, state_steps, capturable)
    lists, options = (params, grads, prevs, step_sizes), (etaminus, etaplus, step_size_min, step_size_max, maximize)
    if _C._optimizer_step("rprop", lists, (state_steps,), options, False):
        return
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        grad = direction(param, grads[i], 0, maximize)
        param, grad, prev, step_size = real(param, grad, prevs[i], step_sizes[i])
        agreement = grad.mul(prev.clone() if differentiable else prev).sign()
        turned = agreement.lt(0)
        factor = torch.where(agreement.gt(0), etaplus, agreement)
        factor = torch.where(turned, etaminus, torch.where(agreement.eq(0), 1.0, factor))
        step_size.mul_(factor).clamp_(step_size_min, step_size_max)
        grad = torch.where(turned, 0.0, grad)
        param.addcmul_(grad.sign(), step_size, value=-1)
        prev.copy_(grad)
