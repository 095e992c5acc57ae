"""THPP/Functions.h and Functions.cpp: the operators' functions with their guards, and the bodies that dispatch by
dtype. bodies.h: what bodies written by hand must be. THPP/Operators.h: emitters/table.py."""

import re

from ..consistency import BODY
from ..errors import DeclarationError
from ..model import DTYPE_LISTS, DTYPES, ERRORS, SERVED, STORED
from ..output import write
from . import NOTE, autocast, c_functions, function_rows, kernels, sparse_rows, table
from .cpp import glued, once, parameter, parameter_type, result_type

HEADER = """\
// The operators. Three forms, of which an operator has those that its declaration names:
//
//     Tensor add(self, other, …)           a new tensor
//     const Tensor &add_(self, other, …)   in place
//     void add_out(out, self, other, …)    into `out`, which is resized; made if it is undefined
//
// Each is guarded: THPP/Guard.h says what happens before its body.
#pragma once

#include <cmath>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include <THPP/Tensor.h>

namespace thpp {
"""


BODIES = """\
// The bodies and checks that lib/THPP/src writes by hand. Those with outputs fill what they are
// given, and make what is undefined. They call operators by qualified names (thpp::add), so that each is guarded.
#pragma once

#include <THPP/Functions.h>

namespace thpp {

// Named by the key `check`: t is the dtype computed in, then come all arguments in Python's order.
"""


def emit(operators, functions, out):
    """Writes all files below `out`. `functions`: what TH's and THNN's headers declare."""
    overloads = [o for name in sorted(operators) for o in operators[name]]
    c_functions.check(overloads, functions)
    overloads = once(overloads)
    note = NOTE.format(target="thpp")
    declared = "".join(line for o in overloads for line in _declarations(o))
    write(out / "include/THPP/Functions.h", note + HEADER + "\n" + declared + "\n}  // namespace thpp\n")
    slots = table.slots(overloads)
    write(out / "include/THPP/Operators.h", note + table.header(overloads, slots))
    write(out / "src/bodies.h", note + _by_hand(overloads))
    write(out / "src/sparse_bodies.h", note + sparse_rows.header(overloads))
    write(out / "include/THPP/Kernels.h", note + kernels.header(overloads))
    sources = {
        "Functions.cpp": _source(overloads, slots),
        "Autocast.cpp": autocast.tables(overloads, slots),
        "SparseRows.cpp": sparse_rows.table_of(overloads, slots),
        **function_rows.files(overloads, slots),
    }
    for name, text in sources.items():
        write(out / "src" / name, note + text)
    for path in (out / "src").glob("*.cpp"):  # of an earlier version
        if path.name not in sources:
            path.unlink()


# ---- declarations ----


def _list(overload, with_default=False):
    parameters = overload.cpp_parameters
    # C++ has defaults at the end only; Python's keyword-only parameters may do without after one that has one.
    needed = max((i + 1 for i, a in enumerate(parameters) if not a.optional), default=0)
    return [parameter(a, with_default and i >= needed) for i, a in enumerate(parameters)]


def _declarations(o):
    parameters = _list(o, with_default=True)
    yield f"THPP_API {glued(result_type(o), o.cpp_name)}({', '.join(parameters)});\n"
    if o.in_place:
        yield f"THPP_API const Tensor &{o.cpp_name}_({', '.join(parameters)});\n"
    if o.outputs:
        yield f"THPP_API void {o.cpp_name}_out({', '.join(_outs(o) + parameters)});\n"


def _outs(o):
    return [f"Tensor &{a.name}" for a in o.outputs]


def _by_hand(overloads):
    checks = {}
    for o in overloads:
        if o.check:
            checks.setdefault((o.check, *map(parameter_type, o.cpp_parameters)), o)
    lines = [f"void {o.check}({', '.join(['THDtype t', *_list(o)])});\n" for _, o in sorted(checks.items())]
    return "".join(
        [
            BODIES,
            *lines,
            "\nnamespace body {\n\n",
            *_bodies(overloads),
            "\n}  // namespace body\n\n",
            *_fallbacks(overloads),
            "}  // namespace thpp\n",
        ]
    )


def _bodies(overloads):
    several = table.overloaded(overloads)
    for o in overloads:
        if o.by_hand:
            name, outs = (f"{o.cpp_name}_out", _outs(o)) if o.outputs else (o.cpp_name, [])
            if o.cpp_name in several:
                result = "void" if outs else result_type(o)
                yield f"{glued(result, name)}({', '.join(outs + _list(o))});\n"
            else:
                yield f"decltype(thpp::{name}) {name};\n"


