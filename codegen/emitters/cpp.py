"""C++ spellings that several emitters need."""

from ..types import RETURNS, WORDS


def value(text):
    """A default, from Python's spelling."""
    if text.startswith("'"):
        return '"' + text.strip("'") + '"'
    if text.startswith("("):
        return "{" + text.strip("()") + "}"
    return WORDS.get(text, text)


def default(argument):
    """Of an optional argument."""
    if argument.default == "None":
        return argument.type.missing
    if argument.type.name == "Sizes" and argument.default.isdigit():
        return f"{{{argument.default}}}"
    return value(argument.default)


def parameter_type(argument):
    """const Tensor &, std::optional<double>, …"""
    cpp = argument.type.cpp
    if argument.empty_by_std:
        return f"std::optional<{cpp.removeprefix('const ').removesuffix(' &')}>"
    return cpp


def glued(type, name):
    return type + name if type.endswith(("&", "*")) else f"{type} {name}"


def parameter(argument, with_default):
    text = glued(parameter_type(argument), argument.name)
    if with_default and argument.optional:
        text += f" = {default(argument)}"
    return text


def result_type(overload):
    """What the functional form returns."""
    if overload.outputs:
        return (
            "Tensor" if len(overload.outputs) == 1 else f"std::tuple<{', '.join('Tensor' for _ in overload.outputs)}>"
        )
    return "const Tensor &" if overload.returns == "self" else RETURNS[overload.returns]


def pointer_type(result, types):
    """The function type R(A, B)."""
    return f"{result.removesuffix(' ')}({', '.join(t.removesuffix(' ') for t in types)})"


def once(overloads):
    """Without the declarations of other names for a C++ function that is there already."""
    named = {}
    for o in overloads:
        named.setdefault((o.cpp_name, *map(parameter_type, o.cpp_parameters)), o)
    return list(named.values())
