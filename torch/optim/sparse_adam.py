"""Adam for sparse gradients."""

from __future__ import annotations

import torch
from torch.optim._options import check_one_element, check_options
from torch.optim.optimizer import Optimizer

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam that touches only the rows that a sparse gradient names.

    There are no sparse tensors here yet: the options are checked as in PyTorch, and a step raises RuntimeError for
    the dense gradients that every parameter has.

    Args:
        params (iterable): parameters, pairs (name, parameter), or dictionaries of groups
        lr (float or Tensor): learning rate, over 0 (default: 1e-3)
        betas (pair of floats): coefficients of the running averages, each in [0, 1)
        eps (float): added to the denominator, over 0 (default: 1e-8)
        maximize (bool): climb instead
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

    def step(self, closure=None):
        """Raise RuntimeError if any parameter has a gradient: all gradients are dense."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        if any(param.grad is not None for group in self.param_groups for param in group["params"]):
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        return loss
