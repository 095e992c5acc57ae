"""Adafactor: second moments of matrices kept as a row and a column."""

from __future__ import annotations

import torch
from torch.optim._lists import ListOptimizer
from torch.optim._numbers import _get_value, _to_scalar, direction, zeros_like
from torch.optim._options import check_least, check_one_element, check_steps, refuse_complex

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["Adafactor", "adafactor"]


class Adafactor(ListOptimizer):
    r"""Adaptive steps with little memory.

    With the gradient g at step t, ``w = t^beta2_decay`` and ``rms(x) = sqrt(mean(x²))``::

        matrices (the last two dimensions):
            r = r + w · (mean of g² along rows - r),  c = c + w · (mean of g² along columns - c)
            v = r · c / max(mean(r), eps1)
        else:
            v = v + w · (g² - v)
        u = g / max(sqrt(v), eps1)
        p = p - lr · weight_decay · p
        p = p - max(eps2, rms(p)) · min(lr, 1 / sqrt(t)) · u / max(1, rms(u) / d)

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): the largest relative step, and the factor of the decay (default: 1e-2)
        beta2_decay (float): at most 0 (default: -0.8)
        eps (pair): eps1 (None: the smallest difference from 1 of the dtype) and eps2 (default: (None, 1e-3))
        d (float): where updates are clipped, at least 1 (default: 1.0)
        weight_decay (float): decoupled decay (default: 0)
        foreach (bool, optional): accepted; one loop serves all
        maximize (bool): climb instead

    State of each parameter: ``step`` (float32, no dimensions), and ``row_var`` (…, rows, 1) and ``col_var``
    (…, 1, columns), or ``variance`` where there are fewer than two dimensions. Raises ValueError for options out of
    range, RuntimeError for complex parameters (at the first step).
    """

    _columns = ("row_var", "col_var", "variance", "step")
    _options = ("lr", "beta2_decay", "eps", "d", "weight_decay", "foreach", "maximize")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def _check_options(self, options):
        check_one_element(lr=options["lr"])
        check_least(0.0, Learning__rate=options["lr"])
        if not 0.0 >= options["beta2_decay"]:
            raise ValueError(f"beta2_decay should be <= 0 but is: {options['beta2_decay']}")
        eps1, eps2 = options["eps"]
        check_least(0.0, epsilon1=0.0 if eps1 is None else eps1, epsilon2=eps2)
        check_least(1.0, Clipping__threshold__d=options["d"])
        check_least(0.0, weight_decay=options["weight_decay"])

    def _check_params(self, params, grads, group):
        refuse_complex(self, params)
        super()._check_params(params, grads, group)

    def _arguments(self, group):
        options = super()._arguments(group)
        options["eps1"], options["eps2"] = options.pop("eps")
        return options

    def _new_state(self, param, group):
        state = {"step": torch.tensor(0.0, dtype=torch.float32)}
        grad = param.grad
        if grad.dim() > 1:
            state["row_var"] = grad.new_zeros((*grad.shape[:-1], 1))
            state["col_var"] = grad.new_zeros((*grad.shape[:-2], 1, grad.shape[-1]))
        else:
            state["variance"] = zeros_like(grad)
        return state

    def _update(self, *lists, **options):
        adafactor(*lists, **options)


def adafactor(
    params: list[Tensor],
    grads: list[Tensor],
    row_vars: list[Tensor | None],
    col_vars: list[Tensor | None],
    variances: list[Tensor | None],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_complex: bool = False,
    *,
    d: float,
    lr: float | Tensor,
    beta2_decay: float,
    weight_decay: float,
    eps1: float,
    eps2: float,
    maximize: bool,
) -> None:
    """Apply the rule of :class:`Adafactor` to lists of parameters, gradients and their state, in place.

    Of a matrix `row_vars` and `col_vars` are read, of the rest `variances`.
    """
    check_steps(params, state_steps)
    if grad_scale is not None or found_inf is not None:
        raise AssertionError("Grad scaling should occur outside of optimizer.step()")
    lr = _to_scalar(lr)
    for i, param in enumerate(params):
        grad = direction(param, grads[i], 0, maximize)
        step = state_steps[i]
        step += 1
        count = step.item()
        least = torch.finfo(param.dtype).eps if eps1 is None else eps1
        weight = count**beta2_decay
        relative = min(lr, 1 / (count**0.5))
        size = max(eps2, param.norm(2).item() / (param.numel() ** 0.5)) * relative
        if weight_decay != 0:
            param.mul_(1 - lr * weight_decay)
        if grad.dim() > 1:
            row_var, col_var = row_vars[i], col_vars[i]
            row_var.lerp_(_mean_square(grad, -1), weight)
            col_var.lerp_(_mean_square(grad, -2), weight)
            estimate = row_var @ col_var
            estimate.div_(row_var.mean(dim=-2, keepdim=True).clamp_(min=least))
        else:
            variances[i].lerp_(grad.square(), weight)
            estimate = variances[i].clone()
        update = estimate.clamp_(min=least * least).rsqrt_().mul_(grad)
        clip = max(1.0, update.norm(2).item() / ((update.numel() ** 0.5) * d))
        param.add_(update, alpha=_get_value(-size / clip))


def _mean_square(grad, dim):
    """By the norm, which needs no memory for squares."""
    return torch.norm(grad, dim=dim, keepdim=True).square_().div_(grad.size(dim))