def _fallbacks(overloads):
    """Of the same arguments as the operators; what fallbacks of several operators share has one signature."""
    found = {}
    for o in overloads:
        if o.fallback:
            found.setdefault((o.fallback, *map(parameter_type, o.cpp_parameters)), o)
    if found:
        yield "// Compositions of operators, for what has no kernel: the key `fallback`.\nnamespace fallback {\n\n"
        for _, o in sorted(found.items()):
            yield f"{glued(result_type(o), o.fallback)}({', '.join(_list(o))});\n"
        yield "\n}  // namespace fallback\n\n"


# ---- definitions ----


def _source(overloads, slots):
    rows = {}
    for o in overloads:
        if o.kernel:
            rows.setdefault(_identity(o), o)
    lines = [
        '#include "arguments.h"\n#include "guard.h"\n#include "results.h"\n#include "stored.h"\n\n#include "bodies.h"\n\n'
        "namespace thpp {\n\nnamespace {\n",
        "\n#define SLOT(name) offsetof(Kernels, name) / sizeof(Untyped)\n",
        "using In = const Tensor &;\n",
        "#define FLAGS [[maybe_unused]] uint8_t flags\n",
        "#define META(tensor) on_meta(tensor).get()\n",
        "// A body with operands of the dtype, where a tensor has another one.\n"
        "#define ROUNDED(r, out, body, arguments, ...)                                              \\\n"
        "  if (is_stored(t)) [[unlikely]]                                                           \\\n"
        "    if (Rounded by(t, r, out, {__VA_ARGS__}); by) {                                        \\\n"
        "      body(flags, by.result(), BARE arguments);                                            \\\n"
        "      if (by.made()) _resize_as_(flags, out, *by.made()), _copy_(flags, out, *by.made()); \\\n"
        "      return;                                                                              \\\n"
        "    }\n",
        "#define BY_SIGNED(way, exact)           \\\n"
        "  if (is_wide_unsigned(t)) [[unlikely]] { \\\n"
        "    const BySigned by(t, BySigned::way, exact);\n",
        "// What signed integers compute in the place of `out`, which is checked if it is given.\n"
        "#define OF(target, out, ...)                    \\\n"
        "  if (out.defined()) target(out, __VA_ARGS__); \\\n"
        "  Tensor of_##out;\n",
        "// That becomes the result, or is written into the one that was given.\n"
        "#define INTO(out)                                                                \\\n"
        "  if (const Tensor made = by.back(of_##out); !out.defined())                     \\\n"
        "    out = made;                                                                  \\\n"
        "  else                                                                           \\\n"
        "    _resize_as_(flags, out, made), _copy_(flags, out, made);\n",
        "#define ON(...) const Backend on = backend_of(flags __VA_OPT__(, ) __VA_ARGS__);\n",
        "#define ON_ANY(...) const Backend on = any_backend_of(flags, __VA_ARGS__);\n",
        "#define ON_DEVICE(...) const Backend on = device_of(flags, __VA_ARGS__);\n",
        "#define KERNEL(row, slot, before, dtype, after, dtypes, name, ...)                                             \\\n"
        "  constexpr Kernel<decltype(before##dtype##after)> row{name, SLOT(slot), ROW_##dtypes(before, after) __VA_OPT__(, ) \\\n"
        "                                                       __VA_ARGS__};\n",
        # Most rows, slots and kernels have one name.
        "#define OF_NN(name, dtype, ...) KERNEL(k_##name, name, THNN_, dtype, name, __VA_ARGS__)\n",
        "#define OF_TH(name, dtype, ...) KERNEL(k_##name, name, TH, dtype, Tensor_##name, __VA_ARGS__)\n",
        "\n// One row per kernel, by dtype.\n",
        *_row_macros(overloads),
    ]
    names = {}
    for identity, o in sorted(rows.items(), key=lambda row: (*row[0][:2], row[0][2] or (), row[0][3:])):
        unique = sum(name == o.cname for name, *_ in rows) == 1
        names[identity] = row = f"k_{o.row}" if unique else "_".join(["k", o.row, _row(o), *filter(None, identity[3:])])
        before, after = o.symbol
        rest = f'{_row(o)}, "{_shown(o)}"{_refusal(o)})\n'
        if (row, before, after) == (f"k_{o.row}", "THNN_", o.row):
            lines.append(f"OF_NN({o.row}, {o.types[0]}, {rest}")
        elif (row, before, after) == (f"k_{o.row}", "TH", f"Tensor_{o.row}"):
            lines.append(f"OF_TH({o.row}, {o.types[0]}, {rest}")
        else:
            lines.append(f"KERNEL({row}, {o.row}, {before}, {o.types[0]}, {after}, {rest}")
    lines.append("\n}  // namespace\n\nnamespace body {\n\n")
    lines += [_head(o) + ";\n" for o in overloads if o.name in ("_copy_", "_resize_as_")]  # what _rounded calls
    lines += [f"{_head(o)} {{\n{_body(o, names)}}}\n" for o in overloads if not o.composite]
    called = _Calls(overloads)
    lines += [called.body(o) for o in overloads if o.body is not None]
    lines.append("\n}  // namespace body\n\n")
    lines += [line for o in overloads for line in _definitions(o, slots[o])]
    lines += ["\n", table.rows(overloads, slots), "\n}  // namespace thpp\n"]
    return re.sub(r"const Tensor &(?=\w)", "In ", "".join(lines))  # a type that stands there thousands of times


