"""The tables that torch_python/args.h reads, and a call per signature: a file per file of declarations.

python_operators.cpp lists the tables of all of them, and the namespaces. Each is compiled by itself, so that an edited
declaration compiles its own file only.
"""

import collections
import dataclasses
import pathlib

from ..model import NAMESPACES
from ..output import write
from . import NOTE
from .cpp import default, parameter_type, pointer_type, result_type


def emit(operators, out):
    """Writes the files to the folder `out`, and removes those whose declarations were removed."""
    files = {f"python_{family}.cpp": found.source() for family, found in tables(operators).items()}
    files["python_operators.cpp"] = _list_of_tables(tables(operators))
    for name, text in files.items():
        write(out / name, NOTE.format(target="python") + text)
    for path in out.glob("python_*.cpp"):
        if path.name not in files:
            path.unlink()


def tables(operators):
    """{family: its tables}. A family is a file of declarations; a name that several have is of the first overload's."""
    families = collections.defaultdict(dict)
    for name, entries in sorted(operator_names(operators).items()):
        families[pathlib.PurePath(entries[0][0].where.file).stem][name] = entries
    overloaded = collections.Counter(o.cpp_name for overloads in operators.values() for o in overloads)
    return {family: _Tables(family, named, overloaded) for family, named in sorted(families.items())}


def _list_of_tables(families):
    lines = ["#include <torch_python/args.h>\n\nnamespace torch::python {\n\n"]
    for list_name, kind in _KINDS:
        named = [f"{family}_{kind}" for family in families]
        lines += [f"extern PyMethodDef {name}[];\n" for name in named]
        lines += [
            f"PyMethodDef *const {list_name}[] = {{\n",
            *(f"    {name},\n" for name in named),
            "    nullptr};\n\n",
        ]
    prefixes = ", ".join(f'"{module}_"' for module in NAMESPACES)
    lines.append(f"const char *const namespace_prefixes[] = {{{prefixes}, nullptr}};\n\n")
    return "".join([*lines, "}  // namespace torch::python\n"])


# (the list of tables in python_operators.cpp, how a family's table is called)
# Parameters that count or place elements. PyTorch's own are SymInt: a tensor of one element will do for them, while for a
# dimension only one of no dimensions does.
COUNTS = frozenset(
    {"k", "n", "m", "index", "high", "low", "minlength", "num_samples", "split_size", "split_size_or_sections"}
)
COUNTS_OF = {
    "narrow": {"start", "length"},
    "narrow_copy": {"start", "length"},
    "nonzero_static": {"size"},
    "tril": {"diagonal"},
    "triu": {"diagonal"},
}
NO_COUNTS_OF = {"diff": {"n"}, "rot90": {"k"}}
# Operators for which PyTorch's dimension and list of dimensions are two overloads. Of tensors the former takes those without
# dimensions, the latter none.
ONE_OR_LIST = frozenset({"all", "any", "count_nonzero", "movedim", "squeeze", "squeeze_copy"})
_KINDS = (("tensor_methods", "methods"), ("torch_functions", "functions"))


def operator_names(operators):
    """{Python name: [(overload, in place?)]} in the order in which they are tried."""
    named = collections.defaultdict(list)
    for overloads in operators.values():
        for o in overloads:
            for name, form in o.named:
                if "method" in form.variants or "function" in form.variants:
                    named[name].append((form, False))
                if form.in_place:
                    named[name + "_"].append((form, True))
    return named


def is_function(overload, inplace):
    """Whether torch.… has this form of the overload."""
    return ("inplace_function" if inplace else "function") in overload.variants


def is_method(overload, inplace):
    """Whether Tensor has this form of the overload."""
    return ("inplace" if inplace else "method") in overload.variants


