"""torch.jit: there is no TorchScript in this torch. Annotations are kept, questions are answered, and `script` and
`trace` hand functions back as they are, as PyTorch does where TorchScript is switched off; what needs a program in
TorchScript raises RuntimeError."""

import builtins as _builtins
import collections as _collections
import types as _types
import typing as _typing
from typing import Final  # noqa: F401 - torch.jit.Final

from torch._device_module import refusing as _refusing
from torch._note import note_once as _note_once

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


def enable_onednn_fusion(enabled):
    """Whether TorchScript may merge operators into oneDNN's: a bool."""
    global _fusion
    _fusion = enabled


# ---- functions handed back ---------------------------------------------------------------------------------
def _handed_back(what, function):
    _note_once(f"torch.jit.{what}: there is no TorchScript in this torch; functions are handed back as they are", 2)
    return function


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """`obj`, a function, module or class, as it is: it runs as Python, with the same results. The first call says so
    in a UserWarning."""
    return _handed_back("script", obj)


def trace(func, example_inputs=None, *args, **options):
    """`func`, a function or module, as it is, with all its branches and loops. The first call says so in a
    UserWarning."""
    return _handed_back("trace", func)


def trace_module(mod, inputs, *args, **options):
    """`mod`, a module, as it is. The first call says so in a UserWarning."""
    return _handed_back("trace_module", mod)


def script_method(fn):
    """`fn` as it is. The first call says so in a UserWarning."""
    return _handed_back("script_method", fn)


def script_if_tracing(fn):
    """A function to be scripted while its caller is traced: `fn` itself."""
    return fn


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


def ignore(drop=False, **options):
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

    def __init__(self, *args, **kwargs):
        _refuse(type(self).__name__)


class ScriptFunction:
    """A function in TorchScript. There are none: no object is an instance."""

    def __init__(self, *args, **kwargs):
        _refuse(type(self).__name__)


def _refuse(name):
    raise RuntimeError(f"torch.jit.{name}: there is no TorchScript in this torch")


globals().update(
    _refusing(
        __name__,
        {
            "CompilationUnit": "Functions in TorchScript from source text. RuntimeError here.",
            "export_opnames": "The operators that a module in TorchScript calls. RuntimeError here.",
            "freeze": "A module in TorchScript with its parameters as constants. RuntimeError here.",
            "load": "A module in TorchScript from a file. RuntimeError here.",
            "optimize_for_inference": "A frozen module, made faster. RuntimeError here.",
            "save": "Writes a module in TorchScript into a file. RuntimeError here.",
        },
        _refuse,
    )
)
