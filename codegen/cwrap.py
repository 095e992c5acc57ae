"""Parses .cwrap files.

A file holds blocks, each the YAML of one operator between [[ and ]]; anything outside is comment.

    [[
      func: add(Tensor|Number self, Tensor|Number other, *, Scalar alpha=1) -> Tensor result    # see signature.py
      aliases: [sum_of]                # more Python names; special_x is torch.special.x, as of a func of that name
      cname: cadd(result, self, alpha, other)   # TH{Float…}Tensor_cadd. In brackets the order of the C call and
                                       #   constants of C++, where it is not: outputs, then the arguments as above.
                                       # "THTensor_cat": that very function;
                                       # "THNN SoftMax": THNN_{Float…}SoftMax_updateOutput, which gets them
                                       #   after its state; "THNN SoftMax_updateGradInput": that function;
                                       # "THS coalesce": THS{Float…}Tensor_coalesce, which takes sparse tensors;
                                       # "torch.functional.einsum": a Python body, that function;
                                       # "thpp::where_self", or without cname thpp::add: a C++ body in lib/THPP/src
      variants: [method, function, inplace, out]   # [] makes it C++ only; default [method, function];
                                       #   inplace_function: torch.add_ too, not only Tensor.add_
      types: all                       # dtypes that the kernel exists for: a list of TH_FOR_… or names;
                                       #   `all` means real, complex kernels are those of …_complex
      stored: [unsigned, float8]       # dtypes without kernels that it serves all the same (model.STORED), by another
                                       #   dtype's kernel; of a function for every dtype: the only such that it serves.
                                       #   uint64: unsigned ones by that dtype's kernel, as their bits are not signed ones'
      unsigned: order                  # of a kernel that takes no other dtype than its own: wide unsigned integers are handed to
                                       #   it as signed ones of the same `bits`, or in the same `order` (model.UNSIGNED)
      fallback: gelu                   # thpp::fallback::gelu, a composition of operators, is the body where a backend
                                       #   has no such kernel, or none for the dtype
      fallback_types: complex          # dtypes that it serves besides `types`, on the CPU too
      sparse: values                   # of sparse tensors. values: the operator of their values, where 0 gives 0; linear: the
                                       #   same, where it may come before values of one place are added up; parts: the
                                       #   body, as of others; else thpp::sparse::NAME, made of operators that are
                                       #   recorded. Nothing: refused by name
      sparse_inplace: add_             # thpp::sparse::NAME: the form in place, where it is not the result that `sparse` says,
                                       #   made self's own
      results: {grad: like(self)}      # C++ expressions: what an output is made as for the kernel, where an empty tensor
                                       #   of the dtype will not do; the kernel gets NULL for an undefined one
      message: GeluKernelImpl          # what the error for a dtype without a kernel calls it, where it is not gelu_cpu
      body: clamp(self, 0, 6)          # instead of cname: the body calls that operator, in its form in place (if it
                                       #   has one) or with out= where this one's is called; topk(self, 1)[0]: the first of its results
      dtype: promote                   # model.DTYPE_RULES
      check: check_add                 # C++ checks before anything happens
      view: self                       # the result is a view of that argument; with writes: the argument itself becomes
                                       #   another view of its elements, none of which changes
      writes: self                     # an argument that is written, where no output says so: its version counts
                                       #   the call. none: operators in the body may. Needed for a result self or void.
                                       #   none beside outputs: a body that may leave self as it is, in place
      wrap_dim: dim                    # a dimension of self, or a list of them, that may count from its end
      assert_ndim: {mat: 2}            # how many dimensions a tensor must have
      broadcast: {self: [mat.0, vec.0]}   # sizes that a tensor is expanded to, where the kernel does not
      derivative:                      # a formula per differentiable input (formulas.py); nix/ cuts off the lines
        self: grad                     #   below the key, so that editing one rebuilds no other C++.
        other: grad * alpha            # `a, b:` several at once; `node:` the node's name, if not AddBackward0.
                                       # Or `composite`: the body is made of operators, which are differentiated;
                                       #   `fallback`: so is the fallback, which is called instead of the kernel
                                       #   where something is recorded;
                                       #   `inner`: only recorded calls and formulas call it; `none (why)`;
                                       #   or nothing, for operators without a floating result
      sharding: pointwise; linear self # how it runs on parts of tensors that lie on several ranks, on one line: sharding.py.
                                       #   Nothing: as other keys tell, or on whole tensors. nix/ cuts the line off
      overload: Tensor                 # the overload's name in PyTorch's dispatcher, where it is not "default". Or several, of
                                       #   which the first that fits is a call's: {other: Scalar, else: Tensor}, where a
                                       #   Tensor|Number `other` is a number, an `int... dim` is one, or an argument
                                       #   that may be left out is given;
                                       #   `out: names_out`: of the form with out=, where it is not out or Tensor_out;
                                       #   `also: [Scalar]`: more that PyTorch has, and that no call here is
      aten: native_layer_norm          # the operator's name there, where it is not ours without nn_; none: it has none
      autocast: Lower Lower            # how torch.autocast runs it on the CPU and on CUDA: policies of autocast.py
      deprecated: [self alpha other]   # older orders of the arguments, which Python takes with a warning
      positional_out: dtype            # torch.norm's out may be given by place, before that argument
      inspect:                         # what inspect.signature says, where PyTorch's body is Python: of the function,
        - norm(input, p='fro')         #   and of the method, whose first parameter is self
      options: […]                     # overloads, each with its func: may set any key but aliases and doc
      doc: |                           # always last: nix/ cuts it off by lines, so that editing
        Adds.                          #   documentation rebuilds no C++
    ]]

Other keys: no_complex ('RuntimeError: text' where the kernel has no complex dtypes, instead of the usual message),
factory (adds layout=, device= …), with_gil, any_device (its tensors may be on several), out_with (the
argument without which Python takes no out=).
Anything unknown stops with file and line.
"""