class _Tables:
    """Collects the rows of a family; equal ones are written once."""

    def __init__(self, family, named, overloaded):
        self.family = family
        self.params = {}  # text of an array → its name
        self.calls = {}  # body of a call → its name
        self.operators = []
        self.methods, self.functions = {}, {}  # Python name → symbol
        self.overloaded = overloaded  # how many C++ functions have a name
        for name, entries in named.items():
            self._add(name, entries)

    def _add(self, name, entries):
        methods = self._signatures([e for e in entries if is_method(*e)], True)
        functions = self._signatures([e for e in entries if is_function(*e)], False)
        if methods and functions and methods != functions:
            self.methods[name] = self._operator(f"{name}__method", name, methods, "kMethod")
            self.functions[name] = self._operator(name, name, functions, "kFunction")
            return
        variants = " | ".join(["kFunction"] * bool(functions) + ["kMethod"] * bool(methods))
        symbol = self._operator(name, name, functions or methods, variants)
        if methods:
            self.methods[name] = symbol
        if functions:
            self.functions[name] = symbol

    def _operator(self, symbol, name, signatures, variants):
        rows = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in signatures)
        self.operators.append(f'TORCH_OPERATOR({symbol}, "{name}", {variants}, {rows})\n')
        return f"op_{symbol}"

    def _signatures(self, entries, method):
        """Rows of Signature; deprecated ones come last."""
        rows = []
        for o, inplace in entries:
            out = "out" in o.variants and not inplace
            form = o.python[:1] * method + o.given(method)
            rows.append(self._signature(o, inplace, method, form, out and not o.out_with))
            if out and o.out_with and not method:
                form = [dataclasses.replace(a, default=None) if a.name == o.out_with else a for a in form]
                rows.append(self._signature(o, inplace, method, form, out))
        for o, inplace in entries:
            named = {a.name: dataclasses.replace(a, default=None, kwarg_only=False) for a in o.python}
            for words in map(str.split, o.deprecated):
                words.sort(key=lambda word: word != "self" and method)
                form = [named[word] for word in words]
                row = self._signature(o, inplace, method, form, "out" in o.variants and not inplace)
                rows.append((*row, "true"))
        return rows

    def _signature(self, o, inplace, method, form, out):
        """(parameters, their number, call) of an overload whose arguments come in the order of `form`."""
        if inplace:  # what is written is no number
            form = [dataclasses.replace(a, number=a.number and a.name != o.python[0].name) for a in form]
        names = [a.name for a in form]
        rows = [self._param(o.name, a) for a in form]
        out = out and not (method and o.positional_out)
        at = names.index(o.positional_out) if o.positional_out else len(rows)
        if out:
            kind = "Tensor" if len(o.outputs) == 1 else "TensorList"
            named = "" if o.positional_out else " | kKwargOnly"
            several = f'{{"out", ArgType::{kind}, kOptional | kNullable{named}, "None"}}'
            rows.insert(at, "OUT" if kind == "Tensor" and named else several)
            names.insert(at, "out")
        count = len(rows) - (out and method)  # methods have no out=
        params = self.params.setdefault(", ".join(rows), f"p{len(self.params)}")
        slots = {name: i for i, name in enumerate(names)}
        body = self._inplace(o, slots) if inplace else self._call(o, slots, at if out else None)
        return params, count, self.calls.setdefault(body, f"c{len(self.calls)}_{o.name}{'_' * inplace}")

    def _param(self, operator, a):
        counts = (COUNTS | COUNTS_OF.get(operator, set())) - NO_COUNTS_OF.get(operator, set())
        flags = [
            word
            for word, on in (
                ("kOptional", a.optional),
                ("kNullable", a.nullable or a.type.name == "Dims" and a.default in (None, "None")),
                ("kKwargOnly", a.kwarg_only),
                ("kVarargs", a.long_args),
                ("kSingle", a.type.name in ("Dims", "Sizes")),
                ("kNoCount", a.type.name == "Dims" and operator in ONE_OR_LIST),
                ("kCount", a.type.python == "Int" and a.name in counts),
            )
            if on
        ]
        name = "input" if a.name == "self" else a.name
        default = f'"{a.shown_default}"' if a.optional else "nullptr"
        type = "TensorOrNumber" if a.number else a.type.python
        if type == "Tensor" and not flags and not a.optional:
            return f'TENSOR("{name}")'
        return f'{{"{name}", ArgType::{type}, {" | ".join(flags) or 0}, {default}}}'

    def _read(self, o, i, a):
        read = a.type.read.format(i, count=o.sizes_of(a))
        if a.empty_by_std:
            return f"a.has({i}) ? std::optional({read}) : std::nullopt"
        if a.optional and a.default != "None" and a.type.name != "Generator":
            return read.removesuffix(")") + f", {a.python_default or default(a)})"
        if a.type.name == "str" and a.nullable:
            return f"a.has({i}) ? {read} : nullptr"
        return read

    def _arguments(self, o, slots):
        """C++'s arguments; those that have no slot are left to their defaults."""
        return [self._read(o, slots[a.name], a) if a.name in slots else default(a) for a in o.python if a.type.cpp]

    def _run(self, o, slots, suffix, result, types):
        """free_run(thpp::add, …), or the direct call of something quick."""
        name = f"thpp::{o.cpp_name}{suffix}"
        if o.with_gil:
            return f"{name}({', '.join(self._arguments(o, slots))})"
        return f"free_run{self._choice(o, result, types)}({', '.join([name, *self._arguments(o, slots)])})"

    def _choice(self, o, result, types):
        """Which of the functions of that name is meant, where there are several."""
        return f"<{pointer_type(result, types)}>" if self.overloaded[o.cpp_name] > 1 else ""

    def _call(self, o, slots, out):
        types = [parameter_type(a) for a in o.cpp_parameters]
        run = self._run(o, slots, "", result_type(o), types)
        lines = []
        if out is not None:
            outs = ["Tensor &"] * len(o.outputs)
            choice = self._choice(o, "void", outs + types)
            names = f'"{o.name}", {_names(o)}, ' if len(outs) > 1 else ""
            call = ", ".join(
                [
                    "a",
                    f"{out}",
                    *([names.rstrip(", ")] if names else []),
                    f"thpp::{o.cpp_name}_out",
                    *self._arguments(o, slots),
                ]
            )
            lines.append(f"if (a.has({out})) return into{'_tuple' if len(outs) > 1 else ''}{choice}({call});")
        if len(o.outputs) > 1:
            parts = [f"x{i}" for i in range(len(o.outputs))]
            lines += [
                f"auto [{', '.join(parts)}] = {run};",
                f'return wrap_named("{o.name}", {_names(o)}, {{{", ".join(parts)}}});'
                if o.named_results
                else f"return wrap(std::vector<Tensor>{{{', '.join(parts)}}});",
            ]
        elif o.returns == "self":
            lines += [f"{run};", "return same(a.object(0));"]
        elif o.returns == "void":
            lines += [f"{run};", "Py_RETURN_NONE;"]
        elif o.factory:
            lines.append(f"return pinned(a, {slots['pin_memory']}, wrap({run}));")
        else:
            lines.append(f"return wrap({run});")
        return "".join(f"  {line}\n" for line in lines)

    def _inplace(self, o, slots):
        types = [parameter_type(a) for a in o.cpp_parameters]
        changed = slots[o.python[0].name]
        return f"  {self._run(o, slots, '_', 'const Tensor &', types)};\n  return same(a.object({changed}));\n"

    def source(self):
        lines = ['#include "operators.h"\n\nnamespace torch::python {\n\nnamespace {\n\nusing namespace thpp;\n\n']
        lines += [f"const Param {name}[] = {{{rows}}};\n" for rows, name in self.params.items()]
        lines += [f"\nPyObject *{name}(Args &a) {{\n{body}}}\n" for body, name in self.calls.items()]
        lines += ["\n", *self.operators, "\n}  // namespace\n"]
        for (_, kind), rows, entry in zip(_KINDS, (self.methods, self.functions), ("method", "function")):
            lines.append(f"\nextern PyMethodDef {self.family}_{kind}[];\nPyMethodDef {self.family}_{kind}[] = {{\n")
            lines += [f'    TORCH_ROW("{n}", {entry}<{symbol}>),\n' for n, symbol in sorted(rows.items())]
            lines.append("    {nullptr, nullptr, 0, nullptr}};\n")
        return "".join([*lines, "\n}  // namespace torch::python\n"])


def _names(o):
    return f"{{{', '.join(chr(34) + a.name + chr(34) for a in o.outputs)}}}"