def _identity(o):
    """What tells the constants of kernels from each other. Operators that share a kernel may be called otherwise in
    messages."""
    return (o.cname, o.types, o.stored, _shown(o) if o.message or o.fallback else "", o.message or "")


def _shown(o):
    """In torch's message about a dtype that is not listed."""
    return o.name.removeprefix("nn_").strip("_")


def _refusal(o):
    if not (o.no_complex or o.message):
        return ""
    kind, text = o.no_complex or ("RuntimeError", None)
    words = [ERRORS[kind], f'"{text}"' if text else "nullptr", *([f'"{o.message}"'] if o.message else [])]
    return f", {{{', '.join(words)}}}"


class _Calls:
    """Bodies that call another operator: the key `body`."""

    def __init__(self, overloads):
        self.names = {o.cpp_name for o in overloads}
        self.in_place = {o.cpp_name for o in overloads if o.in_place}
        self.with_outputs = {o.cpp_name for o in overloads if o.outputs}

    def body(self, o):
        name, arguments, result = BODY.fullmatch(o.body).groups()
        if name not in self.names:
            raise DeclarationError(o.where, f"{o.name}: body calls '{name}', which is no operator")
        words = "|".join(sorted(self.names, key=len, reverse=True))
        # by qualified names: unqualified ones are bodies here
        arguments = re.sub(rf"(?<![\w:.>])({words})(?=\()", r"thpp::\1", arguments)
        call = f"thpp::{name}({arguments})"
        parameters = [
            parameter(a, False) if o.in_place or re.search(rf"\b{a.name}\b", arguments) else parameter_type(a)
            for a in o.cpp_parameters
        ]
        if not o.outputs:
            call = f"std::get<{result}>({call})" if result else call
            return f"static {glued(result_type(o), o.cpp_name)}({', '.join(parameters)}) {{ return {call}; }}\n"
        out = o.outputs[0].name
        into = ", ".join([*(a.name for a in o.outputs), arguments])
        lines = [f"thpp::{name}_out({into});" if name in self.with_outputs else f"write_out_exact({out}, {call});"]
        if o.in_place and name in self.in_place:
            lines.insert(0, f"if ({out}.is_same(self)) return void(thpp::{name}_({arguments}));")
        body = "".join(f"  {line}\n" for line in lines)
        return f"static void {o.cpp_name}_out({', '.join(_outs(o) + parameters)}) {{\n{body}}}\n"


def _row(o):
    word = next((word for word, listed in DTYPE_LISTS.items() if listed == o.types), "_".join(o.types))
    return "_".join([word, *(o.stored or ())])


