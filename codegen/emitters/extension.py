"""THPP/TorchFunctions.h and TorchMethods.h: THPP's operators under the names and types that C++ extensions use.

csrc/extension/torch has the types (torch::Tensor, IntArrayRef, Operand, …); every line here converts and calls thpp.
"""

from ..output import write
from ..types import RETURNS
from . import NOTE
from .cpp import default, glued, parameter_type

FUNCTIONS = """\
// torch::add(a, b), torch::zeros({2, 3}), …: included by torch/tensor.h, after the types.
#pragma once

#include <cmath>

#include <THPP/Functions.h>

namespace torch {

"""
METHODS = """\
// a.add(b), a.add_(b), …: included by torch/tensor.h inside of class torch::Tensor.

"""
# The variant of nonzero that gives a tensor or a list of them: nonzero() and where() give one or the other.
SKIPPED = "Tensor|Tensor[]"


def emit(operators, out):
    """Writes both files below `out`."""
    functions, methods = [], []
    for name in sorted(operators):
        # The names with an underscore in front are steps of other operators.
        for o in operators[name] if not name.startswith("_") else ():
            if o.returns != SKIPPED:
                functions += _functions(o, operators[name])
                methods += _methods(o, operators[name])
    note = NOTE.format(target="thpp")
    # Overloads under an alias may repeat each other; a C++ signature stands once.
    write(out / "include/THPP/TorchFunctions.h", note + FUNCTIONS + _once(functions) + "\n}  // namespace torch\n")
    write(out / "include/THPP/TorchMethods.h", note + METHODS + _once(methods))


def _once(lines):
    return "".join(dict.fromkeys(lines))


# ---- parameters ----


def _parameters(o, overloads):
    """[(argument, its C++ type, its name)], with `options` before the generator, as PyTorch has them.

    A factory's device is one of its options.
    """
    listed = [(a, *_spelled(o, a, i, overloads)) for i, a in enumerate(o.cpp_parameters) if a.type.name != "Device"]
    return sorted(listed, key=lambda p: p[0].type.name in ("Generator", "MemoryFormat"))


def _spelled(o, argument, position, overloads):
    kind = argument.type.name
    if kind in ("Tensor", "IndexTensor"):
        number = argument.number and position > 0 and not _takes_scalar(o, position, overloads)
        return ("const Operand &" if number else "const Tensor &"), argument.name
    if kind == "Tensor[]":
        return "const TensorList &", argument.name
    if kind in ("int[]", "Dims", "Sizes"):
        return "IntArrayRef", argument.name
    if kind == "Dtype":
        if o.factory:
            return "const TensorOptions &", "options"
        return ("std::optional<ScalarType>" if argument.empty_by_std else "ScalarType"), argument.name
    return parameter_type(argument), argument.name


def _takes_scalar(o, position, overloads):
    """Whether a sibling takes a number there: x.pow(2) must not be ambiguous."""
    others = [other.cpp_parameters for other in overloads if other is not o]
    return any(len(p) > position and p[position].type.name == "Scalar" for p in others)


def _apart(parameters, o, overloads):
    """How many of the parameters must be given for a call not to mean an overload that is tried before."""
    apart = 0
    for earlier in overloads[: overloads.index(o)]:
        pairs = zip(parameters, _parameters(earlier, overloads))
        first = next((i for i, ((_, a, _), (_, b, _)) in enumerate(pairs) if a != b), None)
        if first is not None and parameters[first][0].optional:
            apart = max(apart, first + 1)
    return apart


def _declared(parameters, apart=0):
    """The parameter list with C++'s defaults, which stand at the end only, behind the first `apart`."""
    parts = []
    needed = max((i + 1 for i, (a, _, _) in enumerate(parameters) if not a.optional), default=0)
    needed = max(needed, apart)
    for i, (argument, cpp, name) in enumerate(parameters):
        text = glued(cpp, name)
        if argument.optional and i >= needed:
            text += f" = {_default(argument, cpp)}"
        parts.append(text)
    return ", ".join(parts)


