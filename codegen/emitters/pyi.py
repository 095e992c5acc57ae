"""Type stubs of what C++ defines: torch/_functions.pyi and the methods of torch.Tensor."""

import keyword

from ..output import write
from . import NOTE
from .docs import place
from .python import is_function, operator_names

# torch::python::ArgType in Python's type language.
HINTS = {
    "Tensor": "Tensor",
    "TensorOrNumber": "Tensor | Number",
    "TensorList": "Sequence[Tensor]",
    "Scalar": "Number | Tensor",
    "Int": "int",
    "Float": "float",
    "Bool": "bool",
    "String": "str",
    "IntList": "int | Sequence[int]",
    "FloatList": "Sequence[float]",
    "Dtype": "dtype | type",
    "Device": "device | str | int",
    "Layout": "layout",
    "MemoryFormat": "memory_format",
    "Generator": "Generator",
    "RequiresGrad": "bool",
    "Object": "Any",
}
LONG_HINTS = {"IntList": "int | Sequence[int]", "TensorList": "Tensor | Sequence[Tensor]", "Object": "Any"}
RETURNS = {
    "Tensor[]": "tuple[Tensor, ...]",
    "Tensor|Tensor[]": "Tensor | tuple[Tensor, ...]",
    "int": "int",
    "bool": "bool",
    "void": "None",
}
HEADER = """\
# ruff: noqa
import builtins
from collections.abc import Sequence
from typing import Any, overload

from torch._C import Generator, Tensor, device, dtype, layout, memory_format

Number = bool | int | float | builtins.complex  # `complex` is a function here

"""


def emit(operators, out):
    """Writes torch/_functions.pyi and torch/_methods.pyi below `out`."""
    named = sorted(operator_names(operators).items())
    # those of torch.fft, … have other names there
    functions = [line for name, entries in named if place(name) == name for line in _stubs(name, entries, method=False)]
    methods = [line for name, entries in named for line in _stubs(name, entries, method=True)]
    note = NOTE.format(target="pyi").replace("//", "#")
    write(out / "_functions.pyi", note + HEADER + "".join(functions))
    write(
        out / "_methods.pyi",
        note + HEADER + "class TensorMethods:\n" + "".join(f"    {line}" for line in methods),
    )


def _stubs(name, entries, method):
    wanted = [
        (o, inplace)
        for o, inplace in entries
        if (inplace or "method" in o.variants if method else is_function(o, inplace))
    ]
    for o, inplace in wanted:
        if len(wanted) > 1:
            yield "@overload\n"
        yield f"def {name}({', '.join(parameters(o, method, inplace))}) -> {result(o, inplace)}: ...\n"


def parameters(o, method, inplace, default=lambda argument: "..."):
    """The parameters of a form as Python writes them; `default` says how an optional one's value is shown."""
    yield from ["self"] if method else []
    star = False
    tensor = "Tensor" if len(o.outputs) == 1 else "tuple[Tensor, ...]"
    for a in o.python[1:] if method else o.python:
        if a.name == o.positional_out and not method:
            yield f"out: {tensor} | None = " + default(o.outputs[0])
        if a.long_args:
            yield f"*{a.name}: {LONG_HINTS[a.type.python]}"
            star = True
            continue
        if a.kwarg_only and not star:
            yield "*"
            star = True
        number = a.number and not (inplace and a is o.python[0])  # what is written is no number
        hint = HINTS["TensorOrNumber" if number else a.type.python] + (" | None" if a.nullable else "")
        shown = "input" if a.name == "self" else a.name + "_" * keyword.iskeyword(a.name)
        yield f"{shown}: {hint}" + (f" = {default(a)}" if a.optional or a.nullable and a.kwarg_only else "")
    if "out" in o.variants and not (method or inplace or o.positional_out):
        yield from [] if star else ["*"]
        yield f"out: {tensor} | None = " + default(o.outputs[0])


def result(o, inplace):
    """What a form returns."""
    if not inplace and len(o.outputs) > 1:
        return f"tuple[{', '.join(['Tensor'] * len(o.outputs))}]"
    return RETURNS.get(o.returns, "Tensor")
