"""What is exchanged while a program is recorded, and put back afterwards: methods of torch.nn.Module, and functions in
modules that are to become one step each (torch.fx.wrap)."""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect

from torch.fx.node import map_aggregate
from torch.fx.proxy import Proxy

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_ABSENT = object()

# (id of a module's globals, name): the globals.
_wrapped_fns_to_patch = {}
_wrapped_methods_to_patch = []  # (class, name)
_WRAPPED_IN_CODE = "__fx_wrapped__"  # in globals of generated code: its own names


def _find_proxy(*objects_to_search):
    """A proxy in the arguments, or None."""
    proxy = None

    def find(x):
        nonlocal proxy
        if isinstance(x, Proxy):
            proxy = x

    map_aggregate(objects_to_search, find)
    return proxy


def _create_wrapped_func(orig_fn):
    """A function that is one step of the program where a proxy is among its arguments."""

    @functools.wraps(orig_fn)
    def wrapped(*args, **kwargs):
        proxy = _find_proxy(args, kwargs)
        if proxy is None:
            return orig_fn(*args, **kwargs)
        result = proxy.tracer.create_proxy("call_function", orig_fn, args, kwargs)
        result.node.meta["is_wrapped"] = True
        return result

    return wrapped


def _create_wrapped_method(cls, name):
    orig_fn = getattr(cls, name)

    @functools.wraps(orig_fn)
    def wrapped(*args, **kwargs):
        proxy = _find_proxy(args, kwargs)
        if proxy is None:
            return orig_fn(*args, **kwargs)
        return proxy.tracer.create_proxy("call_method", name, args, kwargs)

    return wrapped


class _Patcher:
    """Exchanges, and puts all back in the end."""

    def __init__(self):
        self.patches = []  # (holder, name, before, new, is a dict)
        self.visited = set()
        self._done = set()

    def patch(self, frame_dict, name, new_fn, deduplicate=True):
        """frame_dict[name] = new_fn"""
        self._exchange(frame_dict, name, new_fn, deduplicate, True)

    def patch_method(self, cls, name, new_fn, deduplicate=True):
        """cls.name = new_fn"""
        self._exchange(cls, name, new_fn, deduplicate, False)

    def _exchange(self, holder, name, new, deduplicate, is_dict):
        key = (id(holder), name)
        if deduplicate and key in self._done:
            return
        self._done.add(key)
        before = (holder if is_dict else vars(holder)).get(name, _ABSENT)
        self.patches.append((holder, name, before, new, is_dict))
        _put(holder, name, new, is_dict)

    def visit_once(self, thing):
        """Whether it is the first time."""
        if id(thing) in self.visited:
            return False
        self.visited.add(id(thing))
        return True

    def revert_all_patches(self):
        for holder, name, before, _, is_dict in reversed(self.patches):
            _put(holder, name, before, is_dict)
        return self.patches

    def reapply_all_patches(self):
        for holder, name, _, new, is_dict in self.patches:
            _put(holder, name, new, is_dict)
        return self.patches

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.revert_all_patches()
        self.patches.clear()


def _put(holder, name, value, is_dict):
    if is_dict:
        if value is _ABSENT:
            holder.pop(name, None)
        else:
            holder[name] = value
    elif value is _ABSENT:
        delattr(holder, name)
    else:
        setattr(holder, name, value)


CURRENT_PATCHER = None


@contextlib.contextmanager
def _new_patcher():
    global CURRENT_PATCHER
    before = CURRENT_PATCHER
    try:
        with _Patcher() as CURRENT_PATCHER:
            yield CURRENT_PATCHER
    finally:
        CURRENT_PATCHER = before


@contextlib.contextmanager
def _maybe_revert_all_patches():
    """A context in which nothing is exchanged."""
    patcher = CURRENT_PATCHER
    try:
        if patcher is not None:
            patcher.revert_all_patches()
        yield
    finally:
        if patcher is not None:
            patcher.reapply_all_patches()


def _patch_wrapped_functions(patcher):
    """What torch.fx.wrap() has been told of."""
    for (_, name), frame_dict in list(_wrapped_fns_to_patch.items()):
        _patch_name(patcher, frame_dict, name)
    for cls, name in _wrapped_methods_to_patch:
        patcher.patch_method(cls, name, _create_wrapped_method(cls, name))


def _patch_name(patcher, frame_dict, name):
    function = frame_dict.get(name, getattr(builtins, name, None))
    if function is not None:
        patcher.patch(frame_dict, name, _create_wrapped_func(function))


def _patch_generated(patcher, function_globals):
    """What generated code has been told to record."""
    for name in function_globals.get(_WRAPPED_IN_CODE, ()):
        _patch_name(patcher, function_globals, name)


def _autowrap_check(patcher, frame_dict, function_ids):
    """Names in a module's globals of functions that are always recorded, as those of math are."""
    if not patcher.visit_once(frame_dict):
        return
    for name, value in list(frame_dict.items()):
        if not name.startswith("_") and id(value) in function_ids and callable(value):
            patcher.patch(frame_dict, name, _create_wrapped_func(value))


def wrap(fn_or_name: str | Callable[..., Any]) -> str | Callable[..., Any]:
    """Makes a function one step of programs that are recorded: it is not looked into. Called at a module's top level,
    with the name of a global (or built-in) function, or the function; a decorator, too.

        torch.fx.wrap("len")

        @torch.fx.wrap
        def my_function(x, y): ...
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError(
            "Unsupported type for global function! Must be either a callable or string name, not "
            f"{type(fn_or_name).__name__}"
        )
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    if not isinstance(name, str):
        raise AssertionError(f"the function's __name__ must be a string, not {name!r}")
    frame = inspect.currentframe().f_back
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    names = frame.f_globals.get(_WRAPPED_IN_CODE)
    if names is not None:
        names.append(name)
    else:
        _wrapped_fns_to_patch[(id(frame.f_globals), name)] = frame.f_globals
    return fn_or_name