def _is_empty_list(argument, cpp):
    return cpp == "IntArrayRef" and argument.type.name != "Sizes" and argument.default[0] != "("


def _default(argument, cpp):
    if cpp == "const Operand &":
        return "Operand()"
    if cpp in ("const TensorOptions &", "const TensorList &") or _is_empty_list(argument, cpp):
        return "{}"
    return default(argument)


def _call(name, o, parameters, first=()):
    """thpp::name(…), with the parameters back in thpp's order."""
    spelled = {id(argument): (cpp, name) for argument, cpp, name in parameters}
    passed = []
    for argument in o.cpp_parameters:
        if id(argument) in spelled:
            passed.append(_handed(argument, *spelled[id(argument)]))
        elif argument.type.name == "Device":
            passed.append("detail::device(options)")
        else:
            passed.append("checked()")
    return f"thpp::{name}({', '.join([*first, *passed])})"


def _handed(argument, cpp, name):
    """The expression for one argument. thpp takes undefined tensors only where they mean something."""
    if "ScalarType" in cpp or "TensorOptions" in cpp or cpp == "std::optional<Scalar>":
        return f"detail::native({name})"
    tensor = cpp in ("const Tensor &", "const Operand &", "const TensorList &")
    empty = argument.nullable or argument.optional or name == "indices"  # a dimension that is not indexed
    return f"detail::defined({name})" if tensor and not empty else name


# ---- forms ----


def _result(o):
    """The type of the functional form, of torch's tensors."""
    if len(o.outputs) > 1:
        return f"std::tuple<{', '.join('Tensor' for _ in o.outputs)}>"
    if o.outputs or o.returns == "self":
        return "Tensor"
    return RETURNS[o.returns]


def _returned(result, call, parameters):
    if result == "std::vector<Tensor>":
        return f"return detail::lifted({call});"
    options = any(cpp == "const TensorOptions &" for _, cpp, _ in parameters)
    return f"return detail::leaf({call}, options);" if options else f"return {call};"


def _functions(o, overloads):
    parameters = _parameters(o, overloads)
    result = _result(o)
    for name in (o.name, *o.aliases) if "function" in o.variants else ():
        declared = _declared(parameters, _apart(parameters, o, overloads))
        returned = _returned(result, _call(o.cpp_name, o, parameters), parameters)
        yield f"inline {result} {name}({declared}) {{ {returned} }}\n"
    for name in (o.name, *o.aliases) if "inplace_function" in o.variants else ():
        call = _call(f"{o.cpp_name}_", o, parameters)
        yield f"inline Tensor {name}_({_declared(parameters)}) {{ return {call}; }}\n"
    if o.outputs and "out" in o.variants:
        outs = [a.name for a in o.outputs]
        targets = ", ".join(f"Tensor &{name}" for name in outs)
        for name in (o.name, *o.aliases):
            declared = ", ".join(filter(None, (targets, _declared(parameters))))
            result = "Tensor &" if len(outs) == 1 else f"std::tuple<{', '.join('Tensor &' for _ in outs)}>"
            given = outs[0] if len(outs) == 1 else f"{{{', '.join(outs)}}}"
            call = _call(f"{o.cpp_name}_out", o, parameters, outs)
            yield f"inline {glued(result, name + '_out')}({declared}) {{ {call}; return {given}; }}\n"


def _methods(o, overloads):
    parameters = _parameters(o, overloads)
    own = next((p for p in parameters if p[0].name in ("self", "input")), None)
    if own is None:
        return
    rest = [p for p in parameters if p is not own]
    declared, result = _declared(rest), _result(o)
    for name, form in o.named:
        if "method" in form.variants and o.returns == "self":
            yield f"const Tensor &{name}({declared}) const {{ {_call(o.cpp_name, o, rest)}; return *this; }}\n"
        elif "method" in form.variants:
            returned = _returned(result, _call(o.cpp_name, o, rest), rest)
            yield f"{result} {name}({declared}) const {{ {returned} }}\n"
        if "inplace" in form.variants:
            yield f"const Tensor &{name}_({declared}) const {{ {_call(o.cpp_name + '_', o, rest)}; return *this; }}\n"
