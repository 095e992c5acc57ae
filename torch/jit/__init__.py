"""torch.jit: there is no TorchScript in this torch. Annotations are kept, questions are answered, and `script` and
`trace` hand functions back as they are, as PyTorch does where TorchScript is switched off; what needs a program in
TorchScript raises RuntimeError."""

from __future__ import annotations

import builtins as _builtins
import collections as _collections
import contextlib as _contextlib
import functools as _functools
import sys as _sys
import types as _types
import typing as _typing
import weakref as _weakref
from typing import Final  # noqa: F401 - torch.jit.Final

from torch._absent import rest_of as _rest_of
from torch._no_device import Refuses as _Refuses, functions_of as _functions_of
from torch._note import note_once as _note_once

del annotations  # the name of a submodule, which __getattr__ imports

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


Attribute = _collections.namedtuple("Attribute", ["value", "type"])


# ---- questions ---------------------------------------------------------------------------------------------
def is_scripting():
    """Whether the caller runs as TorchScript."""
    return False


def is_tracing():
    """Whether the caller is being traced."""
    return False


def onednn_fusion_enabled():
    """What `enable_onednn_fusion` has set."""
    return _fusion


_fusion = False


def enable_onednn_fusion(enabled: bool) -> None:
    """Whether TorchScript may merge operators into oneDNN's: a bool."""
    global _fusion
    _fusion = enabled


# ---- functions handed back ---------------------------------------------------------------------------------
# What programs ask of functions and modules in TorchScript.
_OF_SCRIPTS = frozenset(
    """code code_with_constants get_debug_state graph graph_for inlined_graph inlined_graph_for
    original_name qualified_name save save_to_buffer schema""".split()
)


class _NoScript(RuntimeError, AttributeError):
    """Something of TorchScript is asked for. An AttributeError, too, so that hasattr() says that it is not there."""


def _no_script(name, obj):
    return _NoScript(
        f"{obj} has no '{name}': torch.jit.script and trace have handed it back as it is, since there is no TorchScript in "
        "this torch. torch.save(module.state_dict(), …) stores a module's parameters"
    )


class _Function:
    """A function that was to be scripted or traced: it is called as it is."""

    def __init__(self, function):
        _functools.update_wrapper(self, function)

    def __call__(self, *args, **kwargs):
        return self.__wrapped__(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else _types.MethodType(self, instance)

    def __getattr__(self, name):
        if name in _OF_SCRIPTS:
            raise _no_script(name, f"function '{self.__name__}'")
        raise AttributeError(f"function '{self.__name__}' has no attribute '{name}'")

    def __reduce__(self):
        return self.__qualname__

    def __repr__(self):
        return repr(self.__wrapped__)


_modules = {}  # id: a weak reference, of the modules that were to be scripted or traced


def _refuse_of_module(module, name):
    """What torch.nn.Module calls where it has no attribute of that name."""
    if name in _OF_SCRIPTS and id(module) in _modules:
        raise _no_script(name, f"module {type(module).__name__}")


def _handed_back(what, obj):
    _note_once(f"torch.jit.{what}: there is no TorchScript in this torch; functions are handed back as they are", 2)
    if _builtins.isinstance(obj, (_types.FunctionType, _types.MethodType)):
        return _Function(obj)
    nn = _sys.modules.get("torch.nn")
    if nn is not None and _builtins.isinstance(obj, nn.Module):
        key = id(obj)
        _modules[key] = _weakref.ref(obj, lambda _: _modules.pop(key, None))
    return obj


def script(
    obj: Any,
    optimize: None = None,
    _frames_up: int = 0,
    _rcb: Callable[[str], Any] | None = None,
    example_inputs: list[tuple] | dict[Callable, list[tuple]] | None = None,
) -> Any:
    """`obj`, a function, module or class, which runs as Python, with the same results. The first call says so in a
    UserWarning. What only TorchScript has, such as `code` and `save`, is a RuntimeError."""
    return _handed_back("script", obj)


def trace(
    func,
    example_inputs=None,
    optimize=None,
    check_trace=True,
    check_inputs=None,
    check_tolerance=1e-5,
    strict=True,
    _force_outplace=False,
    _module_class=None,
    _compilation_unit=None,
    example_kwarg_inputs=None,
    _store_inputs=True,
):
    """`func`, a function or module, with all its branches and loops: see `script`."""
    return _handed_back("trace", func)


def trace_module(
    mod,
    inputs,
    optimize=None,
    check_trace=True,
    check_inputs=None,
    check_tolerance=1e-5,
    strict=True,
    _force_outplace=False,
    _module_class=None,
    _compilation_unit=None,
    example_inputs_is_kwarg=False,
    _store_inputs=True,
):
    """`mod`, a module: see `script`."""
    return _handed_back("trace_module", mod)


def script_method(fn):
    """`fn` as it is. The first call says so in a UserWarning."""
    _note_once(
        "torch.jit.script_method: there is no TorchScript in this torch; functions are handed back as they are", 1
    )
    return fn


def script_if_tracing(fn):
    """A function to be scripted while its caller is traced: `fn` itself."""
    return fn


_script_if_tracing = script_if_tracing


def fork(func, *args, **kwargs):
    """A Future of func(*args, **kwargs), which is called at once, as PyTorch does outside of scripts."""
    from torch.futures import Future

    future = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future):
    """The value of what `fork` has returned."""
    return future.wait()


