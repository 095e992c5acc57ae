"""Adagrad: steps divided by the root of all squares so far."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim import _rows
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_scalar_dtype, _get_value, _to_scalar, addend, direction, real, scaled_down
from torch.optim._options import check_steps

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["Adagrad", "adagrad"]


class Adagrad(ListOptimizer):
    r"""Steps that shrink where gradients have been large.

    With the gradient g (plus `weight_decay` · p) at step t::

        s = s + g²
        p = p - lr / (1 + (t - 1) · lr_decay) · g / (sqrt(s) + eps)

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 1e-2)
        lr_decay (float): decay of the learning rate (default: 0)
        weight_decay (float): L2 penalty (default: 0)
        initial_accumulator_value (float): what s starts as (default: 0)
        eps (float): added to the denominator (default: 1e-10)
        foreach, fused (bool, optional): accepted; one loop serves all. `fused` wants floating-point parameters
        maximize (bool): climb instead
        differentiable (bool): record the step itself

    Of a sparse gradient only the elements that it names count and move; there is no decay then, which would move all.

    State of each parameter, there from the beginning: ``step`` (float32, no dimensions) and ``sum``, of its shape and
    dtype. Raises ValueError for options out of range, RuntimeError for options that exclude each other.
    """

    _options = (
        "lr",
        "lr_decay",
        "eps",
        "weight_decay",
        "initial_accumulator_value",
        "foreach",
        "maximize",
        "differentiable",
        "fused",
    )
    _checks = ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")
    _columns = ("sum", "step")
    _sparse = True

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(params, locals())

        for group in self.param_groups:
            for param in group["params"]:
                self.state[param] = self._new_state(param, group)

    def _new_state(self, param, group):
        start = group["initial_accumulator_value"]
        fused = group["fused"]
        device = param.device if fused else None
        return {
            "step": torch.zeros((), dtype=_get_scalar_dtype(fused), device=device),
            "sum": torch.full_like(
                param,
                complex(start, start) if param.is_complex() else start,
                memory_format=torch.preserve_format,
            ),
        }

    def share_memory(self) -> None:
        """Move the state to shared memory, so that processes that share the parameters share it too."""
        for state in self.state.values():
            state["sum"].share_memory_()

    def _arguments(self, group):
        options = super()._arguments(group)
        del options["initial_accumulator_value"]
        return options

    def _check_sparse(self, group):
        if group["fused"]:
            raise RuntimeError("`fused` does not support sparse grad or complex param")
        if group["weight_decay"] != 0:
            raise RuntimeError("weight_decay option is not compatible with sparse gradients")

    def _update(self, *lists, **options):
        adagrad(*lists, **options)


def adagrad(
    params: list[Tensor],
    grads: list[Tensor],
    state_sums: list[Tensor],
    state_steps: list[Tensor],
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_sparse_grad: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    weight_decay: float,
    lr_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """Apply the rule of :class:`Adagrad` to lists of parameters, gradients and their state, in place."""
    check_steps(params, state_steps)
    if not scaled_down(grads, grad_scale, found_inf):
        return
    lr = _get_value(lr) if fused else _to_scalar(lr)
    lists, options = (params, grads, state_sums), (lr, lr_decay, weight_decay, eps, maximize)
    if _C._optimizer_step("adagrad", lists, (state_steps,), options, bool(fused)):
        return
    if _rows.any_sparse(grads):
        sparse, (grads_left, *left), _ = _rows.split(grads, params, state_sums, state_steps)
        for i in sparse:
            _by_rows(params[i], -grads[i] if maximize else grads[i], state_sums[i], state_steps[i], lr, lr_decay, eps)
        rest = {"lr": lr, "weight_decay": weight_decay, "lr_decay": lr_decay, "eps": eps, "maximize": maximize}
        adagrad(left[0], grads_left, *left[1:], fused=fused, differentiable=differentiable, **rest)
        return
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        grad = direction(param, grads[i], weight_decay, maximize)
        rate = lr / (1 + (_get_value(step) - 1) * lr_decay)
        param, grad, state_sum = real(param, grad, state_sums[i])
        state_sum.addcmul_(grad, grad, value=1)
        root = state_sum.sqrt()
        least = addend(eps, param)
        root = root + least if differentiable else root.add_(least)
        param.addcdiv_(grad, root, value=_get_value(-rate))


def _by_rows(param, grad, state_sum, step, lr, lr_decay, eps):
    """The rule of one sparse gradient."""
    step += 1
    rate = _get_value(lr) / (1 + (_get_value(step) - 1) * lr_decay)
    grad = _rows.named(grad)
    values = grad._values()
    _rows.add(state_sum, grad, values * values)
    root = _rows.at(grad, state_sum).sqrt_().add_(eps)
    _rows.add(param, grad, values / root, alpha=-rate)
