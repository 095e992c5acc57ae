"""Signatures of torch's functions, and arguments in one form."""

import inspect
import numbers
import re
import types
import typing
from typing import Any, NamedTuple

import torch

__all__ = [
    "ArgsKwargsPair",
    "check_for_mutable_operation",
    "create_type_hint",
    "get_signature_for_torch_op",
    "normalize_function",
    "normalize_module",
    "type_matches",
]


class ArgsKwargsPair(NamedTuple):
    """Arguments by position, and by keyword."""

    args: tuple
    kwargs: dict


# ---- schemas -----------------------------------------------------------------------------------------------
_TYPES = {
    "Tensor": torch.Tensor,
    "Scalar": numbers.Number,
    "int": int,
    "SymInt": int,
    "float": float,
    "bool": bool,
    "str": str,
    "ScalarType": torch.dtype,
    "Layout": torch.layout,
    "Device": torch.device,
    "MemoryFormat": torch.memory_format,
    "Generator": torch.Generator,
}
_ALIASES = re.compile(r"\([a-z]!?(?: -> [^)]*)?\)")
_RESULT_NAMES = re.compile(r"(?<=[\w?)\]]) \w+")
_PARAMETER = re.compile(r"(?P<type>[^\s]+)\s+(?P<name>\w+)(?:=(?P<default>.*))?$")


def _split(text):
    """The parts between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _python_type(text):
    if text.endswith("?"):
        return _python_type(text[:-1]) | None
    listed = re.match(r"(.*)\[\d*\]$", text)
    if listed:
        return list[_python_type(listed.group(1))]
    return _TYPES.get(text, Any)


_DEFAULTS = {"None": None, "True": True, "False": False, "Mean": 1, "contiguous_format": torch.contiguous_format}


def _default(text):
    if text in _DEFAULTS:
        return _DEFAULTS[text]
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return getattr(torch, text, text)


def _torchscript_schema_to_signature(schema):
    """inspect.Signature of "aten::add(Tensor self, …) -> Tensor"."""
    text = _ALIASES.sub("", str(schema))
    start, depth = text.index("("), 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if not depth:
            break
    inside, result = text[start + 1 : i], text[i + 1 :].removeprefix(" -> ").strip("()")
    parameters, kind = [], inspect.Parameter.POSITIONAL_OR_KEYWORD
    for part in _split(inside):
        if part == "*":
            kind = inspect.Parameter.KEYWORD_ONLY
            continue
        match = _PARAMETER.match(part)
        name = "input" if match["name"] == "self" else match["name"]
        default = inspect.Parameter.empty if match["default"] is None else _default(match["default"])
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=_python_type(match["type"])))
    seen_default = False
    for i, parameter in enumerate(parameters):  # as Python wants it
        seen_default |= parameter.default is not parameter.empty
        if seen_default and parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY:
            parameters[i] = parameter.replace(default=None)
    returned = [_python_type(part) for part in _split(_RESULT_NAMES.sub("", result))]
    annotation = returned[0] if len(returned) == 1 else tuple(returned)
    return inspect.Signature(parameters, return_annotation=annotation)


def _schemas_of(op):
    """The schemas of a function of torch, as text; none where it is none."""
    from torch._operators import SCHEMAS

    if isinstance(op, torch._ops.OpOverload):
        found = SCHEMAS.get(op.__name__.partition(".")[0], {}).get(op._overloadname)
        return [found] if found else []
    if isinstance(op, torch._ops.OpOverloadPacket):
        return [schema for schema in SCHEMAS.get(op.__name__, {}).values() if schema]
    module = getattr(op, "__module__", None) or ""
    if not isinstance(op, types.BuiltinFunctionType) or not module.startswith("torch"):
        return []
    overloads = SCHEMAS.get(op.__name__, {})
    if not overloads and op.__name__.endswith("_"):
        return []
    return [schema for schema in overloads.values() if schema]


_signatures = {}


def get_signature_for_torch_op(op, return_schemas=False):
    """The signatures of an operator, one for each overload; None for what is none of torch's."""
    if op not in _signatures:
        schemas = _schemas_of(op)
        _signatures[op] = ([_torchscript_schema_to_signature(s) for s in schemas] or None, schemas or None)
    signatures, schemas = _signatures[op]
    return (signatures, schemas) if return_schemas else signatures


def check_for_mutable_operation(target, args, kwargs):
    """RuntimeError if the function writes to an argument."""
    name = getattr(target, "__name__", "")
    module = getattr(target, "__module__", None) or ""
    if not module.startswith("torch") or not isinstance(target, types.BuiltinFunctionType):
        return
    writes = (name.endswith("_") and not name.endswith("__")) or (kwargs or {}).get("out") is not None
    if writes:
        raise RuntimeError(
            f"Tried to trace mutable operation {module}.{name}. FX only supports functional code, so operations that "
            "mutate operands in-place (e.g. via `out` arguments) are not supported"
        )


