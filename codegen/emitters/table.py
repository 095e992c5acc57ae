"""THPP/Operators.h: one typed slot per function of an operator, for libraries that come before bodies; and the rows that
say what each function is."""

import collections

from ..errors import DeclarationError
from .cpp import parameter_type, pointer_type, result_type

HEADER = """\
// A slot for each function of an operator, by its type. Whoever wants to be called before or instead of bodies fills
// a table of them and hands it over: THPP/Guard.h.
//
// An overload that is not the first tried is named by what sets it apart: max_with_dim, max_with_dim_out.
#pragma once

#include <THPP/Functions.h>

namespace thpp {

#define THPP_SLOT(name) decltype(thpp::name) *name;

struct Operators {
"""


def overloaded(overloads):
    """The C++ names that stand for several functions."""
    return {name for name, n in collections.Counter(o.cpp_name for o in overloads).items() if n > 1}


def slots(overloads):
    """{overload: name of its functional form's slot; with _ and _out those of the others}"""
    by_name = collections.defaultdict(list)
    for o in overloads:
        by_name[o.cpp_name].append(o)
    named, seen = {}, {}
    for first, *others in by_name.values():
        named[first] = first.cpp_name
        for o in others:
            words = list(_apart(o, first)) or [a.name for a in o.cpp_parameters if not a.optional]  # another order
            apart = "_with_" + "_".join(words)
            base = o.cpp_name.removesuffix("_")
            named[o] = base + apart + o.cpp_name[len(base) :]
    for o, base in named.items():
        for name, _, _, _ in forms(o, base):
            if seen.setdefault(name, o) is not o:
                raise DeclarationError(o.where, f"{o.name}: no argument tells it from the one at {seen[name].where}")
    return named


def _apart(o, first):
    """What its required arguments have that those of the overload tried first have not."""
    known = {a.name: a for a in first.cpp_parameters}
    for a in o.cpp_parameters:
        if a.name not in known:
            if not a.optional:
                yield a.name
        elif a.type != known[a.name].type:
            yield f"{a.name}_{a.type.python}"
        elif known[a.name].optional and not a.optional:
            yield a.name


def forms(o, base):
    """(slot, Form, result, parameters) of each of its functions, in the order of the table."""
    types = [parameter_type(a) for a in o.cpp_parameters]
    if not o.outputs:
        yield base, "InPlace" if o.returns == "self" else "Functional", result_type(o), types
        return
    yield base, "Functional", result_type(o), types
    if o.in_place:
        yield base + "_", "InPlace", "const Tensor &", types
    yield base + "_out", "Out", "void", ["Tensor &"] * len(o.outputs) + types


def header(overloads, named):
    several = overloaded(overloads)
    lines = [HEADER]
    for o in overloads:
        for name, _, result, types in forms(o, named[o]):
            if o.cpp_name in several:
                returned, _, rest = pointer_type(result, types).partition("(")
                lines.append(f"  {returned} (*{name})({rest};\n")
            else:
                lines.append(f"  THPP_SLOT({name})\n")
    lines.append("};\n\n#undef THPP_SLOT\n\n}  // namespace thpp\n")
    return "".join(lines)


ROWS = """\
#define ROW(form, name, derivative, aten, overload) {name, Form::form, Derivative::derivative, aten, overload},
#define FUNCTIONAL(name, derivative, aten, overload) ROW(Functional, name, derivative, aten, overload)
#define IN_PLACE(name, derivative, aten, overload) ROW(InPlace, name, derivative, aten, overload)
#define WITH_OUT(name, derivative, aten, overload, out) \\
  FUNCTIONAL(name, derivative, aten, overload) ROW(Out, name, derivative, aten, out)
#define ALL_FORMS(name, derivative, aten, overload, out) \\
  FUNCTIONAL(name, derivative, aten, overload) \\
  ROW(InPlace, name, derivative, aten "_", overload) ROW(Out, name, derivative, aten, out)
// The same where the overloads have the usual names.
#define FUNCTIONAL_(name, derivative, aten) FUNCTIONAL(name, derivative, aten, "default")
#define WITH_OUT_(name, derivative, aten) WITH_OUT(name, derivative, aten, "default", "out")
#define ALL_FORMS_(name, derivative, aten) ALL_FORMS(name, derivative, aten, "default", "out")
const Op kOperators[] = {
"""


# A fallback is made of operators that are recorded, as composites are.
_DERIVATIVES = {"fallback": "Composite"}


def rows(overloads, named):
    """The definition of kOperators, in the order of the table's slots."""
    lines = [ROWS]
    count = 0
    for o in overloads:
        kinds = [form for _, form, _, _ in forms(o, named[o])]
        macro = {1: "IN_PLACE" if "InPlace" in kinds else "FUNCTIONAL", 2: "WITH_OUT", 3: "ALL_FORMS"}[len(kinds)]
        derivative = _DERIVATIVES.get(o.derivative_kind) or o.derivative_kind.capitalize()
        overload = [o.overload.name] + [o.overload.out] * (len(kinds) > 1)
        if overload in (["default"], ["default", "out"]) and macro != "IN_PLACE":
            macro, overload = f"{macro}_", []
        words = f'"{o.name}"', derivative, *(f'"{text}"' for text in (o.aten_name, *overload))
        lines.append(f"    {macro}({', '.join(words)})\n")
        count += len(kinds)
    lines.append(f"}};\nstatic_assert(sizeof(Operators) == {count} * sizeof(void *));\n")
    return "".join(lines)
