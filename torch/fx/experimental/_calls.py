"""Calls of operators as PyTorch's schemas have them: what a mode below recording hears, translated for a graph."""

import functools
import re

import torch
from torch._ops import ops

aten = ops.aten
_MISSING = object()


@functools.cache
def _parameters(op):
    """[(name, type, default as text or None, whether by keyword only)] of the operator's schema; None: it has none."""
    try:
        text = str(op._schema)
    except RuntimeError:
        return None
    inside = text.partition("(")[2].rpartition(") ->")[0]
    found, keyword = [], False
    for part in re.split(r", (?![^\[]*\])", re.sub(r"\([a-z]!?\)", "", inside)) if inside else []:
        if part == "*":
            keyword = True
            continue
        declared, _, default = part.partition("=")
        kind, _, name = declared.rpartition(" ")
        found.append((name, kind, default or None, keyword))
    return found


def _is_default(value, default):
    if default is None:
        return False
    if value is None or isinstance(value, (bool, int)):
        return str(value) == default
    if isinstance(value, float):
        return default.lstrip("-")[:1].isdigit() and float(default) == value
    if isinstance(value, str):
        return value == default.strip("\"'")
    if not isinstance(value, list):
        return False
    numbers = [int(number) for number in re.findall(r"-?\d+", default)]
    if not numbers:
        return default in ("None", "[]") and not value
    return value == numbers or (not default.startswith("[") and set(value) == set(numbers))  # int[2] padding=0


def _is_nothing(value):
    return value is None or value is False or value == []


# What values a schema's type has.
_TYPES = {
    "Tensor": torch.Tensor,
    "ScalarType": torch.dtype,
    "Device": torch.device,
    "MemoryFormat": torch.memory_format,
    "Layout": torch.layout,
    "bool": bool,
    "str": str,
}


def _fits(kind, value):
    optional = kind.endswith("?")
    kind = kind.rstrip("?")
    if value is None:
        return optional
    if kind in ("int", "SymInt") and isinstance(value, list) and len(value) == 1:
        return True
    if kind.endswith("]"):
        return isinstance(value, (list, tuple))
    known = _TYPES.get(kind)
    return isinstance(value, known) if known else isinstance(value, (int, float, complex))


def _whole(kind, value):
    """A list of as many numbers as the schema has."""
    count = re.fullmatch(r"(?:Sym)?[Ii]nt\[(\d)\]\??", kind)
    if count and isinstance(value, list) and len(value) == 1:
        return value * int(count[1])
    if kind in ("int", "SymInt") and isinstance(value, list) and len(value) == 1:
        return value[0]
    return None if value == [] and kind.endswith("?") else value


def bound(op, args):
    """(args, kwargs) of the call, without what its schema has for defaults."""
    parameters = _parameters(op)
    if parameters is None:
        return tuple(args), {}
    if len(parameters) != len(args):
        args = _matched(op, parameters, args)
    positional, kwargs = [], {}
    for (name, kind, default, keyword), value in zip(parameters, args):
        if value is _MISSING:
            continue
        value = _whole(kind, value)
        if not keyword:
            positional.append(value)
        elif value is not None and not _is_default(value, default):  # None: it is not given
            kwargs[name] = value
    defaults = [default for _, _, default, keyword in parameters if not keyword]
    while positional and _is_default(positional[-1], defaults[len(positional) - 1]):
        positional.pop()
    return tuple(positional), kwargs


def _matched(op, parameters, args):
    """The arguments in the places of the schema's parameters, by their types and in their order, which of those by keyword
    may be another one: our functions have all parameters of a family of overloads."""
    matched, at = [_MISSING] * len(parameters), 0
    for value in args:
        free = (i for i, p in enumerate(parameters) if matched[i] is _MISSING and (i >= at or p[3]))
        place = next((i for i in free if _fits(parameters[i][1], value)), None)
        if place is None or (_is_nothing(value) and place != at):
            if _is_nothing(value):
                continue
            raise NotImplementedError(f"{op} is computed with {value!r}, for which its schema has no place")
        matched[place], at = value, max(at, place + 1)
    positional = [(p, value) for p, value in zip(parameters, matched) if not p[3]]
    left_out = [p[0] for p, value in positional if value is _MISSING and p[2] is None]
    if left_out or any(a[1] is _MISSING and b[1] is not _MISSING for a, b in zip(positional, positional[1:])):
        raise NotImplementedError(f"{op} is computed without {left_out}, which its schema has")
    return matched


# ---- calls that PyTorch makes in another way -----------------------------------------------------------------
# {name of our operator: function(args) -> (args, kwargs)}
def _to_copy(args):
    self, dtype, device, memory_format = args
    kwargs = {}
    if dtype != self.dtype:
        kwargs["dtype"] = dtype
    if device != self.device:
        kwargs["device"] = device
    if memory_format not in (None, torch.preserve_format):
        kwargs["memory_format"] = memory_format
    return (self,), kwargs


def _softmax(args):
    self, dim, dtype = args
    return (self, dim, False if dtype in (None, self.dtype) else dtype), {}


def _softmax_gradient(args):
    return (*args, args[1].dtype), {}


def _clone(args):
    self, memory_format = args
    kept = memory_format in (None, torch.preserve_format)
    return (self,), {} if kept else {"memory_format": memory_format}


def _group_norm(args):
    self, weight, bias, _, _, groups, eps = args
    batch, channels = self.shape[:2]
    return (self, weight, bias, batch, channels, self[0, 0].numel() if self.numel() else 0, groups, eps), {}


def _solve(args):
    *tensors, left = args
    return tuple(tensors), {} if left else {"left": False}


_OWN = {
    "_linalg_solve_ex": _solve,
    "native_group_norm": _group_norm,
    "_to_copy": _to_copy,
    "_softmax": _softmax,
    "_log_softmax": _softmax,
    "_softmax_backward_data": _softmax_gradient,
    "_log_softmax_backward_data": _softmax_gradient,
    "clone": _clone,
}

# Operators that fill arguments, given empty, with what PyTorch's return: {name: (places, places of the arguments there)}
FILLED = {
    "native_batch_norm": (5, 6),
    "native_layer_norm": (4, 5),
    "native_group_norm": (3, 4),
    "_fused_rms_norm": (3,),
}


# Operators that compute a part of what PyTorch's of that name does.
OTHERWISE = frozenset(["quantile", "nanquantile", "rrelu"])


def call_of(op, args):
    """(args, kwargs) of PyTorch's operator for a call of ours."""
    name = op.overloadpacket.__name__
    if name in _OWN:
        return _OWN[name](args)
    if name in FILLED:
        return tuple(arg for i, arg in enumerate(args) if i not in FILLED[name]), {}
    return bound(op, list(args))


@functools.cache
def gives_list(op):
    """Whether it returns a list of tensors."""
    try:
        return str(op._schema).endswith("[]")
    except RuntimeError:
        return False


@functools.cache
def is_view(op):
    """Whether its results are views of its arguments."""
    return op.is_view
