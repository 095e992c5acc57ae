"""The schema of a function in Python, from its annotations."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable


_PLAIN = {
    torch.Tensor: "Tensor",
    int: "SymInt",
    float: "float",
    bool: "bool",
    str: "str",
    torch.types.Number: "Scalar",
    torch.dtype: "ScalarType",
    torch.device: "Device",
}
_LISTS = (torch.Tensor, int, float, bool, torch.types.Number)


def _parameter_types():
    """{annotation: schema type} of parameters."""
    found = {}
    for kind, name in _PLAIN.items():
        found[kind] = name
        found[typing.Optional[kind]] = f"{name}?"  # noqa: UP045 - the annotation is the key
        if kind not in _LISTS:
            continue
        for sequence in (typing.Sequence, list, collections.abc.Sequence, typing.List):  # noqa: UP006, UP035
            found[sequence[kind]] = f"{name}[]"
            if kind is torch.Tensor:
                found[sequence[typing.Optional[kind]]] = "Tensor?[]"  # noqa: UP045
            else:
                found[typing.Optional[sequence[kind]]] = f"{name}[]?"  # noqa: UP045
    return found


SUPPORTED_PARAM_TYPES = _parameter_types()
SUPPORTED_RETURN_TYPES = {
    torch.Tensor: "Tensor",
    list[torch.Tensor]: "Tensor[]",
    typing.List[torch.Tensor]: "Tensor[]",  # noqa: UP006
    int: "SymInt",
    float: "float",
    bool: "bool",
    torch.types.Number: "Scalar",
}


def infer_schema(prototype_function: Callable, /, *, mutates_args, op_name: str | None = None, tags=()) -> str:
    """The schema of `prototype_function`, such as "(Tensor x, float eps=1.) -> Tensor", from its annotations.

    `mutates_args`: the names of arguments that it writes, () for none, "unknown" for all tensors. `op_name` is put in
    front. ValueError where an annotation is missing or has no place in a schema.

        >>> def scale(x: torch.Tensor, by: float = 2.0) -> torch.Tensor: ...
        >>> torch.library.infer_schema(scale, mutates_args=())
        '(Tensor x, float by=2.) -> Tensor'
    """
    from torch._library.schema import parse

    signature = inspect.signature(prototype_function)

    def refuse(what):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    hints = _resolved(prototype_function, refuse)
    if mutates_args != "unknown":
        unknown = set(mutates_args) - set(signature.parameters)
        if unknown:
            refuse(
                f"{unknown} in mutates_args were not found in the custom op's signature: it takes the names of arguments, or "
                "'unknown' for every tensor."
            )
    words, written, keywords = [], 0, False
    for place, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            refuse(
                f"Parameter {parameter} has no place in a schema: we do not support positional-only args, varargs, or varkwargs."
            )
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            words.append("*")
            keywords = True
        if parameter.annotation is parameter.empty:
            refuse(f"Parameter {name} must have a type annotation.")
        kind = _looked_up(SUPPORTED_PARAM_TYPES, hints[name])
        if kind is None:
            hint = " Tuples have no type in a schema: use list[int] or its like." if _is_tuple(hints[name]) else ""
            refuse(f"Parameter {name} has unsupported type {hints[name]}.{hint} {_valid(SUPPORTED_PARAM_TYPES)}")
        if name in mutates_args if mutates_args != "unknown" else kind.startswith("Tensor"):
            if not kind.startswith("Tensor"):
                refuse(f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be mutated")
            kind = kind.replace("Tensor", f"Tensor(a{place}!)", 1)
            written += 1
        words.append(f"{kind} {name}{_default(name, parameter, refuse)}")
    schema = f"{op_name or ''}({', '.join(words)}) -> {_returns(signature, hints, refuse)}"
    parse(schema if op_name else f"name{schema}")
    return schema


def _resolved(function, refuse):
    """{parameter: annotation}, those that are text evaluated where the function was defined."""
    hints = {name: parameter.annotation for name, parameter in inspect.signature(function).parameters.items()}
    hints["return"] = inspect.signature(function).return_annotation
    scope = getattr(function, "__globals__", {})
    for name, hint in hints.items():
        if isinstance(hint, str):
            try:
                hints[name] = eval(hint, {**vars(typing), **scope})  # noqa: S307 - the module's own annotation
            except Exception:  # noqa: BLE001 - whatever the text raises, it is no annotation
                what = "Return type" if name == "return" else f"Type of parameter {name}"
                refuse(f"Unsupported type annotation {hint}. {what} is not a type: it cannot be found in the module.")
    return hints


def _looked_up(known, hint):
    try:
        if hint in known:
            return known[hint]
    except TypeError:
        return None
    if isinstance(hint, types.UnionType):  # int | None is typing.Optional[int]
        return known.get(typing.Union[typing.get_args(hint)])  # noqa: UP007
    return None


def _is_tuple(hint):
    return hint is tuple or typing.get_origin(hint) is tuple


def _valid(known):
    return f"The valid types are: {list(known)}."


def _default(name, parameter, refuse):
    value = parameter.default
    if value is parameter.empty:
        return ""
    if value is None or isinstance(value, (bool, int)):
        return f"={value}"
    if isinstance(value, float):
        return f"={int(value)}." if value.is_integer() and abs(value) < 1e6 else f"={value}"
    if isinstance(value, (str, torch.device)):
        return f'="{value}"'
    if isinstance(value, torch.dtype):
        return f"={str(value).removeprefix('torch.')}"
    return refuse(f"Parameter {name} has an unsupported default value type {type(value)}.")


def _returns(signature, hints, refuse):
    found = hints["return"]
    if found is signature.empty:
        refuse("No return type annotation was provided. Please add one.")
    if found is None or found is type(None):
        return "()"
    single = _looked_up(SUPPORTED_RETURN_TYPES, found)
    if single is not None:
        return single
    if typing.get_origin(found) is not tuple:
        refuse(f"Return has unsupported type {found}. {_valid(SUPPORTED_RETURN_TYPES)}")
    words = []
    for kind in typing.get_args(found):
        word = _looked_up(SUPPORTED_RETURN_TYPES, kind)
        if word is None:
            refuse(f"Return has unsupported type {found}: {kind} is none. {_valid(SUPPORTED_RETURN_TYPES)}")
        words.append(word)
    return f"({', '.join(words)})"
