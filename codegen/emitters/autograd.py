"""The recorders of csrc/autograd: autograd_<family>.cpp, a node per operator with formulas and a recorder per form, and
autograd_table.cpp, THPP's table of them. What they have in common is csrc/autograd/generated.h."""

import pathlib
import re

from .. import formulas
from ..errors import DeclarationError
from ..model import INTEGRAL
from ..output import write
from . import NOTE, table
from .cpp import once, parameter, parameter_type

_HEAD = """\
#include "generated.h"
#include "formulas/all.h"

namespace torch::autograd {

using namespace thpp;

namespace {

"""


def emit(operators, out):
    overloads = once([o for name in sorted(operators) for o in operators[name]])
    slots = table.slots(overloads)
    families = {}
    for o in overloads:
        nodes, rows = families.setdefault(pathlib.Path(o.where.file).stem, ([], []))
        if o.derivative and o.derivative.kind == "formula" and not o.derivative.formulas:
            raise DeclarationError(o.where, f"{o.name}: key 'derivative' is empty: a formula per input is missing")
        if o.derivative and o.derivative.formulas:
            nodes.append(_node(o, slots[o]))
            if other := formulas.in_place(o):
                nodes.append(_node(other, f"{slots[o]}_"))
            rows += _recorded(o, slots[o])
        elif o.derivative_kind == "none" and formulas.written(o) and not _never_floats(o):
            rows.append(_overwritten(o, slots[o]))
    note = NOTE.format(target="autograd")
    families = {family: found for family, found in sorted(families.items()) if found[1]}
    for family, (nodes, rows) in families.items():
        text = (
            "\n".join(nodes) + f"\n}}  // namespace\n\nvoid record_{family}(Operators &table) {{\n{''.join(rows)}}}\n"
        )
        write(out / f"autograd_{family}.cpp", note + _HEAD + text + "\n}  // namespace torch::autograd\n")
    write(out / "autograd_table.cpp", note + _table(families))


def _table(families):
    declared = "".join(f"void record_{family}(thpp::Operators &table);\n" for family in families)
    calls = "".join(f"    record_{family}(made);\n" for family in families)
    return (
        f'#include "generated.h"\n\nnamespace torch::autograd {{\n\n{declared}\n'
        "const thpp::Operators &recorders() {\n"
        f"  static const thpp::Operators table = [] {{\n    thpp::Operators made{{}};\n{calls}    return made;\n  }}();\n"
        "  return table;\n}\n\n}  // namespace torch::autograd\n"
    )


# ---- recorders ----


def _recorded(o, slot):
    if o.written:
        kind = "RESHAPE" if o.view else "WRITE"
        yield f"  RECORD_{kind}(backward_{slot}, {slot}, {o.cpp_name}, {_position(o, o.written)});\n"
        return
    yield f"  RECORD(backward_{slot}, {slot}, {o.cpp_name});\n"
    if o.in_place:
        node = f"{slot}_" if o.derivative.inplace else slot
        yield f"  RECORD_WRITE(backward_{node}, {slot}_, {o.cpp_name}_, {_position(o, 'self')});\n"


def _overwritten(o, slot):
    """Of an operator without a derivative, the form that overwrites what is recorded."""
    suffix = "" if o.written else "_"
    at = _position(o, formulas.written(o))
    return f'  RECORD_OVERWRITE("{node_name(o)}", {slot}{suffix}, {o.cpp_name}{suffix}, {at});\n'


def _never_floats(o):
    """Whether it writes into tensors of bool and integers only, which are never recorded."""
    return o.types and not set(o.types) - {"Bool", *INTEGRAL}


def _position(o, name):
    return next(i for i, a in enumerate(o.cpp_parameters) if a.name == name)


def node_name(o):
    """AddBackward0 of add, GeluBackward0 of nn_gelu, as torch names them."""
    if o.derivative and o.derivative.node:
        return o.derivative.node
    return "".join(word.title() for word in _bare(o).split("_")) + "Backward0"


def _bare(o):
    """The operator's name without that of its namespace, where torch has the operator without it."""
    return o.name.removeprefix("nn_")


# ---- nodes ----

# Words of a node's name, besides the arguments', in C++.
_CALL_WORDS = {"inplace": "old.written", "result_is_copy": "!old.shared_by_result(self)"}


