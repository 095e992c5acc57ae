"""Averaged stochastic gradient descent."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_scalar_dtype, _get_value, _to_scalar, addend, direction, real, zeros_like
from torch.optim._options import check_capturable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["ASGD", "asgd"]


class ASGD(ListOptimizer):
    r"""Gradient descent that averages the parameters of late steps, in ``state[p]["ax"]``.

    With the gradient g (plus `weight_decay` · p) at step t::

        p = p · (1 - lambd · eta) - eta · g
        ax = ax + mu · (p - ax)
        eta = lr / (1 + lambd · lr · t)^alpha
        mu = 1 / max(1, t - t0)

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 1e-2)
        lambd (float): decay (default: 1e-4)
        alpha (float): power of the decay of eta (default: 0.75)
        t0 (float): the step at which to start averaging (default: 1e6)
        weight_decay (float): L2 penalty (default: 0)
        foreach (bool, optional): accepted; one loop serves all
        maximize (bool): climb instead
        differentiable (bool): record the step itself
        capturable (bool): keep numbers of steps on the device, for CUDA graphs

    State of each parameter: ``step``, ``eta`` and ``mu`` (float32, no dimensions), and ``ax``, of its shape and dtype.
    Raises ValueError for options out of range, AssertionError for `capturable` on the CPU (at the first step).
    """

    _options = ("lr", "lambd", "alpha", "t0", "weight_decay", "foreach", "maximize", "differentiable", "capturable")
    _checks = ("lr", "weight_decay")
    _columns = ("ax", "mu", "eta", "step")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for param in group["params"]:
                kept = self.state.get(param) or {}
                for name in ("eta", "mu"):
                    if name in kept and not torch.is_tensor(kept[name]):
                        kept[name] = torch.tensor(kept[name], dtype=_get_scalar_dtype(), device=param.device)

    def _new_state(self, param, group):
        # All three lie beside the parameter: the update reads mu and eta there.
        def number(value):
            return torch.as_tensor(value, device=param.device, dtype=_get_scalar_dtype()).clone().detach()

        return {
            "step": number(0.0),
            "eta": number(_to_scalar(group["lr"])),
            "mu": number(1.0),
            "ax": zeros_like(param),
        }

    def _update(self, *lists, **options):
        asgd(*lists, **options)


def asgd(
    params: list[Tensor],
    grads: list[Tensor],
    axs: list[Tensor],
    mus: list[Tensor],
    etas: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lambd: float,
    lr: float,
    t0: float,
    alpha: float,
    weight_decay: float,
) -> None:
    """Apply the rule of :class:`ASGD` to lists of parameters, gradients and their state, in place."""
    if capturable:
        check_capturable(params, mus, etas, state_steps, names="params, mus, etas, and state_steps", foreach=foreach)
    lr = _to_scalar(lr)
    lists, options = (params, grads, axs), (lr, lambd, alpha, t0, weight_decay, maximize)
    if _C._optimizer_step("asgd", lists, (state_steps, etas, mus), options, False):
        return
    for i, param in enumerate(params):
        mu, eta = mus[i], etas[i]
        step = state_steps[i]
        step += 1
        param, grad, ax = real(param, grads[i], axs[i])
        grad = direction(param, grad, weight_decay, maximize)
        if capturable:
            param.mul_(1 - lambd * eta)
            param.addcmul_(grad, eta, value=-1)
            ax.add_((param - ax).mul_(mu))
            eta.copy_(lr / ((1 + lambd * lr * step) ** alpha))
            mu.copy_(1 / torch.clamp(step - t0, min=1))
            continue
        rate = _get_value(eta)
        param.mul_(1 - lambd * rate)
        param.add_(grad, alpha=addend(-rate, param))
        if _get_value(mu) == 1:
            ax.copy_(param)
        else:
            ax.add_(param.sub(ax).mul_(mu))
        count = _get_value(step)
        eta.copy_(torch.as_tensor(lr / ((1 + lambd * lr * count) ** alpha)))
        mu.fill_(1 / max(1, count - t0))
