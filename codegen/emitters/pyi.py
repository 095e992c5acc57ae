"""Type stubs of what C++ defines: torch/_functions.pyi and its like for torch.fft, torch.linalg, torch._nn and
torch.special, the methods of torch.Tensor, and the named tuples of torch.return_types."""

import keyword

from ..model import MODULES, NAMESPACES, namespace
from ..output import write
from . import NOTE
from .python import is_function, is_method, operator_names

# torch::python::ArgType in Python's type language.
HINTS = {
    "Tensor": "Tensor",
    "TensorOrNumber": "Tensor | _Number",
    "TensorList": "Sequence[Tensor]",
    "Scalar": "_Number | Tensor",
    "Int": "int",
    "Float": "float",
    "Bool": "bool",
    "String": "str",
    "IntList": "int | Sequence[int]",
    "FloatList": "Sequence[float]",
    "Dtype": "dtype",
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
    # Whether one or several come back is said by the arguments' values: a union would be a false alarm for each user.
    "Tensor|Tensor[]": "Any",
    "int": "int",
    "bool": "bool",
    "void": "None",
}
# Operators that return a list of tensors, the same number each time.
PAIRS = frozenset({"std_mean", "var_mean"})
HEADER = """\
# ruff: noqa
import builtins
from collections.abc import Sequence
from typing import Any, overload

from torch import return_types
from torch._C import Generator, Tensor, device, dtype, layout, memory_format

_Number = bool | int | float | builtins.complex  # `complex` is a function here

"""
RETURN_TYPES_HEADER = """\
# ruff: noqa
from torch._C import Tensor

"""
# A module's operators are where star imports of torch/<module>.py find them.
FUNCTIONS = {
    "": "_functions.pyi",
    **{module: f"_{MODULES.get(module, module).lstrip('_')}_functions.pyi" for module in NAMESPACES},
}
FILES = (*FUNCTIONS.values(), "_methods.pyi", "return_types.pyi")


def emit(operators, out):
    """Writes the files of FILES below `out`."""
    note = NOTE.format(target="pyi").replace("//", "#")
    named = sorted(operator_names(operators).items())
    types = set(_named_tuples(operators))
    for module, file in FUNCTIONS.items():
        lines = []
        for name, entries in named:
            if namespace(name) == module:
                shown = name.removeprefix(f"{module}_") if module else name
                lines += _stubs(shown, entries, False, types)
        write(out / file, note + HEADER + "".join(lines))
    methods = [line for name, entries in named for line in _stubs(name, entries, True, types)]
    write(
        out / "_methods.pyi",
        note + HEADER + "class TensorMethods:\n" + "".join(f"    {line}" for line in methods),
    )
    write(out / "return_types.pyi", note + RETURN_TYPES_HEADER + "\n".join(_named_tuples(operators).values()))


def _named_tuples(operators):
    """{name: the class} of the tuples with names that operators return."""
    found = {}
    for overloads in operators.values():
        for o in overloads:
            if o.named_results and o.variants and len(o.outputs) > 1:
                of = f"tuple[{', '.join(['Tensor'] * len(o.outputs))}]"
                lines = [f"class {o.name}({of}):\n"]
                lines += [f"    @property\n    def {a.name}(self) -> Tensor: ...\n" for a in o.outputs]
                lines.append(f"    def __new__(cls, sequence: {of}) -> {o.name}: ...\n")
                found[o.name] = "".join(lines)
    return dict(sorted(found.items()))


def _stubs(name, entries, method, types):
    wanted = [entry for entry in entries if (is_method if method else is_function)(*entry)]
    for o, inplace in wanted:
        if len(wanted) > 1:
            yield "@overload\n"
        yield f"def {name}({', '.join(parameters(o, method, inplace))}) -> {_result(o, inplace, types)}: ...\n"


def _result(o, inplace, types):
    """What a form returns: its named tuple, if it has one."""
    if not inplace and len(o.outputs) > 1 and o.name in types:
        return f"return_types.{o.name}"
    return result(o, inplace)


def parameters(o, method, inplace, default=lambda argument: "..."):
    """The parameters of a form as Python writes them; `default` says how an optional one's value is shown."""
    yield from ["self"] if method else []
    star = False
    tensor = "Tensor" if len(o.outputs) == 1 else "tuple[Tensor, ...]"
    for a in o.given(method):
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
    return "tuple[Tensor, Tensor]" if o.name in PAIRS else RETURNS.get(o.returns, "Tensor")
