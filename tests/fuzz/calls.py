"""Random calls of everything that torch has: operators by their signatures, indexing, constructors, storages.

Each must give a result that can be read, or raise an exception of a class that users expect, and then every tensor is as
before; a function that is not in-place leaves its operands alone in any case. A call is text that Python can run, made by
its number and a seed.
"""

import array  # noqa: F401 - for the texts of values.py
import ast
import ctypes
import functools
import math
import operator  # noqa: F401
import pathlib
import random
import re
import warnings
from dataclasses import dataclass, field, replace

import numpy as np  # noqa: F401
import torch
from fuzz import values
from fuzz.values import *  # noqa: F403

ALLOWED = (
    TypeError,
    ValueError,
    RuntimeError,
    IndexError,
    OverflowError,
    MemoryError,
    BufferError,
    ZeroDivisionError,
    Warning,
)


class Subclass(torch.Tensor):
    """A tensor of a derived class."""


SCOPE = {**vars(values), **globals(), "nan": math.nan, "inf": math.inf}

# Not called: they change the process, wait, run as many rounds as asked, name files, or take an address on trust.
_LEFT_OUT = re.compile(
    r"set_num_threads|set_num_interop|set_default|use_deterministic|set_deterministic|set_printoptions|manual_seed|^seed$|set_rng_state"
    r"|lobpcg|_lowrank|from_file|_file$|_fd|share_memory|_cuda|_new_shared|_share|save|load|_weak_ref|__reduce|__setstate|__del|__class|_new_with|__dir"
    r"|__init_subclass|__subclasshook|__getattr|__setattr|__new__|__init__|__array_(interface|struct)|data_ptr|Generator|import|_set_from"
)


# ---- signatures --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Target:
    """A callable and what it takes: [(name, kind, keyword only, may be left out)]."""

    text: str  # "torch.add({})", "{self}.add({})"
    params: tuple
    pure: bool  # leaves its operands as they are


_HINTS = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "Generator": "Generator",
    "layout": "layout",
    "Any": "any",
}
_HINTS |= {
    "memory_format": "memory_format",
    "Sequence[float]": "floats",
    "Number": "Number",
    "device": "device",
    "dtype": "dtype",
}


def _kind(hint):
    hint = hint.removesuffix(" | None")
    if hint.startswith("Tensor |"):
        return "TensorOrNumber" if "Sequence" not in hint else "tensors"
    if hint.startswith(("Tensor", "torch.Tensor")):
        return "Tensor"
    if "Sequence[Tensor]" in hint or "tuple[Tensor" in hint:
        return "tensors"
    if "Sequence[int]" in hint:
        return "ints"
    return _HINTS.get(hint.split(" |")[0], "any")


def _params(arguments, method):
    plain = arguments.posonlyargs + arguments.args
    first = len(plain) - len(arguments.defaults)
    out = [
        (a.arg, _kind(ast.unparse(a.annotation) if a.annotation else "Any"), False, i >= first)
        for i, a in enumerate(plain)
    ]
    if arguments.vararg:
        out.append(("*", "int", False, True))
    keyword = zip(arguments.kwonlyargs, arguments.kw_defaults)
    out += [
        (a.arg, _kind(ast.unparse(a.annotation) if a.annotation else "Any"), True, d is not None) for a, d in keyword
    ]
    return tuple(out[1:] if method else out)


