"""ListOptimizer: an optimiser whose update is a function over lists of tensors.

A step goes through the groups. Of the parameters that have a gradient it makes lists — the parameters, their gradients
and, for each name in ``_columns``, that part of their state — and hands them with the group's options to the class's
``_update``, which calls the update rule: a function such as :func:`torch.optim.adam.adam`. ``foreach`` and ``fused``
choose among loops that PyTorch has; here one loop in C++ (lib/THPP/src/nn/optimizer.cpp) serves all, and a rule in Python,
of the same bits, what that loop does not take.
"""

import torch
from torch import _C
from torch.optim._numbers import _get_scalar_dtype, counter, zeros_like
from torch.optim._options import LATER, check_exclusive, check_fused_param, check_options
from torch.optim._rows import any_sparse
from torch.optim.optimizer import Optimizer, _use_grad_for_differentiable

# State that has another shape than its parameter.
_OTHER_SHAPES = {"step", "mu_product", "mu", "eta", "row_var", "col_var"}


class ListOptimizer(Optimizer):
    """Base of the optimisers of this package that treat each parameter alike.

    A class gives the names ``_options`` (in the order of state dicts), ``_checks`` (options to be checked before all
    else, in this order) and ``_columns`` (its state, in the order in which the rule takes it), ``_later`` (what options
    mean that old state dicts lack, where :data:`_options.LATER` does not say it) and ``_update``; and ``_state_names``,
    ``_new_state`` and ``_arguments`` where it differs in them.
    """

    _options = ()
    _checks = ()
    _columns = ()
    _later = {}
    _foreach_recorded = False  # whether `foreach` goes together with `differentiable`
    _sparse = False  # whether the rule takes sparse gradients

    def __init__(self, params, given):
        """Take the options out of `given`, the local names of a class's own ``__init__``."""
        options = {name: given[name] for name in self._options}
        self._check_options(options)
        super().__init__(params, options)
        if options.get("fused"):
            self._step_supports_amp_scaling = True
        check_exclusive(options)

    def __setstate__(self, state):
        super().__setstate__(state)
        later = {**LATER, **self._later}
        for group in self.param_groups:
            for name in self._options:
                if name in later:
                    group.setdefault(name, later[name])
            for param in group["params"]:
                kept = self.state.get(param)
                if kept and "step" in kept and not torch.is_tensor(kept["step"]):  # once it was a number
                    self._wrap_step(kept, param, group)

    @staticmethod
    def _wrap_step(kept, param, group):
        fused = group.get("fused")
        device = param.device if fused or group.get("capturable") else None
        kept["step"] = torch.tensor(float(kept["step"]), dtype=_get_scalar_dtype(fused), device=device)

    def _check_options(self, options):
        """Raise ValueError for options out of range."""
        check_options(**{name: options[name] for name in self._checks})

    def _state_names(self, group):
        """What is remembered of a parameter, apart from numbers, in the order of state dicts."""
        return tuple(name for name in self._columns if name not in _OTHER_SHAPES)

    def _new_state(self, param, group):
        """What is remembered of a parameter before its first step."""
        fused = group.get("fused")
        state = {"step": counter(param, on_device=group.get("capturable") or fused, fused=fused)}
        for name in self._state_names(group):
            state[name] = zeros_like(param)
        return state

    def _arguments(self, group):
        """The options of `group` as the rule's arguments."""
        options = {name: group[name] for name in self._options}
        if "betas" in options:
            options["beta1"], options["beta2"] = options.pop("betas")
        if "fused" in options:
            options["grad_scale"] = getattr(self, "grad_scale", None)
            options["found_inf"] = getattr(self, "found_inf", None)
        return options

    def _update(self, params, grads, *columns, **options):
        """Apply the rule to the lists of one group."""
        raise NotImplementedError

    def _lists(self, group):
        """The parameters of `group` that have gradients, these, and a list for each of ``_columns``."""
        pairs = [(param, grad) for param in group["params"] if (grad := param.grad) is not None]
        params, grads = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        self._check_params(params, grads, group)
        states = [self._state_of(param, group) for param in params]
        return params, grads, *([state.get(name) for state in states] for name in self._columns)

    def _state_of(self, param, group):
        state = self.state[param]
        if not state:
            state.update(self._new_state(param, group))
        return state

    def _check_params(self, params, grads, group):
        """Raise RuntimeError for parameters that the rule does not serve."""
        if any_sparse(grads):
            self._check_sparse(group)
        if group.get("fused"):
            for param in params:
                check_fused_param(param)

    def _check_sparse(self, group):
        """Raise RuntimeError where sparse gradients are not taken."""
        if not self._sparse:
            raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")

    def _check_group(self, group, params, grads, *columns):
        """Raise for what would stop the step in its midst: nothing has changed yet."""
        if group.get("foreach") and group.get("differentiable") and not self._foreach_recorded:
            raise AssertionError("_foreach ops don't support autograd")
        if group.get("differentiable") and "step" in self._columns:
            if any(step.requires_grad for step in columns[self._columns.index("step")]):
                raise RuntimeError("`requires_grad` is not supported for `step` in differentiable mode")
        names = ["grad"] + [name for name in self._columns if name not in _OTHER_SHAPES]
        shaped = [column for name, column in zip(self._columns, columns) if name not in _OTHER_SHAPES]
        wrong = _C._optimizer_misshapen(params, grads, *shaped)
        if wrong is not None:
            column, i = wrong
            raise RuntimeError(
                f"{type(self).__name__}: parameter {i} of those with gradients has the shape {list(params[i].shape)}, "
                f"but its {names[column]} {list([grads, *shaped][column][i].shape)}. No parameter of the optimizer was "
                "changed; state that was loaded must be that of parameters of the same shapes"
            )

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

        Raises RuntimeError, with all parameters as they were, for a gradient or state that has not its parameter's
        shape.
        """
        self._accelerator_graph_capture_health_check()
        loss = self._evaluate(closure)
        work = []
        for group in self.param_groups:
            lists = self._lists(group)
            if lists[0]:
                self._check_group(group, *lists)
                work.append((group, lists))
        for group, lists in work:
            self._update(*lists, **self._arguments(group))
        return loss
