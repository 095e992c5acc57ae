"""NAdam: Adam with Nesterov's momentum."""

from __future__ import annotations

from torch import _C
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, _to_scalar, addend, counter, decayed, real
from torch.optim._options import check_capturable, check_steps

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["NAdam", "nadam"]


class NAdam(ListOptimizer):
    r"""Adam that looks ahead along its momentum.

    With Adam's averages m and v at step t, and ``mu(t) = beta1 · (1 - 0.96^(t · momentum_decay) / 2)``::

        M = mu(1) · … · mu(t)
        p = p - lr · ((1 - mu(t)) / (1 - M) · g + mu(t + 1) / (1 - M · mu(t + 1)) · m) / (sqrt(v / (1 - beta2^t)) + eps)

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate (default: 2e-3)
        betas (pair of floats): beta1 and beta2, each in [0, 1)
        eps (float): added to the denominator (default: 1e-8)
        weight_decay (float): L2 penalty (default: 0)
        momentum_decay (float): how fast mu grows to beta1 (default: 4e-3)
        decoupled_weight_decay (bool): shrink p by lr · weight_decay instead of adding to the gradient
        foreach (bool, optional): accepted; one loop serves all
        maximize (bool): climb instead
        capturable (bool): keep numbers of steps on the device, for CUDA graphs
        differentiable (bool): record the step itself

    State of each parameter: ``step`` and ``mu_product`` (float32, no dimensions), ``exp_avg`` and ``exp_avg_sq``, of
    its shape and dtype. Raises ValueError for options out of range, AssertionError for `capturable` on the CPU (at the
    first step).
    """

    _options = (
        "lr",
        "betas",
        "eps",
        "weight_decay",
        "momentum_decay",
        "decoupled_weight_decay",
        "maximize",
        "foreach",
        "capturable",
        "differentiable",
    )
    _checks = ("lr", "eps", "betas", "weight_decay", "momentum_decay")
    _columns = ("exp_avg", "exp_avg_sq", "mu_product", "step")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _new_state(self, param, group):
        state = super()._new_state(param, group)
        product = counter(param, 1.0, on_device=group["capturable"])
        return {"step": state.pop("step"), "mu_product": product, **state}

    @staticmethod
    def _wrap_step(kept, param, group):
        ListOptimizer._wrap_step(kept, param, group)
        kept["mu_product"] = counter(param, float(kept["mu_product"]), on_device=group.get("capturable"))

    def _update(self, *lists, **options):
        nadam(*lists, **options)


def nadam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    mu_products: list[Tensor],
    state_steps: list[Tensor],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
    momentum_decay: float,
    eps: float,
) -> None:
    """Apply the rule of :class:`NAdam` to lists of parameters, gradients and their state, in place."""
    check_steps(params, state_steps)
    if not all(hasattr(product, "item") for product in mu_products):
        raise RuntimeError("API has changed, `mu_products` argument must contain a list of singleton tensors")
    if capturable:
        names = "params, mu_products, and state_steps" if foreach else "params, mu_products and state_steps"
        check_capturable(params, mu_products, state_steps, names=names, foreach=foreach)
    lr = _to_scalar(lr)
    lists = (params, grads, exp_avgs, exp_avg_sqs)
    options = (lr, beta1, beta2, eps, weight_decay, momentum_decay, maximize, decoupled_weight_decay)
    if _C._optimizer_step("nadam", lists, (state_steps, mu_products), options, False):
        return
    on_device = capturable or differentiable
    for i, param in enumerate(params):
        mu_product = mu_products[i]
        step = state_steps[i]
        step += 1
        count = step if capturable else _get_value(step)
        param, grad, exp_avg, exp_avg_sq = real(param, grads[i], exp_avgs[i], exp_avg_sqs[i])
        grad = decayed(param, grad, lr, weight_decay, maximize, decoupled_weight_decay)

        mu = beta1 * (1.0 - 0.5 * (0.96 ** (count * momentum_decay)))
        mu_next = beta1 * (1.0 - 0.5 * (0.96 ** ((count + 1) * momentum_decay)))
        mu_product *= mu
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        denominator = exp_avg_sq.div(1 - beta2**count).sqrt()
        if on_device:  # a tensor cannot be addcdiv's factor: the denominator carries it
            denominator = denominator.add(eps)
            mu_product_next = mu_product * mu_next
            param.addcdiv_(grad * (-lr * (1.0 - mu) / (1.0 - mu_product)), denominator)
            param.addcdiv_(exp_avg * (-lr * mu_next / (1.0 - mu_product_next)), denominator)
        else:
            denominator.add_(addend(eps, param))
            product = _get_value(mu_product)
            param.addcdiv_(grad, denominator, value=_get_value(-lr * (1.0 - mu) / (1.0 - product)))
            param.addcdiv_(exp_avg, denominator, value=_get_value(-lr * mu_next / (1.0 - product * mu_next)))