_fork, _wait = fork, wait


@_contextlib.contextmanager
def optimized_execution(should_optimize):
    """A context that says whether scripts are to be optimised: there are none."""
    yield


class strict_fusion:  # noqa: N801 - torch's name
    """A context in which all operators of a script must be merged: there are none."""

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        return False


def set_fusion_strategy(strategy: list[tuple[str, int]]):
    """How scripts are specialised, [("STATIC" or "DYNAMIC", times)]: remembered; returns what was set before."""
    global _strategy
    before, _strategy = _strategy, strategy
    return before


_strategy = [("STATIC", 2), ("DYNAMIC", 10)]


# ---- annotations -------------------------------------------------------------------------------------------
def annotate(the_type, the_value):
    """`the_value`, which is meant to be of `the_type`."""
    return the_value


def export(fn):
    """Marks a method to be scripted with its module. The function itself."""
    return fn


def unused(fn):
    """Marks a method that scripts do not call. The function itself."""
    return fn


def ignore(drop=False, **kwargs):
    """Marks a function that scripts call as Python: `@ignore`, `@ignore()`, `@ignore(drop=True)`. The function
    itself."""
    if callable(drop):
        return drop
    if not _builtins.isinstance(drop, bool):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    return lambda fn: fn


def interface(obj):
    """Marks a class that says which methods others have. The class itself."""
    return obj


def _overload(func):
    """Marks one of several signatures. The function itself."""
    return func


_overload_method = _overload


def isinstance(obj, target_type):  # noqa: A001 - torch's name
    """Whether `obj` is of `target_type`, a type or tuple of types, which may be generic: list[int],
    dict[str, Tensor], tuple[int, str], Optional[int]. Every element is looked at. RuntimeError for list, dict, tuple
    without the types of elements."""
    if _builtins.isinstance(target_type, tuple):
        return any(isinstance(obj, one) for one in target_type)
    origin, parts = _typing.get_origin(target_type), _typing.get_args(target_type)
    if target_type in (list, dict, tuple, list, dict, tuple):
        raise RuntimeError(
            f"torch.jit.isinstance: {target_type} does not say the type of its elements, as list[int] does"
        )
    if target_type is None:
        return obj is None
    if origin in (_typing.Union, _types.UnionType):
        return any(isinstance(obj, one) for one in parts)
    if origin is list:
        return _builtins.isinstance(obj, list) and all(isinstance(item, parts[0]) for item in obj)
    if origin is dict:
        return _builtins.isinstance(obj, dict) and all(
            isinstance(key, parts[0]) and isinstance(value, parts[1]) for key, value in obj.items()
        )
    if origin is tuple:
        same = _builtins.isinstance(obj, tuple) and len(obj) == len(parts)
        return same and all(isinstance(item, part) for item, part in zip(obj, parts))
    return _builtins.isinstance(obj, origin or target_type)


# ---- what needs TorchScript --------------------------------------------------------------------------------
class Error(Exception):
    """An error that a script has raised."""


class TracerWarning(Warning):
    """A trace may not hold for other inputs."""


class ScriptWarning(Warning):
    """A script may not do what its author expects."""


class ScriptModule:
    """A module in TorchScript. There are none: no object is an instance."""

    def __init__(self, *args, **kwargs) -> None:
        _refuse(type(self).__name__)


class RecursiveScriptModule(ScriptModule):
    """A module in TorchScript. There are none: no object is an instance."""


class RecursiveScriptClass:
    """A class in TorchScript. There are none: no object is an instance."""

    def __init__(self, *args, **kwargs):
        _refuse(type(self).__name__)


class TracedModule(ScriptModule):
    """A module that has been traced. There are none: no object is an instance."""


class TopLevelTracedModule(TracedModule):
    """A module that has been traced. There are none: no object is an instance."""


class ScriptFunction:
    """A function in TorchScript. There are none: no object is an instance."""

    def __init__(self, *args, **kwargs):
        _refuse(type(self).__name__)


def _refuse(name):
    raise RuntimeError(f"torch.jit.{name}: there is no TorchScript in this torch")


_WHAT = """
CompilationUnit(lang=None, _frames_up=0): Functions in TorchScript from source text.
export_opnames(m): The operators that a module in TorchScript calls.
freeze(mod, preserved_attrs=None, optimize_numerics=True): A module in TorchScript with its parameters as constants.
load(f, map_location=None, _extra_files=None, _restore_shapes=False): A module in TorchScript from a file.
optimize_for_inference(mod, other_methods=None): A frozen module, made faster.
save(m, f, _extra_files=None): Writes a module in TorchScript into a file.
"""
globals().update(_functions_of(__name__, _WHAT, _Refuses(_refuse, "RuntimeError here.")))

_rest, _ = _rest_of(__name__)


def __getattr__(name):
    if name == "Future":
        from torch.futures import Future

        return Future
    if name == "annotations":
        import torch.jit.annotations as found

        return found
    return _rest(name)
