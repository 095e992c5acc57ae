"""Stochastic gradient descent, with momentum and Nesterov's."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import addend, direction, scaled_down

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["SGD", "sgd"]


class SGD(ListOptimizer):
    r"""Stochastic gradient descent.

    With the gradient g (plus `weight_decay` · p) and the buffer b, which starts as the first gradient::

        b = momentum · b + (1 - dampening) · g
        p = p - lr · b                      or with `nesterov`:  p = p - lr · (g + momentum · b)

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 1e-3)
        momentum (float): how much of the buffer stays (default: 0, no buffer)
        dampening (float): how much of the gradient is left out of the buffer (default: 0)
        weight_decay (float or Tensor): L2 penalty (default: 0)
        nesterov (bool): look ahead along the momentum; needs a momentum, and no dampening
        maximize (bool): climb instead
        foreach, fused (bool, optional): accepted; one loop serves all. `fused` wants floating-point parameters and
            applies the scale of a :class:`torch.amp.GradScaler` itself
        differentiable (bool): record the step itself

    State: ``momentum_buffer``, of the parameter's shape and dtype, where there is momentum. Raises ValueError for
    options out of range, RuntimeError for options that exclude each other.
    """

    _options = (
        "lr",
        "momentum",
        "dampening",
        "weight_decay",
        "nesterov",
        "maximize",
        "foreach",
        "differentiable",
        "fused",
    )
    _checks = ("lr", "momentum", "weight_decay")
    _later = {"fused": False}
    _columns = ("momentum_buffer",)
    _foreach_recorded = True

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(params, locals())

    def _check_options(self, options):
        super()._check_options(options)
        if options["nesterov"] and (options["momentum"] <= 0 or options["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")

    def _state_of(self, param, group):
        return self.state[param] if group["momentum"] != 0 else {}

    def _arguments(self, group):
        options = super()._arguments(group)
        del options["differentiable"]  # which the rule needs not know
        return options

    def _update(self, params, grads, buffers, **options):
        sgd(params, grads, buffers, **options)
        if options["momentum"] != 0:  # the first step has made them
            for param, buffer in zip(params, buffers):
                self.state[param]["momentum_buffer"] = buffer


def sgd(
    params: list[Tensor],
    d_p_list: list[Tensor],
    momentum_buffer_list: list[Tensor | None],
    has_sparse_grad: bool = False,
    foreach: bool | None = None,
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    *,
    weight_decay: float,
    momentum: float,
    lr: float,
    dampening: float,
    nesterov: bool,
    maximize: bool,
) -> None:
    """Apply the rule of :class:`SGD` to lists of parameters, gradients and buffers, in place.

    A buffer that is None is replaced in `momentum_buffer_list` by a new one.
    """
    if not scaled_down(d_p_list, grad_scale, found_inf):
        return
    lists = (params, d_p_list, momentum_buffer_list if momentum != 0 else None)
    if _C._optimizer_step("sgd", lists, (), (lr, weight_decay, momentum, dampening, nesterov, maximize), bool(fused)):
        return
    for i, param in enumerate(params):
        grad = direction(param, d_p_list[i], weight_decay, maximize)
        if momentum != 0:
            buffer = momentum_buffer_list[i]
            if buffer is None:
                buffer = momentum_buffer_list[i] = grad.detach().clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=addend(1 - dampening, param))
            grad = grad.add(buffer, alpha=addend(momentum, param)) if nesterov else buffer
        if isinstance(lr, torch.Tensor) and lr.requires_grad:
            param.addcmul_(grad, lr, value=-1)
        else:
            param.add_(grad, alpha=addend(-lr, param))
