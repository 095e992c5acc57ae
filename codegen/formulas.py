"""Formulas of derivatives: the mapping below the key `derivative`, of which codegen makes a node of the graph.

    self: grad * conj(other)          a C++ expression: the gradient for the argument self
    a, b: solve(grad, a, b, wanted)   for several at once: a std::vector<Tensor>, one per name
    tensors: cat_backward(grad, …)    for a Tensor[]: a std::vector<Tensor>, one per element
    mask: Tensor()                    no gradient goes there; an argument without a formula may not be recorded
    inplace: elu_backward(result, …)  self's, of the form that writes self, where that is another formula
    node: MulBackward1                the node's name, where it is not the operator's, as in MulBackward0. Where torch has
                                      several operators: 'dim.data() ? SumBackward1 : SumBackward0', of the arguments
                                      and of the words `inplace` (the form that writes self was called) and
                                      `result_is_copy` (the result does not share self's memory)

An undefined tensor is a gradient of zeros. Words of a formula, besides functions of thpp:: and csrc/autograd/formulas:

    grad, grad_indices, grads   the gradient of the only or first result; of a named one where there are several; of a
                                Tensor[] result, as a std::vector<Tensor>. A formula with one of them is not computed
                                where that is undefined; of several, some may be
    self, dim, …                the arguments
    result, results             what was computed, by its declared names; without one, this: of a Tensor[], results
    wanted                      std::vector<bool>: which of the formula's gradients are used

Of a tensor that is used by INFO alone (self.sizes()), or as infos(tensors) of a Tensor[], only that is kept for the
backward pass.
"""

import dataclasses
import re

INFO = tuple("sizes strides dim dtype device numel size storage_offset defined suggest_memory_format".split())
_OURS = ("grad", "grads", "wanted", "result", "results")
_LIST = "Tensor[]"


@dataclasses.dataclass(frozen=True)
class Formula:
    """One line, and which of the words it uses."""

    inputs: tuple[str, ...]
    text: str
    grads: tuple[str, ...]  # of the results' gradients
    tensors: tuple[str, ...]  # arguments and results, as wholes
    infos: tuple[str, ...]  # those of which only INFO is used
    others: tuple[str, ...]  # arguments that are no tensors
    wanted: bool


def gradients(o):
    """{word: number of the result whose gradient it is}; None: of all."""
    if o.returns == _LIST:
        return {"grads": None}
    several = {f"grad_{a.name}": i for i, a in enumerate(o.outputs)} if len(o.outputs) > 1 else {}
    return {"grad": 0} | several


def results(o):
    """{word: whether it is a list}"""
    if o.outputs:
        return {a.name: False for a in o.outputs}
    return {"results": True} if o.returns == _LIST else {"result": False}


def written(o):
    """The argument that a form of the operator writes, or None."""
    return "self" if o.in_place else o.written


def differentiable(o):
    """The arguments that have formulas, by name: the order of the node's edges. The one that is written comes first."""
    named = {name for names, _ in o.derivative.formulas for name in names}
    order = [a for a in o.cpp_parameters if a.name in named]
    return {a.name: a for a in sorted(order, key=lambda a: a.name != written(o))}


def in_place(o):
    """The form that writes self as an overload of its own, where its formula is another one; else None."""
    if not o.derivative.inplace:
        return None
    others = tuple((names, text) for names, text in o.derivative.formulas if names != ("self",))
    formulas = ((("self",), o.derivative.inplace), *others)
    return o.replace(derivative=dataclasses.replace(o.derivative, formulas=formulas, inplace=""))


def parse(o):
    """The overload's formulas."""
    lists = {a.name for a in o.cpp_parameters if a.type.name == _LIST} | {n for n, many in results(o).items() if many}
    tensors = [a.name for a in o.cpp_parameters if "Tensor" in a.type.name] + list(results(o))
    others = [a.name for a in o.cpp_parameters if "Tensor" not in a.type.name]
    found = []
    for names, text in o.derivative.formulas:
        used = [name for name in tensors if _uses(text, name)]
        infos = [name for name in used if _uses(text, name) == _uses_of_info(text, name, name in lists)]
        found.append(
            Formula(
                names,
                text,
                tuple(word for word in gradients(o) if _uses(text, word)),
                tuple(name for name in used if name not in infos),
                tuple(infos),
                tuple(name for name in others if _uses(text, name)),
                bool(_uses(text, "wanted")),
            )
        )
    return tuple(found)


def check(o, refuse):
    """Calls refuse(message) where the formulas do not fit the declaration."""
    if not o.derivative or not o.derivative.formulas:
        if o.derivative and o.derivative.node:
            refuse("derivative names a node and has no formula")
        return
    if not re.fullmatch(r"[\w:]*|.+\?.+:.+", o.derivative.node):
        refuse(f"node is a name, or 'CONDITION ? NAME : NAME', not '{o.derivative.node}'")
    if o.in_python:
        refuse("its body is Python, which calls operators that are differentiated")
    if o.derivative.inplace:
        if not o.in_place or ("self",) not in [names for names, _ in o.derivative.formulas]:
            refuse(
                "`inplace` is self's formula in the form that writes it, and there is no such form or no other formula"
            )
        check(in_place(o), refuse)
    if not (o.outputs or o.returns in ("Tensor", _LIST) or o.written):
        refuse("derivative has formulas, but nothing that it gives or writes is one tensor or a list of them")
    known = {a.name: a for a in o.inputs if a.type.name in ("Tensor", _LIST)}
    seen = set()
    for names, _ in o.derivative.formulas:
        for name in names:
            if name not in known:
                refuse(f"derivative has a formula for '{name}', which is no tensor among the arguments")
            if name in seen:
                refuse(f"derivative has two formulas for '{name}'")
            seen.add(name)
            if len(names) > 1 and known[name].type.name == _LIST:
                refuse(f"the list '{name}' needs a formula of its own")
    into = written(o)
    if into and (into not in seen or known[into].type.name == _LIST):
        refuse(f"derivative needs a formula for '{into}', which is written: zeros_like(grad) where it does not count")
    for a in o.cpp_parameters:
        if a.name in _OURS or a.name in gradients(o):
            refuse(f"'{a.name}' is a word of formulas, and cannot be an argument's name")
    words = {**gradients(o), **results(o), "wanted": None} | {a.name: None for a in o.cpp_parameters}
    for _, text in o.derivative.formulas:
        for word in re.findall(r"(?<![\w.:>])(?:grads?|grad_\w+|results?)\b(?!\s*\()", text):
            if word not in words:
                refuse(f"a formula has '{word}', of which there is none here; there are: {', '.join(words)}")
        for a in o.cpp_parameters:
            if a.type.name == "Generator" and _uses(text, a.name):
                refuse(f"a formula has '{a.name}', a generator, which gives other numbers by then")


def _uses(text, name):
    """How often a formula has the word; not as a member's or a function's name."""
    return len(re.findall(rf"(?<![\w.])(?<!::)(?<!->){name}\b(?!\s*\()", text))


def _uses_of_info(text, name, is_list):
    if is_list:
        return len(re.findall(rf"\binfos\({name}\)", text))
    return len(re.findall(rf"(?<![\w.])(?<!::)(?<!->){name}\.(?:{'|'.join(INFO)})\(", text))
