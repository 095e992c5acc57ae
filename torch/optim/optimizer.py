"""Optimizer: parameters in groups, the state that belongs to each parameter, and how both are saved.

An optimiser holds

- ``param_groups``: a list of dictionaries, each with the list ``"params"`` and a value for every option;
- ``state``: a dictionary from a parameter to the dictionary of what is remembered of it from step to step;
- ``defaults``: the options of a group that says nothing about them.

A class of optimisers derives from :class:`Optimizer`, gives it ``defaults``, and has a method ``step``.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable
from copy import deepcopy
from typing import Any, Self, TypeAlias

import torch
from torch.optim import _hooks
from torch.optim._hooks import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.optim._numbers import (  # noqa: F401 - optimisers written elsewhere take them from here
    _default_to_fused_or_foreach,
    _get_scalar_dtype,
    _get_value,
    _to_scalar,
    _view_as_real,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.utils.hooks import RemovableHandle

__all__ = ["Optimizer", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook"]

StateDict: TypeAlias = dict[str, Any]
ParamsT: TypeAlias = Iterable[torch.Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, torch.Tensor]]


class _RequiredParameter:
    """Stands in ``defaults`` for an option that every group must give itself."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _RequiredParameter()


def _use_grad_for_differentiable(function):
    """Run a step without recording, unless the optimiser is ``differentiable``."""

    @functools.wraps(function)
    def step(self, *args, **kwargs):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(self.defaults.get("differentiable", False))
        try:
            return function(self, *args, **kwargs)
        finally:
            torch.set_grad_enabled(before)

    return step


