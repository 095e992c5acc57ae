"""python_operators.cpp: the tables that csrc/python/args.h reads, and a call per signature."""

import collections
import dataclasses

from ..model import INPLACE_FUNCTIONS
from ..output import write
from . import NOTE
from .cpp import parameter_type, pointer_type, result_type, value

# In place by name, and no write: detach_ changes no element, and the others write where the shape changes.
WRITE_NOTHING = frozenset({"detach_", "resize_", "resize_as_"})

PRELUDE = """\
#include <iterator>
#include <type_traits>
#include <utility>
#include <variant>

#include <torch_python/args.h>

#include <THPP/Functions.h>

namespace torch::python {

namespace {

using namespace thpp;

// How much work a call is, in elements, to decide whether to give up the interpreter's lock.
inline double work(const Tensor &tensor) { return tensor.defined() ? double(tensor.numel()) : 0; }
inline double work(const Ints &sizes) {
  double n = 1;
  for (int64_t size : sizes) n *= double(size);
  return n;
}
inline double work(const std::vector<Tensor> &tensors) {
  double n = 0;
  for (const Tensor &tensor : tensors) n += work(tensor);
  return n;
}
template <class T>
double work(const T &) {
  return 0;
}

// f(arguments…) without the lock. The arguments have been read from Python when it is called.
template <class F, class... T>
auto free_run(F *f, const T &...arguments) -> decltype(f(arguments...)) {
  ReleaseGil free((work(arguments) + ... + 0));
  return f(arguments...);
}

// Whether a resized out= is worth a warning: not where tensors are made of nothing, or drawn.
template <class... T>
constexpr bool kResizeWarns = ((std::is_same_v<T, Tensor> || std::is_same_v<T, std::vector<Tensor>>) || ...);
template <class... T>
  requires((std::is_same_v<T, THGenerator *> || ...))
constexpr bool kResizeWarns<T...> = false;

// The same into out=, which is parameter `at`.
template <class F, class... T>
PyObject *into(Args &a, int at, F *f, const T &...arguments) {
  Tensor out = a.tensor(at);
  const ResizeWatch watch(out);
  {
    ReleaseGil free((work(arguments) + ... + 0));
    f(out, arguments...);
  }
  if (kResizeWarns<T...>) watch.warn(out);
  return written(a.object(at));
}
// Into a tuple of tensors, the first parameters of f.
template <class>
constexpr size_t kParameters = 0;
template <class R, class... P>
constexpr size_t kParameters<R(P...)> = sizeof...(P);
template <class F, class... T>
PyObject *into_tuple(Args &a, int at, const char *op, std::initializer_list<const char *> names, F *f,
                     const T &...arguments) {
  std::vector<Tensor> out = a.tensors(at);
  if (out.size() != names.size())
    THError(TH_ERROR_TYPE, "%s(): out must be a tuple of %zu tensors, not %zu", op, names.size(), out.size());
  const std::vector<ResizeWatch> watches(out.begin(), out.end());
  {
    ReleaseGil free((work(arguments) + ... + 0));
    [&]<size_t... i>(std::index_sequence<i...>) {
      f(out[i]..., arguments...);
    }(std::make_index_sequence<kParameters<F> - sizeof...(T)>());
  }
  for (size_t i = 0; i < out.size(); ++i) watches[i].warn(out[i]);
  return written_named(op, names, a.object(at));
}

PyObject *wrap(const std::variant<Tensor, std::vector<Tensor>> &result) {
  return std::visit([](const auto &value) { return python::wrap(value); }, result);
}
using python::wrap;

"""

OPERATOR = """

#define OPERATOR(symbol, name, variants, ...)              \\
  const Signature symbol##_signatures[] = {__VA_ARGS__};   \\
  const Operator op_##symbol = {name, symbol##_signatures, \\
                                std::size(symbol##_signatures), variants};
"""

ROW = """
#define ROW(name, call) {name, _PyCFunction_CAST(call), METH_FASTCALL | METH_KEYWORDS, nullptr}
"""


def emit(operators, out):
    """Writes the file to the folder `out`."""
    write(out / "python_operators.cpp", NOTE.format(target="python") + _Tables(operators).source())


def operator_names(operators):
    """{Python name: [(overload, in place?)]} in the order in which they are tried."""
    named = collections.defaultdict(list)
    for overloads in operators.values():
        for o in overloads:
            for name in (o.name, *o.aliases):
                if "method" in o.variants or "function" in o.variants:
                    named[name].append((o, False))
                if "inplace" in o.variants:
                    named[name + "_"].append((o, True))
    return named


def is_function(overload, inplace, name):
    """Whether torch.<name> is this form of the overload."""
    return name.removesuffix("_") in INPLACE_FUNCTIONS if inplace else "function" in overload.variants