import ast
import dataclasses
import json
import pathlib
import re

import yaml

from . import autocast, consistency, model, nodes, sharding, signature
from .errors import DeclarationError, Where, choices
from .model import Argument, Derivative, Overload, OverloadNames
from .types import TYPES

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_OPERATOR_KEYS = ("aliases", "doc", "inspect", "options")  # once per block
_OVERLOAD_KEYS = (
    "func",
    "cname",
    "variants",
    "types",
    "stored",
    "unsigned",
    "dtype",
    "check",
    "no_complex",
    "fallback",
    "fallback_types",
    "sparse",
    "sparse_inplace",
    "message",
    "results",
    "body",
    "factory",
    "with_gil",
    "any_device",
    "out_with",
    "view",
    "writes",
    "derivative",
    "wrap_dim",
    "assert_ndim",
    "broadcast",
    "deprecated",
    "positional_out",
    "overload",
    "aten",
    "autocast",
    "sharding",
)


@dataclasses.dataclass(frozen=True)
class Block:
    """One [[ … ]]."""

    where: Where = dataclasses.field(compare=False)
    name: str
    overloads: tuple[Overload, ...]
    doc: str

    def __str__(self):
        """The block in YAML again; parsing that gives an equal block, which is asserted for each one."""
        lines = ["[["]
        if self.overloads[0].aliases:
            lines.append(f"  aliases: [{', '.join(self.overloads[0].aliases)}]")
        if self.overloads[0].inspect:
            lines += ["  inspect:", *(f"    - {text}" for text in self.overloads[0].inspect)]
        lines.append("  options:")
        for overload in self.overloads:
            lines += _overload_lines(overload)
        if self.doc:
            lines += ["  doc: |", *("    " + line if line else "" for line in self.doc.splitlines())]
        return "\n".join([*lines, "]]"]) + "\n"


