"""ListOptimizer: an optimiser whose update is a function over lists of tensors.

A step goes through the groups. Of the parameters that have a gradient it makes lists — the parameters, their gradients
and, for each name in ``_columns``, that part of their state — and hands them to the class's ``_update``, which calls the
update rule: a function such as :func:`torch.optim.adam.adam`. The rule is written once; ``foreach`` and ``fused`` choose
among loops that PyTorch has, and here they choose the same one.
"""

import torch
from torch.optim._numbers import _get_scalar_dtype, check_fused_param
from torch.optim.optimizer import Optimizer, _use_grad_for_differentiable


class ListOptimizer(Optimizer):
    """Base of the optimisers of this package that treat each parameter alike.

    A class gives ``_columns`` (the names of its state), ``_later`` (options that old state dicts lack, and their
    meaning), ``_new_state(param, group)`` and ``_update(group, params, grads, columns)``.
    """

    _columns = ()
    _later = {}

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self._later.items():
                group.setdefault(name, value)
            for param in group["params"]:
                kept = self.state.get(param)
                if kept and "step" in kept and not torch.is_tensor(kept["step"]):  # once it was a number
                    self._wrap_step(kept, param, group)

    @staticmethod
    def _wrap_step(kept, param, group):
        fused = group.get("fused")
        device = param.device if fused or group.get("capturable") else None
        kept["step"] = torch.tensor(float(kept["step"]), dtype=_get_scalar_dtype(fused), device=device)

    def _new_state(self, param, group):
        """What is remembered of a parameter before its first step."""
        return {}

    def _update(self, group, params, grads, columns):
        """Apply the rule to the lists of one group."""
        raise NotImplementedError

    def _lists(self, group):
        """The parameters of `group` that have gradients, these, and {name: list} of their state."""
        params, grads = [], []
        columns = {name: [] for name in self._columns}
        for param in group["params"]:
            if param.grad is None:
                continue
            self._check_param(param, group)
            state = self.state[param] if self._columns else {}
            if not state and self._columns:
                state.update(self._new_state(param, group))
            params.append(param)
            grads.append(param.grad)
            for name, column in columns.items():
                column.append(state.get(name))
            step = state.get("step")
            if group.get("differentiable") and step is not None and step.requires_grad:
                raise RuntimeError("`requires_grad` is not supported for `step` in differentiable mode")
        return params, grads, columns

    def _check_group(self, group):
        if group.get("foreach") and group.get("differentiable"):
            raise AssertionError("_foreach ops don't support autograd")

    def _check_param(self, param, group):
        if param.grad.is_sparse:
            raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")
        if group.get("fused"):
            check_fused_param(param)

    def _evaluate(self, closure):
        """The loss that `closure` computes, with recording on; None without one."""
        if closure is None:
            return None
        with torch.enable_grad():
            return closure()

    @_use_grad_for_differentiable
    def step(self, closure=None):
        """Move the parameters once, by their gradients; those without a gradient stay.

        Args:
            closure (callable, optional): computes the loss and its gradients anew and returns the loss, which the
                step then returns.
        """
        self._accelerator_graph_capture_health_check()
        loss = self._evaluate(closure)
        for group in self.param_groups:
            params, grads, columns = self._lists(group)
            if not params:
                continue
            self._check_group(group)
            self._update(group, params, grads, columns)
        return loss
