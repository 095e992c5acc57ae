"""Policies: which of a module's parts are wrapped by themselves."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod

from torch import nn
from torch._absent import rest_of

__all__ = [
    "CustomPolicy",
    "ModuleWrapPolicy",
    "always_wrap_policy",
    "enable_wrap",
    "lambda_auto_wrap_policy",
    "size_based_auto_wrap_policy",
    "transformer_auto_wrap_policy",
    "wrap",
]


def always_wrap_policy(*args, **kwargs) -> bool:
    """Each module is wrapped."""
    return True


def lambda_auto_wrap_policy(module, recurse: bool, nonwrapped_numel: int, lambda_fn) -> bool:
    """Modules for which lambda_fn(module) is true."""
    return True if recurse else bool(lambda_fn(module))


def transformer_auto_wrap_policy(module, recurse: bool, nonwrapped_numel: int, transformer_layer_cls) -> bool:
    """Modules of the given classes."""
    return True if recurse else isinstance(module, tuple(transformer_layer_cls))


def _module_wrap_policy(module, recurse: bool, nonwrapped_numel: int, module_classes) -> bool:
    return True if recurse else isinstance(module, tuple(module_classes))


def _or_policy(module, recurse: bool, nonwrapped_numel: int, policies) -> bool:
    """What one of the policies wraps."""
    return any(policy(module=module, recurse=recurse, nonwrapped_numel=nonwrapped_numel) for policy in policies)


def size_based_auto_wrap_policy(
    module,
    recurse: bool,
    nonwrapped_numel: int,
    min_num_params: int = int(1e8),
    force_leaf_modules=None,
    exclude_wrap_modules=None,
) -> bool:
    """Modules with at least `min_num_params` elements that are in no wrapped module inside.

    Nothing inside `force_leaf_modules` is wrapped, and none of `exclude_wrap_modules`; sets of classes.
    """
    leaves = size_based_auto_wrap_policy.FORCE_LEAF_MODULES if force_leaf_modules is None else force_leaf_modules
    never = size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES if exclude_wrap_modules is None else exclude_wrap_modules
    return nonwrapped_numel >= min_num_params and not isinstance(module, tuple(leaves if recurse else never))


size_based_auto_wrap_policy.FORCE_LEAF_MODULES = {nn.MultiheadAttention}
size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES = {nn.ModuleList, nn.ModuleDict}


class _Policy(ABC):
    @abstractmethod
    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        """{module: arguments of its wrapper}"""


class ModuleWrapPolicy(_Policy):
    """Modules of the given classes."""

    def __init__(self, module_classes):
        self._module_classes = set(module_classes)
        self._module_classes_str = str(self._module_classes)

    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        return {
            module: dict(root_kwargs)
            for module in root_module.modules()
            if module not in ignored_modules and isinstance(module, tuple(self._module_classes))
        }

    def __call__(self, module, recurse, *args, **kwargs):
        return _module_wrap_policy(module, recurse, -1, self._module_classes)

    def __repr__(self):
        return f"ModuleWrapPolicy({self._module_classes_str})"


class CustomPolicy(_Policy):
    """Modules for which lambda_fn(module) is True, or a dict of what their wrappers get instead of the outermost's arguments."""

    def __init__(self, lambda_fn):
        self._lambda_fn = lambda_fn

    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        found = {}
        for module in root_module.modules():
            if module in ignored_modules:
                continue
            answer = self._lambda_fn(module)
            if not isinstance(answer, (dict, bool)):
                raise ValueError(f"the function of CustomPolicy gives a bool or a dict, not {answer!r}")
            if answer or isinstance(answer, dict):
                found[module] = {**root_kwargs, **(answer if isinstance(answer, dict) else {})}
        return found


def _wrap_targets(root, targets, wrapper_cls):
    """Wraps the modules of {module: arguments}, inner ones first; not `root` itself, whose arguments are returned."""

    def visit(parent, seen):
        for name, child in list(parent.named_children()):
            if child not in seen:
                seen[child] = child
                visit(child, seen)
                if child in targets:
                    seen[child] = wrapper_cls(child, **targets[child])
            if seen[child] is not child:
                setattr(parent, name, seen[child])

    visit(root, {})
    return targets.get(root, {})


def _wrap(module, wrapper_cls, **kwargs):
    return wrapper_cls(module, **{**kwargs, **getattr(module, "_wrap_overrides", {})})


def _recursive_wrap(
    module, auto_wrap_policy, wrapper_cls, ignored_modules, ignored_params, only_wrap_children: bool = False, **kwargs
):
    """(the module with parts wrapped, or wrapped itself; how many elements are in wrapped modules)"""
    if wrapper_cls in map(type, module.modules()):
        raise ValueError(f"a module inside is a {wrapper_cls.__name__} already")
    return _recursively(
        module, auto_wrap_policy, wrapper_cls, ignored_modules, ignored_params, only_wrap_children, kwargs
    )


def _recursively(module, policy, wrapper_cls, ignored_modules, ignored_params, only_children, kwargs):
    numel = sum(p.numel() for p in module.parameters() if p not in ignored_params)
    if not policy(module=module, recurse=True, nonwrapped_numel=numel):
        return module, 0
    wrapped = 0
    for name, child in list(module.named_children()):
        if child in ignored_modules or isinstance(child, wrapper_cls):
            continue
        made, inside = _recursively(child, policy, wrapper_cls, ignored_modules, ignored_params, False, kwargs)
        setattr(module, name, made)
        wrapped += inside
    if not only_children and policy(module=module, recurse=False, nonwrapped_numel=numel - wrapped):
        return _wrap(module, wrapper_cls, **kwargs), numel
    return module, wrapped


class _ConfigAutoWrap:
    """What enable_wrap() says."""

    in_autowrap_context = False
    wrapper_cls = None
    kwargs: dict = {}


@contextlib.contextmanager
def enable_wrap(*, wrapper_cls, **wrapper_kwargs):
    """A context in which wrap() wraps, by wrapper_cls(module, **wrapper_kwargs). RuntimeError: within another one."""
    if _ConfigAutoWrap.in_autowrap_context:
        raise RuntimeError("enable_wrap() within enable_wrap()")
    _ConfigAutoWrap.in_autowrap_context = True
    _ConfigAutoWrap.wrapper_cls, _ConfigAutoWrap.kwargs = wrapper_cls, wrapper_kwargs
    try:
        yield
    finally:
        _ConfigAutoWrap.in_autowrap_context = False
        _ConfigAutoWrap.wrapper_cls, _ConfigAutoWrap.kwargs = None, {}


def wrap(module: nn.Module, **wrap_overrides):
    """The module wrapped as enable_wrap() around this says, with other arguments where they are given; or as it is."""
    if not _ConfigAutoWrap.in_autowrap_context:
        return module
    return _wrap(module, _ConfigAutoWrap.wrapper_cls, **{**_ConfigAutoWrap.kwargs, **wrap_overrides})


__getattr__, __dir__ = rest_of(__name__)
