"""Sizes that are symbols. This torch's sizes are numbers always: what asks about a size answers for numbers, and a ShapeEnv,
which would make symbols, says that there are none."""

import dataclasses
import operator

import torch
from torch._absent import rest_of  # what else PyTorch has here says so when it is used

__all__ = [
    "CURRENT_NODE_KEY",
    "ConvertIntKey",
    "SHAPEENV_EVENT_KEY",
    "Specialization",
    "SymIntEqByExpr",
    "ValueRangesSLoc",
    "canonicalize_bool_expr",
    "check_consistent",
    "compute_unbacked_bindings",
    "create_contiguous",
    "free_symbols",
    "guard_float",
    "guard_int",
    "guard_or_false",
    "guard_or_true",
    "guard_scalar",
    "guard_size_oblivious",
    "guarding_hint_or_throw",
    "has_free_symbols",
    "has_free_unbacked_symbols",
    "has_static_value",
    "has_symbolic_sizes_strides",
    "is_accessor_node",
    "is_concrete_bool",
    "is_concrete_float",
    "is_concrete_int",
    "is_nested_int",
    "is_symbol_binding_fx_node",
    "optimization_hint",
    "rebind_unbacked",
    "resolve_unbacked_bindings",
    "statically_known_false",
    "statically_known_true",
    "sym_and",
    "sym_eq",
    "sym_or",
]

# Those that torch._absent makes.
__all__ += ["ShapeEnv", "StatefulSymbolicContext", "StatelessSymbolicContext"]  # noqa: F822
__all__ += ["SubclassSymbolicContext", "SymbolicContext"]  # noqa: F822

SHAPEENV_EVENT_KEY = "shapeenv_event"
CURRENT_NODE_KEY = "current_node"


# ---- what a number is --------------------------------------------------------------------------------------
def _expected(kind, a):
    if type(a) is not kind:
        raise AssertionError(f"Expected {kind.__name__}, got {a}")
    return a


def guard_int(a):
    """The number. AssertionError for what is no int."""
    return _expected(int, a)


def guard_float(a):
    """The number. AssertionError for what is no float."""
    return _expected(float, a)


def guard_bool(a):
    """The truth value. AssertionError for what is no bool."""
    return _expected(bool, a)


def guard_scalar(a):
    """The number. AssertionError for what is none."""
    if not isinstance(a, (bool, int, float)):
        raise AssertionError(f"unrecognized scalar {a}")
    return a


def guard_size_oblivious(expr):
    """The truth value."""
    return _expected(bool, expr)


def _truth(a):
    if type(a) is not bool:
        raise AssertionError(f"Expected bool, got {type(a)}")
    return a


def guard_or_true(a):
    """The truth value; what is not known would be true. AssertionError for what is no bool."""
    return _truth(a)


def guard_or_false(a):
    """The truth value; what is not known would be false. AssertionError for what is no bool."""
    return _truth(a)


def statically_known_true(x):
    """Whether it is true. AssertionError for what is no bool."""
    return _truth(x)


def statically_known_false(x):
    """Whether it is false. AssertionError for what is no bool."""
    return not _truth(x)


def expect_true(a, skip=0):
    """The truth value. AssertionError for what is no bool."""
    return _expected(bool, a)


def has_guarding_hint(a):
    """True: a number is known."""
    return True


def cast_symbool_to_symint_guardless(symbool):
    """1 or 0. AssertionError for what is no bool."""
    return int(_expected(bool, symbool))


def constrain_unify(a, b):
    """AssertionError where two sizes differ."""
    if a != b:
        raise AssertionError(f"Expected {a} == {b}")


def eval_is_non_overlapping_and_dense(sizes, strides):
    """1 where a tensor of these sizes and strides has each of its elements once and no gaps; else 0."""
    expected = 1
    for stride, size in sorted((stride, size) for size, stride in zip(sizes, strides) if size != 1):
        if stride != expected:
            return 0
        expected *= size
    return 1


def guarding_hint_or_throw(a):
    """The number."""
    return a


def optimization_hint(a, fallback=None):
    """The number."""
    return a


def is_concrete_int(a):
    """True: every int is a number."""
    if not isinstance(a, int):
        raise AssertionError(f"Expected int, got {type(a)}")
    return True


def is_concrete_float(a):
    """True: every float is a number."""
    if not isinstance(a, float):
        raise AssertionError(f"Expected float, got {type(a)}")
    return True


def is_concrete_bool(a):
    """True: every bool is a value."""
    if not isinstance(a, bool):
        raise AssertionError(f"Expected bool, got {type(a)}")
    return True


def has_static_value(a):
    """True: every number has its value."""
    if not isinstance(a, (bool, int, float)):
        raise AssertionError(f"Expected a number, got {type(a)}")
    return True


def is_nested_int(s):
    """False: there are no such sizes."""
    return False


def is_symbolic(val):
    """False: there are no symbols."""
    return False


def has_free_symbols(val):
    """False: there are no symbols."""
    return False