def _overload_lines(o):
    lines = [f"    - func: {signature.text(o.name, o.python, o.outputs, o.returns)}"]
    if o.body is not None:
        lines += [f"      body: {json.dumps(o.body)}", f"      cname: {o.cname}"]
    elif o.arguments == o.outputs + o.python:
        lines.append(f"      cname: {o.cname}")
    else:
        lines.append(f"      cname: {o.cname}({', '.join(a.name for a in o.arguments if not a.left_out)})")
    lines.append(f"      variants: [{', '.join(o.variants)}]")
    if o.types:
        lines.append(f"      types: [{', '.join(o.types)}]")
    if o.stored is not None:
        lines.append(f"      stored: [{', '.join(o.stored)}]")
    for key in ("unsigned", "dtype", "check", "fallback", "sparse", "sparse_inplace", "message"):
        if getattr(o, key):
            lines.append(f"      {key}: {getattr(o, key)}")
    if o.fallback_types:
        lines.append(f"      fallback_types: [{', '.join(o.fallback_types)}]")
    made = {a.name: a.made for a in o.outputs if a.made}
    if made:
        lines.append(f"      results: {json.dumps(made)}")
    lines += [f"      {key}: True" for key in ("factory", "with_gil", "any_device") if getattr(o, key)]
    if o.no_complex:
        lines.append(f"      no_complex: '{': '.join(o.no_complex)}'")
    for key in ("out_with", "positional_out", "view", "writes"):
        if getattr(o, key):
            lines.append(f"      {key}: {getattr(o, key)}")
    if o.derivative:
        lines += _derivative_lines(o.derivative)
    if o.deprecated:
        lines.append(f"      deprecated: [{', '.join(o.deprecated)}]")
    lines += _identity_lines(o)
    wrapped = [a.name for a in o.python if a.wrap_dim]
    if wrapped:
        lines.append(f"      wrap_dim: [{', '.join(wrapped)}]")
    asserted = {a.name: a.assert_ndim for a in o.python if a.assert_ndim is not None}
    if asserted:
        lines.append(f"      assert_ndim: {asserted}")
    expanded = {a.name: list(a.broadcast) for a in o.python if a.broadcast}
    if expanded:
        lines.append(f"      broadcast: {expanded}")
    return lines


def _identity_lines(o):
    also = [f"also: [{', '.join(o.overload.also)}]"] if o.overload.also else []
    named = [f"{key}: {name}" for key, name in (*o.overload.where, ("else", o.overload.name), ("out", o.overload.out))]
    lines = [f"      overload: {{{', '.join([*named, *also])}}}"] if o.overload != OverloadNames() else []
    if o.aten is not None:
        lines.append(f"      aten: {o.aten or 'none'}")
    if any(o.autocast):
        lines.append(f"      autocast: {' '.join(policy or 'none' for policy in o.autocast)}")
    if o.sharding is not None:
        lines.append(f"      sharding: {json.dumps(str(o.sharding))}")
    return lines


def _derivative_lines(derivative):
    if derivative.kind != "formula":
        return [f"      derivative: {derivative.kind}{f' ({derivative.reason})' if derivative.reason else ''}"]
    lines = ["      derivative:", *([f"        node: {json.dumps(derivative.node)}"] if derivative.node else [])]
    lines += [f"        inplace: {json.dumps(derivative.inplace)}"] if derivative.inplace else []
    return lines + [f"        {', '.join(names)}: {json.dumps(formula)}" for names, formula in derivative.formulas]


def parse_files(paths):
    """All blocks of these files, sorted by name and place. A signature may be declared once."""
    blocks = [block for path in paths for block in parse_text(pathlib.Path(path).read_text(), str(path))]
    blocks.sort(key=lambda b: (b.name, b.where))
    _one_kind_of_body(blocks)
    seen = {}
    for overload in (o for b in blocks for o in b.overloads):
        for key in _identities(overload):
            if key in seen:
                raise DeclarationError(
                    overload.where,
                    f"duplicate signature {key[0]}({', '.join(key[2])}), declared at {seen[key]} already",
                )
            seen[key] = overload.where
    return blocks


def _one_kind_of_body(blocks):
    """A name is bound in C++ or in Python: overloads of both kinds could not be tried in order."""
    first = {}
    for o in (o for b in blocks for o in b.overloads):
        other = first.setdefault(o.name, o)
        if other.in_python and other is not o or o.in_python != other.in_python:
            raise DeclarationError(
                o.where, f"{o.name}: declared at {other.where} too, and a body in Python is its only overload"
            )


