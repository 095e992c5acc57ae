"""THPP/Functions.h and Functions.cpp: one C++ function per operator, with dtype dispatch."""

from ..errors import DeclarationError
from ..headers import Parameter
from ..model import DTYPE_LISTS, DTYPES
from ..output import write
from . import NOTE
from .cpp import glued, parameter, result_type

HEADER = """\
// The operators. Three forms, of which an operator has those that its declaration names:
//
//     Tensor add(self, other, …)           a new tensor
//     const Tensor &add_(self, other, …)   in place
//     void add_out(out, self, other, …)    into `out`, which is resized; made if it is undefined
#pragma once

#include <cmath>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include <THPP/Tensor.h>

namespace thpp {
"""


def emit(operators, functions, out):
    """Writes both files below `out`. `functions`: what TH's headers declare."""
    overloads = [o for name in sorted(operators) for o in operators[name]]
    check_kernels(overloads, functions)
    note = NOTE.format(target="thpp")
    declared = "".join(line for o in overloads for line in _declarations(o))
    write(out / "include/THPP/Functions.h", note + HEADER + "\n" + declared + "\n}  // namespace thpp\n")
    write(out / "src/Functions.cpp", note + _source(overloads))


# ---- the C side ----


def kernel_names(overload):
    """The C functions that the overload calls."""
    if overload.composite:
        return ()
    if not overload.kernel:
        return (overload.cname,)
    return tuple(f"TH{dtype}Tensor_{overload.cname}" for dtype in overload.types)


def check_kernels(overloads, functions):
    """Every cname must exist for each dtype listed, and take what the declaration hands it."""
    for o in overloads:
        for name in kernel_names(o):
            if name not in functions:
                others = sorted(f for f in functions if f.endswith("Tensor_" + o.cname.rpartition("_")[2]))
                raise DeclarationError(
                    o.where, f"{o.name}: no header declares '{name}'; declared: {', '.join(others) or 'no such name'}"
                )
            _check_parameters(o, functions[name])


def _check_parameters(overload, function):
    expected = []
    for a in overload.arguments:
        if a.constant:
            expected.append(None)
        else:
            expected.extend(a.type.c)
    found = [_bare(p) for p in function.parameters]
    fits = len(found) == len(expected) and all(
        e is None or _bare(Parameter(e, "")) == f for e, f in zip(expected, found, strict=True)
    )
    if not fits:
        shown = ", ".join(e or "CONSTANT" for e in expected)
        raise DeclarationError(
            overload.where,
            f"{overload.name}: {function.name} takes ({', '.join(found)}) at {function.where}, "
            f"the declaration hands it ({shown})",
        )


def _bare(parameter):
    return parameter.type.replace("const ", "", 1) if parameter.type.count("*") == 1 else parameter.type


# ---- declarations ----


def _list(overload, with_default=False):
    parameters = overload.cpp_parameters
    # C++ has defaults at the end only; Python's keyword-only parameters may do without after one that has one.
    needed = max((i + 1 for i, a in enumerate(parameters) if not a.optional), default=0)
    return [parameter(a, with_default and i >= needed) for i, a in enumerate(parameters)]


def _declarations(o):
    parameters = _list(o, with_default=True)
    yield f"THPP_API {glued(result_type(o), o.cpp_name)}({', '.join(parameters)});\n"
    if "inplace" in o.variants:
        yield f"THPP_API const Tensor &{o.cpp_name}_({', '.join(parameters)});\n"
    if o.outputs:
        yield f"THPP_API void {o.cpp_name}_out({', '.join(_outs(o) + parameters)});\n"


def _outs(o):
    return [f"Tensor &{a.name}" for a in o.outputs]


# ---- definitions ----


def _source(overloads):
    kernels = {}
    for o in overloads:
        if o.kernel:
            kernels.setdefault((o.cname, o.types), o)
    lines = [
        '#include "dispatch.h"\n\n#include <THPP/Functions.h>\n\nnamespace thpp {\n\nnamespace {\n',
        "\n// One row per kernel, by dtype.\n",
        *_row_macros(overloads),
    ]
    names = {}
    for (cname, types), o in sorted(kernels.items()):
        unique = sum(name == cname for name, _ in kernels) == 1
        names[cname, types] = row = f"k_{cname}" if unique else f"k_{cname}_{_row(types)}"
        shown = o.name.strip("_") + "_cpu"  # in torch's message about a dtype that is not listed
        function = f"TH{types[0]}Tensor_{cname}"
        lines.append(f'constexpr Kernel<decltype({function})> {row}{{"{shown}", ROW_{_row(types)}({cname})}};\n')
    lines.append("\n}  // namespace\n\n")
    lines += [line for o in overloads for line in _definitions(o, names)]
    lines.append("}  // namespace thpp\n")
    return "".join(lines)


def _row(types):
    for word, listed in DTYPE_LISTS.items():
        if listed == types:
            return word
    return "_".join(types)