def _row_macros(overloads):
    # Rows are indexed by THDtype; a dtype added to TH's table alone must not shift them.
    same = " && ".join(f"TH_{d} == {i}" for i, d in enumerate(DTYPES))
    yield (
        f"static_assert({same} && TH_NUM_DTYPES == {len(DTYPES)},\n"
        '              "codegen/model.py and TH/THDtype.h must list the same dtypes in the same order");\n'
    )
    kernels = {d: d for d in DTYPES} | {d: as_ for group in STORED.values() for d, as_ in group.items()}
    columns = ", ".join(f"TH_{kernels[d]}" for d in DTYPES)
    yield (
        f"constexpr THDtype kKernels[] = {{{columns}}};\n"
        "#define SAME(Name, type, kind, kernels, name, alias) &&kKernels[TH_##Name] == TH_##kernels\n"
        'static_assert(true TH_DTYPES(SAME), "codegen/model.py: STORED is not the column `kernels` of TH/THDtype.h");\n'
        "#undef SAME\n"
    )
    yield "#define BIT(Name, ...) | 1u << TH_##Name\n"
    for word, listed in DTYPE_LISTS.items():
        bits = " | ".join(f"1u << TH_{d}" for d in listed)
        yield f'static_assert((0 TH_FOR_{word}(BIT, )) == ({bits}), "codegen/model.py: {word} is another list");\n'
    yield "#undef BIT\n"
    for word, served in sorted({_row(o): o.computed_as for o in overloads if o.kernel}.items()):
        entries = ", ".join(f"b##{served[d]}##a" if d in served else "nullptr" for d in DTYPES)
        yield f"#define ROW_{word}(b, a) {{{entries}}}\n"


def _head(o):
    """Of a generated body."""
    outs = _outs(o)
    name, result = (f"{o.cpp_name}_out", "void") if outs else (o.cpp_name, result_type(o))
    parameters = ", ".join(["FLAGS", *outs, *_list(o)])
    return f"static {glued(result, name)}({parameters})"


def _definitions(o, slot):
    """The guarded forms. Macros of guard.h write the common ones."""
    parameters, names = ", ".join(_list(o)), "".join(f", {a.name}" for a in o.cpp_parameters)
    by = "BY_HAND" if o.composite else "WITH_FALLBACK" if o.fallback else "GENERATED"
    if o.outputs and o.writes == "none":
        by = "UNCOUNTED"
    if not o.outputs:
        result = result_type(o)
        if o.writes not in (None, "none"):
            yield f"WRITES({by}, {o.writes}, ({result}), {o.cpp_name}, {slot}, ({parameters}){names})\n"
        else:
            form = "MAKES" if o.composite and "Tensor" in result and not (o.view or o.writes) else "PLAIN"
            if _links(o):
                form, by = "VIEWS", f"{by}, {o.view}"
            yield f"{form}({by}, ({result}), {o.cpp_name}, {slot}, ({parameters}){names})\n"
        return
    if len(o.outputs) == 1:
        forms = "FORMS_AND_IN_PLACE" if o.in_place else "FORMS"
        yield f"{forms}({by}, {o.cpp_name}, {slot}, ({parameters}){names})\n"
        return
    outs = [a.name for a in o.outputs]
    made = ", ".join(f"std::move({n})" for n in outs)
    call = f"  RUN_{by}({o.cpp_name}_out, {', '.join(outs)}{names});\n"
    begins = "".join(f"  BEGIN_{by}({n});\n" for n in outs)
    writes = "".join(f"  const WRITE_{by} write_{n}({n});\n" for n in outs)
    counts = "".join(f"  write_{n}.count();\n" for n in outs)
    missing = " && ".join(f"!{n}.defined()" for n in outs)
    make = f"std::tie({', '.join(outs)}) = {o.cpp_name}({names.removeprefix(', ')})"
    yield (
        f"{glued(result_type(o), o.cpp_name)}({parameters}) {{\n  GUARD({slot}{names});\n  Tensor {', '.join(outs)};\n"
        f"{call}{begins}  return {{{made}}};\n}}\n"
        f"void {o.cpp_name}_out({', '.join(_outs(o))}, {parameters}) {{\n"
        f"  GUARD_OUT({slot}_out, {missing}, {make}, {', '.join(outs)}{names});\n"
        f"{writes}{call}{counts}}}\n"
    )


def _links(o):
    """Whether the function notes what its result is a view of. A detached tensor's writes concern nobody's gradient. A list made
    of several calls (tensor_split) is made of views that are noted already, and may be written one by one."""
    if o.returns == "Tensor[]" and o.derivative_kind == "composite":
        return False
    single = any(a.name == o.view and a.type.name == "Tensor" for a in o.arguments)
    return single and o.returns in ("Tensor", "Tensor[]") and o.derivative_kind != "none"


