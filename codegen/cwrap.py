"""Parses .cwrap files.

A file holds blocks, each the YAML of one operator between [[ and ]]; anything outside is comment.

    [[
      name: add
      aliases: [sum_of]                # more Python names
      cname: cadd                      # TH{Float…}Tensor_cadd; "THTensor_cat": that very function;
                                       # "THNN SoftMax": the pair THNN_{Float…}SoftMax_updateOutput, which gets
                                       #   `arguments` after its state, and …_updateGradInput, its derivative;
                                       # "thpp::where": a C++ body in lib/THPP/src;
                                       # "torch.functional.einsum": a Python body, that function
      variants: [method, function, inplace, out]   # [] makes it C++ only; default [method, function];
                                       #   inplace_function: torch.add_ too, not only Tensor.add_
      types: all                       # dtypes that the kernel exists for: a list of TH_FOR_… or names;
                                       #   `all` means real, complex kernels are those of …_complex
      stored: [unsigned, float8]       # dtypes without kernels that it serves all the same (model.STORED), by another
                                       #   dtype's kernel; of a function for every dtype: the only such that it serves
      dtype: promote                   # model.DTYPE_RULES
      check: check_add                 # C++ checks before anything happens
      view: self                       # the result is a view of that argument
      writes: self                     # an argument that is written, where no output and no name_ says so
      derivative:                      # a formula per differentiable input, in terms of grad, inputs and results;
        self: grad                     #   nix/ cuts these lines off, so that editing one rebuilds no other C++.
        other: grad * alpha            # Or `composite`: the body is made of operators, which are differentiated;
                                       #   or `none (why)`; or nothing, for operators without a floating result
      deprecated: [self alpha other]   # older orders of the arguments, which Python takes with a warning
      return: argument 0               # or 0,1 of `arguments`; self; THTensor*, TensorList, bool, …
      arguments:                       # in the order of the C call; Python's is the same less outputs,
        - arg: THTensor* result        #   with keyword-only ones last
          output: True
        - THTensor* self
        - arg: THScalar alpha
          default: 1
          kwarg_only: True
        - arg: THTensor* other
          number: True                 # a Python number will do
        - CONSTANT 3                   # in the C call only
      options: […]                     # overloads: each may set any key but name, aliases, doc
      doc: |                           # always last: nix/ cuts it off by lines, so that editing
        Adds.                          #   documentation rebuilds no C++
    ]]

Other keys: no_complex ('RuntimeError: text' where the kernel has no complex dtypes, instead of the usual message),
backends, factory (adds layout=, device= …), with_gil, any_device (its tensors may be on several), out_with (the
argument without which Python takes no out=). Of an argument: nullable, long_args, wrap_dim, assert_ndim, broadcast.
Anything unknown stops with file and line.
"""

import dataclasses
import pathlib
import re

import yaml