class _Tables:
    """Collects rows; equal ones are written once."""

    def __init__(self, operators):
        self.params = {}  # text of an array → its name
        self.calls = {}  # body of a call → its name
        self.operators = []
        self.methods, self.functions = {}, {}  # Python name → symbol
        self.overloaded = collections.Counter(o.cpp_name for overloads in operators.values() for o in overloads)
        for name, entries in sorted(operator_names(operators).items()):
            self._add(name, entries)

    def _add(self, name, entries):
        methods = self._signatures([e for e in entries if e[1] or "method" in e[0].variants], True)
        functions = self._signatures([e for e in entries if is_function(*e, name)], False)
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
        self.operators.append(f'OPERATOR({symbol}, "{name}", {variants}, {rows})\n')
        return f"op_{symbol}"

    def _signatures(self, entries, method):
        """Rows of Signature; deprecated ones come last."""
        rows = []
        for o, inplace in entries:
            out = "out" in o.variants and not inplace
            rows.append(self._signature(o, inplace, method, o.python, out and not o.out_with))
            if out and o.out_with and not method:
                form = [dataclasses.replace(a, default=None) if a.name == o.out_with else a for a in o.python]
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
        rows = [self._param(a) for a in form]
        if out:
            kind = "Tensor" if len(o.outputs) == 1 else "TensorList"
            rows.append(f'{{"out", ArgType::{kind}, kOptional | kNullable | kKwargOnly, "None"}}')
        count = len(rows) - (out and method)  # methods have no out=
        params = self.params.setdefault(", ".join(rows), f"p{len(self.params)}")
        slots = {a.name: i for i, a in enumerate(form)}
        body = self._inplace(o, slots) if inplace else self._call(o, slots, len(rows) - 1 if out else None)
        return params, count, self.calls.setdefault(body, f"c{len(self.calls)}_{o.name}{'_' * inplace}")

    def _param(self, a):
        flags = [
            word
            for word, on in (
                ("kOptional", a.optional),
                ("kNullable", a.nullable or a.type.name == "THDims" and a.default in (None, "None")),
                ("kKwargOnly", a.kwarg_only),
                ("kVarargs", a.long_args),
                ("kSingle", a.type.name == "THDims"),
            )
            if on
        ]
        name = "input" if a.name == "self" else a.name
        default = f'"{a.default}"' if a.optional else "nullptr"
        type = "TensorOrNumber" if a.number else a.type.python
        return f'{{"{name}", ArgType::{type}, {" | ".join(flags) or 0}, {default}}}'

    def _read(self, i, a):
        read = a.type.read.format(i)
        if a.empty_by_std:
            return f"a.has({i}) ? std::optional({read}) : std::nullopt"
        if a.optional and a.default != "None" and a.type.name not in ("THGenerator*", "THMemoryFormat"):
            return read.removesuffix(")") + f", {value(a.default)})"
        if a.type.name == "char*" and a.nullable:
            return f"a.has({i}) ? {read} : nullptr"
        return read

    def _arguments(self, o, slots):
        """C++'s arguments; those that have no slot are left to their defaults."""
        return [self._read(slots[a.name], a) if a.name in slots else value(a.default) for a in o.python if a.type.cpp]

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
                f'return wrap_named("{o.name}", {_names(o)}, {{{", ".join(parts)}}});',
            ]
        elif o.returns == "self":
            lines += [f"{run};", f"return {'same' if o.name in WRITE_NOTHING else 'written'}(a.object(0));"]
        elif o.returns == "void":
            lines += [f"{run};", "Py_RETURN_NONE;"]
        else:
            lines.append(f"return wrap({run});")
        return "".join(f"  {line}\n" for line in lines)

    def _inplace(self, o, slots):
        types = [parameter_type(a) for a in o.cpp_parameters]
        changed = slots[o.python[0].name]
        return f"  {self._run(o, slots, '_', 'const Tensor &', types)};\n  return written(a.object({changed}));\n"

    def source(self):
        lines = [PRELUDE]
        lines += [f"const Param {name}[] = {{{rows}}};\n" for rows, name in self.params.items()]
        lines += [f"\nPyObject *{name}(Args &a) {{\n{body}}}" for body, name in self.calls.items()]
        lines += [OPERATOR, *self.operators, "\n}  // namespace\n", ROW]
        for table, entries, entry in (
            ("tensor_methods", self.methods, "method"),
            ("torch_functions", self.functions, "function"),
        ):
            lines.append(f"\nPyMethodDef {table}[] = {{\n")
            lines += [f'    ROW("{n}", {entry}<{symbol}>),\n' for n, symbol in sorted(entries.items())]
            lines.append("    {nullptr, nullptr, 0, nullptr}};\n")
        return "".join([*lines, "\n}  // namespace torch::python\n"])


def _names(o):
    return f"{{{', '.join(chr(34) + a.name + chr(34) for a in o.outputs)}}}"