def _body(o, rows):
    # Dimensions are judged before dtypes.
    dims = [a for a in o.arguments if a.call and (a.wrap_dim or a.type.name == "Dims")]
    hoisted = [f"const auto at_{a.name} = {a.call};" for a in dims]
    lines = [*o.statements, *hoisted] if o.kernel else [*hoisted, *o.statements]
    if o.stored is not None and not o.kernel:
        served = {d for word in o.stored for d in SERVED[word]}
        refused = [d for listed in STORED.values() for d in listed if d not in served]
        bits = " | ".join(f"1u << TH_{d}" for d in refused)
        first = next(a.name for a in o.inputs if "Tensor" in a.type.name)
        lines.insert(len(hoisted), f'require_kernel("{o.name.strip("_")}", {first}, {bits});')
    if o.dtype:
        t, r = _dtype(o)
    # THNN's functions take their own dtype only.
    converts = o.module and o.dtype not in EXACT
    arguments = ["nn_state_of(on)"] if o.module else []
    made_by = []  # of each output: what the kernel is handed
    for a in o.arguments:
        if a.left_out:
            continue
        if a.output and a.made:
            arguments.append(f"{a.name}.get()")
            made_by.append(arguments[-1])
        elif a.output:
            index = a.type.name == "IndexTensor"
            made = "truth_target" if o.dtype == "truth" else "target"
            if index or o.module or o.dtype in EXACT:
                made = "exact_target"
            numbers = [f", {b.name}" for b in o.arguments if b.number] if o.dtype == "promote_exact" else []
            if numbers:
                made = "exact_target_of_numbers"
            arguments.append(f"{made}({a.name}, on.device, {'TH_Long' if index else r}{''.join(numbers)})")
            made_by.append(arguments[-1])
        elif converts and a.is_tensor:
            arguments.append(f"thpp::to({a.name}, t).get()")
        elif a in dims:
            arguments.append(f"at_{a.name}")
        elif a.call and (a.constant or a.type.c):
            arguments.append(a.call)
    if o.unsigned:
        lines += _by_signed(o, dict(zip((a.name for a in o.outputs), made_by, strict=True)))
    if o.fallback:
        kernel = rows[_identity(o)]
        lines += _falls_back(o, kernel, r if o.outputs else "")
        callee = "kernel"
    elif o.kernel:
        kernel = rows[_identity(o)]
        operands = [a.name for a in o.arguments if a.is_tensor]
        callee = f"{kernel}.at(on, t)"
        if o.dtype == "bool":
            callee = f"{kernel}.pointwise_to(on, TH_Bool, t, {', '.join(operands)})"
        elif o.dtype in POINTWISE:
            callee = f"{kernel}.pointwise(on, t, {', '.join(operands)})"
        elif o.dtype == "self" and o.outputs and len(operands) == 2 and not arguments[2:]:
            callee = f"{kernel}.exact(on, t, {', '.join(operands)})"
    elif kernels.has_slot(o):
        callee = f'function_of(on, "{o.name.strip("_")}", SLOT({o.cname}), {o.cname})'
    else:
        callee = o.cname
    lines += [f"if (!{a.name}.defined()) {a.name} = {a.made};" for a in o.outputs if a.made]
    call = f"{callee}({', '.join(arguments)})"
    if o.stored and o.dtype in POINTWISE:
        lines += _rounded(o, r, call, made_by[0])
    if o.outputs or o.returns == "void":
        lines.append(f"{call};")
    elif o.returns == "self":
        lines += [f"{call};", "return self;"]
    else:
        lines.append(f"return Tensor::steal({call});" if o.returns == "Tensor" else f"return {call};")
    if o.dtype and re.search(r"\bt\b", " ".join(lines)):
        lines.insert(0, f"const THDtype t = {t};")
    if re.search(r"\bon\b", " ".join(lines)):
        given = [a.name for a in (*o.outputs, *o.cpp_parameters) if a.is_tensor or a.type.name in _OTHER_TENSORS]
        found = "ON_DEVICE" if o.of_sparse else "ON_ANY" if o.any_device else "ON"
        lines.insert(0, f"{found}({', '.join(given)})")
    return "".join(f"  {line}\n" for line in lines)


