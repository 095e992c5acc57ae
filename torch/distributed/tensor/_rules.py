"""Rules of operators: what their declarations say (`sharding`, which codegen/sharding.py explains) of a call, as a Plan.

torch/_sharding.py, which is generated, has a row for each overload of each operator with a rule; here is a function for each
form that a rule may have.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import types
from typing import Any

import torch
from torch._sharding import RULES
from torch.distributed.tensor._dtensor_spec import local_shape_and_offset
from torch.distributed.tensor._plans import Plan

# Python's operators, where they are not called as the function is: __radd__ and __iadd__ as __add__.
_DUNDERS = {"truediv": "div", "div": "div", "floordiv": "floor_divide", "mod": "remainder", "and": "bitwise_and"}
_DUNDERS |= {"or": "bitwise_or", "xor": "bitwise_xor", "invert": "bitwise_not", "lshift": "bitwise_left_shift"}
_DUNDERS |= {"rshift": "bitwise_right_shift", "pos": "positive"}
# Names of arguments as NumPy has them, and a method's first.
_SPELLINGS = {"self": "input", "axis": "dim", "keepdims": "keepdim"}
# Forms of which the operator that writes self has the same one.
_ALSO_IN_PLACE = {("pointwise",), ("along",), ("letters",), ("draws",), ("parts", "dropout")}


@dataclasses.dataclass
class Rule:
    """An overload's row, and the call's arguments by their names."""

    form: str
    words: tuple
    options: dict
    arguments: str  # the row's signature
    given: dict[str, Any]
    func: Any
    reflected: bool = False  # the operands stand the other way round

    def bind(self, args, kwargs):
        """Arguments by their names."""
        args = tuple(reversed(args)) if self.reflected else args
        return _of_python(self.func, args, kwargs) or _bound(self.arguments, args, kwargs, self.func) or {}


@functools.cache
def _row_name(name):
    """(an operator's name in the table, whether operands are reflected), or (None, False)"""
    if name in RULES:
        return name, False
    if name.startswith("__") and name.endswith("__"):
        core = name[2:-2]
        for reflected, word in ((False, core), (core[:1] == "r", core[1:])):
            word = _DUNDERS.get(word, word)
            if word in RULES and (not reflected or core[0] == "r") and (word != core[1:] or core[0] in "ri"):
                return word, reflected
        return None, False
    if name.endswith("_") and name[:-1] in RULES:
        _, form, words, _ = RULES[name[:-1]][0]
        if not _ALSO_IN_PLACE.isdisjoint({(form,), (form, *words)}):
            return name[:-1], False
    return None, False


@functools.cache
def _parsed(arguments, of_method=False):
    """((name, +, & or * before it, default), …) of a row's signature, and the defaults."""
    made = []
    for word in arguments.split():
        name, _, default = word.lstrip("+&*").partition("=")
        made.append((name, word[0] if word[0] in "+&*" else "", ast.literal_eval(default) if default else None))
    if of_method:  # whose tensor comes first
        made.sort(key=lambda word: word[0] != "input")
    return tuple(made), {name: default for name, _, default in made if default is not None}


def _fits(kind, name, value):
    if value is None:
        return True
    if kind == "+":
        return isinstance(value, (torch.Tensor, int, float, complex))
    if kind == "&":
        return isinstance(value, (list, tuple))
    if name == "dtype":
        return isinstance(value, torch.dtype)
    return not isinstance(value, torch.Tensor) and (name != "dim" or not isinstance(value, bool))


def _bound(arguments, args, kwargs, func):
    """The arguments by name, or None: the call is another overload's."""
    if not arguments:
        return {"input": args[0]} if args else {}
    parsed, defaults = _parsed(arguments, isinstance(func, (types.MethodDescriptorType, types.WrapperDescriptorType)))
    given = dict(defaults)
    several = False
    for at, ((name, kind, _), value) in enumerate(zip(parsed, args)):
        if kind == "*":
            given[name] = value if isinstance(value, (list, tuple)) else tuple(args[at:])
            several = True
            break
        if not _fits(kind, name, value):
            return None
        given[name] = value
    if len(args) > len(parsed) and not several:
        return None
    if not kwargs:
        return given
    kinds = {name: kind for name, kind, _ in parsed}
    for name, value in kwargs.items():
        name = _SPELLINGS.get(name, name)
        if name != "out" and (name not in kinds or not _fits(kinds[name], name, value)):
            return None
        given[name] = value
    return given


@functools.cache
def _parameters(func):
    """(names, {name: default}) of a function; None for several in one."""
    found = inspect.signature(func).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found):
        return None
    return [p.name for p in found if p.kind is not p.KEYWORD_ONLY], {
        p.name: p.default for p in found if p.default is not p.empty
    }


