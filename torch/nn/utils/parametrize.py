"""Parameters that are computed from others: a module's tensor `weight` becomes a property, the result of modules that are
applied to what is learned in its place."""

from __future__ import annotations

import collections
import contextlib
import copy
from collections.abc import Sequence

import torch
from torch.nn.modules.container import ModuleDict, ModuleList
from torch.nn.parameter import Parameter

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn.modules.module import Module

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]

_cache_depth = 0
_cache = {}


@contextlib.contextmanager
def cached():
    """A context in which every parametrised tensor is computed once, when it is first asked for."""
    global _cache_depth
    _cache_depth += 1
    try:
        yield
    finally:
        _cache_depth -= 1
        if not _cache_depth:
            _cache.clear()


def _register(module, name, tensor):
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _check_kept(what, before, after):
    """A parametrisation may not change dtype and shape."""
    for attribute in ("dtype", "shape"):
        old, new = getattr(before, attribute), getattr(after, attribute)
        if old != new:
            raise ValueError(
                f"Registering a parametrization may not change the {attribute} of the tensor, unless `unsafe` flag is "
                f"enabled.\n{what[0]} {attribute}: {old}\n{what[1]} {attribute}: {new}"
            )


class ParametrizationList(ModuleList):
    """The modules that one tensor is computed with, applied one after the other to `original`, or to `original0`,
    `original1`, … where the first takes several. Made by register_parametrization(); called, it returns the tensor."""

    def __init__(self, modules: Sequence[Module], original: Tensor | Parameter, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with torch.no_grad():
            new = original
            for module in reversed(self):
                if hasattr(module, "right_inverse"):
                    with contextlib.suppress(NotImplementedError):
                        new = module.right_inverse(new)
        self.is_tensor = isinstance(new, torch.Tensor)
        if not self.is_tensor and not isinstance(new, collections.abc.Sequence):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            for attribute in ("dtype", "device"):
                if getattr(original, attribute) != getattr(new, attribute):
                    raise ValueError(
                        f"When `right_inverse` outputs one tensor, it may not change the {attribute}.\n"
                        f"original.{attribute}: {getattr(original, attribute)}\n"
                        f"right_inverse(original).{attribute}: {getattr(new, attribute)}"
                    )
            if new is not original:
                original.data = new.detach()
            _register(self, "original", original)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, torch.Tensor):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                        f"Got element {i} of the sequence with type {type(part).__name__}."
                    )
                if isinstance(original, Parameter):
                    part = Parameter(part, original.requires_grad)
                _register(self, f"original{i}", part.requires_grad_(original.requires_grad))
        if not unsafe:
            result = self()
            if not isinstance(result, torch.Tensor):
                raise ValueError(f"A parametrization must return a tensor. Got {type(result).__name__}.")
            _check_kept(("unparametrized", "parametrized"), torch.empty(shape, dtype=dtype, device="meta"), result)

    def _originals(self):
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{i}") for i in range(self.ntensors)]

    def right_inverse(self, value: Tensor) -> None:
        """Sets the originals to those that give `value`. RuntimeError if a module has no right_inverse(), ValueError if it
        returns what does not fit."""
        with torch.no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                if not isinstance(value, torch.Tensor):
                    raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
                values = [value]
            else:
                if not isinstance(value, collections.abc.Sequence):
                    raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(value)}.")
                if len(value) != self.ntensors:
                    raise ValueError(
                        "'right_inverse' must return a sequence of tensors of length "
                        f"{self.ntensors}. Got a sequence of length {len(value)}."
                    )
                values = value
            for i, (original, new) in enumerate(zip(self._originals(), values)):
                if not isinstance(new, torch.Tensor):
                    raise ValueError(
                        f"`right_inverse` must return a sequence of tensors. Got element {i} of type {type(new)}"
                    )
                if new.dtype != original.dtype:
                    raise ValueError(
                        f"The tensor returned by `right_inverse` has dtype {new.dtype} while `original` has dtype "
                        f"{original.dtype}"
                    )
                original.data = new.detach()

    def forward(self) -> Tensor:
        result = self[0](*self._originals())
        for module in list(self)[1:]:
            result = module(result)
        return result


