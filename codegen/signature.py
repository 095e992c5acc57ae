"""Signatures: the line `func` of a declaration, which is the operator as Python calls it.

add(Tensor|Number self, Tensor|Number other, *, Scalar alpha=1) -> Tensor result
topk(Tensor self, int k, int dim=-1) -> (Tensor values, IndexTensor indices)
view(Tensor self, int... size) -> Tensor

Tensor x        a type of types.py, and a name; `self` is the tensor whose method it is
Tensor? x       None is a value
Tensor|Number x a Python number will do for the tensor
int[] x         a list
int... x        a list whose elements may stand one by one
x=1             a default, as Python writes it
x=Mean          a reduction: 1, the mean, in C++ and in torch.ops; Python's function takes 0 for it, as PyTorch's does
*               arguments behind it have to be named
-> Tensor       what the function returns: a type of types.RETURNS
-> self         the argument, which it has changed
-> Tensor x     a result with a name is an output: the C call gets it, allocated or as out= has it
"""

import ast
import dataclasses
import re

from .errors import DeclarationError, choices
from .model import Argument
from .types import OUTPUTS, RETURNS, TYPES, WORDS

_FORM = re.compile(r"(\w+)\((.*)\) -> (.+)", re.DOTALL)
_PARAMETER = re.compile(r"(?P<type>\S+) (?P<name>[^\s=]+)(=(?P<default>.+))?", re.DOTALL)
# Defaults with a name: in C++ and in schemas, and of Python's functions.
_NAMED = {"Mean": ("1", "0")}
_PIECE = re.compile(r"'[^']*'|[^'\[\](){},]+|.", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Signature:
    name: str
    arguments: tuple[Argument, ...]  # in Python's order
    outputs: tuple[Argument, ...]
    returns: str  # "" where there are outputs


def parse(text, at):
    match = _FORM.fullmatch(text)
    if not match:
        raise DeclarationError(at, f"expected 'name(type name, …) -> result', not '{text}'")
    name, parameters, result = match.groups()
    arguments = _arguments(parameters, at)
    outputs, returns = _result(result, at)
    names = [a.name for a in outputs + arguments]
    for n in names:
        if names.count(n) > 1:
            raise DeclarationError(at, f"two arguments are called '{n}'")
    return Signature(_identifier(name, at), arguments, outputs, returns)


def text(name, arguments, outputs, returns):
    """The signature as text; parsing it returns an equal one."""
    parts, star = [], False
    for a in arguments:
        if a.kwarg_only and not star:
            parts.append("*")
            star = True
        parts.append(str(a) + (f"={_written(a)}" if a.optional else ""))
    if outputs:
        named = ", ".join(map(str, outputs))
        returns = f"({named})" if len(outputs) > 1 else named
    return f"{name}({', '.join(parts)}) -> {returns}"


def _written(a):
    return next((name for name, values in _NAMED.items() if values == (a.default, a.python_default)), a.default)


def split(text, at):
    """The parts between commas that stand in no bracket and no quotes."""
    parts, depth = [""], 0
    for piece in _PIECE.findall(text):
        depth += (piece in "([{") - (piece in ")]}")
        if piece == "'" or depth < 0:
            raise DeclarationError(at, f"{piece} is not closed or not opened in '{text}'")
        if piece == "," and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    if depth:
        raise DeclarationError(at, f"a bracket is not closed in '{text}'")
    parts = [" ".join(part.split()) for part in parts]
    if parts == [""]:
        return []
    if "" in parts:
        raise DeclarationError(at, f"nothing stands between two commas of '{text}'")
    return parts


def _arguments(text, at):
    arguments, keywords, optional = [], False, None
    parts = split(text, at)
    for i, part in enumerate(parts):
        if part == "*":
            if keywords or i + 1 == len(parts):
                raise DeclarationError(at, "a * stands once, before arguments that have to be named")
            keywords = True
            continue
        a = dataclasses.replace(_argument(part, at), kwarg_only=keywords)
        if a.optional:
            optional = a
        elif optional is not None and not keywords:
            raise DeclarationError(at, f"'{a.name}' has no default but follows '{optional.name}', which has one")
        arguments.append(a)
    return tuple(arguments)


def _argument(text, at):
    match = _PARAMETER.fullmatch(text)
    if not match:
        raise DeclarationError(at, f"expected 'type name' or 'type name=default', not '{text}'")
    name, default = match["name"], match["default"]
    form = re.fullmatch(r"(?P<word>.+?)(?P<varargs>\.\.\.)?(?P<number>\|Number)?(?P<nullable>\?)?", match["type"])
    word = form["word"]
    if form["varargs"] and word + "[]" in TYPES:
        word += "[]"
    if word not in TYPES:
        raise DeclarationError(at, f"unknown type '{word}' of argument '{name}'; allowed: {choices(TYPES)}")
    type = TYPES[word]
    if form["varargs"] and not word.endswith("[]") and word != "object":
        raise DeclarationError(at, f"there is no list of {word}, as which '{name}' could be given one by one")
    if form["number"] and word != "Tensor":
        raise DeclarationError(at, f"|Number belongs to Tensor, and '{name}' is {word}")
    if form["nullable"] and not type.missing:
        raise DeclarationError(at, f"'{name}' cannot be None: {word} has no empty value")
    default, python_default = _NAMED.get(default if word == "int" else None, (default, ""))
    if default is not None and not _is_value(default):
        raise DeclarationError(at, f"the default of '{name}' is no number, text, tuple or word of Python: {default}")
    return Argument(
        _identifier(name, at),
        type,
        default=default,
        python_default=python_default,
        nullable=bool(form["nullable"]),
        number=bool(form["number"]),
        long_args=bool(form["varargs"]),
        call=type.call.format(name),
    )


def _is_value(text):
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text in WORDS
    return True


def _result(text, at):
    """(outputs, what is returned where there are none)"""
    if text in RETURNS or text == "self":
        return (), text
    several = text.startswith("(") and text.endswith(")")
    outputs = []
    for part in split(text[1:-1] if several else text, at):
        type, _, name = part.partition(" ")
        if type not in OUTPUTS or not name.isidentifier():
            raise DeclarationError(
                at,
                f"unknown result '{part}'; allowed: {choices((*RETURNS, 'self'))}, and outputs: "
                + ", ".join(f"{type} name" for type in OUTPUTS),
            )
        outputs.append(Argument(name, TYPES[type], output=True, call=TYPES[type].call.format(name)))
    if several != (len(outputs) > 1):
        raise DeclarationError(at, f"several outputs stand in brackets, and one does not: '{text}'")
    return tuple(outputs), ""


def _identifier(text, at):
    if not text.isidentifier():
        raise DeclarationError(at, f"'{text}' is not a name")
    return text
