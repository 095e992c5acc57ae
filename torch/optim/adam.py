"""Adam, with the decay of AdamW and the bound of AMSGrad as options."""

from __future__ import annotations

import torch
from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, _to_scalar, addend, decayed, kept, real, scaled_down
from torch.optim._options import check_one_element, check_steps

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

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

    _options = (
        "lr",
        "betas",
        "eps",
        "weight_decay",
        "amsgrad",
        "maximize",
        "foreach",
        "capturable",
        "differentiable",
        "fused",
        "decoupled_weight_decay",
    )
    _checks = ("lr", "eps", "betas", "weight_decay")
    _columns = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq", "step")

    def _check_sparse(self, group):
        raise RuntimeError("Adam does not support sparse gradients, please consider SparseAdam instead")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _check_options(self, options):
        foreach, capturable = options["foreach"], options["capturable"]
        if isinstance(options["lr"], torch.Tensor) and foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        super()._check_options(options)
        _check_tensor_betas(options["betas"], foreach, capturable)

    def _check_group(self, group, *lists):
        super()._check_group(group, *lists)
        if group["foreach"] and isinstance(group["lr"], torch.Tensor) and not group["capturable"]:
            raise RuntimeError("lr as a Tensor is not supported for capturable=False and foreach=True")

    def _state_names(self, group):
        names = super()._state_names(group)
        return names if group["amsgrad"] else names[:2]

    def _update(self, *lists, **options):
        adam(*lists, **options)


def _check_tensor_betas(betas, foreach, capturable):
    """Both coefficients are numbers, or both tensors of one element."""
    tensors = [isinstance(beta, torch.Tensor) for beta in betas]
    if not all(tensors) and not all(isinstance(beta, float) for beta in betas):
        raise ValueError("betas must be either both floats or both Tensors")
    for i, beta in enumerate(betas):
        if not tensors[i]:
            continue
        if foreach and not capturable:
            raise ValueError(f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True")
        check_one_element(**{f"betas[{i}]": beta})


def adam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    max_exp_avg_sqs: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_complex: bool = False,
    decoupled_weight_decay: bool = False,
    *,
    amsgrad: bool,
    beta1: float | Tensor,
    beta2: float | Tensor,
    lr: float | Tensor,
    weight_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """Apply the rule of :class:`Adam` to lists of parameters, gradients and their state, in place.

    `max_exp_avg_sqs` is read only with `amsgrad`. Where a GradScaler has found an infinity nothing changes.
    """
    check_steps(params, state_steps, capturable and not fused, foreach)
    if not scaled_down(grads, grad_scale, found_inf):
        return
    lr = _to_scalar(lr)
    if fused:
        capturable = False  # what runs on the device counts there anyway
        lr, beta1, beta2 = (_get_value(x) for x in (lr, beta1, beta2))
    lists = (params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs if amsgrad else None)
    options = (lr, beta1, beta2, weight_decay, eps, maximize, decoupled_weight_decay)
    if _C._optimizer_step("adam", lists, (state_steps,), options, bool(fused)):
        return
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        grad = decayed(param, grads[i], lr, weight_decay, maximize, decoupled_weight_decay)
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
            denominator = (second.sqrt() / kept(root)).add_(addend(eps, second))
            param.addcdiv_(exp_avg, denominator, value=_get_value(-step_size))