def _of_python(func, args, kwargs):
    """Those of a function that Python runs; None for others."""
    if not isinstance(func, types.FunctionType):
        return None
    found = _parameters(func)
    return {} if found is None else found[1] | dict(zip(found[0], args)) | kwargs


def find(func, name, args, kwargs):
    """The call's Rule, or None: everything has to be whole."""
    row, reflected = _row_name(name)
    if row is None:
        return None
    if reflected:
        args = tuple(reversed(args))
    by_name = _of_python(func, args, kwargs)
    for arguments, form, words, options in RULES[row]:
        given = by_name if by_name is not None else _bound(arguments, args, kwargs, func)
        if given is None:
            continue
        if form is None or any(_says_something(given.get(word)) for word in options.get("unless", ())):
            return None
        return Rule(form, words, options, arguments, given, func, reflected)
    return None


def _says_something(value):
    return value is not None and (isinstance(value, torch.Tensor) or bool(value))


def plan(rule, tensors, results, args, kwargs):
    """The Plan of a call, or None. `results`: of whole tensors, without elements."""
    tensors = list(reversed(tensors)) if rule.reflected else tensors
    outs = list(results) if isinstance(results, (list, tuple)) else [results]
    if not all(isinstance(out, torch.Tensor) for out in outs):
        return None
    interpreter = _FORMS.get(rule.form)
    made = interpreter(rule, tensors, outs, args, kwargs) if interpreter else None
    if made is None:
        return None
    floating = outs and (outs[0].is_floating_point() or outs[0].is_complex())
    if floating and "additive" in rule.options:
        made.additive = rule.form != "pointwise" or len(tensors) == 2
    if floating and "linear" in rule.options:
        of = [rule.given.get(word, tensors[0] if not rule.arguments else None) for word in rule.options["linear"]]
        made.linear = tuple(k for k, t in enumerate(tensors) if any(t is other for other in of))
    if rule.reflected:
        made.ins.reverse()
        made.linear = tuple(len(tensors) - 1 - k for k in made.linear)
    return made


# ---- forms: function(rule, tensors, results, args, kwargs) -> Plan or None ------------------------------------------------
def _to_the_right(shape, result):
    """Letters of the dimensions of a result that an argument of `shape` is broadcast to."""
    skip = len(result) - len(shape)
    return tuple(skip + d if size == result[skip + d] else None for d, size in enumerate(shape))


def _pointwise(rule, tensors, outs, args, kwargs):
    shape = outs[0].shape
    if any(t.dim() > len(shape) for t in tensors):
        return None
    return Plan([_to_the_right(t.shape, shape) for t in tensors], [_to_the_right(shape, shape) for _ in outs])


def _letters(rule, tensors, outs, args, kwargs):
    return next(filter(None, (_lettered(text, tensors, outs) for text in rule.words)), None)


def _lettered(text, tensors, outs):
    """The Plan of `mk,kn->mn`, if numbers of dimensions are as it says."""
    terms = _terms(text, tuple(t.shape for t in tensors), tuple(t.shape for t in outs))
    return None if terms is None else Plan(list(terms[: len(tensors)]), list(terms[len(tensors) :]), reduce="sum")


@functools.lru_cache(4096)
def _terms(text, tensors, outs):
    sides = [side.split(",") for side in text.split("->")]
    if [len(sides[0]), len(sides[1])] != [len(tensors), len(outs)]:
        return None
    own = [_free(term, len(shape)) for term, shape in zip(sides[0] + sides[1], tensors + outs)]
    if None in own:
        return None
    widest = max((n for n, term in zip(own, sides[0]) if "*" in term), default=0)
    made = [_spelled(term, n, widest) for term, n in zip(sides[0] + sides[1], own)]
    sizes = {}
    for letters, shape in zip(made, tensors + outs):
        for letter, size in zip(letters, shape):
            sizes.setdefault(letter, set()).add(int(size))
    several = {letter for letter, found in sizes.items() if len(found - {1}) > 1}

    def kept(letters, shape):
        return tuple(
            None if letter in several or (size == 1 and len(sizes[letter]) > 1) else letter
            for letter, size in zip(letters, shape)
        )

    return tuple(kept(letters, shape) for letters, shape in zip(made, tensors + outs))


def _free(term, ndim):
    """How many dimensions * or ~ stands for; None: the term does not fit."""
    fixed = len(term.replace("*", "").replace("~", ""))
    if fixed == len(term):
        return 0 if ndim == fixed else None
    return ndim - fixed if ndim >= fixed else None


def _spelled(term, free, widest):
    found = []
    for letter in term:
        if letter == "*":
            found += [("*", widest - free + i) for i in range(free)]
        elif letter == "~":
            found += [None] * free
        else:
            found.append(None if letter == "_" else letter)
    return found


