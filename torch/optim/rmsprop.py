"""RMSprop: steps divided by a running root of squares."""

from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import (
    _get_value,
    _to_scalar,
    are_numbers,
    check_capturable,
    check_lr,
    check_not_negative,
    check_steps,
    counter,
    direction,
    real,
    zeros_like,
)

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

    _columns = ("square_avg", "grad_avg", "momentum_buffer", "step")
    _later = {
        "momentum": 0,
        "centered": False,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_lr(lr)
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_not_negative(momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        options = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, options)

    def _new_state(self, param, group):
        state = {"step": counter(param, on_device=group["capturable"]), "square_avg": zeros_like(param)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(param)
        if group["centered"]:
            state["grad_avg"] = zeros_like(param)
        return state

    def _update(self, group, params, grads, columns):
        rmsprop(
            params,
            grads,
            columns["square_avg"],
            columns["grad_avg"],
            columns["momentum_buffer"],
            columns["step"],
            lr=group["lr"],
            alpha=group["alpha"],
            eps=group["eps"],
            weight_decay=group["weight_decay"],
            momentum=group["momentum"],
            centered=group["centered"],
            foreach=group["foreach"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
        )


def rmsprop(
    params,
    grads,
    square_avgs,
    grad_avgs,
    momentum_buffer_list,
    state_steps,
    foreach=None,
    maximize=False,
    differentiable=False,
    capturable=False,
    has_complex=False,
    *,
    lr,
    alpha,
    eps,
    weight_decay,
    momentum,
    centered,
):
    """Apply the rule of :class:`RMSprop` to lists of parameters, gradients and their state, in place.

    `grad_avgs` is read only with `centered`, `momentum_buffer_list` only with `momentum`.
    """
    check_steps(state_steps)
    if capturable:
        check_capturable(params, state_steps)
    rate = _get_value(_to_scalar(lr))
    numbers = (rate, weight_decay, alpha, eps, momentum)
    if are_numbers(*numbers) and not capturable:
        averages = grad_avgs if centered else None
        buffers = momentum_buffer_list if momentum > 0 else None
        if _C._rmsprop_step(params, grads, square_avgs, averages, buffers, state_steps, *numbers, maximize):
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
        root = root.add(eps) if differentiable else root.add_(eps)
        if momentum > 0:
            buffer.mul_(momentum).addcdiv_(grad, root)
            param.add_(buffer, alpha=-rate)
        else:
            param.addcdiv_(grad, root, value=-rate)
