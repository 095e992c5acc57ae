"""Stochastic gradient descent, with momentum and Nesterov's."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim import _rows
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, addend, direction, scaled_down

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

    Of a sparse gradient only the elements that it names move; the buffer of such a parameter is sparse, too, and there is
    no decay, which would move all.

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
    _sparse = True

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

    def _check_sparse(self, group):
        if group["fused"]:
            raise RuntimeError("`_fused_sgd` does not support sparse gradients")
        if isinstance(group["weight_decay"], torch.Tensor) or group["weight_decay"] != 0:
            raise RuntimeError(
                f"SGD: weight_decay={group['weight_decay']} is not supported with sparse gradients: it would change rows "
                "that these do not name"
            )

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
    if _rows.any_sparse(d_p_list):
        _apart(params, d_p_list, momentum_buffer_list, weight_decay, momentum, lr, dampening, nesterov, maximize, fused)
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


def _apart(params, grads, buffers, weight_decay, momentum, lr, dampening, nesterov, maximize, fused):
    """The rule where some gradients are sparse: these one by one."""
    sparse, lists, dense = _rows.split(grads, params, buffers)
    kept_grads, kept_params, kept_buffers = lists
    options = {"weight_decay": weight_decay, "momentum": momentum, "lr": lr, "dampening": dampening}
    sgd(kept_params, kept_grads, kept_buffers, fused=fused, nesterov=nesterov, maximize=maximize, **options)
    for i, buffer in zip(dense, kept_buffers):
        buffers[i] = buffer
    for i in sparse:
        grad = -grads[i] if maximize else grads[i]
        if momentum != 0:
            buffers[i] = _sparse_buffer(buffers[i], grad, momentum, 1 - dampening)
            grad = grad.add(buffers[i], alpha=momentum) if nesterov else buffers[i]
        params[i].add_(grad, alpha=addend(-_get_value(lr), params[i]))


def _sparse_buffer(buffer, grad, momentum, share):
    """The next buffer: each of its places once, or it would grow with every step."""
    if buffer is None:
        return grad.detach().coalesce().clone()
    if buffer.layout == torch.strided:
        return buffer.mul_(momentum).add_(grad, alpha=addend(share, grad))
    return (buffer * momentum).add(grad, alpha=addend(share, grad)).coalesce()