def _node(o, slot):
    node = _Node(o)
    positions = ", ".join(str(_position(o, name)) for name in node.inputs)
    saved = node.each_saved()
    base = f"Recorded<backward_{slot}>" if saved else "Node"
    return (
        f"struct backward_{slot} final : {base} {{\n"
        f"  using Inputs = std::index_sequence<{positions}>;\n"
        f"{node.members()}"
        f"  const char *name() const override {{ return {node.called()}; }}\n"
        f"{node.save()}{node.save_results()}{saved}{node.apply()}}};\n"
    )


class _Node:
    """The parts of one node's text. A member is called as what it keeps, a saved tensor with _ after it."""

    def __init__(self, o):
        self.o = o
        self.formulas = formulas.parse(o)
        self.inputs = formulas.differentiable(o)
        self.results = formulas.results(o)
        self.lists = {a.name for a in o.cpp_parameters if a.type.name == "Tensor[]"}
        self.lists |= {name for name, many in self.results.items() if many}
        self.edges, before, count = {}, "", 0  # where the edges of each input begin
        for name in self.inputs:
            self.edges[name] = f"{before}{count}"
            if name in self.lists:
                before += f"n_{name} + "
            else:
                count += 1
        # Who needs each word: {word: formulas}
        self.tensors = self._users("tensors")
        self.infos = self._users("infos")
        self.others = self._users("others")

    def _users(self, words):
        users = {}
        for formula in self.formulas:
            for word in getattr(formula, words):
                users.setdefault(word, []).append(formula)
        return users

    def _needs(self, found):
        """The condition that one of these formulas is needed; "" where it always is."""
        names = [name for formula in found for name in formula.inputs]
        if len(names) == len(self.inputs):
            return ""
        return " || ".join(self._needed(name) for name in names)

    def _needed(self, name):
        if name in self.lists:
            return f"needs_any(*this, {self.edges[name]}, n_{name})"
        return f"needs({self.edges[name]})"

    def _if(self, found):
        condition = self._needs(found)
        return f"if ({condition}) " if condition else ""

    def called(self):
        """The node's name in C++: a literal, or a member that save() fills in."""
        return "called" if "?" in node_name(self.o) else f'"{node_name(self.o)}"'

    def members(self):
        lines = ["  const char *called;\n"] if "?" in node_name(self.o) else []
        lines += [f"  size_t n_{name} = 0;\n" for name in self.inputs if name in self.lists]
        for kind, many in (("Saved", False), ("SavedList", True)):
            names = [f"{name}_" for name in self.tensors if (name in self.lists) == many]
            lines += [f"  {kind} {', '.join(names)};\n"] if names else []
        for kind, many in (("TensorInfo", False), ("std::vector<TensorInfo>", True)):
            names = [f"{name}_info" for name in self.infos if (name in self.lists) == many]
            lines += [f"  {kind} {', '.join(names)};\n"] if names else []
        types = {a.name: re.sub(r"const (.*) &", r"\1", parameter_type(a)) for a in self.o.cpp_parameters}
        lines += [f"  SavedAttribute<{types[name]}> {name}{{}};\n" for name in self.others]
        return "".join(lines)

    def save(self):
        """What is kept of the arguments. `old` clones what the form writes."""
        lines = [f"    n_{name} = {name}.size();\n" for name in self.inputs if name in self.lists]
        lines += [
            f'    throw_derivative("{a.name}", {a.name});\n'
            for a in self.o.cpp_parameters
            if a.type.name in ("Tensor", "Tensor[]") and a.name not in self.inputs
        ]
        lines += self._saves(lambda name: name not in self.results, "old({})", "")
        lines += [f"    this->{name} = {name};\n" for name in self.others]
        if "?" in node_name(self.o):
            name = re.sub(r"\w+Backward\w+", r'"\g<0>"', node_name(self.o))
            for word, meaning in _CALL_WORDS.items():
                name = re.sub(rf"\b{word}\b", meaning, name)
            lines.append(f"    called = {name};\n")
        text = "".join(lines)
        parameters = ["SnapshotOfWritten old" if re.search(r"\bold[.(]", text) else "SnapshotOfWritten"]
        for a in self.o.cpp_parameters:
            mentioned = re.search(rf"(?<!->)\b{a.name}\b", text)
            parameters.append(parameter(a, False) if mentioned else parameter_type(a))
        return f"  void save({', '.join(parameters)}) {{\n{text}  }}\n"

    def _saves(self, is_here, value, node):
        for name, found in self.tensors.items():
            if is_here(name):
                yield f"    {self._if(found)}{name}_.save({value.format(name)}{node});\n"
        for name, found in self.infos.items():
            if is_here(name):
                kept = "infos_of" if name in self.lists else "TensorInfo"
                yield f"    {self._if(found)}{name}_info = {kept}({name});\n"

    def save_results(self):
        """What is kept of what was computed."""
        lines = list(self._saves(lambda name: name in self.results, "{}", ", this"))
        if not lines:
            return ""
        if len(self.results) > 1:
            types = ", ".join("Tensor" for _ in self.results)
            unused = "[[maybe_unused]] const auto &"
            head = f"const std::tuple<{types}> &made"
            lines.insert(0, f"    {unused}[{', '.join(self.results)}] = made;\n")
        else:
            ((name, many),) = self.results.items()
            head = f"TensorList {name}" if many else f"const Tensor &{name}"
        return f"  void save_results({head}) {{\n{''.join(lines)}  }}\n"

    def each_saved(self):
        """The list of what is kept: tensors, shapes, values."""
        kept = [*(f"T_({name})" for name in self.tensors), *(f"I_({name})" for name in self.infos)]
        kept += [f"V_({name})" for name in self.others]
        return f"  EACH_SAVED({' '.join(kept)})\n" if kept else ""

    # ---- the backward pass ----

    def apply(self):
        lists = [name for name in self.inputs if name in self.lists]
        size = " + ".join([*(f"n_{name}" for name in lists), str(len(self.inputs) - len(lists))])
        lines = [f"  Grads of_inputs({size});\n"]
        words = formulas.gradients(self.o)
        used = {word for formula in self.formulas for word in formula.grads}
        lines += [
            f"  const Tensor &{word} = grads[{n}];\n" for word, n in words.items() if word in used and n is not None
        ]
        # What several formulas use is unpacked once.
        lines += [
            f"  const auto {name} = {self._unpacked(name, found)};\n"
            for name, found in self.tensors.items()
            if len(found) > 1 and not self._mixed(name)
        ]
        lines += [f"  const auto &{name} = {name}_info;\n" for name in self.infos if not self._mixed(name)]
        for formula in self.formulas:
            lines += self._gradient(formula, len(words) > 1)
        body = "".join(f"  {line}" for line in [*lines, "  return of_inputs;\n"])
        parameter = "grads" if "grads" in body else ""
        return f"  Grads apply(Grads &&{parameter}) override {{\n{body}  }}\n"

    def _mixed(self, name):
        """Whether it is a tensor for some formulas, and its shape for others."""
        return name in self.tensors and name in self.infos

    def _unpacked(self, name, found):
        condition = self._needs(found)
        text = f"{name}_.unpack(this)"
        return f"{condition} ? {text} : {'Grads' if name in self.lists else 'Tensor'}()" if condition else text

    def _gradient(self, formula, several):
        conditions = " || ".join(self._needed(name) for name in formula.inputs)
        if several and len(formula.grads) == 1:
            conditions = f"({conditions})" if "||" in conditions else conditions
            conditions += f" && {formula.grads[0]}.defined()"
        lines = []
        for name in formula.tensors:
            if self._mixed(name) or len(self.tensors[name]) == 1:
                lines.append(f"const auto {name} = {name}_.unpack(this);")
        lines += [f"const auto &{name} = {name}_info;" for name in formula.infos if self._mixed(name)]
        (first, *more) = formula.inputs
        text = " ".join(formula.text.split())
        if first in self.lists:
            if formula.wanted:
                lines.append(f"const std::vector<bool> wanted = needs_each(*this, {self.edges[first]}, n_{first});")
            lines.append(f"put(of_inputs, {self.edges[first]}, n_{first}, {text});")
        elif more:
            if formula.wanted:
                each = ", ".join(self._needed(name) for name in formula.inputs)
                lines.append(f"const std::vector<bool> wanted{{{each}}};")
            lines.append(f"put(of_inputs, {{{', '.join(self.edges[name] for name in formula.inputs)}}}, {text});")
        else:
            if formula.wanted:
                lines.append("const std::vector<bool> wanted{true};")
            lines.append(f"of_inputs[{self.edges[first]}] = {text};")
        if len(lines) == 1:
            return [f"  if ({conditions}) {lines[0]}\n"]
        return [f"  if ({conditions}) {{\n", *(f"    {line}\n" for line in lines), "  }\n"]
