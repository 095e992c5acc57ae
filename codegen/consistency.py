"""What the keys of a declaration say together, which single ones cannot tell."""

import re

from . import formulas, model, sharding
from .errors import DeclarationError, choices

# Rules by which neither operands nor results are converted.
EXACT = ("self", "same", "result")
# What the key `body` may be: NAME(arguments), or one of its results: NAME(arguments)[1].
BODY = re.compile(r"(\w+)\((.*)\)(?:\[(\d)\])?")


def check(o):
    """Refuses an overload whose keys do not fit each other."""

    def refuse(message):
        raise DeclarationError(o.where, f"{o.name}: {message}")

    if o.kernel and not o.types:
        refuse(f"cname '{o.cname}' is a kernel, so `types` must say for which dtypes it exists")
    if o.stored is not None and (o.composite or o.in_python):
        refuse("`stored` belongs to functions of TH")
    for word in o.stored or ():
        if o.kernel and not o.computed_as.keys() & model.SERVED[word]:
            refuse(f"no kernel of `types` computes for the stored dtypes '{word}'")
    if o.unsigned and not o.kernel:
        refuse(f"`unsigned` belongs to kernels, and cname '{o.cname}' is none")
    if o.unsigned and (o.dtype == "result" or {"unsigned", "uint64"} & {*(o.stored or ())}):
        refuse("`unsigned` is for kernels that are handed operands, and have no row for unsigned integers")
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
    if o.module and not o.outputs and not o.writes:
        refuse(f"cname '{o.cname}' has an output, or writes an argument")
    if o.no_complex and not o.kernel:
        refuse("`no_complex` belongs to kernels")
    if o.message and not o.kernel:
        refuse("`message` belongs to kernels")
    if any(a.made for a in o.outputs) and (not o.kernel or "out" in o.variants or o.in_place):
        refuse("`results` are those of kernels that have no form with out= or in place")
    if o.fallback and not o.kernel:
        refuse("`fallback` stands in for kernels, and there is none")
    if not o.fallback and (o.fallback_types or o.derivative_kind == "fallback"):
        refuse("key 'fallback' is missing")
    if o.fallback and o.dtype not in (*EXACT, "keep"):
        refuse(f"an operator with a fallback does not promote; `dtype` is one of: {choices((*EXACT, 'keep'))}")
    if o.body is not None:
        match = BODY.fullmatch(o.body)
        if not match or (match[3] and o.outputs):
            refuse(f"body is a call of an operator, or without outputs one of its results, not '{o.body}'")
    if o.check and not o.dtype:
        refuse("`check` is called with the dtype that is computed in, so `dtype` must say which")
    if ("out" in o.variants or o.in_place) and not o.outputs:
        refuse("variants out and inplace need an output, a result with a name")
    if o.in_place and len(o.outputs) != 1:
        refuse("variant inplace needs exactly one output")
    names = {a.name for a in o.arguments}
    required = {a.name for a in o.inputs if not a.optional}
    for form in map(str.split, o.deprecated):
        if len(set(form)) < len(form) or not required <= set(form) <= {a.name for a in o.inputs}:
            refuse(f"deprecated order '{' '.join(form)}' must have each of: {' '.join(sorted(required))}")
    if o.out_with and ("out" not in o.variants or o.out_with not in names - required):
        refuse(f"out_with is for operators with out=, and names an optional argument, not '{o.out_with}'")
    if o.positional_out and ("out" not in o.variants or o.positional_out not in names - required):
        refuse(f"positional_out is for operators with out=, and names an optional argument, not '{o.positional_out}'")
    for text in o.inspect:
        if text.partition("(")[0] not in (o.name, *o.aliases):
            refuse(f"inspect is a signature of {o.name}, not '{text}'")
    tensors = {a.name for a in o.inputs if "Tensor" in a.type.name}
    for key in ("view", "writes"):
        named = getattr(o, key)
        if named and (key, named) != ("writes", "none") and named not in tensors:
            refuse(f"{key} names a tensor among the arguments, not '{named}'")
    if o.outputs and o.writes and (o.writes != "none" or not o.composite):
        refuse("an operator with outputs writes these, or says `writes: none` of a body that may write nothing")
    if o.returns == "self" and not o.in_python and o.writes not in ("self", "none"):
        refuse("it returns self, so it changes it: say `writes: self`")
    if o.returns == "void" and not o.in_python and not o.writes:
        refuse("it returns nothing, so it changes something: say `writes:` and which argument, or none")
    if o.view and o.outputs:
        refuse("a result that is written into out= is no view")
    _check_overload_names(o, refuse)
    if any(o.autocast) and o.derivative_kind == "inner":
        refuse("torch.autocast sees no operator below recorded calls")
    sharding.check(o, refuse)
    formulas.check(o, refuse)
    if not o.kernel and o.arguments != o.outputs + o.python and not o.cname.startswith("TH"):
        refuse(f"the body {o.cname} gets its arguments in the order of the signature")


def _check_overload_names(o, refuse):
    by_name = {a.name: a for a in o.python}
    for name, _ in o.overload.where:
        if name not in by_name:
            refuse(f"overload names no argument: '{name}'; allowed: {choices((*by_name, 'else', 'out', 'also'))}")
        a = by_name[name]
        if not (a.number or a.optional or a.nullable or a.type.cpp == "IntList"):
            refuse(f"'{name}' is always given, and no number stands for it: it sets no overload apart")
    listed = [*{name for _, name in o.overload.where}, o.overload.name, *o.overload.also]  # two arguments may mean one
    for name in listed:
        if listed.count(name) > 1:
            refuse(f"overload says '{name}' twice")