def _falls_back(o, kernel, result):
    """
    Finds the kernel; where there is none, or its parts are to be recorded, returns what the fallback computes. What the
    kernel's prepare half refuses is refused there too: the CPU's kernel is called with tensors of the meta device. Kernels
    of sparse tensors have no such half.
    """
    more = " | ".join(f"1u << TH_{d}" for d in DTYPES if d in o.fallback_types) or "0"
    call = f"fallback::{o.fallback}({', '.join(a.name for a in o.cpp_parameters)})"
    if len(o.outputs) == 1:
        call = f"write_out({o.outputs[0].name}, {call})"
    elif o.outputs:
        call = f"write_outs({call}, {', '.join(a.name for a in o.outputs)})"
    recorded = "records(flags)" if o.derivative_kind == "fallback" else "false"
    if o.of_sparse:
        return [f"FALL_BACK({kernel}, on, t, {recorded}, {more}, , {call});"]
    judged = ["nullptr"] if o.module else []
    for a in o.arguments:
        if a.output:
            judged.append(f"prepared({'TH_Long' if a.type.name == 'IndexTensor' else result}).get()")
        elif not a.left_out and (a.constant or a.type.c):
            tensor = a.type.c == ("THTensor*",) and not a.constant
            operand = f"thpp::to({a.name}, t)" if o.dtype == "keep" else a.name
            judged.append(f"META({operand})" if tensor else a.call)
    judge = f"JUDGE({kernel}, t, ({', '.join(judged)}))"
    return [f"FALL_BACK({kernel}, on, t, {recorded}, {more}, {judge}, {call});"]


def _by_signed(o, made_by):
    """
    What comes before the kernel where the dtype is one of unsigned integers: the same body with signed ones. Results of
    other dtypes, of indices and comparisons, are its own.
    """
    mapped = {a.name for a in o.outputs if a.type.name != "IndexTensor" and o.dtype not in ("bool", "truth")}
    operands = [a.name for a in o.inputs if a.is_tensor]
    copied = o.returns == "self" and o.unsigned == "order"  # what is written, too, has to be mapped there and back
    arguments = ["flags", *(f"of_{a.name}" if a.name in mapped else a.name for a in o.outputs)]
    for a in o.cpp_parameters:
        if a.is_tensor:
            arguments.append("work" if copied and a.name == o.writes else f"by({a.name})")
        elif a.type.name == "Scalar":
            arguments.append(f"by({a.name}, {operands[0]})")
        else:
            arguments.append("by.dtype()" if a.type.name == "Dtype" else a.name)
    name = f"{o.cpp_name}_out" if o.outputs else o.cpp_name
    way = f"{o.unsigned.capitalize()}, {'true' if o.dtype in EXACT else 'false'}"
    lines = [f"BY_SIGNED({way})"]
    for a in o.outputs:
        if a.name in mapped:
            lines.append(f"  OF({made_by[a.name].replace('(', ', ', 1)}")
    lines += [f"  const Tensor work = by({o.writes});"] if copied else []
    lines.append(f"  {name}({', '.join(arguments)});")
    lines += [f"  INTO({a.name})" for a in o.outputs if a.name in mapped]
    lines += [f"  _copy_(flags, {o.writes}, by.back(work));"] if copied else []
    return [*lines, "  return self;" if o.returns == "self" else "  return;", "}"]


def _rounded(o, r, call, into):
    """What comes before the kernel that computes for a stored dtype, where a tensor has a third one; and that kernel
    itself, where it takes numbers."""
    (out,) = (a.name for a in o.outputs)
    operands = [a.name for a in o.inputs if a.is_tensor]
    numbered = {name: f"by[{i}]" for i, name in enumerate(operands)}
    arguments = ", ".join(numbered.get(a.name, a.name) for a in o.cpp_parameters)
    tensors = ", ".join(f"&{name}" for name in operands)
    # A number makes the result's dtype exact, which the operands below no longer say.
    lines = [f"if ({out}.defined() && is_stored(t)) {into};"] if o.dtype == "promote_exact" else []
    lines.append(f"ROUNDED({r}, {out}, {o.cpp_name}_out, ({arguments}), {tensors})")
    factors = [a.name for a in o.inputs if a.type.name == "Scalar"]
    if factors:
        lines.append("if (is_stored(t)) [[unlikely]] {")
        for name in factors:
            call = re.sub(rf"\b{name}\b", f"{name}_in_t", call)
            lines.append(f"  const Scalar {name}_in_t = factor_in(t, {name}, {operands[0]});")
        lines += [f"  {call};", "  return;", "}"]
    return lines


# Tensors whose dtype says nothing of the result's.
_OTHER_TENSORS = ("Tensor[]", "IndexTensor")


def _dtype(o):
    """The expressions for T and R of model.DTYPE_RULES."""
    tensors = ", ".join(a.name for a in o.cpp_parameters if a.is_tensor or a.type.name == "Tensor[]")
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