# ---- types -------------------------------------------------------------------------------------------------
def create_type_hint(x):
    """A list or tuple of types as one type: list[int] of [int, int]; what is no list or tuple is returned."""
    if not isinstance(x, (list, tuple)):
        return x
    container = (lambda t: list[t]) if isinstance(x, list) else (lambda t: tuple[t, ...])
    if not x:
        return container(Any)
    if any(not isinstance(t, type) and typing.get_origin(t) is None for t in x):
        return x
    common = next(
        (t for t in x if all(isinstance(o, type) and isinstance(t, type) and issubclass(o, t) for o in x)), Any
    )
    return container(common)


def type_matches(signature_type, argument_type):
    """Whether an argument of one type fits a parameter of the other."""
    if argument_type is signature_type or signature_type is Any:
        return True
    origin = typing.get_origin(signature_type)
    if origin in (typing.Union, types.UnionType):
        return any(type_matches(t, argument_type) for t in typing.get_args(signature_type))
    if argument_type is type(None):
        return signature_type is type(None)
    if origin is list:
        (inner,) = typing.get_args(signature_type) or (Any,)
        if inner is int and argument_type is int:
            return True
        if typing.get_origin(argument_type) in (list, tuple):
            return all(t is Ellipsis or type_matches(inner, t) for t in typing.get_args(argument_type))
        return argument_type in (list, tuple, torch.Size)
    if signature_type is numbers.Number:
        return argument_type in (int, float, bool, complex)
    if isinstance(argument_type, type) and isinstance(signature_type, type):
        return issubclass(argument_type, signature_type)
    return False


# ---- one form ----------------------------------------------------------------------------------------------
def _normalized(signature, args, kwargs, only_kwargs):
    """The arguments with all defaults; None where they do not fit."""
    known = {"self": "input"} if "input" in signature.parameters else {}
    try:
        bound = signature.bind(*args, **{known.get(k, k): v for k, v in kwargs.items()})
    except TypeError:
        return None
    bound.apply_defaults()
    by_position, by_name = [], {}
    given = len(args)
    for i, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            return None
        value = bound.arguments[name]
        if not only_kwargs and parameter.kind is not parameter.KEYWORD_ONLY and i < given:
            by_position.append(value)
        else:
            by_name[name] = value
    return ArgsKwargsPair(tuple(by_position), by_name)


def normalize_function(target, args, kwargs=None, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
    """The arguments of a call of a function of torch with all defaults, by keyword alone if so wanted. None for other
    functions, and where no signature fits. RuntimeError where several do and no types decide."""
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(target, (types.BuiltinFunctionType, torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        module = getattr(target, "__module__", None) or ""
        if not module.startswith("torch.nn.functional") and module != "torch.functional":
            return None
        return _normalized(inspect.signature(target), args, kwargs, normalize_to_only_use_kwargs)
    signatures = get_signature_for_torch_op(target)
    if not signatures:
        return None
    found = []
    for signature in signatures:
        pair = _normalized(signature, args, kwargs, normalize_to_only_use_kwargs)
        if pair is not None and not any(
            p.kind is p.KEYWORD_ONLY and p.default is p.empty and k not in kwargs
            for k, p in signature.parameters.items()
        ):
            found.append((signature, pair))
    if len(found) > 1 and (arg_types is not None or kwarg_types is not None):
        found = [(s, pair) for s, pair in found if _types_fit(s, arg_types or (), kwarg_types or {})]
    elif len(found) > 1:
        fitting = [(s, pair) for s, pair in found if _values_fit(s, args, kwargs)]
        found = fitting or found
    if not found:
        return None
    if len(found) > 1 and arg_types is None and kwarg_types is None:
        available = "\n".join(str(signature) for signature in signatures)
        raise RuntimeError(
            f"Tried to normalize arguments to {torch.typename(target)} but the schema match was ambiguous! Please provide "
            f"argument types to the normalize_arguments() call. Available schemas:\n{available}"
        )
    return found[0][1]


def _types_fit(signature, arg_types, kwarg_types):
    try:
        bound = signature.bind(*arg_types, **kwarg_types)
    except TypeError:
        return False
    return all(type_matches(signature.parameters[name].annotation, t) for name, t in bound.arguments.items())


def _values_fit(signature, args, kwargs):
    """Whether what is known of the arguments, which may be nodes, fits."""
    from torch.fx.node import Node

    try:
        bound = signature.bind(*args, **{("input" if k == "self" else k): v for k, v in kwargs.items()})
    except TypeError:
        return False

    def fits(annotation, value):
        if isinstance(value, Node):
            return True
        if isinstance(value, (list, tuple)):
            return typing.get_origin(annotation) in (list, typing.Union, types.UnionType) or annotation is Any
        return type_matches(annotation, type(value))

    return all(fits(signature.parameters[name].annotation, v) for name, v in bound.arguments.items())


def normalize_module(root, target, args, kwargs=None, normalize_to_only_use_kwargs=False):
    """The arguments of a call of a submodule of torch.nn, by its forward(). None for other modules."""
    submodule = root.get_submodule(target)
    if getattr(torch.nn, type(submodule).__name__, None) is not type(submodule):
        return None
    return _normalized(inspect.signature(submodule.forward), args, kwargs or {}, normalize_to_only_use_kwargs)
