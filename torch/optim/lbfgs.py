"""L-BFGS: quasi-Newton steps from the last few changes of the gradient."""

from __future__ import annotations

import torch
from torch.optim._numbers import _to_scalar
from torch.optim._options import check_options
from torch.optim._wolfe import strong_wolfe
from torch.optim.optimizer import Optimizer

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import ParamsT

__all__ = ["LBFGS"]


def _number(loss):
    return float(loss.detach() if isinstance(loss, torch.Tensor) else loss)


class LBFGS(Optimizer):
    """Limited-memory BFGS, for functions that are computed in full and without noise.

    A step is a whole minimisation of up to `max_iter` iterations, so it needs a closure. All parameters are seen as one
    vector (complex ones by real and imaginary parts), so there is one group only; memory is needed for
    ``2 · history_size + 5`` such vectors.

    Args:
        params (iterable): parameters, or pairs (name, parameter)
        lr (float or Tensor): step length, with a line search the first to be tried (default: 1)
        max_iter (int): iterations in a step (default: 20)
        max_eval (int, optional): evaluations of the closure in a step (default: 1.25 · max_iter)
        tolerance_grad (float): stop where no element of the gradient is larger (default: 1e-7)
        tolerance_change (float): stop where loss or parameters change less (default: 1e-9)
        history_size (int): how many changes are remembered (default: 100)
        line_search_fn (str, optional): "strong_wolfe", or None for steps of fixed length

    Raises ValueError for a negative learning rate and for groups, RuntimeError at the first step for another line
    search. State, of the first parameter alone: ``d`` (direction), ``t`` (step length), ``old_dirs``, ``old_stps``,
    ``ro``, ``H_diag``, ``prev_flat_grad``, ``prev_loss``, ``n_iter``, ``func_evals``.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_options(lr=lr)
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        options = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, options)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]
        self._numel_cache = None

    def _gather_flat_grad(self):
        """All gradients as one vector; zeros for parameters without."""
        parts = []
        for param in self._params:
            grad = param.new_zeros(param.numel()) if param.grad is None else param.grad.to_dense().reshape(-1)
            parts.append(torch.view_as_real(grad).reshape(-1) if grad.is_complex() else grad)
        return torch.cat(parts, 0)

    def _add_grad(self, step_size, direction) -> None:
        """Move all parameters by `step_size` along a vector like that of :meth:`_gather_flat_grad`."""
        offset = 0
        for param in self._params:
            values = torch.view_as_real(param) if param.is_complex() else param
            count = values.numel()
            values.add_(direction[offset : offset + count].view_as(values), alpha=float(step_size))
            offset += count

    def _restore(self, saved):
        for param, value in zip(self._params, saved):
            param.copy_(value)

    @torch.no_grad()
    def step(self, closure):
        """Minimise for up to ``max_iter`` iterations; returns the loss before the first.

        Args:
            closure (callable): clears the gradients, computes the loss and its gradients, and returns the loss
        """
        closure = torch.enable_grad()(closure)
        group = self.param_groups[0]
        lr = _to_scalar(group["lr"])
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        first_loss = closure()
        loss = _number(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        grad = self._gather_flat_grad()
        optimal = grad.abs().max() <= group["tolerance_grad"]
        if optimal:
            return first_loss

        memory = _Memory(state, group["history_size"])
        t, previous_loss = state.get("t"), state.get("prev_loss")
        iterations = 0
        while iterations < group["max_iter"]:
            iterations += 1
            state["n_iter"] += 1
            direction = memory.direction(grad, first=state["n_iter"] == 1, last_step=t)
            previous_grad = memory.remember(grad)
            previous_loss = loss
            t = min(1.0, 1.0 / grad.abs().sum()) * lr if state["n_iter"] == 1 else lr
            slope = grad.dot(direction)
            if slope > -group["tolerance_change"]:
                break

            calls = 0
            if group["line_search_fn"] == "strong_wolfe":
                limit = min(25, group["max_eval"] - evaluations)
                loss, grad, t, calls = self._search(closure, t, direction, loss, grad, slope, limit)
                self._add_grad(t, direction)
                optimal = grad.abs().max() <= group["tolerance_grad"]
            else:
                self._add_grad(t, direction)
                if iterations != group["max_iter"]:  # the last gradient would be thrown away
                    loss = _number(closure())
                    grad = self._gather_flat_grad()
                    optimal = grad.abs().max() <= group["tolerance_grad"]
                    calls = 1
            evaluations += calls
            state["func_evals"] += calls

            if (
                iterations == group["max_iter"]
                or evaluations >= group["max_eval"]
                or optimal
                or direction.mul(t).abs().max() <= group["tolerance_change"]
                or abs(loss - previous_loss) < group["tolerance_change"]
            ):
                break

        state["d"], state["t"] = direction, t
        memory.write()
        state["prev_flat_grad"], state["prev_loss"] = previous_grad, previous_loss
        return first_loss

    def _search(self, closure, t, direction, loss, grad, slope, limit):
        """A step length by line search of `limit` rounds, from the parameters as they are; they are left as they are."""
        start = [param.clone(memory_format=torch.contiguous_format) for param in self._params]

        def evaluate(t):
            self._add_grad(t, direction)
            value = _number(closure())
            gradient = self._gather_flat_grad()
            self._restore(start)
            return value, gradient

        return strong_wolfe(evaluate, t, direction, loss, grad, slope, max_ls=limit)


class _Memory:
    """The last changes of parameters and gradient, and the inverse Hessian that they stand for."""

    def __init__(self, state, size):
        self.size = size
        self.changes = state.get("old_dirs")  # of the gradient
        self.steps = state.get("old_stps")  # of the parameters
        self.ro = state.get("ro")  # 1 / their products
        self.scale = state.get("H_diag")
        self.state = state
        self.previous_direction = state.get("d")
        self.previous_grad = state.get("prev_flat_grad")

    def write(self):
        """Put into the optimiser's state what the next step starts from."""
        self.state.update(old_dirs=self.changes, old_stps=self.steps, ro=self.ro, H_diag=self.scale)

    def remember(self, grad):
        """Keep a copy of the gradient that the next change is measured from."""
        if self.previous_grad is None:
            self.previous_grad = grad.clone()
        else:
            self.previous_grad.copy_(grad)
        return self.previous_grad

    def direction(self, grad, first, last_step):
        """Minus the inverse Hessian times `grad`, after taking note of the last step."""
        if first:
            self.changes, self.steps, self.ro, self.scale = [], [], [], 1
            self.previous_direction = grad.neg()
            return self.previous_direction
        change = grad.sub(self.previous_grad)
        step = self.previous_direction.mul(last_step)
        product = change.dot(step)
        if product > 1e-10:  # else the Hessian would not stay positive
            if len(self.changes) == self.size:
                for column in (self.changes, self.steps, self.ro):
                    column.pop(0)
            self.changes.append(change)
            self.steps.append(step)
            self.ro.append(1.0 / product)
            self.scale = product / change.dot(change)
        # Nocedal's two loops
        rest = grad.neg()
        weights = self.state.setdefault("al", [None] * self.size)
        for i in range(len(self.changes) - 1, -1, -1):
            weights[i] = self.steps[i].dot(rest) * self.ro[i]
            rest.add_(self.changes[i], alpha=-float(weights[i]))
        result = torch.mul(rest, self.scale)
        for i in range(len(self.changes)):
            back = self.changes[i].dot(result) * self.ro[i]
            result.add_(self.steps[i], alpha=float(weights[i] - back))
        self.previous_direction = result
        return result