def _equation(rule, tensors, outs, args, kwargs):
    if not isinstance(args[0], str):
        return None
    text = args[0].replace(" ", "").replace("...", "*")
    inputs, arrow, output = text.partition("->")
    if not arrow:
        once = sorted(c for c in {*inputs} - {",", "*"} if inputs.count(c) == 1)
        output = "*" * ("*" in inputs) + "".join(once)
    if any(term.count(c) > 1 for term in inputs.split(",") for c in term):
        return None
    made = _lettered(f"{inputs}->{output}", tensors, outs)
    if made is not None:
        made.linear = tuple(range(len(tensors)))
    return made


def reduced_dims(dim, ndim):
    """The dimensions that an argument `dim` names."""
    if dim is None or dim == ():
        return set(range(ndim))
    return {d % max(ndim, 1) for d in ((dim,) if isinstance(dim, int) else dim)}


def _reduce(rule, tensors, outs, args, kwargs):
    if len(tensors) != 1 or len(outs) != 1:
        return None
    (t,), (out,) = tensors, outs
    dims = reduced_dims(rule.given.get("dim"), t.dim())
    kept = tuple(d for d in range(t.dim()) if d not in dims)
    same = tuple(d if d not in dims else None for d in range(t.dim()))
    made = Plan([tuple(range(t.dim()))], [same if out.dim() == t.dim() else kept], reduce=rule.words[0])
    if rule.words[0] in ("max", "min"):
        made.even = {d: (t.shape[d],) for d in dims}  # of no elements there is no largest
    return made


def _along(rule, tensors, outs, args, kwargs):
    t, dims = tensors[0], set()
    for word in rule.words:
        dim = rule.given.get(word)
        several = dim if isinstance(dim, (list, tuple)) else (dim,)
        if not all(isinstance(d, int) and not isinstance(d, bool) for d in several):
            return None
        dims |= reduced_dims(tuple(several), t.dim())
    return _but(dims, tensors, outs)


def _but(dims, tensors, outs):
    """All dimensions but these are split alike, of all tensors that have as many as the first."""
    ndim = tensors[0].dim()
    alike = [t for t in (*tensors, *outs) if t.dim() == ndim]
    if any(t.dim() > ndim for t in tensors):
        return None
    kept = [None if d in dims or len({t.shape[d] for t in alike}) > 1 else d for d in range(ndim)]
    rest = [letter for d, letter in enumerate(kept) if d not in dims]
    whole = [None] * ndim

    def lies(out):
        if out.dim() == len(rest) < ndim:
            return tuple(rest)
        return tuple((kept if out.dim() >= ndim else whole) + [None] * (out.dim() - ndim))[: out.dim()]

    terms = [lies(out) for out in outs]
    everywhere = [letter if all(letter in term for term in terms) else None for letter in kept]
    made = [tuple(everywhere) if t.dim() == ndim else (None,) * t.dim() for t in tensors]
    return Plan(made, [tuple(c if c in everywhere else None for c in term) for term in terms])


def _trailing(rule, tensors, outs, args, kwargs, of=1):
    given = rule.given.get(rule.words[0])
    n = 1 if isinstance(given, int) else len(given or ()) // of
    ndim = tensors[0].dim()
    letters = tuple(range(ndim - n)) + (None,) * min(n, ndim)
    return Plan([letters, *((None,) * t.dim() for t in tensors[1:])], [letters]) if len(outs) == 1 else None


def _padding(rule, tensors, outs, args, kwargs):
    return _trailing(rule, tensors, outs, args, kwargs, of=2)


def _join(rule, tensors, outs, args, kwargs):
    (out,) = outs
    dim = rule.given.get(rule.words[0], 0) % out.dim()
    if any(t.dim() != tensors[0].dim() for t in tensors):
        return None
    letters = tuple(d if d != dim else None for d in range(out.dim()))
    if rule.form == "join":
        return Plan([letters] * len(tensors), [letters])
    return Plan([(*letters[:dim], *letters[dim + 1 :])] * len(tensors), [letters])


def _shape_of_part(result):
    """Arguments of reshape(): the result's part."""

    def arguments(args, kwargs, mesh, results, wanted):
        return (args[0], local_shape_and_offset(result.shape, mesh, results[0])[0]), {}

    return arguments


def _groups(source, target):
    """Runs of dimensions, of the one and the other, with the same number of elements, and none of fewer."""
    i = j = 0
    while i < len(source) or j < len(target):
        one, two = [], []
        a = b = 1
        while True:
            if a <= b and i < len(source) and (a < b or not one or source[i] == 1):
                a *= source[i]
                one.append(i)
                i += 1
            elif b < a or (j < len(target) and not two) or (j < len(target) and target[j] == 1 and a == b):
                b *= target[j]
                two.append(j)
                j += 1
            else:
                break
        yield one, two