def _row_macros(overloads):
    # Rows are indexed by THDtype; a dtype added to TH's table alone must not shift them.
    same = " && ".join(f"TH_{d} == {i}" for i, d in enumerate(DTYPES))
    yield (
        f"static_assert({same} && TH_NUM_DTYPES == {len(DTYPES)},\n"
        '              "codegen/model.py and TH/THDtype.h must list the same dtypes in the same order");\n'
    )
    yield "#define BIT(Name, ...) | 1u << TH_##Name\n"
    for word, listed in DTYPE_LISTS.items():
        bits = " | ".join(f"1u << TH_{d}" for d in listed)
        yield f'static_assert((0 TH_FOR_{word}(BIT, )) == ({bits}), "codegen/model.py: {word} is another list");\n'
    yield "#undef BIT\n"
    for types in sorted({o.types for o in overloads if o.kernel}, key=_row):
        entries = ", ".join(f"TH{d}Tensor_##op" if d in types else "nullptr" for d in DTYPES)
        yield f"#define ROW_{_row(types)}(op) {{{entries}}}\n"


def _definitions(o, kernels):
    parameters, names = _list(o), [a.name for a in o.cpp_parameters]
    if not o.outputs:
        if not o.composite:
            yield f"{glued(result_type(o), o.cpp_name)}({', '.join(parameters)}) {{\n{_body(o, kernels)}}}\n"
        return
    outs = [a.name for a in o.outputs]
    if not o.composite:
        yield f"void {o.cpp_name}_out({', '.join(_outs(o) + parameters)}) {{\n{_body(o, kernels)}}}\n"
    made = f"{{{', '.join(f'std::move({n})' for n in outs)}}}" if len(outs) > 1 else outs[0]
    yield (
        f"{glued(result_type(o), o.cpp_name)}({', '.join(parameters)}) {{\n  Tensor {', '.join(outs)};\n"
        f"  {o.cpp_name}_out({', '.join(outs + names)});\n  return {made};\n}}\n"
    )
    if "inplace" in o.variants:
        yield (
            f"const Tensor &{o.cpp_name}_({', '.join(parameters)}) {{\n"
            f"  {o.cpp_name}_out({', '.join(['in_place(self)', *names])});\n  return self;\n}}\n"
        )


def _body(o, kernels):
    lines = []
    if o.dtype:
        t, r = _dtype(o)
        lines.append(f"const THDtype t = {t};")
    lines += o.statements
    arguments = []
    for a in o.arguments:
        if a.output:
            index = a.type.name == "THIndexTensor*"
            made = "exact_target" if index or o.dtype in EXACT else "truth_target" if o.dtype == "truth" else "target"
            arguments.append(f"{made}({a.name}, {'TH_Long' if index else r})")
        elif a.call and (a.constant or a.type.c):
            arguments.append(a.call)
    if o.kernel:
        kernel = kernels[o.cname, o.types]
        operands = [a.name for a in o.arguments if a.is_tensor]
        callee = f"{kernel}[t]"
        if o.dtype == "bool":
            callee = f"{kernel}.pointwise_to(TH_Bool, t, {', '.join(operands)})"
        elif o.dtype in POINTWISE:
            callee = f"{kernel}.pointwise(t, {', '.join(operands)})"
        elif o.dtype == "self" and o.outputs and len(operands) == 2 and not arguments[2:]:
            callee = f"{kernel}.exact(t, {', '.join(operands)})"
    else:
        callee = o.cname
    call = f"{callee}({', '.join(arguments)})"
    if o.outputs or o.returns == "void":
        lines.append(f"{call};")
    elif o.returns == "self":
        lines += [f"{call};", "return self;"]
    else:
        lines.append(f"return Tensor::steal({call});" if o.returns == "THTensor*" else f"return {call};")
    return "".join(f"  {line}\n" for line in lines)


def _dtype(o):
    """The expressions for T and R of model.DTYPE_RULES."""
    tensors = ", ".join(a.name for a in o.cpp_parameters if a.is_tensor)
    out = o.outputs[0].name if o.outputs else ""
    return {
        "promote": (f"promote({tensors})", "t"),
        "promote_exact": (f"promote({tensors})", "t"),
        "promote_real": (f"promote({tensors})", "real_dtype(t)"),
        "promote_float": (f"floating(promote({tensors}))", "t"),
        "bool": (f"promote({tensors})", "TH_Bool"),
        "truth": (f"promote({tensors})", "truth(t)"),
        "self": ("self.dtype()", "t"),
        "same": (f"same_dtype({tensors})", "t"),
        "result": (f"{out}.dtype()", "t"),
        "keep": (f"requested(dtype, {out}).value_or(self.dtype())", "t"),
        "accumulate": (f"accumulator(self, dtype, {out})", "t"),
    }[o.dtype]


POINTWISE = frozenset({"promote", "promote_exact", "promote_real", "promote_float", "bool"})
EXACT = frozenset({"promote_exact", "self", "same"})  # no conversion into out=