def _identities(overload):
    shape = tuple(f"{a.type.name} {a.name}" + (f"={a.default}" if a.optional else "") for a in overload.python)
    for variant in overload.variants or ("C++",):
        for name in (overload.name, *overload.aliases):
            yield name, variant, shape


def parse_text(text, file, first_line=1):
    """The blocks of one file."""
    blocks, start, body = [], None, []
    for number, line in enumerate(text.splitlines(), first_line):
        if line.rstrip() == "[[":
            if start is not None:
                raise DeclarationError(Where(file, number), f"[[ inside the block that begins at line {start}")
            start, body = number, []
        elif line.rstrip() == "]]":
            if start is None:
                raise DeclarationError(Where(file, number), "]] without [[")
            blocks.append(_parse_block(body, Where(file, start)))
            start = None
        elif start is not None:
            body.append(line)
    if start is not None:
        raise DeclarationError(Where(file, start), "[[ without ]]")
    return blocks


def _parse_block(lines, where):
    block = _block(lines, where)
    again = str(block).splitlines()[1:-1]
    assert _block(again, where) == block, f"{where}: this does not survive printing:\n{block}"
    return block


def _block(lines, where):
    _check_doc_is_last(lines, where)
    try:
        tree = yaml.compose("\n".join(lines), Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        raise DeclarationError(Where(where.file, where.line + 1 + error.problem_mark.line), error.problem) from None
    entries = nodes.mapping(tree, where)
    nodes.known(entries, _OPERATOR_KEYS + _OVERLOAD_KEYS)
    aliases = tuple(nodes.name(at, v) for at, v in nodes.items(entries.pop("aliases", None), where))
    inspect = tuple(_inspected(at, v) for at, v in nodes.items(entries.pop("inspect", None), where))
    doc = str(entries["doc"][1].value) if "doc" in entries else ""
    options = entries.pop("options", None)
    common = {k: v for k, v in entries.items() if k in _OVERLOAD_KEYS}
    if options is None:
        overloads = [_overload((aliases, inspect), common, nodes.required(entries, "func", where)[0], where)]
    else:
        overloads = []
        for at, node in nodes.items(options, where):
            own = nodes.mapping(node, where)
            nodes.known(own, _OVERLOAD_KEYS)
            overloads.append(_overload((aliases, inspect), common | own, at, where))
        if not overloads:
            raise DeclarationError(options[0], "options is empty")
    first = overloads[0]
    for o in overloads[1:]:
        if o.name != first.name:
            raise DeclarationError(o.where, f"'{o.name}' stands among the overloads of '{first.name}'")
    return Block(first.where, first.name, tuple(overloads), doc)


def _check_doc_is_last(lines, where):
    for number, line in enumerate(lines):
        if line.startswith("  doc:"):
            at = Where(where.file, where.line + 1 + number)
            if line.rstrip() != "  doc: |":
                raise DeclarationError(at, f"write the text below a line '  doc: |', not {line.strip()!r}")
            for rest in lines[number + 1 :]:
                if rest.strip() and not rest.startswith("    "):
                    raise DeclarationError(at, f"doc must be the last key of its block, but {rest.strip()!r} follows")
            return


# ---- overloads ----


def _inspected(at, node):
    text = " ".join(nodes.text(at, node).split())
    try:
        ast.parse(f"def {text}: pass")
    except SyntaxError:
        raise DeclarationError(at, f"inspect is a signature as Python writes it, not '{text}'") from None
    return text


def _overload(shared, entries, where, block):
    aliases, inspect = shared
    at, node = nodes.required(entries, "func", where)
    declared = signature.parse(" ".join(nodes.text(at, node).split()), at)
    values = {"name": declared.name, "aliases": aliases, "where": where, "returns": declared.returns}
    values["inspect"] = inspect
    values["python"] = _attributes(declared.arguments, entries, block)
    everything = _results(declared.outputs, entries, block) + values["python"]
    values["cname"], values["arguments"] = f"thpp::{declared.name}", everything
    if "cname" in entries:
        values["cname"], values["arguments"] = _c_call(
            *entries["cname"], everything, bool(entries.keys() & {"check", "fallback"})
        )
    if "variants" in entries:
        words = [nodes.one_of(a, n, model.VARIANTS, "variant") for a, n in nodes.items(entries["variants"], block)]
        values["variants"] = tuple(v for v in model.VARIANTS if v in words)
    if "types" in entries:
        values["types"] = _dtypes(*entries["types"], block)
    if "stored" in entries:
        values["stored"] = tuple(
            nodes.one_of(a, n, model.SERVED, "group of dtypes") for a, n in nodes.items(entries["stored"], block)
        )
    if "unsigned" in entries:
        values["unsigned"] = nodes.one_of(*entries["unsigned"], model.UNSIGNED, "way")
    if "dtype" in entries:
        values["dtype"] = nodes.one_of(*entries["dtype"], model.DTYPE_RULES, "dtype rule")
    if "no_complex" in entries:
        at, node = entries["no_complex"]
        kind, colon, text = nodes.text(at, node).partition(": ")
        if not colon or kind not in model.ERRORS:
            raise DeclarationError(at, f"no_complex is an error's class and text; classes: {choices(model.ERRORS)}")
        values["no_complex"] = (kind, text)
    for key in ("check", "fallback", "message", "sparse", "sparse_inplace"):
        if key in entries:
            values[key] = nodes.name(*entries[key])
    if "fallback_types" in entries:
        values["fallback_types"] = _dtypes(*entries["fallback_types"], block)
    if "body" in entries:
        at, node = entries["body"]
        if not values["cname"].startswith("thpp::"):
            raise DeclarationError(
                at, "`body` stands instead of a `cname`, unless that is the name of the C++ function"
            )
        values["body"] = " ".join(nodes.text(at, node).split())
    for key in ("factory", "with_gil", "any_device"):
        if key in entries:
            values[key] = nodes.truth(*entries[key])
    for key in ("out_with", "positional_out", "view", "writes"):
        if key in entries:
            values[key] = nodes.name(*entries[key])
    if "derivative" in entries:
        values["derivative"] = _derivative(*entries["derivative"])
    if "deprecated" in entries:
        values["deprecated"] = tuple(nodes.text(a, n) for a, n in nodes.items(entries["deprecated"], block))
    if "overload" in entries:
        values["overload"] = _overload_names(*entries["overload"], block)
    if "aten" in entries:
        name = nodes.name(*entries["aten"])
        values["aten"] = "" if name == "none" else name
    if "autocast" in entries:
        at, node = entries["autocast"]
        values["autocast"] = autocast.parse(nodes.text(at, node), at)
    if "sharding" in entries:
        at, node = entries["sharding"]
        values["sharding"] = sharding.parse(nodes.text(at, node), at)
    overload = Overload(**values)
    consistency.check(overload)
    return overload


def _overload_names(at, node, block):
    if isinstance(node, yaml.ScalarNode):
        return OverloadNames(nodes.name(at, node))
    entries = nodes.mapping(node, block)
    also = tuple(nodes.name(a, n) for a, n in nodes.items(entries.pop("also", None), block))
    name, out = (nodes.name(*entries.pop(key)) if key in entries else None for key in ("else", "out"))
    return OverloadNames(
        name or "default", out, tuple((key, nodes.name(*entry)) for key, entry in entries.items()), also
    )


def _derivative(at, node):
    if isinstance(node, yaml.MappingNode):
        entries = nodes.mapping(node, at)
        name, inplace = (nodes.text(*entries.pop(key)) if key in entries else "" for key in ("node", "inplace"))
        formulas = tuple(
            (tuple(signature.split(names, entry[0])), nodes.text(*entry)) for names, entry in entries.items()
        )
        return Derivative("formula", formulas=formulas, node=name, inplace=inplace)
    text = nodes.text(at, node)
    if text in ("", "composite", "fallback", "inner"):  # empty where the formulas have been cut off
        return Derivative(text or "formula")
    match = re.fullmatch(r"none \((.+)\)", text)
    if not match:
        raise DeclarationError(
            at, f"derivative is a formula per input, `composite`, `fallback`, `inner`, or `none (why)`, not '{text}'"
        )
    return Derivative("none", match[1])


def _dtypes(at, node, where):
    if isinstance(node, yaml.ScalarNode):
        return model.DTYPE_LISTS[nodes.one_of(at, node, model.DTYPE_LISTS, "list of dtypes")]
    words = [nodes.one_of(a, n, model.DTYPES, "dtype") for a, n in nodes.items((at, node), where)]
    return tuple(d for d in model.DTYPES if d in words)


def _results(outputs, entries, block):
    """The outputs with what the key results says of them."""
    if "results" not in entries:
        return outputs
    made = nodes.mapping(entries["results"][1], block)
    nodes.known(made, [a.name for a in outputs])
    texts = {name: " ".join(nodes.text(*entry).split()) for name, entry in made.items()}
    return tuple(dataclasses.replace(a, made=texts.get(a.name, "")) for a in outputs)


def _attributes(arguments, entries, block):
    """The arguments with what the keys wrap_dim, assert_ndim and broadcast say of them."""
    by_name = {a.name: a for a in arguments}
    changes = {name: {} for name in by_name}

    def change(at, name, key, value):
        if name not in changes:
            raise DeclarationError(at, f"{key} names no argument: '{name}'; allowed: {choices(changes)}")
        changes[name][key] = value

    if "wrap_dim" in entries:
        at, node = entries["wrap_dim"]
        for place, item in nodes.items((at, node), block) if isinstance(node, yaml.SequenceNode) else [(at, node)]:
            name = nodes.text(place, item)
            change(place, name, "wrap_dim", True)
            if by_name[name].type.name not in ("int", "int32"):
                raise DeclarationError(place, f"wrap_dim is for a dimension, an int, not '{by_name[name]}'")
    if "assert_ndim" in entries:
        for name, (at, node) in nodes.mapping(entries["assert_ndim"][1], block).items():
            number = nodes.text(at, node)
            if not number.isdigit():
                raise DeclarationError(at, f"assert_ndim is a number of dimensions, not '{number}'")
            change(at, name, "assert_ndim", int(number))
    if "broadcast" in entries:
        for name, entry in nodes.mapping(entries["broadcast"][1], block).items():
            sizes = [(at, nodes.text(at, node)) for at, node in nodes.items(entry, block)]
            for at, size in sizes:
                tensor, _, dim = size.partition(".")
                if tensor not in changes or not dim.isdigit():
                    raise DeclarationError(at, f"broadcast is a list of sizes such as mat.0, not '{size}'")
            change(entry[0], name, "broadcast", tuple(size for _, size in sizes))
    return tuple(dataclasses.replace(a, **changes[a.name]) for a in arguments)


def _c_call(at, node, everything, checked):
    """The C function's name, and what it is called with: `cadd(result, self, alpha, other)`. Without a check or a fallback,
    which get them all, every argument must be there, by itself or in a constant."""
    text = nodes.text(at, node)
    match = re.fullmatch(r"(.+?)\((.*)\)", text)
    if not match:
        if "(" in text or ")" in text:
            raise DeclarationError(at, f"the brackets of cname do not match: '{text}'")
        return text, everything
    named = {a.name: a for a in everything}
    words = signature.split(match[2], at)
    for word in words:
        if word in named and words.count(word) > 1:
            raise DeclarationError(at, f"cname has '{word}' twice")
    left_out = tuple(dataclasses.replace(a, left_out=True) for a in everything if a.name not in words)
    for a in left_out:
        said = [*words, *(b.made for b in everything)]
        used = checked or any(re.search(rf"\b{a.name}\b", word) for word in said)
        if a.output or a.type.c and not used:
            raise DeclarationError(at, f"cname hands '{a.name}' to nobody: {text}")
    constants = {word: Argument(word, TYPES["int"], constant=True, call=word) for word in words if word not in named}
    return match[1], tuple((named | constants)[word] for word in words) + left_out
