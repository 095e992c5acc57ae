"""Adam, with the decay of AdamW and the bound of AMSGrad as options."""

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import (
    _get_value,
    _to_scalar,
    are_numbers,
    check_betas,
    check_capturable,
    check_fused,
    check_lr,
    check_not_negative,
    check_steps,
    counter,
    direction,
    kept,
    real,
    scaled_down,
    zeros_like,
)

__all__ = ["Adam", "adam"]


class Adam(ListOptimizer):
    r"""Adam: steps of the size of running averages of the gradient and its square.

    With the gradient g (plus `weight_decay` · p, unless the decay is decoupled) at step t::

        m = beta1 · m + (1 - beta1) · g
        v = beta2 · v + (1 - beta2) · g²
        p = p - lr · (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 1e-3)
        betas (pair of floats or of Tensors): beta1 and beta2, each in [0, 1)
        eps (float): added to the denominator (default: 1e-8)
        weight_decay (float): L2 penalty (default: 0)
        amsgrad (bool): divide by the largest v so far (On the Convergence of Adam and Beyond, 2018)
        maximize (bool): climb instead
        foreach, fused (bool, optional): accepted; one loop serves all. `fused` wants floating-point parameters and
            applies the scale of a :class:`torch.amp.GradScaler` itself
        capturable (bool): keep the number of steps on the device, for CUDA graphs
        differentiable (bool): record the step itself
        decoupled_weight_decay (bool): shrink p by lr · weight_decay instead of adding to the gradient, as AdamW does

    State of each parameter: ``step`` (float32, no dimensions), ``exp_avg``, ``exp_avg_sq`` and with `amsgrad`
    ``max_exp_avg_sq``, of the parameter's shape and dtype. Raises ValueError for options out of range, RuntimeError
    for options that exclude each other, AssertionError for `capturable` on the CPU (at the first step).
    """

    _columns = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq", "step")
    _later = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "fused": None,
    }

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        if isinstance(lr, torch.Tensor) and foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        check_lr(lr)
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        _check_tensor_betas(betas, foreach, capturable)
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, options)
        if fused:
            self._step_supports_amp_scaling = True
        check_fused(fused, foreach, differentiable)

    def _new_state(self, param, group):
        fused = group["fused"]
        state = {"step": counter(param, on_device=group["capturable"] or fused, fused=fused)}
        names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq") if group["amsgrad"] else ("exp_avg", "exp_avg_sq")
        return state | {name: zeros_like(param) for name in names}

    def _update(self, group, params, grads, columns):
        if group["foreach"] and isinstance(group["lr"], torch.Tensor) and not group["capturable"]:
            raise RuntimeError("lr as a Tensor is not supported for capturable=False and foreach=True")
        beta1, beta2 = group["betas"]
        adam(
            params,
            grads,
            columns["exp_avg"],
            columns["exp_avg_sq"],
            columns["max_exp_avg_sq"],
            columns["step"],
            amsgrad=group["amsgrad"],
            beta1=beta1,
            beta2=beta2,
            lr=group["lr"],
            weight_decay=group["weight_decay"],
            eps=group["eps"],
            maximize=group["maximize"],
            foreach=group["foreach"],
            capturable=group["capturable"],
            differentiable=group["differentiable"],
            fused=group["fused"],
            grad_scale=getattr(self, "grad_scale", None),
            found_inf=getattr(self, "found_inf", None),
            decoupled_weight_decay=group["decoupled_weight_decay"],
        )


def _check_tensor_betas(betas, foreach, capturable):
    """Both coefficients are numbers, or both tensors of one element."""
    tensors = [isinstance(beta, torch.Tensor) for beta in betas]
    if any(tensors) and not all(tensors):
        raise ValueError("betas must be either both floats or both Tensors")
    for i, beta in enumerate(betas):
        if not tensors[i]:
            continue
        if foreach and not capturable:
            raise ValueError(f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True")
        if beta.numel() != 1:
            raise ValueError(f"Tensor betas[{i}] must be 1-element")


def adam(
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    max_exp_avg_sqs,
    state_steps,
    foreach=None,
    capturable=False,
    differentiable=False,
    fused=None,
    grad_scale=None,
    found_inf=None,
    has_complex=False,
    decoupled_weight_decay=False,
    *,
    amsgrad,
    beta1,
    beta2,
    lr,
    weight_decay,
    eps,
    maximize,
):
    """Apply the rule of :class:`Adam` to lists of parameters, gradients and their state, in place.

    `max_exp_avg_sqs` is read only with `amsgrad`. Where a GradScaler has found an infinity nothing changes.
    """
    check_steps(state_steps)
    if capturable:
        check_capturable(params, state_steps)
    if not scaled_down(grads, grad_scale, found_inf):
        return
    lr = _to_scalar(lr)
    if fused:
        lr, beta1, beta2 = (_get_value(x) for x in (lr, beta1, beta2))
    numbers = (lr, beta1, beta2, weight_decay, eps)
    if not capturable and are_numbers(*numbers):
        largest = max_exp_avg_sqs if amsgrad else None
        lists = (params, grads, exp_avgs, exp_avg_sqs, largest, state_steps)
        if _C._adam_step(*lists, *numbers, maximize, decoupled_weight_decay):
            return
    for i, param in enumerate(params):
        grad = grads[i]
        step = state_steps[i]
        step += 1
        if decoupled_weight_decay and weight_decay != 0:
            grad = -grad if maximize else grad
            param.mul_(1 - lr * weight_decay)
        else:
            grad = direction(param, grad, weight_decay, maximize)
        largest = max_exp_avg_sqs[i] if amsgrad else None
        param, grad, exp_avg, exp_avg_sq, largest = real(param, grad, exp_avgs[i], exp_avg_sqs[i], largest)

        exp_avg.lerp_(grad, kept(1 - beta1))
        if getattr(beta2, "requires_grad", False):
            exp_avg_sq.lerp_(grad.square(), 1 - beta2)
        else:
            exp_avg_sq.mul_(_get_value(beta2)).addcmul_(grad, grad, value=_get_value(1 - beta2))
        second = exp_avg_sq
        if amsgrad:
            # What is recorded must not see its own argument change.
            second = largest.copy_(torch.maximum(largest.clone() if differentiable else largest, exp_avg_sq))

        on_device = capturable or differentiable
        count = step if on_device else _get_value(step)
        step_size = lr / (1 - beta1**count)
        root = (1 - beta2**count) ** 0.5
        if on_device:  # a tensor cannot be addcdiv's factor: the denominator carries it
            denominator = (second.sqrt() / (root * -step_size)).add_(eps / -step_size)
            param.addcdiv_(exp_avg, denominator)
        else:
            denominator = (second.sqrt() / kept(root)).add_(eps)
            param.addcdiv_(exp_avg, denominator, value=_get_value(-step_size))