def has_free_unbacked_symbols(x):
    """False: there are no symbols."""
    return False


def free_symbols(val):
    """set(): there are no symbols."""
    return set()


def free_unbacked_symbols(x):
    """set(): there are no symbols."""
    return set()


def has_symbolic_sizes_strides(elem):
    """False: there are no symbols."""
    return False


def canonicalize_bool_expr(expr):
    """The truth value."""
    return expr


def constrain_range(a, *, min, max=None):  # noqa: A002 - torch's names
    """ValueError for a number outside the range."""
    high = float("inf") if max is None else max
    if not min <= a <= high:
        raise ValueError(f"Invalid value {a} for range [{min}:{'inf' if max is None else max}]")


def sym_eq(x, y):
    """Whether numbers, or tuples and lists of them, are equal."""
    if isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
        return len(x) == len(y) and all(map(sym_eq, x, y))
    if isinstance(x, int) and isinstance(y, int):
        return x == y
    raise AssertionError(f"unexpected sym_eq between {type(x)} {type(y)}")


def sym_and(x, *others):
    """Whether all are true."""
    for other in others:
        x = operator.and_(x, other)
    return x


def sym_or(x, *others):
    """Whether one is true."""
    for other in others:
        x = operator.or_(x, other)
    return x


def create_contiguous(shape):
    """The strides of a tensor of this shape without gaps."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.append(size * strides[-1])
    return strides[::-1] if len(shape) else []


def check_consistent(new, old):
    """RuntimeError where two values of a node, tensors or numbers, differ in shape or in value."""
    if isinstance(new, torch.Tensor):
        if not isinstance(old, torch.Tensor) or tuple(new.shape) != tuple(old.shape):
            raise RuntimeError(f"old and new are not consistent: {getattr(old, 'shape', old)} != {new.shape}")
    elif isinstance(new, (int, float)) and new != old:
        raise RuntimeError(f"{old} != {new}")


# ---- how a number is found in a value ----------------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class ConvertIntKey:
    """The bool as a number."""

    def get(self, b):
        return cast_symbool_to_symint_guardless(b)

    def __str__(self):
        return ".cast_symbool_to_symint_guardless()"


@dataclasses.dataclass(frozen=True)
class CallMethodKey:
    """What the method returns."""

    name: str

    def get(self, o):
        return getattr(o, self.name)()

    def __str__(self):
        return f".{self.name}()"


@dataclasses.dataclass(frozen=True)
class InnerTensorKey:
    """The attribute."""

    inner_name: str

    def get(self, o):
        return getattr(o, self.inner_name)

    def __str__(self):
        return f".{self.inner_name}"


@dataclasses.dataclass(frozen=True)
class DivideByKey:
    """The quotient."""

    divisor: int

    def get(self, o):
        return o // self.divisor

    def __str__(self):
        return f".__floordiv__({self.divisor})"


@dataclasses.dataclass(frozen=True)
class Specialization:
    """Where a size comes from, and whether it is one that a compiler would make a version of its own for."""

    source: object
    check_fn: object


@dataclasses.dataclass
class ValueRangesSLoc:
    """Where a program has said what a size is at least and at most."""

    lower: object
    upper: object


class SymIntEqByExpr:
    """A size that is equal to another one if it is the same number."""

    def __init__(self, val):
        self.val = _expected(int, val)

    def __repr__(self):
        return repr(self.val)

    def __eq__(self, other):
        return isinstance(other, SymIntEqByExpr) and self.val == other.val

    def __hash__(self):
        return hash(self.val)


# ---- nodes -------------------------------------------------------------------------------------------------
def is_symbol_binding_fx_node(node):
    """None: no node binds a symbol."""


def is_accessor_node(node):
    """Whether the node asks a tensor for its size or the like."""
    if node.op == "call_method" and node.target in ("size", "stride", "storage_offset", "item"):
        first = node.args[0].meta.get("example_value", node.args[0].meta.get("val"))
        return isinstance(first, torch.Tensor)
    return node.op == "call_function" and node.target in [
        getattr(packet, "default", packet)
        for packet in (getattr(torch.ops.aten, name, None) for name in ("sym_size", "sym_stride", "sym_storage_offset"))
        if packet is not None
    ]


def find_symbol_binding_fx_nodes(graph):
    """{}: no node binds a symbol."""
    return {}


def fx_placeholder_vals(gm):
    """What is known of the inputs: meta["val"] of each placeholder."""
    return [node.meta["val"] for node in gm.graph.nodes if node.op == "placeholder"]


def fx_placeholder_targets(gm):
    """The names of the inputs."""
    return [node.target for node in gm.graph.nodes if node.op == "placeholder"]


def compute_unbacked_bindings(shape_env, example_value, old_example_value=None, peek=False):
    """None: there are no symbols."""


def resolve_unbacked_bindings(shape_env, bindings):
    """The bindings: there are no symbols in them."""
    return bindings


def rebind_unbacked(shape_env, n, result):
    """Does nothing: there are no symbols."""


__getattr__, __dir__ = rest_of(__name__)