def _documented(name, function, method=False):
    """From the first line of the docstring: names, and kinds as far as defaults and habits tell."""
    line = (function.__doc__ or "").strip().partition("\n")[0]
    match = re.match(r"\w+(\(.*\)) ->", line)
    try:
        arguments = ast.parse(f"def f{match[1]}: pass").body[0].args
    except (SyntaxError, TypeError):
        return (("*", "any", False, True),)
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
    out = []
    for part, default in [*zip(arguments.args, defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]:
        value = default.value if isinstance(default, ast.Constant) else default
        kind = {bool: "bool", int: "int", float: "float", str: "str"}.get(type(value), "Tensor")
        kind = {
            "dim": "ints",
            "dims": "ints",
            "ord": "any",
            "n": "int",
            "N": "int",
            "dtype": "dtype",
            "tensors": "tensors",
        }.get(part.arg, kind)
        out.append((part.arg, kind, part in arguments.kwonlyargs, default is not None))
    return tuple(out)


_OPERATORS = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le gt ge eq ne"
_INPLACE = "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift"
_ONE = "neg pos invert abs index not_ truth"
_ANY = ("*", "any", False, True)
_MAKERS = "tensor as_tensor asarray from_numpy frombuffer Tensor Size device UntypedStorage TypedStorage complex"
_MAKERS += " FloatTensor LongTensor BoolTensor HalfTensor FloatStorage IntStorage ByteStorage finfo iinfo is_tensor numel broadcast_tensors"


@functools.cache
def targets():
    """Everything that is called, by kind."""
    package = pathlib.Path(torch.__file__).parent
    found = {"operators": [], "methods": [], "makers": [], "python": []}
    seen = set()
    for file, method in (("_functions.pyi", False), ("_methods.pyi", True)):
        for node in ast.walk(ast.parse((package / file).read_text())):
            if isinstance(node, ast.FunctionDef) and not _LEFT_OUT.search(node.name):
                seen.add(("Tensor." if method else "torch.") + node.name)
                pure = not node.name.endswith("_") and node.name != "btrifact"  # which writes to `info`
                text = "{self}." if method else "torch."
                if hasattr(torch.Tensor if method else torch, node.name):
                    params = _params(node.args, method)
                    found["methods" if method else "operators"].append(Target(f"{text}{node.name}({{}})", params, pure))
    for place, module in (("torch.linalg", torch.linalg), ("torch.special", torch.special)):
        for name, value in vars(module).items():
            if callable(value) and not name.startswith("_") and not isinstance(value, type):
                found["operators"].append(Target(f"{place}.{name}({{}})", _documented(name, value), True))
    names = [(n, getattr(torch, n)) for n in sorted(dir(torch)) if f"torch.{n}" not in seen]
    for name, value in names:
        if callable(value) and not isinstance(value, type) and not name.startswith("_") and not _LEFT_OUT.search(name):
            found["python"].append(Target(f"torch.{name}({{}})", _documented(name, value), False))
    for name in sorted(dir(torch.Tensor)):
        value = getattr(torch.Tensor, name, None)
        if f"Tensor.{name}" in seen or _LEFT_OUT.search(name) or name in vars(object):
            continue
        if callable(value):
            found["python"].append(Target(f"{{self}}.{name}({{}})", (_ANY,), False))
        else:
            found["python"].append(Target(f"{{self}}.{name}", (), True))
            found["python"].append(Target(f"setattr({{self}}, {name!r}, {{}})", (("*1", "any", False, True),), False))
    other = ("*1", "TensorOrNumber", False, False)
    found["operators"] += [Target(f"operator.{n}({{self}}, {{}})", (other,), True) for n in _OPERATORS.split()]
    found["operators"] += [Target(f"operator.{n}({{}}, {{self}})", (other,), True) for n in _OPERATORS.split()]
    found["operators"] += [Target(f"operator.{n}({{self}}, {{}})", (other,), False) for n in _INPLACE.split()]
    found["operators"] += [Target(f"operator.{n}({{self}})", (), True) for n in _ONE.split()]
    found["operators"] += [
        Target(f"{n}({{self}})", (), True) for n in "int float complex bool repr list tuple hash iter len".split()
    ]
    for name in _MAKERS.split():
        extra = (
            ("dtype", "dtype", True, True),
            ("device", "device", True, True),
            ("requires_grad", "bool", True, True),
        )
        found["makers"].append(
            Target(
                f"torch.{name}({{}})",
                (("data", "data", False, False), *extra[: 3 if name[0].islower() else 0], _ANY),
                True,
            )
        )
    for owner in ("{self}.untyped_storage()", "{self}.storage()", "{self}.shape", "{self}.dtype", "torch.Generator()"):
        for name in sorted(dir(eval(owner.format(self="torch.ones(2)")))):  # noqa: S307 - our own texts
            if not _LEFT_OUT.search(name) and name not in vars(object) and name not in ("pin_memory",):
                found["makers"].append(Target(f"operator.attrgetter({name!r})({owner})", (), True))
                if callable(getattr(eval(owner.format(self="torch.ones(2)")), name)):  # noqa: S307
                    found["makers"].append(Target(f"{owner}.{name}({{}})", (_ANY,), False))
    return found


# ---- calls -------------------------------------------------------------------------------------------------
@dataclass
class Call:
    """Tensors by name, then a call with them."""

    text: str  # of the call, with {self} and {} for the arguments
    pure: bool
    strict: bool  # warnings are errors
    tensors: dict = field(default_factory=dict)
    args: list = field(default_factory=list)  # (keyword or None, text)

    def define(self, text):
        name = "abcdefghijklmnopqrstuvwxyz"[len(self.tensors) % 26]
        self.tensors[name] = text
        return name

    def call(self):
        arguments = ", ".join(f"{k}={v}" if k else v for k, v in self.args)
        return self.text.replace("{self}", "a").replace("{}", arguments)

    def __str__(self):
        return "; ".join([*(f"{n} = {t}" for n, t in self.tensors.items()), self.call()])


def make(number, seed):
    """Call `number`."""
    chance = random.Random(seed * 10**9 + number)
    theme = values.Theme(chance)
    kind = chance.choices(("operators", "methods", "makers", "python", "get", "set"), (40, 25, 8, 8, 9, 10))[0]
    strict = chance.random() < 0.05
    if kind in ("get", "set"):
        call = Call("a[{}]", True, strict) if kind == "get" else Call("operator.setitem(a, {})", False, strict)
        call.define(theme.tensor())
        call.args.append((None, values.index(chance, theme)))
        if kind == "set":
            choices = (
                values.tensor(chance, ()),
                theme.tensor(),
                chance.choice(values.NUMBERS),
                chance.choice(values.WRONG),
                "a",
            )
            call.args.append((None, chance.choice(choices)))
        return call
    target = chance.choice(targets()[kind])
    call = Call(target.text, target.pure, strict)
    if "{self}" in target.text:
        call.define(theme.tensor())

    def text(kind):
        if kind == "data":
            kind = chance.choice(("Tensor", "any", "ints", "floats", "tensors"))
        made = values.argument(chance, kind, theme, list(call.tensors))
        return call.define(theme.tensor()) if made is None else made

    keywords = False
    for name, wanted, keyword_only, optional in target.params:
        if name == "*":
            call.args += [
                (None, text(chance.choice((wanted, "any", "Tensor", "int"))))
                for _ in range(chance.choice((0, 1, 1, 2, 3)))
            ]
            continue
        if name != "*1" and chance.random() < (0.6 if optional else 0.02):
            keywords = True  # what follows has to be named
            continue
        value = text(wanted)
        if name == "out":
            call.pure = False
            if chance.random() < 0.3 and call.tensors:
                value = chance.choice(list(call.tensors))
        keywords = keywords or keyword_only or (not name.startswith("*") and chance.random() < 0.1)
        call.args.append((name if keywords and not name.startswith("*") else None, value))
    mistake = chance.random() if target.text.endswith("({})") else 1
    if mistake < 0.015:
        call.args.append((chance.choice(("bogus", "out", "axis", "x1", "dtype", "self", "ö")), text("any")))
    elif mistake < 0.03 and target.params and not target.params[0][0].startswith("*"):
        call.args.append((target.params[0][0], text("any")))  # by position and by name
    elif mistake < 0.04:
        call.args.insert(0, (None, text("any")))
    call.pure = call.pure and not any(keyword == "out" for keyword, _ in call.args)
    named = set()
    call.args = [
        a for a in call.args if a[0] is None or not (a[0] in named or named.add(a[0]))
    ]  # Python's own SyntaxError
    call.args.sort(key=lambda a: a[0] is not None)
    return call


# ---- what happens ------------------------------------------------------------------------------------------
def _state(tensor):
    storage = tensor.untyped_storage()
    data = ctypes.string_at(storage.data_ptr(), storage.nbytes()) if storage.nbytes() else b""
    return tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset(), storage.data_ptr(), data


def _members(tensor):
    """The strided tensors that a sparse one is made of."""
    if tensor.layout == torch.sparse_coo:
        return tensor._indices(), tensor._values()
    by_rows = tensor.layout in (torch.sparse_csr, torch.sparse_bsr)
    lines = (tensor.crow_indices(), tensor.col_indices()) if by_rows else (tensor.ccol_indices(), tensor.row_indices())
    return *lines, tensor.values()


def _read(result, depth=0):
    """Reads what came out, every element of it if there are few; or says what is wrong with it."""
    if isinstance(result, torch.Tensor) and result.layout != torch.strided:
        if math.prod(max(n, 1) for n in result.shape) < 2000:
            repr(result)
            if not result.is_meta:
                result.to_dense()
        return _read(_members(result), depth + 1)
    if isinstance(result, torch.Tensor):
        last = result.storage_offset() + sum((n - 1) * s for n, s in zip(result.shape, result.stride()))
        if result.numel() and (last + 1) * result.itemsize > result.untyped_storage().nbytes():
            return f"a view beyond its storage: {result.shape} {result.stride()} {result.storage_offset()}"
        if math.prod(max(n, 1) for n in result.shape) < 2000:  # (2**62, 0) is a shape
            if not result.is_meta:
                result.tolist()
            if result.numel() < 30:
                repr(result)
    elif isinstance(result, (tuple, list)) and depth < 3 and len(result) < 100:
        return next(filter(None, (_read(r, depth + 1) for r in result)), None)
    return None


def run(call):
    """Makes the call. Returns (how it ended, what is wrong with that or None)."""
    scope = dict(SCOPE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for name, text in call.tensors.items():
                scope[name] = eval(text, scope)  # noqa: S307 - our own texts
            body = compile(call.call(), "call", "eval")
        except Exception as error:  # noqa: BLE001
            return "unmade", f"cannot be made: {type(error).__name__}: {error}"
        tensors = [scope[n] for n in call.tensors]
        before = [_state(t) for t in tensors]
        if call.strict:
            warnings.simplefilter("error")
        result = raised = None
        try:
            result = eval(body, scope)  # noqa: S307
        except ALLOWED as error:
            raised = type(error).__name__
        except Exception as error:  # noqa: BLE001
            name = type(error).__name__
            # What is written in Python finds out by using it that an argument is of the wrong kind, in PyTorch, too.
            in_python = error.__traceback__.tb_next.tb_next is not None
            if name == "AttributeError" and (in_python or call.text.startswith(("setattr", "operator.attrgetter"))):
                return name, None
            if str(error) == "Torch not compiled with CUDA enabled":  # an AssertionError in PyTorch, too
                return name, None
            if name == "AssertionError" and "sym_" in call.text:  # torch.sym_ite of what is no number: in PyTorch, too
                return name, None
            return name, f"raises {name}: {error}"
        warnings.simplefilter("ignore")
        if (raised and not raised.endswith("Warning")) or call.pure:  # warnings come when the work has been done
            for name, tensor, was in zip(call.tensors, tensors, before):
                if _state(tensor) != was:
                    return raised or "result", f"{'raises ' + raised if raised else 'returns'} and has changed {name}"
        if raised:
            return raised, None
        wrong = _read(result)
        return "result", f"returns {wrong}" if wrong else None


def simpler(call):
    """Calls with less in them, the smallest steps last."""
    for i in range(len(call.args) - 1, -1, -1):
        yield replace(call, args=call.args[:i] + call.args[i + 1 :])
    used = call.call()
    for name in call.tensors:
        if not re.search(rf"\b{name}\b", used):
            yield replace(call, tensors={n: t for n, t in call.tensors.items() if n != name})
    for i, (keyword, text) in enumerate(call.args):
        for other in ("1", "a", "None", "2"):
            if len(other) < len(text) or (other != text and len(text) == 1 and other == "1"):
                yield replace(call, args=[*call.args[:i], (keyword, other), *call.args[i + 1 :]])
    if call.strict:
        yield replace(call, strict=False)
    for name, text in call.tensors.items():
        others = ["torch.ones(2)", "torch.ones(2, 2)", "torch.ones(0)", "torch.tensor(1)", "torch.ones(2, 2, 2)"]
        dtype = re.search(r"torch\.(\w+)\)", text)
        if dtype and dtype[1] in values.DTYPES:
            others += [f"{o[:-1]}, dtype=torch.{dtype[1]})" for o in others]
        ends = [m.start() for m in re.finditer(r"\.(?:transpose|expand|reshape|as_strided)|\[", text) if m.start() > 0]
        for other in others + [text[:e] for e in ends]:
            if other != text and len(other) < len(text):
                yield replace(call, tensors={**call.tensors, name: other})
