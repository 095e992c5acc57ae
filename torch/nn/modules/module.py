"""Module: the base of everything in torch.nn.

A module has parameters, buffers and submodules, which it registers when they are assigned to attributes; forward() says
what it computes. Its parts: _members.py walks over it, _hooks.py runs what is hooked into its calls, _state.py stores and
loads it, _conversion.py moves it.
"""

# ruff: noqa: F401 - some imports are what this file gives
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Optional, Self

import torch
from torch import Tensor
from torch.nn.modules import _globals
from torch.nn.modules._conversion import ModuleConversion
from torch.nn.modules._globals import (
    backward as _global_backward_hooks,
    backward_pre as _global_backward_pre_hooks,
    buffer_registration as _global_buffer_registration_hooks,
    forward as _global_forward_hooks,
    forward_always_called as _global_forward_hooks_always_called,
    forward_pre as _global_forward_pre_hooks,
    forward_with_kwargs as _global_forward_hooks_with_kwargs,
    module_registration as _global_module_registration_hooks,
    parameter_registration as _global_parameter_registration_hooks,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from torch.nn.modules._hooks import ModuleHooks, WrappedHook as _WrappedHook
from torch.nn.modules._members import ModuleMembers
from torch.nn.modules._state import EXTRA_STATE_KEY as _EXTRA_STATE_KEY_SUFFIX, ModuleState, _IncompatibleKeys
from torch.nn.parameter import Buffer, Parameter

TYPE_CHECKING = False  # type checkers take it for True

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]


def _addindent(text, spaces):
    """The text with all lines but the first indented."""
    return text.replace("\n", "\n" + " " * spaces)


def _has_any_global_hook():
    return _globals.any_call_hook()


def _forward_unimplemented(self, *input: Any) -> None:
    """What the module computes. NotImplementedError: every module has to define it."""
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


# Attributes of instances: what __init__ makes, and __setstate__ for pickles of earlier versions.
_FRESH = {
    "training": lambda: True,
    "_parameters": dict,
    "_buffers": dict,
    "_non_persistent_buffers_set": set,
    "_backward_pre_hooks": OrderedDict,
    "_backward_hooks": OrderedDict,
    "_is_full_backward_hook": lambda: None,
    "_forward_hooks": OrderedDict,
    "_forward_hooks_with_kwargs": OrderedDict,
    "_forward_hooks_always_called": OrderedDict,
    "_forward_pre_hooks": OrderedDict,
    "_forward_pre_hooks_with_kwargs": OrderedDict,
    "_state_dict_hooks": OrderedDict,
    "_state_dict_pre_hooks": OrderedDict,
    "_load_state_dict_pre_hooks": OrderedDict,
    "_load_state_dict_post_hooks": OrderedDict,
    "_modules": dict,
}