def _reshape(rule, tensors, outs, args, kwargs):
    if len(tensors) != 1 or len(outs) != 1:
        return None
    (t,), (out,) = tensors, outs
    if out.dtype != t.dtype or not out.numel():
        return None
    one_of, two_of, sizes = [None] * t.dim(), [None] * out.dim(), {}
    for letter, (one, two) in enumerate(_groups(t.shape, out.shape)):
        one, two = [d for d in one if t.shape[d] != 1], [d for d in two if out.shape[d] != 1]
        if one and two:
            one_of[one[0]] = two_of[two[0]] = letter
            if len(one) > 1 or len(two) > 1:
                sizes[letter] = t.shape[one[0]], out.shape[two[0]]
    made = Plan([tuple(one_of)], [tuple(two_of)], linear=(0,), even=sizes)
    made.arguments, made.function = _shape_of_part(out), torch.reshape
    return made


_STRIDES = (101, 211, 307, 401, 503, 601, 701, 809, 907, 1009, 1103, 1201)


def _strided(rule, tensors, outs, args, kwargs):
    """Views that take dimensions as they are, or leave them out: strides say which is which."""
    t = tensors[0]
    if len(tensors) != 1 or t.dim() > len(_STRIDES) or not args or args[0] is not t:
        return None
    probe = torch.empty_strided(t.shape, _STRIDES[: t.dim()], dtype=t.dtype, device="meta")
    with torch._C.DisableTorchFunctionSubclass():
        views = rule.func(probe, *args[1:], **kwargs)
    at = {stride: d for d, stride in enumerate(_STRIDES[: t.dim()])}
    terms = [
        tuple(
            at[stride] if stride in at and size == t.shape[at[stride]] else None
            for size, stride in zip(view.shape, view.stride())
        )
        for view in (views if isinstance(views, (list, tuple)) else [views])
    ]
    kept = set.intersection(*map(set, terms)) if terms else set()
    terms = [tuple(d if d in kept else None for d in term) for term in terms]
    return Plan([tuple(d if d in kept else None for d in range(t.dim()))], terms, linear=(0,))


def _expand(rule, tensors, outs, args, kwargs):
    made = _strided(rule, tensors, outs, args, kwargs)
    if made is not None:
        made.arguments, made.function = _shape_of_part(outs[0]), torch.Tensor.expand
    return made


def _index(rule, tensors, outs, args, kwargs):
    index = args[1] if isinstance(args[1], tuple) else (args[1],)
    if not all(i is None or i is Ellipsis or isinstance(i, (int, slice)) and not isinstance(i, bool) for i in index):
        return None
    return _strided(rule, tensors, outs, args, kwargs)


def _rows(rule, tensors, outs, args, kwargs):
    def named(given):
        return given.get("indices", given["input"] if "input" in given else None), given["weight"]

    index, weight = named(rule.given)
    if rule.given.get("max_norm") or len(tensors) != 2:
        return None
    letters, rows, padding = tuple(range(index.dim())), weight.shape[0], rule.given.get("padding_idx")
    padding = None if "indices" in rule.given and padding == -1 else padding
    first = tensors[0] is index  # torch.embedding() has them the other way round

    def arguments(args, kwargs, mesh, results, wanted):
        index, weight = named(rule.bind(args, kwargs))
        size, offset = local_shape_and_offset((rows,), mesh, _of_first_dimension(wanted[1 if first else 0]))
        return (index, weight, size[0], offset[0]), {}

    def function(index, weight, count, start):
        own = padding if padding is None else (padding + rows) % rows - start
        own = own if own is not None and 0 <= own < count else None
        if count == rows:
            return torch.nn.functional.embedding(index, weight, own)
        if not count:
            return weight.new_zeros((*index.shape, weight.shape[1])) + weight.sum()
        here = (index >= start) & (index < start + count)
        found = torch.nn.functional.embedding(torch.where(here, index - start, 0), weight)
        if own is not None:
            at = here & (index == start + own)
            found = torch.where(at[..., None], found.detach(), found)
        return found * here[..., None].to(found.dtype)

    terms = [letters, ("v", "d")] if first else [("v", "d"), letters]
    return Plan(terms, [(*letters, "d")], reduce="sum", arguments=arguments, function=function)


def _of_first_dimension(placements):
    return tuple(p if p.is_shard(0) else torch.distributed.tensor.Replicate() for p in placements)


_FORMS = {
    "pointwise": _pointwise,
    "loss": _pointwise,
    "letters": _letters,
    "equation": _equation,
    "reduce": _reduce,
    "along": _along,
    "trailing": _trailing,
    "padding": _padding,
    "join": _join,
    "stack": _join,
    "strided": _strided,
    "reshape": _reshape,
    "expand": _expand,
    "index": _index,
    "rows": _rows,
}
