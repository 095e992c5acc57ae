"""Adam for sparse gradients."""

from __future__ import annotations

import torch
from torch.optim import _rows
from torch.optim._numbers import _get_value, zeros_like
from torch.optim._options import check_one_element, check_options
from torch.optim.optimizer import Optimizer

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["SparseAdam", "sparse_adam"]


class SparseAdam(Optimizer):
    """Adam that touches only the elements that a sparse gradient names: those of a table's other rows, and their averages,
    stay as they are, whereas Adam moves them by what it remembers.

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate, over 0 (default: 1e-3)
        betas (pair of floats): coefficients of the running averages, each in [0, 1)
        eps (float): added to the denominator, over 0 (default: 1e-8)
        maximize (bool): climb instead

    State of each parameter: ``step``, a number, and ``exp_avg``, ``exp_avg_sq``, dense tensors of its shape. Raises
    ValueError for options out of range and for parameters that are sparse or complex; step() RuntimeError for dense
    gradients.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check_one_element(lr=lr)
        if not 0.0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_options(betas=betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        self._refuse("Sparse", lambda param: param.layout != torch.strided, "requires dense parameter tensors")
        self._refuse("Complex", torch.is_complex, "does not support complex parameters")

    def _refuse(self, what, is_such, why):
        groups = enumerate(self.param_groups)
        found = [[g, i] for g, group in groups for i, param in enumerate(group["params"]) if is_such(param)]
        if found:
            raise ValueError(f"{what} params at indices {found}: SparseAdam {why}")

    @torch.no_grad()
    def step(self, closure=None):
        """Move the parameters once, by their gradients; those without a gradient stay.

        Args:
            closure (callable, optional): computes the loss and its gradients anew and returns the loss, which the
                step then returns.

        Raises RuntimeError, with all parameters as they were, for a dense gradient.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        groups = [[param for param in group["params"] if param.grad is not None] for group in self.param_groups]
        if any(param.grad.layout != torch.sparse_coo for params in groups for param in params):
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        for group, params in zip(self.param_groups, groups):
            states = [self._counted(param) for param in params]
            columns = ([state[name] for state in states] for name in ("exp_avg", "exp_avg_sq", "step"))
            beta1, beta2 = group["betas"]
            options = {name: group[name] for name in ("eps", "lr", "maximize")}
            sparse_adam(params, [param.grad for param in params], *columns, beta1=beta1, beta2=beta2, **options)
        return loss

    def _counted(self, param):
        state = self.state[param]
        if not state:
            state.update({"step": 0, "exp_avg": zeros_like(param), "exp_avg_sq": zeros_like(param)})
        state["step"] += 1
        return state


def sparse_adam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    state_steps: list[int],
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: float | Tensor,
    maximize: bool,
) -> None:
    """Apply the rule of :class:`SparseAdam` to lists of parameters, gradients and their state, in place; `state_steps` have
    counted this step."""
    lr = _get_value(lr)
    for param, given, exp_avg, exp_avg_sq, step in zip(params, grads, exp_avgs, exp_avg_sqs, state_steps):
        grad = _rows.named(-given if maximize else given)
        if not grad._nnz():
            continue
        values = grad._values()
        first, second = _rows.at(grad, exp_avg), _rows.at(grad, exp_avg_sq)
        first_step = (values - first).mul_(1 - beta1)
        second_step = (values * values).sub_(second).mul_(1 - beta2)
        _rows.add(exp_avg, grad, first_step)
        _rows.add(exp_avg_sq, grad, second_step)
        root = second.add_(second_step).sqrt_().add_(eps)
        step_size = lr * (1 - beta2**step) ** 0.5 / (1 - beta1**step)
        _rows.add(param, grad, first.add_(first_step).div_(root), alpha=-step_size)
