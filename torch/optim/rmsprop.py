"""RMSprop: steps divided by a running root of squares."""

from __future__ import annotations

from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, _to_scalar, addend, direction, real
from torch.optim._options import check_steps

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["RMSprop", "rmsprop"]


class RMSprop(ListOptimizer):
    r"""Steps of even size, whatever the scale of the gradients.

    With the gradient g (plus `weight_decay` · p)::

        v = alpha · v + (1 - alpha) · g²
        a = alpha · a + (1 - alpha) · g            with `centered`
        u = sqrt(v - a²) + eps
        b = momentum · b + g / u                   with `momentum`
        p = p - lr · b

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 1e-2)
        alpha (float): how much of the averages stays (default: 0.99)
        eps (float): added to the denominator (default: 1e-8)
        weight_decay (float): L2 penalty (default: 0)
        momentum (float): how much of the buffer stays (default: 0, no buffer)
        centered (bool): divide by an estimate of the standard deviation
        capturable (bool): keep the number of steps on the device, for CUDA graphs
        foreach (bool, optional): accepted; one loop serves all
        maximize (bool): climb instead
        differentiable (bool): record the step itself

    State of each parameter: ``step`` (float32, no dimensions), ``square_avg``, with `momentum` ``momentum_buffer`` and
    with `centered` ``grad_avg``, of its shape and dtype. Raises ValueError for options out of range, AssertionError
    for `capturable` on the CPU (at the first step).
    """

    _options = (
        "lr",
        "momentum",
        "alpha",
        "eps",
        "centered",
        "weight_decay",
        "capturable",
        "foreach",
        "maximize",
        "differentiable",
    )
    _checks = ("lr", "eps", "momentum", "weight_decay", "alpha")
    _later = {"momentum": 0}
    _columns = ("square_avg", "grad_avg", "momentum_buffer", "step")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _state_names(self, group):
        wanted = {"square_avg": True, "momentum_buffer": group["momentum"] > 0, "grad_avg": group["centered"]}
        return [name for name in wanted if wanted[name]]

    def _update(self, *lists, **options):
        rmsprop(*lists, **options)


def rmsprop(
    params: list[Tensor],
    grads: list[Tensor],
    square_avgs: list[Tensor],
    grad_avgs: list[Tensor],
    momentum_buffer_list: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    alpha: float,
    eps: float,
    weight_decay: float,
    momentum: float,
    centered: bool,
) -> None:
    """Apply the rule of :class:`RMSprop` to lists of parameters, gradients and their state, in place.

    `grad_avgs` is read only with `centered`, `momentum_buffer_list` only with `momentum`.
    """
    check_steps(params, state_steps, capturable)
    rate = _get_value(_to_scalar(lr))
    averages = grad_avgs if centered else None
    buffers = momentum_buffer_list if momentum > 0 else None
    lists, options = (
        (params, grads, square_avgs, averages, buffers),
        (rate, weight_decay, alpha, eps, momentum, maximize),
    )
    if _C._optimizer_step("rmsprop", lists, (state_steps,), options, False):
        return
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        grad = direction(param, grads[i], weight_decay, maximize)
        grad_avg = grad_avgs[i] if centered else None
        buffer = momentum_buffer_list[i] if momentum > 0 else None
        param, grad, square_avg, grad_avg, buffer = real(param, grad, square_avgs[i], grad_avg, buffer)
        square_avg.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if centered:
            grad_avg.lerp_(grad, 1 - alpha)
            root = square_avg.addcmul(grad_avg, grad_avg, value=-1).sqrt_()
        else:
            root = square_avg.sqrt()
        least = addend(eps, param)
        root = root.add(least) if differentiable else root.add_(least)
        if momentum > 0:
            buffer.mul_(momentum).addcdiv_(grad, root)
            param.add_(buffer, alpha=addend(-rate, param))
        else:
            param.addcdiv_(grad, root, value=-rate)