class Optimizer:
    """Base of all optimisers.

    Args:
        params (iterable): tensors, pairs ``(name, tensor)`` as ``named_parameters()`` gives them, or dictionaries that
            describe groups: ``"params"``, and options of their own. Their order must be the same on every run, so a
            set of tensors is refused in a group.
        defaults (dict): the value of each option for groups that do not give it.

    Raises TypeError for what is no tensor, ValueError for no parameters at all, for a tensor that is the result of a
    recorded operation (no leaf), and for a parameter in two groups.
    """

    OptimizerPreHook: TypeAlias = Callable[
        [Self, tuple[Any, ...], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]] | None
    ]
    OptimizerPostHook: TypeAlias = Callable[[Self, tuple[Any, ...], dict[str, Any]], None]

    def __init__(self, params: ParamsT, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._add_missing_hooks()
        self._patch_step_function()
        if isinstance(params, torch.Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + torch.typename(params)
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        # Optimisers that a graph may capture warn once when they run outside one.
        self._warned_capturable_if_run_uncaptured = True

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._add_missing_hooks()
        self._patch_step_function()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        lines = []
        for number, group in enumerate(self.param_groups):
            lines.append(f"\nParameter Group {number}\n")
            lines += [f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params"]
        return f"{type(self).__name__} ({''.join(lines)})"

    # Steps and hooks

    def _add_missing_hooks(self):
        for kind in _hooks.KINDS:
            self.__dict__.setdefault(kind, OrderedDict())

    @staticmethod
    def profile_hook_step(func):
        """The step `func`, with the hooks called before and after it."""

        @functools.wraps(func)
        def step(*args, **kwargs):
            if torch._C._profiler_on():
                with torch.autograd.profiler.record_function(f"Optimizer.step#{type(args[0]).__name__}.step"):
                    return hooked(*args, **kwargs)
            return hooked(*args, **kwargs)

        def hooked(*args, **kwargs):
            self = args[0]
            args, kwargs = _hooks.call_pre_hooks(self, func, args, kwargs)
            result = func(*args, **kwargs)
            self._optimizer_step_code()
            _hooks.call_post_hooks(self, args, kwargs)
            return result

        return step

    def _patch_step_function(self) -> None:
        """Let the class's step call hooks. Once per class; later classes find their step marked."""
        cls = type(self)
        self._zero_grad_profile_name = f"Optimizer.zero_grad#{cls.__name__}.zero_grad"
        if not getattr(cls.step, "hooked", False):
            cls.step = self.profile_hook_step(cls.step)
            cls.step.hooked = True

    def _optimizer_step_code(self) -> None:
        """Called after each step: a place for profilers to hang on to."""

    def _accelerator_graph_capture_health_check(self) -> None:
        """Refuse a step that a CUDA graph would capture wrongly: state on the host is frozen in a graph."""
        cuda = sys.modules.get("torch.cuda")  # nothing is captured by who never imported it
        if cuda is None or not cuda.is_initialized() or not cuda.is_current_stream_capturing():
            return
        if not all(group.get("capturable", False) for group in self.param_groups):
            raise RuntimeError(
                "Attempting CUDA graph capture of step() for an instance of "
                f"{type(self).__name__} but param_groups' capturable is False."
            )

    _cuda_graph_capture_health_check = _accelerator_graph_capture_health_check

    def register_step_pre_hook(self, hook) -> RemovableHandle:
        """Have ``hook(optimizer, args, kwargs)`` called before each step; it may return new ``(args, kwargs)``.

        Returns a :class:`torch.utils.hooks.RemovableHandle`.
        """
        return _hooks.add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook) -> RemovableHandle:
        """Have ``hook(optimizer, args, kwargs)`` called after each step.

        Returns a :class:`torch.utils.hooks.RemovableHandle`.
        """
        return _hooks.add_hook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[[Optimizer], None], prepend: bool = False) -> RemovableHandle:
        """Have ``hook(optimizer)`` called before :meth:`state_dict` reads the state, first of all if `prepend`.

        Returns a :class:`torch.utils.hooks.RemovableHandle`.
        """
        return _hooks.add_hook(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(
        self, hook: Callable[[Optimizer, dict[str, Any]], dict[str, Any] | None], prepend: bool = False
    ) -> RemovableHandle:
        """Have ``hook(optimizer, state_dict)`` called with what :meth:`state_dict` is about to return.

        It may change the dictionary, or return another. Returns a :class:`torch.utils.hooks.RemovableHandle`.
        """
        return _hooks.add_hook(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Callable[[Optimizer, dict[str, Any]], dict[str, Any] | None], prepend: bool = False
    ) -> RemovableHandle:
        """Have ``hook(optimizer, state_dict)`` called with a shallow copy of what :meth:`load_state_dict` was given.

        It may change the copy, or return another dictionary. Returns a :class:`torch.utils.hooks.RemovableHandle`.
        """
        return _hooks.add_hook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Callable[[Optimizer], None], prepend: bool = False
    ) -> RemovableHandle:
        """Have ``hook(optimizer)`` called after :meth:`load_state_dict`.

        Returns a :class:`torch.utils.hooks.RemovableHandle`.
        """
        return _hooks.add_hook(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # Saving and loading

    def state_dict(self) -> dict[str, Any]:
        """The optimiser as a dictionary of two entries, in the format that PyTorch writes and reads.

        - ``"state"``: what is remembered of each parameter, under the parameter's number; tensors are not copied;
        - ``"param_groups"``: the groups with all their options, and numbers in the place of parameters.
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers = {}
        groups = []
        for group in self.param_groups:
            packed = {key: value for key, value in group.items() if key != "params"}
            # Of a parameter that is there twice the later place counts, as in PyTorch.
            start = len(numbers)
            numbers |= {id(p): start + i for i, p in enumerate(group["params"]) if id(p) not in numbers}
            packed["params"] = [numbers[id(param)] for param in group["params"]]
            groups.append(packed)
        state = {numbers[id(key)] if isinstance(key, torch.Tensor) else key: value for key, value in self.state.items()}
        result = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            if changed is not None:
                result = changed
        return result

    @staticmethod
    def _process_value_according_to_param_policy(
        param: Tensor, value: Tensor, param_id: int, param_groups: list[dict[Any, Any]], key: Hashable = None
    ) -> Tensor:
        """A loaded tensor as the state of `param` wants it: on its device and of its dtype, but for counted steps.

        The number of steps is a float32 tensor whatever the parameter is; it moves to the parameter's device only
        where the update reads it there (``capturable``, ``fused``).
        """
        if key == "step":
            group = next((group for group in param_groups if param_id in group["params"]), {})
            if group.get("capturable", False) or group.get("fused", False):
                return value.to(dtype=torch.float32, device=param.device)
            return value
        if param.is_floating_point():
            return value.to(dtype=param.dtype, device=param.device)
        return value.to(device=param.device)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` has given, here or in PyTorch; groups and parameters are matched by order.

        The parameters themselves stay as they are, and so do their names where `state_dict` has none. Raises
        ValueError where the number of groups, or of parameters in a group, differs; nothing has changed then.
        """
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        saved = deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(old["params"]) != len(new["params"]) for old, new in zip(self.param_groups, saved)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )

        params = {}
        for old, new in zip(self.param_groups, saved):
            params.update(zip(new["params"], old["params"]))

        def fitted(value, param, number, key=None):
            if isinstance(value, torch.Tensor):
                return self._process_value_according_to_param_policy(param, value, number, saved_groups, key)
            if isinstance(value, dict):
                return {name: fitted(item, param, number, name) for name, item in value.items()}
            if isinstance(value, (str, bytes)):
                return value
            if isinstance(value, Iterable):
                return type(value)(fitted(item, param, number) for item in value)
            return value

        saved_groups = state_dict["param_groups"]
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in params:
                state[params[key]] = fitted(value, params[key], key)
            else:
                state[key] = value
        for old, new in zip(self.param_groups, saved):
            new["params"] = old["params"]
            if "param_names" in old:
                new.setdefault("param_names", old["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # Parameters

    @staticmethod
    def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
        """See torch.utils._foreach_utils: optimisers of others call it here."""
        from torch.utils._foreach_utils import _group_tensors_by_device_and_dtype as group

        return group(tensorlistlist, with_indices)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters: ``grad`` becomes None, or zeros if `set_to_none` is False.

        Steps pass over a parameter whose ``grad`` is None; one of zeros may still move it, by momentum or decay.
        """
        if not hasattr(self, "_zero_grad_profile_name"):
            self._patch_step_function()
        if torch._C._profiler_on():
            with torch.autograd.profiler.record_function(self._zero_grad_profile_name):
                return self._zero_grad(set_to_none)
        return self._zero_grad(set_to_none)

    def _zero_grad(self, set_to_none):
        for group in self.param_groups:
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                if set_to_none:
                    param.grad = None
                    continue
                if grad.grad_fn is not None:
                    grad.detach_()
                else:
                    grad.requires_grad_(False)
                grad.zero_()

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Move the parameters once, by their gradients.

        Args:
            closure (callable, optional): computes the loss and its gradients anew and returns the loss, which the
                step then returns. Most optimisers do without.
        """
        raise NotImplementedError

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group: a dictionary with ``"params"`` (a tensor, or an ordered iterable of tensors or of pairs
        ``(name, tensor)``) and options; those that it lacks are filled in from ``defaults``.

        Raises TypeError for a set, or for what is no tensor; ValueError for a tensor that is no leaf or already in a
        group, and where only some groups or parameters have names.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, torch.Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but "
                "the ordering of tensors in sets will change between runs. Please use a list instead."
            )
        params = list(params)
        named = [isinstance(param, tuple) for param in params]
        if any(named):
            if not all(named):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            param_group["param_names"] = [param[0] for param in params]
            params = [param[1] for param in params]
        param_group["params"] = params

        for param in params:
            if not isinstance(param, torch.Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {torch.typename(param)}"
                )
            if not (self.defaults.get("differentiable") or param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        if len({id(param) for param in params}) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error",
                stacklevel=3,
            )
        taken = {id(param) for group in self.param_groups for param in group["params"]}
        if any(id(param) in taken for param in params):
            raise ValueError("some parameters appear in more than one parameter group")
        if self.param_groups and ("param_names" in param_group) != ("param_names" in self.param_groups[0]):
            which = "with" if "param_names" in param_group else "without"
            raise ValueError(
                "all optimizer param groups should be with/without names. "
                f"cannot add param group {which} names to the optimizer"
            )
        self.param_groups.append(param_group)