class Module(ModuleMembers, ModuleHooks, ModuleState, ModuleConversion):
    """A part of a model:

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.hidden = nn.Linear(4, 8)

            def forward(self, x):
                return self.hidden(x).relu()

    Parameters, buffers (nn.Buffer) and modules assigned to attributes are registered: state_dict() stores them, to() moves
    them, parameters() lists them. `training` says whether it is trained; see train() and eval(). module(x) runs forward(x)
    and the hooks.
    """

    dump_patches: bool = False
    # The version of what state_dict() stores, for classes that have changed it.
    _version: int = 1
    # Attributes of instances: _FRESH makes them.
    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, torch.Tensor | None]
    _non_persistent_buffers_set: set[str]
    _backward_pre_hooks: dict[int, Callable]
    _backward_hooks: dict[int, Callable]
    _is_full_backward_hook: bool | None
    _forward_hooks: dict[int, Callable]
    _forward_hooks_with_kwargs: dict[int, bool]
    _forward_hooks_always_called: dict[int, bool]
    _forward_pre_hooks: dict[int, Callable]
    _forward_pre_hooks_with_kwargs: dict[int, bool]
    _state_dict_hooks: dict[int, Callable]
    _load_state_dict_pre_hooks: dict[int, Callable]
    _state_dict_pre_hooks: dict[int, Callable]
    _load_state_dict_post_hooks: dict[int, Callable]
    _modules: "dict[str, Module | None]"
    # Whether __init__ passes its arguments on to the next class of the instance's type.
    call_super_init: bool = False
    _compiled_call_impl: Callable | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init:
            if kwargs:
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
                )
            if args:
                raise TypeError(
                    f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
                )
        attributes = self.__dict__
        for name, make in _FRESH.items():
            attributes[name] = make()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward: Callable[..., Any] = _forward_unimplemented
    if not TYPE_CHECKING:
        __call__: Callable[..., Any]

    # ---- registering -----------------------------------------------------------------------------------------
    def _check_new_name(self, name, kind):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {torch.typename(name)}")
        if "." in name:
            got = f", got: {name}" if kind == "module" else ""
            raise KeyError(f'{kind} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a buffer: a tensor that is stored and moved with the module and is no parameter. None: a name that is
        left out. Buffers that are not `persistent` are not stored. KeyError for a name that is taken."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_new_name(name, "buffer")
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, torch.Tensor):
            raise TypeError(
                f"cannot assign '{torch.typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        for hook in _globals.buffer_registration.values():
            changed = hook(self, name, tensor)
            if changed is not None:
                tensor = changed
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Adds a parameter. None: a name that is left out. KeyError for a name that is taken, ValueError for one that has
        been computed from others."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_new_name(name, "parameter")
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{torch.typename(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if param.grad_fn is not None:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly: "
                    "compute it from parameters in forward() instead"
                )
            for hook in _globals.parameter_registration.values():
                changed = hook(self, name, param)
                if changed is not None:
                    param = changed
        self._parameters[name] = param

    def add_module(self, name: str, module: "Module | None") -> None:
        """Adds a submodule. None: a name that is left out. KeyError for a name that is taken."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{torch.typename(module)} is not a Module subclass")
        self._check_new_name(name, "module")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        self._modules[name] = self._hooked_module(name, module)

    def register_module(self, name: str, module: "Module | None") -> None:
        """add_module()."""
        self.add_module(name, module)

    def _hooked_module(self, name, module):
        for hook in _globals.module_registration.values():
            changed = hook(self, name, module)
            if changed is not None:
                module = changed
        return module

    def __getattr__(self, name: str) -> "Tensor | Module":
        attributes = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            members = attributes.get(kind)
            if members is not None and name in members:
                return members[name]
        if jit := sys.modules.get("torch.jit"):
            jit._refuse_of_module(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _forget(self, name, *kinds):
        """`name` is none of those kinds any more."""
        for kind in kinds:
            members = self.__dict__.get(kind)
            if members is None:
                continue
            if isinstance(members, set):
                members.discard(name)
            else:
                members.pop(name, None)

    def __setattr__(self, name: str, value: "Tensor | Module") -> None:
        attributes = self.__dict__
        parameters, modules = attributes.get("_parameters"), attributes.get("_modules")
        if not isinstance(value, (torch.Tensor, Module)) and name in attributes:  # the most frequent: a number, a flag
            object.__setattr__(self, name, value)
        elif isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            attributes.pop(name, None)
            self._forget(name, "_buffers", "_modules", "_non_persistent_buffers_set")
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{torch.typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            attributes.pop(name, None)
            self._forget(name, "_parameters", "_buffers", "_non_persistent_buffers_set")
            modules[name] = self._hooked_module(name, value)
        elif modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{torch.typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = self._hooked_module(name, value)
        else:
            self._set_other(name, value)

    def _set_other(self, name, value):
        """An attribute that is neither a parameter nor a module: a buffer or none of the three."""
        buffers = self.__dict__.get("_buffers")
        known = buffers is not None and name in buffers
        if not known and not isinstance(value, Buffer):
            object.__setattr__(self, name, value)
            return
        if value is not None and not isinstance(value, torch.Tensor):
            raise TypeError(
                f"cannot assign '{torch.typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
            )
        if isinstance(value, Buffer):
            persistent = value.persistent
        else:
            persistent = name not in self._non_persistent_buffers_set
        if not known and buffers is not None:
            self.__dict__.pop(name, None)
        self.register_buffer(name, value, persistent)

    def __delattr__(self, name) -> None:
        if name in self._parameters:
            del self._parameters[name]
        elif name in self._buffers:
            del self._buffers[name]
            self._non_persistent_buffers_set.discard(name)
        elif name in self._modules:
            del self._modules[name]
        else:
            super().__delattr__(name)

    # ---- calling -----------------------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._compiled_call_impl is not None:
            return self._compiled_call_impl(*args, **kwargs)
        return self._call_impl(*args, **kwargs)

    def _call_impl(self, *args, **kwargs):
        if not (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or _global_backward_pre_hooks
            or _global_backward_hooks
            or _global_forward_hooks
            or _global_forward_pre_hooks
        ):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    def compile(self, *args, **kwargs) -> None:
        """Calls go through torch.compile(module.__call__, …) from now on."""
        self._compiled_call_impl = torch.compile(self._call_impl, *args, **kwargs)

    # ---- copies and pickles --------------------------------------------------------------------------------------
    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("_compiled_call_impl", None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name, make in _FRESH.items():
            if name not in self.__dict__ and name != "training":
                self.__dict__[name] = make()

    def _replicate_for_data_parallel(self):
        """A copy that shares the tensors and has dicts of its own, to be filled with those of another device."""
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = replica._buffers.copy()
        replica._modules = replica._modules.copy()
        replica._is_replica = True
        return replica

    # ---- modes ---------------------------------------------------------------------------------------------------
    def train(self, mode: bool = True) -> Self:
        """Sets `training` of the module and all below, which dropout and batch normalisation look at; returns it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """train(False)."""
        return self.train(False)

    # ---- text ----------------------------------------------------------------------------------------------------
    def _get_name(self):
        return type(self).__name__

    def extra_repr(self) -> str:
        """What stands in the parentheses of the module's text."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): {_addindent(repr(module), 2)}" for name, module in self._modules.items()]
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        if not lines and not children:
            return f"{self._get_name()}()"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"

    def __dir__(self):
        found = {*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in found if not name[0].isdigit())