# ---- the class of a module that has some ---------------------------------------------------------------------------
def _refuse_pickle(self):
    raise RuntimeError("Serialization of parametrized modules is only supported through state_dict()")


def _deepcopy(self, memo):
    if id(self) in memo:
        return memo[id(self)]
    replica = self.__new__(type(self))
    memo[id(self)] = replica
    replica.__dict__ = copy.deepcopy(self.__dict__, memo)
    return replica


def _inject_class(module):
    """Makes the module one of a class of its own, which may have properties."""
    cls = type(module)
    members = {"__getstate__": _refuse_pickle}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = _deepcopy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)


def _inject_property(module: Module, name) -> None:
    """A property of the module's class that computes the tensor."""

    def get(self):
        if not _cache_depth:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def set(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(get, set))


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether the tensor of that name is computed from others; None: whether any is."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    if tensor_name is None:
        return len(parametrizations) > 0
    return tensor_name in parametrizations


def type_before_parametrizations(module: Module) -> type:
    """The module's class as it was."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Makes a parameter or buffer the result of `parametrization`, a module that is applied to what is learned in its place;
    further ones are applied to its result. Returns the module.

    A method right_inverse(value) of it says which original gives a value, or several; so the tensor can be assigned, and
    the original begins with what the tensor was. unsafe: dtype and shape may change and nothing is checked; otherwise
    ValueError for such ones, and for a name that is no tensor's.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        parametrizations = module.parametrizations[tensor_name]
        if not unsafe:
            before = getattr(module, tensor_name)
            after = parametrization(before)
            if not isinstance(after, torch.Tensor):
                raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
            _check_kept(("module." + tensor_name, "parametrization(module." + tensor_name + ")"), before, after)
            if hasattr(parametrization, "right_inverse"):
                with contextlib.suppress(NotImplementedError):
                    back = parametrization.right_inverse(after)
                    if not isinstance(back, torch.Tensor):
                        raise ValueError(
                            f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}"
                        )
                    _check_kept(("module." + tensor_name, "parametrization.right_inverse"), before, back)
        parametrizations.append(parametrization)
        parametrizations.unsafe |= unsafe
    elif tensor_name in module._parameters or tensor_name in module._buffers:
        parametrizations = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = parametrizations
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    return module


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Makes the tensor a parameter or buffer again: with what was computed, or, unless leave_parametrized, the original.
    Returns the module. ValueError if it is not parametrised, or has several originals and one shall be left."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with torch.no_grad():
                computed = getattr(module, tensor_name)
            original.data = computed.detach().clone()
    else:
        if not leave_parametrized:
            raise ValueError(
                "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence "
                "of tensors."
            )
        learned = any(o.requires_grad for o in parametrizations._originals())
        with torch.no_grad():
            computed = getattr(module, tensor_name).detach().clone()
        original = Parameter(computed) if learned else computed
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Gives another module the parametrisations of one, and the tensors that they are made of; of one name, or of all.
    Returns it. AssertionError if there are none."""
    if not is_parametrized(from_module):
        raise AssertionError("from_module is not parametrized")
    names = list(from_module.parametrizations) if tensor_name is None else [tensor_name]
    for name in names:
        parametrizations = from_module.parametrizations[name]
        if (
            name not in to_module._parameters
            and name not in to_module._buffers
            and not is_parametrized(to_module, name)
        ):
            _register(to_module, name, copy.deepcopy(parametrizations._originals()[0]))
        for parametrization in parametrizations:
            register_parametrization(to_module, name, parametrization)
        target = to_module.parametrizations[name]
        for mine, theirs in zip(parametrizations._originals(), target._originals()):
            theirs.data = mine.detach().clone()
    return to_module
