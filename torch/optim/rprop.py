"""Resilient propagation: steps by the sign of the gradient."""

import torch
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import (
    _get_value,
    check_capturable,
    check_lr,
    check_steps,
    counter,
    direction,
    real,
    zeros_like,
)

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

    _columns = ("prev", "step_size", "step")
    _later = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}

    def __init__(
        self,
        params,
        lr=1e-2,
        etas=(0.5, 1.2),
        step_sizes=(1e-6, 50),
        *,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_lr(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        options = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, options)

    def _new_state(self, param, group):
        lr = _get_value(group["lr"])
        first = complex(lr, lr) if param.is_complex() else lr
        return {
            "step": counter(param, on_device=group["capturable"]),
            "prev": zeros_like(param),
            "step_size": torch.full_like(param, first, memory_format=torch.preserve_format),
        }

    def _update(self, group, params, grads, columns):
        rprop(
            params,
            grads,
            columns["prev"],
            columns["step_size"],
            columns["step"],
            step_size_min=group["step_sizes"][0],
            step_size_max=group["step_sizes"][1],
            etaminus=group["etas"][0],
            etaplus=group["etas"][1],
            foreach=group["foreach"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
        )


def rprop(
    params,
    grads,
    prevs,
    step_sizes,
    state_steps,
    foreach=None,
    capturable=False,
    maximize=False,
    differentiable=False,
    has_complex=False,
    *,
    step_size_min,
    step_size_max,
    etaminus,
    etaplus,
):
    """Apply the rule of :class:`Rprop` to lists of parameters, gradients and their state, in place."""
    check_steps(state_steps)
    if capturable:
        check_capturable(params, state_steps)
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        grad = direction(param, grads[i], 0, maximize)
        param, grad, prev, step_size = real(param, grad, prevs[i], step_sizes[i])
        agreement = grad.mul(prev.clone() if differentiable else prev).sign()
        turned = agreement.lt(0)
        # NaN stays NaN: neither of the three applies to it.
        factor = torch.where(agreement.eq(0), 1.0, agreement)
        factor = torch.where(turned, etaminus, torch.where(agreement.gt(0), etaplus, factor))
        step_size.mul_(factor).clamp_(step_size_min, step_size_max)
        grad = torch.where(turned, 0.0, grad)
        param.addcmul_(grad.sign(), step_size, value=-1)
        prev.copy_(grad)