from . import model
from .errors import DeclarationError, Where, choices
from .model import Argument, Derivative, Overload
from .types import RETURNS, TYPES

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_OPERATOR_KEYS = ("name", "aliases", "doc", "options")  # once per block
_OVERLOAD_KEYS = (
    "cname",
    "variants",
    "types",
    "stored",
    "backends",
    "dtype",
    "check",
    "no_complex",
    "factory",
    "with_gil",
    "any_device",
    "out_with",
    "view",
    "writes",
    "derivative",
    "deprecated",
    "return",
    "arguments",
)
_ARGUMENT_KEYS = tuple(
    f.name for f in dataclasses.fields(Argument) if f.name not in ("name", "type", "constant", "call")
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
        lines = ["[[", f"  name: {self.name}"]
        if self.overloads[0].aliases:
            lines.append(f"  aliases: [{', '.join(self.overloads[0].aliases)}]")
        lines.append("  options:")
        for overload in self.overloads:
            lines += _overload_lines(overload)
        if self.doc:
            lines += ["  doc: |", *("    " + line if line else "" for line in self.doc.splitlines())]
        return "\n".join([*lines, "]]"]) + "\n"


def _overload_lines(o):
    lines = [f"    - cname: {o.cname}", f"      variants: [{', '.join(o.variants)}]"]
    if o.types:
        lines.append(f"      types: [{', '.join(o.types)}]")
    if o.stored is not None:
        lines.append(f"      stored: [{', '.join(o.stored)}]")
    if o.backends != model.BACKENDS:
        lines.append(f"      backends: [{', '.join(o.backends)}]")
    for key in ("dtype", "check"):
        if getattr(o, key):
            lines.append(f"      {key}: {getattr(o, key)}")
    lines += [f"      {key}: True" for key in ("factory", "with_gil", "any_device") if getattr(o, key)]
    if o.no_complex:
        lines.append(f"      no_complex: '{': '.join(o.no_complex)}'")
    for key in ("out_with", "view", "writes"):
        if getattr(o, key):
            lines.append(f"      {key}: {getattr(o, key)}")
    if o.derivative:
        lines += _derivative_lines(o.derivative)
    if o.deprecated:
        lines.append(f"      deprecated: [{', '.join(o.deprecated)}]")
    lines.append(f"      return: {o.returns}")
    if not o.arguments:
        return [*lines, "      arguments: []"]
    lines.append("      arguments:")
    for a in o.arguments:
        lines.append(f"        - arg: {a}")
        for field in dataclasses.fields(Argument):
            value = getattr(a, field.name)
            if field.name in _ARGUMENT_KEYS and value != field.default:
                lines.append(f"          {field.name}: {value!r}")
    return lines


def _derivative_lines(derivative):
    if derivative.kind != "formula":
        return [f"      derivative: {derivative.kind}{f' ({derivative.reason})' if derivative.reason else ''}"]
    return ["      derivative:", *(f"        {name}: {formula!r}" for name, formula in derivative.formulas)]


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
    shape = tuple(str(a) + (" = " + a.default if a.optional else "") for a in overload.inputs)
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
    entries = _mapping(tree, where)
    _known(entries, _OPERATOR_KEYS + _OVERLOAD_KEYS)
    name = _required(entries, "name", where)
    name_at, name = name[0], _name(*name)
    aliases = tuple(_name(at, v) for at, v in _items(entries.pop("aliases", None), where))
    doc = str(entries["doc"][1].value) if "doc" in entries else ""
    options = entries.pop("options", None)
    common = {k: v for k, v in entries.items() if k in _OVERLOAD_KEYS}
    if options is None:
        overloads = [_overload(name, aliases, common, name_at, where)]
    else:
        overloads = []
        for at, node in _items(options, where):
            own = _mapping(node, where)
            _known(own, _OVERLOAD_KEYS)
            overloads.append(_overload(name, aliases, common | own, at, where))
    return Block(name_at, name, tuple(overloads), doc)


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


# ---- YAML nodes with their places. A place is a Where; an entry is (place, node). ----


def _at(node, where):
    return Where(where.file, where.line + 1 + node.start_mark.line)


def _mapping(node, where):
    if not isinstance(node, yaml.MappingNode):
        at = where if node is None else _at(node, where)
        raise DeclarationError(at, "expected `key: value` lines")
    entries = {}
    for key, value in node.value:
        if key.value in entries:
            raise DeclarationError(_at(key, where), f"key '{key.value}' stands here twice")
        entries[key.value] = (_at(key, where), value)
    return entries


def _items(entry, where):
    if entry is None:
        return []
    at, node = entry
    if not isinstance(node, yaml.SequenceNode):
        raise DeclarationError(at, "expected a list")
    return [(_at(item, where), item) for item in node.value]


def _known(entries, allowed):
    for key, (at, _) in entries.items():
        if key not in allowed:
            raise DeclarationError(at, f"unknown key '{key}'; allowed: {choices(allowed)}")


def _required(entries, key, where):
    if key not in entries:
        raise DeclarationError(where, f"key '{key}' is missing")
    return entries[key]


def _text(at, node):
    if not isinstance(node, yaml.ScalarNode):
        raise DeclarationError(at, "expected one word or line")
    return node.value


def _name(at, node):
    text = _text(at, node)
    if not text.isidentifier():
        raise DeclarationError(at, f"'{text}' is not a name")
    return text


def _one_of(at, node, allowed, what):
    text = _text(at, node)
    if text not in allowed:
        raise DeclarationError(at, f"unknown {what} '{text}'; allowed: {choices(allowed)}")
    return text


def _bool(at, node):
    return _one_of(at, node, ("True", "False"), "truth value") == "True"


# ---- overloads ----


def _overload(name, aliases, entries, where, block):
    values = {"name": name, "aliases": aliases, "where": where}
    at, node = _required(entries, "cname", where)
    values["cname"] = _text(at, node)
    if "variants" in entries:
        words = [_one_of(a, n, model.VARIANTS, "variant") for a, n in _items(entries["variants"], block)]
        values["variants"] = tuple(v for v in model.VARIANTS if v in words)
    if "types" in entries:
        values["types"] = _dtypes(*entries["types"], block)
    if "stored" in entries:
        values["stored"] = tuple(
            _one_of(a, n, model.STORED, "group of dtypes") for a, n in _items(entries["stored"], block)
        )
    if "backends" in entries:
        values["backends"] = tuple(
            _one_of(a, n, model.BACKENDS, "backend") for a, n in _items(entries["backends"], block)
        )
    if "dtype" in entries:
        values["dtype"] = _one_of(*entries["dtype"], model.DTYPE_RULES, "dtype rule")
    if "no_complex" in entries:
        at, node = entries["no_complex"]
        kind, colon, text = _text(at, node).partition(": ")
        if not colon or kind not in model.ERRORS:
            raise DeclarationError(at, f"no_complex is an error's class and text; classes: {choices(model.ERRORS)}")
        values["no_complex"] = (kind, text)
    if "check" in entries:
        values["check"] = _name(*entries["check"])
    for key in ("factory", "with_gil", "any_device"):
        if key in entries:
            values[key] = _bool(*entries[key])
    for key in ("out_with", "view", "writes"):
        if key in entries:
            values[key] = _name(*entries[key])
    if "derivative" in entries:
        values["derivative"] = _derivative(*entries["derivative"])
    if "deprecated" in entries:
        values["deprecated"] = tuple(_text(a, n) for a, n in _items(entries["deprecated"], block))
    arguments = tuple(_argument(a, n, block) for a, n in _items(_required(entries, "arguments", where), block))
    values["arguments"] = arguments
    names = [a.name for a in arguments if not a.constant]
    for n in names:
        if names.count(n) > 1:
            raise DeclarationError(where, f"two arguments are called '{n}'")
    at, node = _required(entries, "return", where)
    values["returns"] = _returns(at, _text(at, node), arguments)
    overload = Overload(**values)
    _consistent(overload)
    return overload


def _derivative(at, node):
    if isinstance(node, yaml.MappingNode):
        formulas = tuple((name, _text(*entry)) for name, entry in _mapping(node, at).items())
        return Derivative("formula", formulas=formulas)
    text = _text(at, node)
    if text in ("", "composite"):  # empty where the formulas have been cut off
        return Derivative(text or "formula")
    match = re.fullmatch(r"none \((.+)\)", text)
    if not match:
        raise DeclarationError(at, f"derivative is a formula per input, `composite`, or `none (why)`, not '{text}'")
    return Derivative("none", match[1])


def _dtypes(at, node, where):
    if isinstance(node, yaml.ScalarNode):
        return model.DTYPE_LISTS[_one_of(at, node, model.DTYPE_LISTS, "list of dtypes")]
    words = [_one_of(a, n, model.DTYPES, "dtype") for a, n in _items((at, node), where)]
    return tuple(d for d in model.DTYPES if d in words)


def _argument(at, node, where):
    if isinstance(node, yaml.ScalarNode):
        return _type_and_name(at, node.value)
    entries = _mapping(node, where)
    arg = _required(entries, "arg", at)
    values = {}
    for key, (key_at, value) in entries.items():
        if key == "arg":
            continue
        if key not in _ARGUMENT_KEYS:
            raise DeclarationError(key_at, f"unknown key '{key}'; allowed: {choices((*_ARGUMENT_KEYS, 'arg'))}")
        if key in ("output", "kwarg_only", "nullable", "number", "long_args"):
            values[key] = _bool(key_at, value)
        elif key == "assert_ndim":
            text = _text(key_at, value)
            if not text.isdigit():
                raise DeclarationError(key_at, f"assert_ndim is a number of dimensions, not '{text}'")
            values[key] = int(text)
        else:
            values[key] = _text(key_at, value)
    return dataclasses.replace(_type_and_name(arg[0], _text(*arg)), **values)


def _type_and_name(at, text):
    first, _, name = text.rpartition(" ")
    if text.startswith("CONSTANT "):
        constant = text.removeprefix("CONSTANT ")
        return Argument(constant, TYPES["int64_t"], constant=True, call=constant)
    if first not in TYPES:
        raise DeclarationError(at, f"unknown type '{first}' of argument '{name}'; allowed: {choices(TYPES)}")
    if not name.isidentifier():
        raise DeclarationError(at, f"'{name}' is not a name")
    argument = Argument(name, TYPES[first], call=TYPES[first].call.format(name))
    assert str(argument) == text, f"{at}: {text}"
    return argument


def _returns(at, text, arguments):
    if text == "self" or text in RETURNS:
        return text
    if text.startswith("argument "):
        wanted = text.removeprefix("argument ").split(",")
        outputs = [str(i) for i, a in enumerate(arguments) if a.output]
        if wanted == outputs:
            return text
        raise DeclarationError(
            at, f"'{text}' must name the arguments that are outputs: {','.join(outputs) or 'there are none'}"
        )
    raise DeclarationError(at, f"unknown return '{text}'; allowed: argument <number>, {choices((*RETURNS, 'self'))}")


def _consistent(o):
    """What single keys cannot tell."""

    def refuse(message):
        raise DeclarationError(o.where, f"{o.name}: {message}")

    if o.kernel and not o.types:
        refuse(f"cname '{o.cname}' is a kernel, so `types` must say for which dtypes it exists")
    if o.stored is not None and (o.composite or o.in_python):
        refuse("`stored` belongs to functions of TH")
    if o.types and not o.kernel:
        refuse(f"`types` belongs to kernels, and cname '{o.cname}' is none")
    if not o.composite and o.outputs and not o.dtype:
        refuse(f"`dtype` must say which dtype the result has; one of: {choices(model.DTYPE_RULES)}")
    if o.kernel and not o.dtype:
        refuse(f"`dtype` must say which kernel is called; one of: {choices(model.DTYPE_RULES)}")
    if o.in_python and (o.outputs or o.dtype or o.check or o.factory or set(o.variants) - {"method", "function"}):
        refuse(
            "its body is Python, which gets the arguments as they are: no outputs, dtype, check, factory, inplace, out"
        )
    if not o.in_python and any(a.type.name == "object" for a in o.inputs):
        refuse("only a Python body takes an argument of type object")
    if o.module and o.derivative:
        refuse(f"`derivative` is said by cname '{o.cname}': THNN_…{o.module}_updateGradInput")
    if o.module and len(o.outputs) != 1:
        refuse(f"cname '{o.cname}' has one output")
    if o.no_complex and not o.kernel:
        refuse("`no_complex` belongs to kernels")
    if "inplace_function" in o.variants and "inplace" not in o.variants:
        refuse("variant inplace_function makes inplace a function too, and it is missing")
    if o.check and not o.dtype:
        refuse("`check` is called with the dtype that is computed in, so `dtype` must say which")
    if o.outputs and not o.returns.startswith("argument"):
        refuse(f"it has outputs, so `return` must name them, not '{o.returns}'")
    if ("out" in o.variants or "inplace" in o.variants) and not o.outputs:
        refuse("variants out and inplace need an output argument")
    if "inplace" in o.variants and len(o.outputs) != 1:
        refuse("variant inplace needs exactly one output")
    names = {a.name for a in o.arguments}
    required = {a.name for a in o.inputs if not a.optional}
    for form in map(str.split, o.deprecated):
        if len(set(form)) < len(form) or not required <= set(form) <= {a.name for a in o.inputs}:
            refuse(f"deprecated order '{' '.join(form)}' must have each of: {' '.join(sorted(required))}")
    if o.out_with and ("out" not in o.variants or o.out_with not in names - required):
        refuse(f"out_with is for operators with out=, and names an optional argument, not '{o.out_with}'")
    for key in ("view", "writes"):
        named = getattr(o, key)
        if named and not any(a.name == named and "Tensor" in a.type.name for a in o.inputs):
            refuse(f"{key} names a tensor among the arguments, not '{named}'")
    if o.returns == "self" and not o.in_python and o.writes != "self":
        refuse("it returns self, so it changes it: say `writes: self`")
    if o.view and o.outputs:
        refuse("a result that is written into out= is no view")
    for name, _ in o.derivative.formulas if o.derivative else ():
        if not any(a.name == name and "Tensor" in a.type.name for a in o.inputs):
            refuse(f"derivative has a formula for '{name}', which is no tensor among the arguments")
    for a in o.arguments:
        if a.wrap_dim is not None and a.wrap_dim not in names:
            refuse(f"wrap_dim of '{a.name}' names no argument: '{a.wrap_dim}'; allowed: {choices(names)}")
        if a.number and not a.is_tensor:
            refuse(f"number belongs to tensors, and '{a.name}' is {a.type.name}")
        if a.nullable and not a.type.missing:
            refuse(f"'{a.name}' cannot be nullable: {a.type.name} has no empty value")
